"""Kept answers: the same student asking the same, for a moment; older ones in an outage; nobody else's, ever."""

from dataclasses import replace
from datetime import timedelta

import pytest

from services.errors import ServiceUnavailable
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.providers.local import ToolRegistry
from services.tools.providers.result_cache import CacheKey, ResultCache
from services.tools.result import ToolResult
from services.tools.tool import Tool
from tests.agent_fakes import FakeBoard
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import settled

pytestmark = pytest.mark.any_store

FRESH_FOR_S = 60


class KeptBoard(FakeBoard):
    """A board whose notes are read anew once a minute; `is_partial`: it does not have all of them."""

    is_partial = False

    def tools(self, integration: str | None = "board") -> tuple[Tool, ...]:
        read, pin = super().tools(integration)

        def function(context: object, **arguments: object) -> ToolResult:
            return replace(
                read.function(context, **arguments), data={"pins": len(self.pins)}, is_partial=self.is_partial
            )

        return replace(read, function=function, fresh_for_s=FRESH_FOR_S), pin


class PlannedBoard(FakeBoard):
    """A board, and a tool of another category that looks at it and is not asked again for a minute."""

    def tools(self, integration: str | None = "board") -> tuple[Tool, ...]:
        @tool(label="Planning", category="planner", contexts=("study",), fresh_for_s=FRESH_FOR_S)
        def board_plan(context: ToolExecutionContext) -> ToolResult:
            """Plan by the board."""
            return ToolResult(output=context.call("board_read").output)

        return (*super().tools(integration), board_plan)


@pytest.fixture
def maya(room: RoomMaker) -> Room:
    return room(board=KeptBoard(), clock=FakeClock())


def read(maya: Room, topic: str = "", *, who: Room | None = None, **more: str) -> ToolResult:
    door = (who or maya).services.gateway
    return door.call(maya.maya, "board_read", {"topic": topic}, asked_by="Laptop", **more)


def move(maya: Room, **by: float) -> None:
    assert isinstance(maya.clock, FakeClock)
    maya.clock.advance(**by)


def pin(maya: Room, text: str) -> str:
    waiting = maya.services.gateway.call(maya.maya, "board_pin", {"text": text}, asked_by="Laptop").approval_request_id
    assert waiting is not None
    maya.services.turns.decide(maya.maya, waiting, "approve")
    settled(maya, waiting)
    return waiting


def test_the_same_question_is_asked_once_while_its_answer_is_fresh(maya: Room) -> None:
    first = read(maya)
    second = read(maya)
    move(maya, seconds=FRESH_FOR_S + 1)
    third = read(maya)

    assert first == second == third
    assert first.data is not second.data
    assert len(maya.board.contexts) == 2


def test_another_question_another_assistant_or_another_day_is_asked_anew(maya: Room) -> None:
    read(maya)
    read(maya, "exam")
    read(maya, assistant="course_companion")
    maya.services.students.set_timezone(maya.maya.id, "Asia/Tokyo")
    maya.maya = maya.services.students.get(maya.maya.id)  # type: ignore[assignment]
    read(maya)

    assert len(maya.board.contexts) == 4


def test_what_is_forgotten_is_read_anew_and_still_stands_in_when_the_service_is_down(maya: Room) -> None:
    read(maya)
    maya.services.gateway.mark_results_outdated(maya.maya)
    read(maya)
    maya.services.gateway.mark_results_outdated(maya.maya)
    maya.board.failure = ServiceUnavailable("Board", "It is down.")
    older = read(maya)

    assert len(maya.board.contexts) == 3
    assert (older.success, older.is_partial) == (True, True)
    assert older.data["notes"] == [older.output.split("\n")[1].removeprefix("Note: ")]


def test_no_student_gets_anothers_answer(maya: Room) -> None:
    diego = maya.sign_in("diego")
    maya.connect(diego)

    read(maya)
    maya.services.gateway.call(diego, "board_read", {"topic": ""}, asked_by="Laptop")

    assert [context.student.id for context in maya.board.contexts] == [maya.maya.id, diego.id]


@pytest.mark.each_store
def test_an_own_write_is_seen_at_once_in_every_replica(maya: Room) -> None:
    other = maya.replica(clock=maya.clock)
    before = [read(maya), read(maya, who=other)]

    waiting = pin(maya, "Read chapter 4")
    after = [read(maya), read(maya, who=other)]
    maya.services.turns.undo(maya.maya, waiting)
    undone = [read(maya), read(maya, who=other)]

    shown = ["Read chapter 4" in result.output for result in (*before, *after, *undone)]
    assert shown == [False, False, True, True, False, False]


def test_an_answer_depends_on_what_its_tool_asked_other_tools(room: RoomMaker) -> None:
    """A plan made from the board is no more, once something is pinned to the board."""
    maya = room(board=PlannedBoard(), clock=FakeClock())
    other = maya.replica(clock=maya.clock)

    def plan(who: Room) -> bool:
        result = who.services.gateway.call(maya.maya, "board_plan", {}, asked_by="Laptop")
        return "Read chapter 4" in result.output

    before = [plan(maya), plan(maya), plan(other)]
    reads = len(maya.board.contexts)
    pin(maya, "Read chapter 4")
    after = [plan(maya), plan(other)]

    assert (before, reads, after) == ([False] * 3, 2, [True] * 2)


def test_an_outage_has_the_older_answer_with_its_age(maya: Room) -> None:
    read(maya)
    move(maya, minutes=10)
    maya.board.failure = ServiceUnavailable("Board", "Board did not answer in time.")

    older = read(maya)
    move(maya, minutes=51)
    too_old = read(maya)

    assert older.success
    assert older.is_partial
    assert older.output.split("\n")[:2] == [
        "0 notes (Board).",
        "Note: Board did not answer in time; this is from 9:00 AM.",
    ]
    assert (too_old.success, too_old.error_kind) == (False, "unavailable")


def test_an_older_answer_does_not_outlive_the_account_it_came_from(maya: Room) -> None:
    read(maya)
    maya.services.connections.disconnect(maya.maya.id, "board")
    move(maya, minutes=2)
    maya.connect()
    maya.board.failure = ServiceUnavailable("Board", "Board did not answer in time.")

    assert read(maya).error_kind == "unavailable"


def test_failures_and_partial_answers_are_never_kept(maya: Room) -> None:
    assert isinstance(maya.board, KeptBoard)
    maya.board.is_partial = True
    read(maya)
    maya.board.is_partial, maya.board.failure = False, ServiceUnavailable("Board", "Down.")
    failed = read(maya)
    maya.board.failure = None
    read(maya)

    assert not failed.success
    assert len(maya.board.contexts) == 3


def test_an_answer_made_from_a_failure_is_not_kept(room: RoomMaker) -> None:
    maya = room(board=PlannedBoard(), clock=FakeClock())
    maya.board.failure = ServiceUnavailable("Board", "Down.")
    maya.services.gateway.call(maya.maya, "board_plan", {}, asked_by="Laptop")
    maya.board.failure = None

    again = maya.services.gateway.call(maya.maya, "board_plan", {}, asked_by="Laptop")

    assert again.output == "0 notes (Board).\n"


def test_an_answer_that_was_under_way_during_a_write_is_not_kept() -> None:
    answers, asked = ResultCache(FakeClock()), CacheKey(student_id="maya", question="notes", subjects=("board",))
    moment = answers.revision()

    answers.invalidate("maya", ["board"])
    answers.store(asked, ToolResult(output="old"), moment)

    assert answers.find(asked, timedelta(hours=1)) is None


def test_kept_answers_take_no_more_room_than_they_may() -> None:
    answers = ResultCache(FakeClock(), max_characters=1_000)
    questions = [CacheKey(student_id="maya", question=number, subjects=("board",)) for number in range(5)]

    for asked in questions:
        answers.store(asked, ToolResult(output="x" * 300), answers.revision())

    found = [answers.find(asked, timedelta(hours=1)) is not None for asked in questions]
    assert found == [False, False, True, True, True]


def test_answers_of_a_tool_that_writes_cannot_be_kept() -> None:
    _, pinning = FakeBoard().tools()

    with pytest.raises(ValueError, match="board_pin does not only read"):
        ToolRegistry([replace(pinning, fresh_for_s=60)])
