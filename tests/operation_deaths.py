"""An operation whose process dies at each of its writes in turn, over an engine without transactions."""

from contextlib import suppress
from pathlib import Path

from services.runtime.clock import utc_now
from tests.agent_fakes import FakeModel
from tests.fakes import FakeClock, FakeDocuments
from tests.operations import TEACHER, Operation, do_again
from tests.rooms import Room
from tests.services.privacy.dying import Dead, DyingDocuments


def wrong_after_deaths(operation: Operation, folder: Path) -> dict[int, str]:
    """What is wrong after a death at each write, once the same was clicked again; the last one lived."""
    clock = FakeClock(utc_now())
    engine = DyingDocuments(FakeDocuments(clock=clock))
    settings = {"HOMEROOM_INSTRUCTORS": TEACHER}
    here = Room(engine=engine, data_dir=folder, model=FakeModel(), clock=clock, settings=settings)
    wrong, is_through = dict[int, str](), False
    while not is_through:
        given = operation.prepare(here.services, f"case{len(wrong):03d}")
        dying = here.replica()
        engine.dies_at = len(wrong)
        with suppress(Dead):
            operation.do(dying.services, given)
        is_through, engine.dies_at = engine.dies_at > 0, None
        clock.advance(minutes=2)
        wrong[len(wrong)] = do_again(here.services, operation, given)
    return wrong
