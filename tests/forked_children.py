"""Homeroom processes that send, approve, undo or do one thing each and may die at any moment: forked from one that has
loaded it all.

python -m tests.forked_children DATA_DIR ORIGIN TIMES [MONGODB_URI], then one wish a line on its standard input.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from services import bootstrap
from services.errors import HomeroomError
from services.identity.students import Student
from services.integrations import catalog
from services.settings import ROOT, Settings
from services.storage.documents import Document, Where, Write
from services.storage.engines import DATABASE_FILE
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from services.wiring.container import ServiceContainer
from tests.agent_fakes import WAIT_S
from tests.operations import TEACHER
from tests.rooms import campus_settings
from tests.soak.operations import ALL
from tests.soak.time_scale import speed_up

NEVER = 1_000


class Counted:
    """Part of an engine whose process dies right before its change number `changes_left`."""

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

    def write_all(self, writes: Sequence[Write]) -> None:
        self._change()
        super().write_all(writes)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        self._change()
        return super().compare_and_set(collection, id, expected, changes)

    def delete(self, collection: str, where: Where) -> int:
        self._change()
        return super().delete(collection, where)


class CountedSqlite(Counted, SqliteDocuments):
    """Changes that are counted, in SQLite."""


class CountedMongo(Counted, MongoDocuments):
    """Changes that are counted, in MongoDB."""


class Children:
    """Starts them, one at a time. times: how much faster than in life their time runs. mongo: their store's address."""

    def __init__(self, data_dir: Path, origin: str, *, times: float = 1, mongo: str = "") -> None:
        command = [sys.executable, "-m", "tests.forked_children", str(data_dir), origin, str(times), mongo]
        self._parent = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._line()

    def approve(self, student: str, approval: str, *, is_undo: bool = False, **death: Any) -> None:
        """A child approves a write, or undoes it, and dies as `kill` says."""
        self.kill({"do": "undo" if is_undo else "approve", "student": student, "approval": approval}, **death)

    def kill(
        self,
        wish: Mapping[str, Any],
        *,
        changes: int = NEVER,
        seconds: float | None = None,
        is_time: Callable[[], bool] | None = None,
        halted_s: float | None = None,
    ) -> None:
        """A child does what is wished and dies before its `changes`-th change of the store, after some seconds, or once
        it is time. halted_s: it does not die then, but is halted for so long, and goes on.
        """
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps({**wish, "changes": changes}) + "\n")
        self._parent.stdin.flush()
        pid = int(self._line())
        if seconds is not None or is_time is not None:
            time.sleep(seconds or 0)
            deadline = time.monotonic() + WAIT_S
            while is_time is not None and not is_time():
                assert time.monotonic() < deadline, "it was never time"
                time.sleep(0.02)
            # It is a zombie at worst: its parent waits for the line that is written next.
            os.kill(pid, signal.SIGKILL if halted_s is None else signal.SIGSTOP)
        if halted_s is not None:
            time.sleep(halted_s)
            os.kill(pid, signal.SIGCONT)
        self._parent.stdin.write("\n")
        self._parent.stdin.flush()
        self._line()

    def close(self) -> None:
        # It holds nothing that is worth an orderly end, which takes long on a busy machine.
        self._parent.kill()
        self._parent.communicate()

    def _line(self) -> str:
        assert self._parent.stdout is not None
        line = self._parent.stdout.readline()
        assert line, "the parent of the forked processes is gone"
        return line.strip()


def main(data_dir: str, origin: str, times: str, mongo: str = "") -> None:
    speed_up(float(times))
    more = {"HOMEROOM_INSTRUCTORS": TEACHER, **({"MONGODB_URI": mongo} if mongo else {})}
    where = campus_settings(Path(data_dir), origin, **more)
    catalog.load_catalog(where)
    _say("ready")
    while wish := sys.stdin.readline():
        pid = os.fork()
        if not pid:
            _do(where, **json.loads(wish))
        _say(pid)
        sys.stdin.readline()
        os.waitpid(pid, 0)
        _say("ended")


def _say(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def _do(where: Settings, *, do: str, student: str, changes: int, **wish: Any) -> None:
    """Do it and exit when it has ended."""
    engine = CountedMongo(where.mongodb_uri) if where.mongodb_uri else CountedSqlite(where.data_dir / DATABASE_FILE)
    services = bootstrap.build(where, engine=engine)
    who = services.students.get(student)
    assert who is not None
    engine.changes_left = changes
    with suppress(HomeroomError):
        if do == "send":
            _send(services, who, **wish)
        elif do == "operation":
            ALL[wish["what"]].do(services, wish["given"])
        else:
            _decide(services, who, wish["approval"], is_undo=do == "undo")
    os._exit(0)


def _send(services: ServiceContainer, who: Student, *, text: str, key: str, conversation: str | None) -> None:
    ids = services.submissions.submit(who, text, key=key, conversation_id=conversation)
    for _ in services.turns.follow(who, ids.conversation_id):
        """Until its end."""


def _decide(services: ServiceContainer, who: Student, approval: str, *, is_undo: bool) -> None:
    if is_undo:
        services.turns.undo(who, approval)
        return
    services.turns.decide(who, approval, "approve")
    deadline = time.monotonic() + WAIT_S
    while not services.approvals.get(who.id, approval).status.is_decided and time.monotonic() < deadline:
        time.sleep(0.01)


if __name__ == "__main__":
    main(*sys.argv[1:])
