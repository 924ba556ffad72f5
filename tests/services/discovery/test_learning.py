"""What an answer teaches: the student's profile, what servers are for, and what the detector missed."""

from datetime import UTC, datetime

import pytest

from services.discovery.contexts import filter_by_context
from services.discovery.retrieval_misses import COLLECTION, RetrievalMisses
from services.discovery.usage import ServerUsage, UsageProfiles, UsageRecorder
from services.errors import StorageUnavailable
from services.storage.store import Store
from tests.discovery_facts import request
from tests.fakes import FakeClock, FakeDocuments
from tests.mcp_tools import mcp_tool

NOTES = mcp_tool("vault", "notes_read", contexts=("notes", "study"))
GRADES = mcp_tool("school", "grades", contexts=("courses",))
TOOLS = (NOTES, GRADES)
MESSAGE = "what did I write about cells"


class Desk:
    def __init__(self) -> None:
        clock = FakeClock(datetime(2026, 11, 21, tzinfo=UTC))
        self.store = Store(FakeDocuments(clock=clock))
        self.learning = UsageRecorder(
            UsageProfiles(self.store), RetrievalMisses(self.store, clock), ServerUsage(self.store, clock)
        )

    def misses(self) -> list:
        return self.store.of("maya").find(COLLECTION, {})


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_tool_that_had_to_be_searched_is_a_miss(desk: Desk) -> None:
    facts = request("maya", "courses", called=(NOTES.name,), found=(NOTES.name,))

    desk.learning.note(facts, MESSAGE, TOOLS)
    (miss,) = desk.misses()
    assert (miss["found"], miss["needed"]) == (["courses"], ["notes", "study"])


def test_a_tool_that_was_there_at_once_is_none(desk: Desk) -> None:
    desk.learning.note(request("maya", "notes", called=(NOTES.name,)), MESSAGE, TOOLS)
    desk.learning.note(request("maya", "notes", called=(NOTES.name,), found=(NOTES.name,)), MESSAGE, TOOLS)

    assert desk.misses() == []


def test_calls_are_counted_by_context_for_the_student_and_the_server(desk: Desk) -> None:
    desk.learning.note(request("maya", "courses", called=(GRADES.name,)), MESSAGE, TOOLS)

    assert desk.store.of("maya").get("context_uses", "all") == {"id": "all", "of_courses": 1}
    assert desk.store.shared.get("server_uses", "school") == {"id": "school", "calls": 1, "of_courses": 1}


def test_an_answer_without_calls_touches_no_store(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk.learning, "_keep", None)

    desk.learning.note(request("maya", "courses"), MESSAGE, TOOLS)


def test_a_store_that_is_away_does_not_fail_the_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise StorageUnavailable("The store does not answer.")

    monkeypatch.setattr(desk.learning, "_keep", away)

    desk.learning.note(request("maya", "courses", called=(GRADES.name,)), MESSAGE, TOOLS)
    assert filter_by_context(TOOLS, ["courses"]) == (GRADES,)
