"""A backup is one whole moment of the database, and restoring it loses nothing, whatever happens on the way (R98)."""

import os
import resource
import signal
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import manage
from services.connections.vault import KeyRing, Vault
from services.errors import StorageUnavailable
from services.identity.students import Students
from services.privacy.account_deletion import repeat_deletions
from services.runtime.clock import utc_now
from services.settings import new_vault_key
from services.storage import sqlite_backup
from services.storage.documents import Write
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.storage.usage_lock import UsageLock

KEY = new_vault_key("old")
SECRET = "c" * 40
FILLING = "x" * 2000
NOBODY = 65534


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a deployment on SQLite, whose settings are those of this process."""
    folder = tmp_path / "data"
    settings = {
        "HOMEROOM_DEMO": "0",
        "HOMEROOM_DATA_DIR": str(folder),
        "ANTHROPIC_API_KEY": "key",
        "OIDC_METADATA_URL": "https://id.example.edu/.well-known/openid-configuration",
        "OIDC_CLIENT_ID": "homeroom",
        "OIDC_CLIENT_SECRET": "secret",
        "HOMEROOM_PUBLIC_URL": "https://homeroom.example.edu",
        "HOMEROOM_COOKIE_SECRET": SECRET,
        "HOMEROOM_VAULT_KEYS": KEY,
        "MONGODB_URI": "",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def database(data: Path) -> Path:
    """A database with one student, who has connected an account and has 40 tasks."""
    database = data / DATABASE_FILE
    with closing(opened(database)) as store:
        maya = Students(store, utc_now, secret=SECRET).sign_in(
            issuer="idp", subject="maya", name="Maya", email="m@e.edu"
        )
        sealed = Vault(KeyRing.parse([KEY])).seal("canary", student_id=maya.id, integration="canvas", field="grant")
        documents = store.for_student(maya.id)
        documents.insert("connections", {"id": "canvas", "version": 1, "sealed": {"grant": sealed}})
        for number in range(40):
            documents.insert("tasks", {"id": f"t{number}", "text": FILLING})
    return database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "backup.sqlite"


def opened(database: Path) -> Store:
    return Store(SqliteDocuments(database))


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit code of a command, and what it printed."""
    code = manage.main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def tasks(database: Path) -> int:
    with closing(opened(database)) as store:
        return len(store.owners("tasks", {}))


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
    assert told(capsys, "restore", file)[0] == 0


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


def in_child(work: Callable[[], int], *, prepare: Callable[[], None]) -> int:
    """Exit code of a forked process that does this, or minus the signal that ended it."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            prepare()
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("verb", ["backup", "restore"])
def test_a_full_disk_leaves_everything_as_it_was(database: Path, file: Path, verb: str) -> None:
    manage.main(["backup", str(file)])
    before = database.read_bytes(), file.read_bytes()
    limit = len(before[1]) // 2

    def fill_the_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    arguments = [verb, str(file), *(["--force"] if verb == "restore" else [])]
    assert in_child(lambda: manage.main(arguments), prepare=fill_the_disk) == 1
    assert (database.read_bytes(), file.read_bytes()) == before
    assert {path.name for folder in (database.parent, file.parent) for path in folder.iterdir()} == {
        DATABASE_FILE,
        file.name,
        database.parent.name,
    }


@pytest.mark.parametrize("verb", ["backup", "restore"])
def test_killed_at_any_step_a_whole_database_and_a_whole_backup_stand(database: Path, file: Path, verb: str) -> None:
    """Before each change of a name and each write to the disk, with SIGKILL; then the command is simply run again."""
    manage.main(["backup", str(file)])
    with closing(opened(database)) as store:
        store.for_student("maya").insert("tasks", {"id": "later"})
    arguments = [verb, str(file), *(["--force"] if verb == "restore" else [])]
    codes = []
    for step in range(30):
        codes.append(in_child(lambda: manage.main(arguments), prepare=lambda at=step: _die_at(at)))  # type: ignore[misc]
        assert tasks(database) in (40, 41)
        assert tasks(file) in (40, 41)
        if codes[-1] == 0:
            break
        assert codes[-1] == -signal.SIGKILL

    assert (len(codes) >= 4, codes[-1]) == (True, 0)
    assert tasks(file) == (41 if verb == "backup" else 40)
    assert list(file.parent.rglob("*.partial-*")) == []


def _die_at(step: int) -> None:
    """Let this process be killed at the call number `step` of those that change what stands on the disk."""
    left = [step]

    def dying(call: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)

        return counted

    for name in ("replace", "link", "rename", "fsync"):
        setattr(os, name, dying(getattr(os, name)))
    for name in ("copy_online", "copy_file", "require_sound"):
        setattr(sqlite_backup, name, dying(getattr(sqlite_backup, name)))


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


def test_backups_that_are_made_at_once_do_not_sweep_each_other_out(database: Path, file: Path) -> None:
    codes: list[int] = []
    makers = [threading.Thread(target=lambda: codes.append(manage.main(["backup", str(file)]))) for _ in range(6)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()

    assert codes == [0] * 6
    assert tasks(file) == 40
