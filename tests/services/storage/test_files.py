"""Where the documents lie: modes, missing folders, read-only places, full disks, damaged files."""

import os
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from services import settings as configuration
from services.errors import StorageUnavailable, StorageUnusable
from services.settings import ROOT, Settings
from services.storage import sqlite_pool
from services.storage.engines import DATABASE_FILE, open_engine
from services.storage.sqlite import SqliteDocuments
from tests.services.storage.shelf import COLLECTIONS

NOBODY = 65534


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    demo = configuration.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path / "secrets")})
    return replace(demo, data_dir=tmp_path / "data")


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that every user of this machine may enter."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        yield place


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_its_owner_reads_the_data(settings: Settings) -> None:
    before = os.umask(0)
    try:
        engine = open_engine(settings)
        engine.ensure_collections(COLLECTIONS)
        engine.put("notes", {"id": "n1"})
    finally:
        os.umask(before)

    assert mode(settings.data_dir) == 0o700
    files = sorted(settings.data_dir.iterdir())
    assert {file.name: mode(file) for file in files} == {
        DATABASE_FILE: 0o600,
        f"{DATABASE_FILE}-shm": 0o600,
        f"{DATABASE_FILE}-wal": 0o600,
    }
    engine.close()


def test_a_data_folder_without_a_parent_is_named_with_its_remedy(settings: Settings, tmp_path: Path) -> None:
    missing = tmp_path / "volume" / "data"
    with pytest.raises(StorageUnavailable) as caught:
        open_engine(replace(settings, data_dir=missing))

    assert str(missing) in caught.value.remedy
    assert "HOMEROOM_DATA_DIR" in caught.value.remedy
    assert not missing.parent.exists()


def test_nothing_is_written_to_a_file_that_was_taken_away(tmp_path: Path) -> None:
    documents = SqliteDocuments(tmp_path / "homeroom.sqlite")
    documents.ensure_collections(COLLECTIONS)
    documents.insert("notes", {"id": "before"})
    (tmp_path / "homeroom.sqlite").rename(tmp_path / "away")

    with pytest.raises(StorageUnavailable, match="not there any more"):
        documents.insert("notes", {"id": "lost"})
    with pytest.raises(StorageUnavailable):
        documents.ping()

    assert not (tmp_path / "homeroom.sqlite").exists()
    (tmp_path / "away").rename(tmp_path / "homeroom.sqlite")
    assert documents.get("notes", "before") is not None
    documents.close()


def test_a_backup_put_in_its_place_is_what_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "homeroom.sqlite"
    backup = SqliteDocuments(tmp_path / "backup")
    backup.ensure_collections(COLLECTIONS)
    backup.insert("notes", {"id": "from the backup"})
    backup.close()
    documents = SqliteDocuments(path)
    documents.ensure_collections(COLLECTIONS)
    documents.insert("notes", {"id": "before"})
    for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        name.unlink(missing_ok=True)
    (tmp_path / "backup").rename(path)

    documents.insert("notes", {"id": "after"})

    again = SqliteDocuments(path)
    again.ensure_collections(COLLECTIONS)
    assert [again.get("notes", id) is not None for id in ("from the backup", "after", "before")] == [True, True, False]
    again.close()
    documents.close()


def test_a_folder_that_went_missing_is_named_and_work_goes_on_when_it_is_back(tmp_path: Path) -> None:
    place = tmp_path / "data"
    engine = SqliteDocuments(place / DATABASE_FILE)
    with pytest.raises(StorageUnavailable) as caught:
        engine.ensure_collections(COLLECTIONS)

    assert str(place) in caught.value.remedy
    place.mkdir()
    engine.ensure_collections(COLLECTIONS)
    engine.ping()
    engine.close()


def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_FILE
    path.write_bytes(b"not a database, but somebody's only copy of something" * 100)
    engine = SqliteDocuments(path)
    with pytest.raises(StorageUnavailable, match="damaged") as caught:
        engine.ensure_collections(COLLECTIONS)

    assert str(path) in caught.value.remedy
    assert path.read_bytes().startswith(b"not a database")
    engine.close()


def test_a_file_that_was_emptied_is_not_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_FILE
    engine = SqliteDocuments(path)
    engine.ensure_collections(COLLECTIONS)
    engine.close()
    path.write_bytes(b"")

    with pytest.raises(StorageUnusable, match="was emptied") as caught:
        SqliteDocuments(path).ensure_collections(COLLECTIONS)

    assert "backup" in caught.value.remedy
    assert path.read_bytes() == b""


def test_a_new_file_is_never_empty_however_early_its_maker_is_killed(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_FILE
    sqlite_pool._create(path)

    assert path.stat().st_size > 0
    assert mode(path) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [DATABASE_FILE]


def test_a_damaged_page_is_found_before_anybody_meets_it(tmp_path: Path) -> None:
    """The file as a whole is read (R62)."""
    path = tmp_path / DATABASE_FILE
    engine = SqliteDocuments(path)
    engine.ensure_collections(COLLECTIONS)
    for number in range(400):
        engine.put("notes", {"id": f"n{number}", "text": "x" * 2_000})
    engine.purge_deleted()
    engine.verify()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 8_192)

    engine.ping()
    with pytest.raises(StorageUnusable, match="damaged"):
        engine.verify()
    with pytest.raises(StorageUnusable, match="damaged") as caught:
        engine.ping()

    assert "in a moment" not in caught.value.next_step
    engine.close()


@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555), (0o666, 0o700)])
def test_a_place_that_cannot_be_written_to_is_refused_with_its_remedy(
    open_place: Path, file_mode: int, folder_mode: int
) -> None:
    path = open_place / DATABASE_FILE
    engine = SqliteDocuments(path)
    engine.ensure_collections(COLLECTIONS)
    engine.close()
    path.chmod(file_mode)
    open_place.chmod(folder_mode)

    said = _in_another_process(f"engine = SqliteDocuments(Path({str(path)!r})); engine.ensure_collections(COLLECTIONS)")

    assert said.startswith("StorageUnavailable: Homeroom's database file cannot be written to.")
    assert str(path) in said


def test_a_process_that_may_open_no_file_any_more_says_busy_and_recovers(tmp_path: Path) -> None:
    said = _in_another_process(
        f"""
path = Path({str(tmp_path / DATABASE_FILE)!r})
engine = SqliteDocuments(path)
engine.ensure_collections(COLLECTIONS)
engine.put("notes", {{"id": "token", "text": "old"}})
engine.close()
engine = SqliteDocuments(path)
engine._collections, engine._single = {{c.name: c for c in COLLECTIONS}}, {{c.name: frozenset() for c in COLLECTIONS}}
resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
held = []
try:
    while True:
        held.append(open(path))
except OSError:
    pass
try:
    engine.put("notes", {{"id": "token", "text": "new"}})
except StorageUnavailable as error:
    print(f"{{type(error).__name__}}: {{error}} {{error.next_step}} {{error.remedy}}")
held.clear()
engine.put("notes", {{"id": "token", "text": "newer"}})
print(engine.get("notes", "token")["text"])
""",
        as_nobody=False,
    )

    assert said.splitlines()[-1] == "newer"
    assert said.startswith("StorageUnavailable: Homeroom's store is busy. Nothing was saved. Try again in a moment.")
    assert "ulimit" in said


def test_a_full_disk_keeps_the_old_document_and_recovers(tmp_path: Path) -> None:
    said = _in_another_process(
        f"""
engine = SqliteDocuments(Path({str(tmp_path / DATABASE_FILE)!r}))
engine.ensure_collections(COLLECTIONS)
engine.put("notes", {{"id": "token", "text": "old"}})
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    engine.put("notes", {{"id": "token", "text": "new" * 200_000}})
except StorageUnavailable as error:
    print(error)
print(engine.get("notes", "token"))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
engine.put("notes", {{"id": "token", "text": "newer"}})
print(engine.get("notes", "token"))
""",
        as_nobody=False,
    )

    assert said.splitlines() == [
        "Homeroom's disk is full or does not answer.",
        "{'id': 'token', 'text': 'old'}",
        "{'id': 'token', 'text': 'newer'}",
    ]


def _in_another_process(code: str, *, as_nobody: bool = True) -> str:
    """What it prints, or the typed error it ends with. Root may write anywhere, so root becomes nobody for this."""
    program = f"""
import os, resource
from pathlib import Path
from services.errors import StorageUnavailable, StorageUnusable
from services.storage.sqlite import SqliteDocuments
from tests.services.storage.shelf import COLLECTIONS
if {as_nobody} and os.geteuid() == 0:
    os.setuid({NOBODY})
try:
{textwrap.indent(code.strip(), "    ")}
except StorageUnavailable as error:
    print(f"StorageUnavailable: {{error}} {{error.remedy}}")
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
