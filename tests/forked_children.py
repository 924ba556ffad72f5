"""Homeroom processes that approve or undo one write each and may die at any moment: forked from one that has loaded it
all.

python -m tests.forked_children DATA_DIR ORIGIN, then one wish a line on its standard input.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from services import bootstrap
from services.errors import ApprovalError
from services.integrations import catalog
from services.settings import ROOT
from services.storage.documents import Document, Where
from services.storage.sqlite import SqliteDocuments
from tests.agent_fakes import WAIT_S
from tests.rooms import campus_settings

NEVER = 1_000


class CountedDocuments(SqliteDocuments):
    """An engine whose process dies right before its change number `changes_left`."""

    changes_left = NEVER

    def _change(self) -> None:
        self.changes_left -= 1
        if self.changes_left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def insert(self, collection: str, document: Document) -> None:
        self._change()
        super().insert(collection, document)

    def put(self, collection: str, document: Document) -> None:
        self._change()
        super().put(collection, document)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        self._change()
        return super().compare_and_set(collection, id, expected, changes)


class Children:
    """Starts them, one at a time."""

    def __init__(self, data_dir: Path, origin: str) -> None:
        command = [sys.executable, "-m", "tests.forked_children", str(data_dir), origin]
        self._parent = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._line()

    def approve(
        self,
        student: str,
        approval: str,
        *,
        changes: int = NEVER,
        seconds: float | None = None,
        is_time: Callable[[], bool] | None = None,
        is_undo: bool = False,
    ) -> None:
        """A child approves a write, or undoes it, and dies before its `changes`-th change of the store, after some
        seconds, or once it is time.
        """
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps([student, approval, changes, is_undo]) + "\n")
        self._parent.stdin.flush()
        pid = int(self._line())
        if seconds is not None or is_time is not None:
            time.sleep(seconds or 0)
            deadline = time.monotonic() + WAIT_S
            while is_time is not None and not is_time():
                assert time.monotonic() < deadline, "it was never time"
                time.sleep(0.02)
            # It is a zombie at worst: its parent waits for the line that is written next.
            os.kill(pid, signal.SIGKILL)
        self._parent.stdin.write("\n")
        self._parent.stdin.flush()
        self._line()

    def close(self) -> None:
        self._parent.communicate(timeout=WAIT_S)

    def _line(self) -> str:
        assert self._parent.stdout is not None
        line = self._parent.stdout.readline()
        assert line, "the parent of the forked processes is gone"
        return line.strip()


def main(data_dir: str, origin: str) -> None:
    catalog.load_catalog(campus_settings(Path(data_dir), origin))
    _say("ready")
    while wish := sys.stdin.readline():
        pid = os.fork()
        if not pid:
            _approve(Path(data_dir), origin, *json.loads(wish))
        _say(pid)
        sys.stdin.readline()
        os.waitpid(pid, 0)
        _say("ended")


def _say(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def _approve(data_dir: Path, origin: str, student_id: str, approval_id: str, changes: int, is_undo: bool) -> None:
    engine = CountedDocuments(data_dir / "homeroom.sqlite")
    services = bootstrap.build(campus_settings(data_dir, origin), engine=engine)
    student = services.students.get(student_id)
    assert student is not None
    engine.changes_left = changes
    with suppress(ApprovalError):
        if is_undo:
            services.turns.undo(student, approval_id)
        else:
            services.turns.decide(student, approval_id, "approve")
    deadline = time.monotonic() + WAIT_S
    while not services.approvals.get(student_id, approval_id).status.is_decided and time.monotonic() < deadline:
        time.sleep(0.01)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
