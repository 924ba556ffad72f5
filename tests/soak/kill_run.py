"""A lane of the soak: a campus, a store and processes that are killed, one after another; a line of JSON for each.

python -m tests.soak.kill_run KIND KILLS TIMES SEED [MONGODB_URI]; KIND is "writes", "answers", or one of
`tests.soak.operations.LANES`.
"""

import json
import sys
import tempfile
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tests.campus_server import CampusServer
from tests.soak.answer_kills import AnswerKills
from tests.soak.operation_kills import OperationKills
from tests.soak.operations import LANES
from tests.soak.time_scale import speed_up
from tests.soak.write_kills import WriteKills

KINDS = {"writes": WriteKills, "answers": AnswerKills, **{kind: partial(OperationKills, kind=kind) for kind in LANES}}


def main(kind: str, kills: str, times: str, seed: str, mongo: str = "") -> None:
    speed_up(float(times))
    with tempfile.TemporaryDirectory(prefix="homeroom-soak-") as folder:
        campus = CampusServer(Path(folder) / "campus.sqlite")
        campus.start()
        lane = KINDS[kind](campus, Path(folder), times=float(times), seed=int(seed), mongo=mongo)
        with closing(lane):
            for ending in lane.endings(int(kills)):
                sys.stdout.write(json.dumps(asdict(ending)) + "\n")
                sys.stdout.flush()
        campus.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
