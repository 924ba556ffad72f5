"""Commands that back the database up while Homeroom runs, and put a backup in its place."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from services import settings as configuration
from services.connections.key_rotation import SealState, verify_seals
from services.connections.vault import KeyRing, Vault
from services.errors import BadArguments, SettingsError, StorageError, StorageUnavailable
from services.runtime.clock import utc_now
from services.settings import Settings
from services.storage import sqlite_backup
from services.storage.collections import COLLECTIONS
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite import SqliteDocuments
from services.storage.sqlite_file_locks import UsageLock
from services.storage.store import Store

_FORCE = "add --force"
_UNCHANGED = "Nothing was changed."


@dataclass(frozen=True, kw_only=True)
class BackupContents:
    """What a copy of the database holds. unknown: collections that this version of Homeroom does not know."""

    students: int
    seals: Counter[SealState]
    unknown: frozenset[str]
    megabytes: float

    def __str__(self) -> str:
        students, sealed = _counted(self.students, "student"), _counted(self.seals.total(), "sealed credential")
        return f"{students}, {sealed}, {self.megabytes:.1f} MB"


def backup(file: Path) -> int:
    """Write the database into one file that only you can read, also while Homeroom runs; tried before it is there."""
    settings = _settings_of_sqlite('mongodump --uri "$MONGODB_URI" --gzip --archive=FILE')
    database, file = settings.data_dir / DATABASE_FILE, file.absolute()
    if not database.exists():
        raise BadArguments(f"There is no database at {database} yet.", next_step="Look at HOMEROOM_DATA_DIR.")
    _require_place(file, database)
    usage = UsageLock(database)
    try:
        usage.share()
    except BlockingIOError:
        raise StorageError("A backup is being restored just now.", next_step="Try again when that has ended.") from None
    with sqlite_backup.staging_folder(file) as folder:
        copy = folder / DATABASE_FILE
        sqlite_backup.copy_online(database, copy)
        contents = _examine(copy, settings)
        sqlite_backup.publish(copy, file)
    usage.release()
    print(f"Written to {file}: {contents}, as of now.")
    if contents.seals[SealState.BROKEN]:
        print(f"{_broken(contents.seals)} They are in the backup as they are.")
    return 0


def restore(file: Path, force: bool) -> int:
    """Put a backup in the place of the database, which is kept beside it; Homeroom must not run meanwhile."""
    settings = _settings_of_sqlite('mongorestore --uri "$MONGODB_URI" --gzip --archive=FILE')
    database, file = settings.data_dir / DATABASE_FILE, file.absolute()
    if not file.is_file() or not sqlite_backup.is_database(file):
        raise _no_backup(file)
    _make_folder(settings)
    with _alone(database):
        if database.exists() and not force:
            step = f"To put the backup in its place and keep it beside, {_FORCE}."
            raise BadArguments(f"There is a database already: {database}.", next_step=step)
        with sqlite_backup.staging_folder(database) as folder:
            copy = folder / DATABASE_FILE
            sqlite_backup.copy_file(file, copy)
            contents = _examined_backup(file, copy, settings, force=force)
            told = _replace(database, copy, settings)
    print(f"{file} is restored: {contents}.")
    print("\n".join(told))
    return 0


def _settings_of_sqlite(instead: str) -> Settings:
    """The settings; refuses a deployment on MongoDB, whose own tools do this."""
    settings = configuration.from_process()
    KeyRing.parse(settings.vault_keys)
    if settings.mongodb_uri is not None:
        step = f"Use MongoDB's own tools: {instead}"
        raise BadArguments("MONGODB_URI is set: this command is for SQLite.", next_step=step)
    return settings


def _require_place(file: Path, database: Path) -> None:
    """Raise for a place that holds something else: a backup replaces nothing but another backup."""
    if file.is_dir():
        raise BadArguments(f"{file} is a folder.", next_step="Name a file in it.")
    is_beside = file.parent.exists() and file.parent.samefile(database.parent)
    if (is_beside and file.name.startswith(DATABASE_FILE)) or (file.exists() and file.samefile(database)):
        raise BadArguments(f"{file} belongs to the database itself.", next_step="Name another file.")
    if not file.exists():
        return
    if not sqlite_backup.is_database(file) or "students" not in sqlite_backup.table_names(file):
        step = "Name a new file, or one that a backup may replace."
        raise BadArguments(f"{file} is there already, and is no backup of Homeroom's.", next_step=step)


def _examine(copy: Path, settings: Settings) -> BackupContents:
    """Try the copy as Homeroom itself would; raises `StorageError` for one that it could not go on with."""
    sqlite_backup.require_sound(copy)
    unknown = sqlite_backup.table_names(copy) - {collection.name for collection in COLLECTIONS} - {"_pings"}
    with closing(Store(SqliteDocuments(copy))) as store:
        students = store.shared.count("students", {})
        seals = verify_seals(store, Vault(KeyRing.parse(settings.vault_keys)))
    sqlite_backup.require_sound(copy)
    megabytes = copy.stat().st_size / 1e6
    return BackupContents(students=students, seals=seals, unknown=frozenset(unknown), megabytes=megabytes)


def _examined_backup(file: Path, copy: Path, settings: Settings, *, force: bool) -> BackupContents:
    """What the backup holds; raises where it should not be restored, or not without --force."""
    try:
        sqlite_backup.require_sound(copy)
        if "students" not in sqlite_backup.table_names(copy):
            raise _no_backup(file)
        _require_own_parts(file, copy)
        contents = _examine(copy, settings)
    except StorageUnavailable as error:
        step = "Take an older backup."
        raise StorageError(f"{file} is damaged, or cannot be read here. {_UNCHANGED}", next_step=step) from error
    if contents.unknown and not force:
        known = ", ".join(sorted(contents.unknown))
        step = f"Start the version that made it. To restore it all the same, {_FORCE}."
        raise StorageError(f"{file} is of another version, with what this one does not know: {known}.", next_step=step)
    if contents.seals[SealState.BROKEN] and not force:
        step = f"Set the keys of that time in HOMEROOM_VAULT_KEYS. To have students reconnect instead, {_FORCE}."
        raise SettingsError("HOMEROOM_VAULT_KEYS", f"{_broken(contents.seals)} {_UNCHANGED}", next_step=step)
    return contents


def _require_own_parts(file: Path, copy: Path) -> None:
    """Raise for a file that somebody has built something into, before anything is written to it: with --force, too."""
    fresh = copy.with_name("fresh.sqlite")
    Store(SqliteDocuments(fresh)).close()
    if odd := sqlite_backup.changed_parts(copy, fresh):
        parts, step = ", ".join(sorted(odd)), "Take another backup, from a place that only you can write to."
        raise StorageError(f"{file} was changed by somebody: {parts}. {_UNCHANGED}", next_step=step)


def _replace(database: Path, copy: Path, settings: Settings) -> list[str]:
    """Swap the files; what there is to tell."""
    if not database.exists():
        sqlite_backup.replace_database(copy, database, database.with_name(f"{DATABASE_FILE}.without"))
        return ["Accounts that were deleted since the backup are not known here: they are back.", "Start Homeroom now."]
    kept = database.with_name(f"{DATABASE_FILE}.before-{utc_now():%Y%m%dT%H%M%S%f}Z")
    told = [f"The database that was there is kept: {kept}. Delete it when you need it no more."]
    if sqlite_backup.fold_log(database):
        told += _repeat_deletions(database, copy, settings)
    else:
        told.append("It is damaged, so accounts that were deleted since the backup are not known: they are back.")
    sqlite_backup.replace_database(copy, database, kept)
    return [*told, "Start Homeroom now."]


def _repeat_deletions(database: Path, copy: Path, settings: Settings) -> list[str]:
    # Under another name beside the copy: in its own folder it is locked, by us.
    linked = copy.with_name("latest.sqlite")
    os.link(database, linked)
    # Loads what an agent is made of, which the other commands need not wait for.
    from services.privacy.account_deletion import repeat_deletions

    with closing(Store(SqliteDocuments(linked))) as latest, closing(Store(SqliteDocuments(copy))) as restored:
        number = repeat_deletions(latest, restored, secret=settings.cookie_secret, clock=utc_now)
    sqlite_backup.fold_log(linked)
    sqlite_backup.require_sound(copy)
    return [f"{number} deleted their account since the backup: Homeroom deletes it again as it starts."] * bool(number)


def _make_folder(settings: Settings) -> None:
    try:
        settings.data_dir.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        step = "Make it for the user that runs Homeroom, or set another."
        raise SettingsError("HOMEROOM_DATA_DIR", f"cannot be made ({error.strerror}).", next_step=step) from None


@contextmanager
def _alone(database: Path) -> Iterator[None]:
    try:
        with UsageLock(database).alone():
            yield
    except BlockingIOError:
        step = "Stop it, restore, and start it again."
        raise StorageError(f"Homeroom, or a command of it, runs on {database}.", next_step=step) from None
    except PermissionError:
        step = f"Run this as the user that runs Homeroom: {database.parent} is not open to this one."
        raise SettingsError("HOMEROOM_DATA_DIR", "cannot be read.", next_step=step) from None


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _no_backup(file: Path) -> BadArguments:
    return BadArguments(f"{file} is no backup of Homeroom's. {_UNCHANGED}", next_step="Name a file of `backup`.")


def _broken(seals: Counter[SealState]) -> str:
    return f"{seals[SealState.BROKEN]} of {seals.total()} sealed credentials do not open with these keys."
