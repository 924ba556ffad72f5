"""A Homeroom process that is told over HTTP to approve one write, and is killed with SIGKILL at a named point of it.

python -m tests.api.crashing_door DATA_DIR ORIGIN KEY APPROVAL_ID POINT
"""

import sys
from pathlib import Path

from services import bootstrap
from tests.api.room import door
from tests.crashing_child import POINTS, DyingDocuments
from tests.rooms import campus_settings


def main(data_dir: str, origin: str, key: str, approval_id: str, point: str) -> None:
    engine = DyingDocuments(Path(data_dir) / "homeroom.sqlite")
    engine.point = POINTS[point]
    services = bootstrap.build(campus_settings(Path(data_dir), origin), engine=engine)
    headers = {"authorization": f"Bearer {key}"}
    # The process dies before it can answer.
    door(services).post(f"/api/approvals/{approval_id}", json={"decision": "approve"}, headers=headers)


if __name__ == "__main__":
    main(*sys.argv[1:])
