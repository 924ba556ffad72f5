"""A process that dies at any write of what is done with classes: the same click afterwards makes it whole, once."""

from contextlib import suppress
from pathlib import Path

import pytest

from services.runtime.clock import utc_now
from tests.agent_fakes import FakeModel
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room
from tests.services.classes.class_operations import OPERATIONS
from tests.services.classes.operation import TEACHER, do_again
from tests.services.privacy.dying import Dead, DyingDocuments

IN_CI = ("join", "publish", "upload")
"""A telling part; `tests/soak` kills real processes in all of them."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_CI else pytest.mark.soak) for name in OPERATIONS]
)
def test_a_death_at_any_write_leaves_what_the_same_click_makes_whole(name: str, tmp_path: Path) -> None:
    operation, clock = OPERATIONS[name], FakeClock(utc_now())
    engine = DyingDocuments(FakeDocuments(clock=clock))
    here = Room(
        engine=engine,
        data_dir=tmp_path,
        model=FakeModel(),
        clock=clock,
        settings={"HOMEROOM_INSTRUCTORS": TEACHER},
    )
    wrong, point, is_through = dict[int, str](), 0, False
    while not is_through:
        given = operation.prepare(here.services, f"case{point:03d}")
        dying = here.replica()
        engine.dies_at = point
        with suppress(Dead):
            operation.do(dying.services, given)
        is_through, engine.dies_at = engine.dies_at > 0, None
        clock.advance(minutes=2)
        wrong[point] = do_again(here.services, operation, given)
        point += 1

    assert {at: what for at, what in wrong.items() if what} == {}
    assert point > 1
