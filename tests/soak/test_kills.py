"""Kills of writes and of answers by the hundred, over all services, on both engines side by side: nothing is lost and
nothing is doubled, and what is not clear says so.

`SOAK_KILLS=100 make soak` for fewer of them.
"""

import json
import os
import secrets
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from services.settings import ROOT
from tests.conftest import FIGURE
from tests.mongo_server import MongoServer
from tests.soak.operations import LANES

KILLS = int(os.environ.get("SOAK_KILLS", "500"))
SCALE = 20
"""How much faster than in life: a delay of a minute lasts three seconds, and the leases and deadlines it meets, too."""
IN_REAL_TIME = max(2, KILLS // 50)
SIDE_BY_SIDE = 3
"""Of each engine, side by side."""
WRONG = ("lost", "doubled", "untrue")

pytestmark = pytest.mark.soak


@dataclass(frozen=True, kw_only=True)
class Lane:
    kind: str
    kills: int
    times: int
    mongo: str

    @property
    def name(self) -> str:
        engine = "MongoDB" if self.mongo else "SQLite"
        return f"{self.kind} on {engine}" + (", in real time" if self.times == 1 and self.kind == "writes" else "")

    def run(self) -> list[dict[str, Any]]:
        """How each kill ended."""
        seed = secrets.randbits(32)
        arguments = [self.kind, str(self.kills), str(self.times), str(seed), self.mongo]
        command = [sys.executable, "-m", "tests.soak.kill_run", *arguments]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3_500)
        assert ended.returncode == 0, (self.name, seed, ended.stderr[-2_000:])
        return [{**json.loads(line), "seed": seed} for line in ended.stdout.splitlines()]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MongoServer]:
    server = MongoServer(tmp_path, options=())
    server.start()
    yield server
    server.kill()


def test_killed_writes_and_undos_happen_once_or_are_called_unclear(
    server: MongoServer, record_property: Callable[[str, object], None]
) -> None:
    real, scaled = IN_REAL_TIME // 2, -(-(KILLS - IN_REAL_TIME) // (2 * SIDE_BY_SIDE))
    lanes = [
        Lane(kind="writes", kills=kills, times=times, mongo=mongo)
        for kills, times in ((real, 1), *[(scaled, SCALE)] * SIDE_BY_SIDE)
        for mongo in ("", f"{server.uri}/writes_{secrets.token_hex(4)}")
    ]

    endings = _endings(lanes)

    _report(record_property, endings)
    assert _wrong(endings) == []
    assert sum(map(len, endings.values())) >= KILLS


def test_killed_answers_come_to_an_end_and_no_message_is_lost_or_doubled(
    server: MongoServer, record_property: Callable[[str, object], None]
) -> None:
    kills = KILLS * 2 // 5
    lanes = [
        Lane(kind="answers", kills=kills // 4, times=SCALE, mongo=mongo)
        for number in range(2)
        for mongo in ("", f"{server.uri}/answers_{secrets.token_hex(4)}")
    ]

    endings = _endings(lanes)

    _report(record_property, endings)
    assert _wrong(endings) == []


@pytest.mark.parametrize("kind", LANES)
def test_killed_operations_are_made_whole_by_the_same_click(
    kind: str, server: MongoServer, record_property: Callable[[str, object], None]
) -> None:
    """Classes, launches and lists of courses, and imports: each operation as often as the others."""
    kills = max(KILLS // 5, 4 * len(LANES[kind]))
    lanes = [
        Lane(kind=kind, kills=kills // 2, times=SCALE, mongo=mongo)
        for mongo in ("", f"{server.uri}/{kind}_{secrets.token_hex(4)}")
    ]

    endings = _endings(lanes)

    _report(record_property, endings)
    assert _wrong(endings) == []


def _endings(lanes: Sequence[Lane]) -> dict[str, list[dict[str, Any]]]:
    """Endings by the name of what was killed, all lanes at once."""
    found: dict[str, list[dict[str, Any]]] = {}
    with ThreadPoolExecutor(len(lanes)) as pool:
        for lane, endings in zip(lanes, pool.map(Lane.run, lanes), strict=True):
            found.setdefault(lane.name, []).extend(endings)
    return found


def _wrong(endings: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [ending for some in endings.values() for ending in some if ending["wrong"]]


def _report(record_property: Callable[[str, object], None], endings: dict[str, list[dict[str, Any]]]) -> None:
    """Have the counts printed at the end of the run (`tests/conftest.py`)."""
    for name, some in endings.items():
        wrong, states = Counter(end["wrong"] for end in some), Counter(end["status"] for end in some)
        undos = sum(ending["is_undo"] for ending in some)
        counts = ", ".join(f"{wrong[kind]} {kind}" for kind in WRONG)
        record_property(FIGURE, f"{name}: {len(some)} kills ({undos} of undos): {counts}, {states['unknown']} unclear")
    for ending in _wrong(endings):
        record_property(FIGURE, f"{ending}")
