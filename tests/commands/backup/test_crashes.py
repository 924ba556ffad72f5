"""A backup or a restore that is killed, meets a full disk or another one leaves whole files behind (R98)."""

import os
import resource
import signal
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import manage
from services.storage import sqlite_backup
from services.storage.engines import DATABASE_FILE
from tests.commands.backup.deployment import opened, tasks


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


def test_backups_that_are_made_at_once_do_not_sweep_each_other_out(database: Path, file: Path) -> None:
    codes: list[int] = []
    makers = [threading.Thread(target=lambda: codes.append(manage.main(["backup", str(file)]))) for _ in range(6)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()

    assert codes == [0] * 6
    assert tasks(file) == 40
