"""One killed operation after another: the same click afterwards makes it whole, once."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.forked_children import Children
from tests.operations import TEACHER, do_again
from tests.soak.operations import LANES
from tests.soak.write_kills import Ending

KILLED_WITHIN_S = 0.3
"""By time; most die at a change of the store, of which the longest operation makes about fifty."""
MOST_CHANGES = {
    "upload": 10,
    "delete": 50,
    "figures": 12,
    "launch": 12,
    "spend": 9,
    "bring up to date": 26,
    "freeze": 8,
    "request": 9,
    "request of an administrator": 12,
    "take back": 8,
    "own text": 10,
}
FEW_CHANGES = 5


class OperationKills:
    """A Homeroom in which people click again, and processes that die in the middle of a click."""

    def __init__(
        self, campus: CampusServer, data_dir: Path, *, kind: str, times: float, seed: int, mongo: str = ""
    ) -> None:
        self._chance, self._number, self._operations = random.Random(seed), 0, LANES[kind]
        more = {"HOMEROOM_INSTRUCTORS": TEACHER, **({"MONGODB_URI": mongo} if mongo else {})}
        self._here = CampusRoom(campus, data_dir, **more)
        self._children = Children(data_dir, self._here.settings.public_url, times=times, mongo=mongo)

    def close(self) -> None:
        self._children.close()
        self._here.close()

    def endings(self, kills: int) -> Iterator[Ending]:
        """Kill so often, each operation as often as the others; each case as it ends."""
        names = [*self._operations]
        for number in range(kills):
            yield self._case(names[number % len(names)])

    def _case(self, name: str) -> Ending:
        self._number += 1
        operation, began = self._operations[name], time.monotonic()
        given = operation.prepare(self._here.services, f"soak{self._number:05d}")
        wish = {"do": "operation", "student": self._here.maya.id, "what": name, "given": given}
        if self._chance.random() < 0.8:
            self._children.kill(wish, changes=self._chance.randrange(MOST_CHANGES.get(name, FEW_CHANGES)))
        else:
            self._children.kill(wish, seconds=self._chance.uniform(0, KILLED_WITHIN_S))
        wrong = do_again(self._here.services, operation, given)
        took_s = round(time.monotonic() - began, 1)
        return Ending(tool=name, is_undo=False, status="done", requests=1, wrong=wrong, took_s=took_s)
