"""A backup is one whole moment of the database, and restoring it loses nothing, whatever happens on the way (R98)."""

import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import manage
from services.errors import StorageUnavailable
from services.identity.students import Students
from services.privacy.account_deletion import repeat_deletions
from services.runtime.clock import utc_now
from services.settings import new_vault_key
from services.storage.documents import Write
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite import SqliteDocuments
from services.storage.sqlite_file_locks import UsageLock
from services.storage.store import Store
from tests.commands.backup.deployment import FILLING, KEY, SECRET, opened, tasks

NOBODY = 65534


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit code of a command, and what it printed."""
    code = manage.main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def test_a_backup_of_a_running_app_is_one_moment_of_it(database: Path, file: Path) -> None:
    """Each pair is written in one transaction, so a copy that mixes two moments has halves of some."""
    engine = SqliteDocuments(database)
    store, stop = Store(engine), threading.Event()

    def write_pairs() -> None:
        for number in range(1_000_000):
            if stop.is_set():
                return
            pair = [{"id": f"{side}{number % 50}", "at": number, "text": FILLING} for side in ("a", "b")]
            engine.write_all([Write(operation="put", collection="leases", arguments={"document": d}) for d in pair])

    writer = threading.Thread(target=write_pairs)
    writer.start()
    try:
        codes = [manage.main(["backup", str(file)]) for _ in range(3)]
    finally:
        stop.set()
        writer.join()
        store.close()

    assert codes == [0, 0, 0]
    with closing(opened(file)) as copy:
        found = {document["id"]: document["at"] for document in copy.shared.find("leases", {})}
        assert found
        assert {id: at for id, at in found.items() if found.get(f"{'ab'[id[0] == 'a']}{id[1:]}") != at} == {}


def test_a_backup_is_one_file_that_only_its_owner_reads_and_seals_stay_sealed(database: Path, file: Path) -> None:
    before = os.umask(0)
    try:
        assert manage.main(["backup", str(file)]) == 0
    finally:
        os.umask(before)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"canary" not in file.read_bytes()
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name, database.parent.name]


def test_what_was_backed_up_comes_back_and_the_newer_is_kept_beside(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manage.main(["backup", str(file)])
    with closing(opened(database)) as store:
        store.for_student("maya").insert("tasks", {"id": "later"})
    refused = told(capsys, "restore", file)
    forced = told(capsys, "restore", file, "--force")

    assert (refused[0], "--force" in refused[1], forced[0]) == (1, True, 0)
    assert tasks(database) == 40
    (kept,) = database.parent.glob(f"{DATABASE_FILE}.before-*")
    assert tasks(kept) == 41
    assert {stat.S_IMODE(path.stat().st_mode) for path in (database, kept)} == {0o600}
    assert told(capsys, "verify")[0] == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to somebody")
def test_what_root_restores_belongs_to_whoever_runs_homeroom(database: Path, file: Path) -> None:
    manage.main(["backup", str(file)])
    database.unlink()
    os.chown(database.parent, NOBODY, NOBODY)

    assert manage.main(["restore", str(file)]) == 0
    assert (database.stat().st_uid, stat.S_IMODE(database.stat().st_mode)) == (NOBODY, 0o600)


def test_nothing_is_restored_under_a_running_app(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manage.main(["backup", str(file)])
    with closing(opened(database)):
        code, text = told(capsys, "restore", file, "--force")

    assert (code, "runs on" in text) == (1, True)
    assert list(database.parent.glob("*before*")) == []


def test_an_app_does_not_start_while_a_backup_is_put_in_its_place(database: Path, file: Path) -> None:
    with UsageLock(database).alone(), pytest.raises(StorageUnavailable) as caught:
        opened(database)

    assert "backup" in caught.value.remedy


def damaged_in_the_middle(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 40_000] = b"\xa5" * 40_000
    file.write_bytes(content)


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def of_somebody_else(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE songs (id)")


def no_database(file: Path) -> None:
    file.write_bytes(b"not a database " * 1000)


def emptied(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("spoil", [damaged_in_the_middle, cut_off, of_somebody_else, no_database, emptied])
def test_a_file_that_is_no_sound_backup_changes_nothing(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None]
) -> None:
    manage.main(["backup", str(file)])
    spoil(file)
    before = database.read_bytes()
    code, text = told(capsys, "restore", file, "--force")

    assert (code, "Nothing was changed" in text, "Traceback" in text) == (1, True, False)
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir()] == [DATABASE_FILE]


@pytest.mark.parametrize(
    "built_in",
    [
        "CREATE TRIGGER keys_copy AFTER INSERT ON keys BEGIN INSERT INTO misses VALUES (new.id, new.body); END",
        "CREATE VIEW everybody AS SELECT body FROM students",
        "CREATE VIRTUAL TABLE words USING fts5(body)",
        'DROP TABLE keys; CREATE TABLE keys (id TEXT, body TEXT DEFAULT "{}", CHECK (length(body) > 1))',
        "DROP INDEX class_members__class_id__seat__unique; CREATE INDEX class_members__class_id__seat__unique "
        "ON class_members (id)",
    ],
)
def test_a_backup_that_somebody_built_something_into_is_never_restored(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str], built_in: str
) -> None:
    """A trigger would copy each key that students make from then on; without its index a class has seats twice."""
    manage.main(["backup", str(file)])
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(built_in)
    before = database.read_bytes()
    code, text = told(capsys, "restore", file, "--force")

    assert (code, "was changed by somebody" in text, database.read_bytes() == before) == (1, True, True)


def test_a_backup_of_another_version_waits_for_a_yes(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manage.main(["backup", str(file)])
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE holodecks (id TEXT PRIMARY KEY, body TEXT)")
    database.unlink()
    refused = told(capsys, "restore", file)

    assert (refused[0], "holodecks" in refused[1], database.exists()) == (1, True, False)
    assert told(capsys, "restore", file, "--force")[0] == 0


def test_a_backup_that_the_vault_keys_do_not_open_waits_for_them(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    manage.main(["backup", str(file)])
    database.unlink()
    monkeypatch.setenv("HOMEROOM_VAULT_KEYS", new_vault_key("other"))
    code, text = told(capsys, "restore", file)

    assert (code, "HOMEROOM_VAULT_KEYS: 1 of 1" in text, database.exists()) == (2, True, False)
    monkeypatch.setenv("HOMEROOM_VAULT_KEYS", KEY)
    code, text = told(capsys, "restore", file)
    assert (code, "deleted since the backup are not known here" in text) == (0, True)


def test_a_damaged_database_is_replaced_and_kept_with_its_log(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manage.main(["backup", str(file)])
    database.write_bytes(b"rubbish " * 4096)
    database.with_name(f"{DATABASE_FILE}-wal").write_bytes(b"its log")
    code, text = told(capsys, "restore", file, "--force")

    assert (code, "damaged" in text, tasks(database)) == (0, True, 40)
    kept = sorted(path.read_bytes() for path in database.parent.glob(f"{DATABASE_FILE}.before-*"))
    assert kept == [b"its log", b"rubbish " * 4096]


def test_who_deleted_their_account_since_the_backup_is_deleted_again(tmp_path: Path) -> None:
    """And nobody else: not those who had left before it was made and came back, and not under another's secret."""
    now, then = (opened(tmp_path / name / DATABASE_FILE) for name in _folders(tmp_path, "now", "then"))
    for store in (now, then):
        students = Students(store, utc_now, secret=SECRET)
        back = students.sign_in(issuer="idp", subject="back", name="Back", email="")
        students.remove(back.id)
        for subject in ("back", "gone", "stays"):
            students.sign_in(issuer="idp", subject=subject, name=subject, email="")
        # The same backup, not one that was made by itself.
        for tombstone in now.shared.find("farewells", {}):
            store.shared.put("farewells", tombstone)
    gone = next(s for s in now.shared.find("students", {}) if s["subject"] == "gone")
    Students(now, utc_now, secret=SECRET).remove(gone["id"])

    assert repeat_deletions(now, then, secret="another", clock=utc_now) == 0
    assert repeat_deletions(now, then, secret=SECRET, clock=utc_now) == 1
    queued = {record["id"] for record in then.shared.find("departures", {})}
    assert [s["subject"] for s in then.shared.find("students", {}) if s["id"] in queued] == ["gone"]
    now.close()
    then.close()


def _folders(place: Path, *names: str) -> Iterator[str]:
    for name in names:
        (place / name).mkdir()
        yield name


def test_on_mongodb_its_own_tools_are_named(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONGODB_URI", "mongodb://me:canary@db/homeroom")

    for verb, tool in (("backup", "mongodump"), ("restore", "mongorestore")):
        code, text = told(capsys, verb, file)
        assert (code, tool in text, "canary" in text) == (1, True, False)


def test_a_backup_replaces_a_backup_and_nothing_else(
    database: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    diary = file.with_name("diary.txt")
    diary.write_text("Dear diary")

    for wrong in (diary, database, database.with_name(f"{DATABASE_FILE}-wal"), file.parent, file.parent / "no" / "b"):
        code, text = told(capsys, "backup", wrong)
        assert (code, len(text.splitlines())) == (1, 2), wrong
    assert diary.read_text() == "Dear diary"
