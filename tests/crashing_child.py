"""A Homeroom process that approves one write and is killed with SIGKILL at a named point of it.

python -m tests.crashing_child DATA_DIR ORIGIN STUDENT_ID APPROVAL_ID POINT
"""

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from services import bootstrap
from services.storage.documents import Document, Where
from services.storage.sqlite import SqliteDocuments
from tests.rooms import campus_settings

POINTS = {
    "approved": ("approvals", "executing", "after"),
    "written": ("approvals", "done", "before"),
    "noted": ("approvals", "done", "after"),
    "going on": ("turns", "running", "after"),
}
"""Which change of state, in which collection, and whether the process dies before or after it is stored."""


class DyingDocuments(SqliteDocuments):
    """An engine whose process dies at its point."""

    point: tuple[str, str, str]

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        is_here = (collection, changes.get("status")) == self.point[:2]
        if is_here and self.point[2] == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        swapped = super().compare_and_set(collection, id, expected, changes)
        if is_here:
            os.kill(os.getpid(), signal.SIGKILL)
        return swapped


def main(data_dir: str, origin: str, student_id: str, approval_id: str, point: str) -> None:
    engine = DyingDocuments(Path(data_dir) / "homeroom.sqlite")
    engine.point = POINTS[point]
    services = bootstrap.build(campus_settings(Path(data_dir), origin), engine=engine)
    student = services.students.get(student_id)
    assert student is not None
    approval = services.turns.decide(student, approval_id, "approve")
    for _ in services.turns.follow(student, approval.conversation_id):
        """Until the process dies."""


if __name__ == "__main__":
    main(*sys.argv[1:])
