"""An MCP server gets contexts from what it is used for, without anyone tagging it."""

from datetime import UTC, datetime

import pytest

from services.discovery.contexts import contexts_of, filter_by_context
from services.discovery.detector import LARGEST_BIAS, profile_bias
from services.discovery.retrieval_misses import COLLECTION, RetrievalMisses
from services.discovery.usage import (
    FEWEST_CALLS,
    FEWEST_USES,
    PROFILES,
    REFRESH_AFTER,
    Habits,
    LearnedContextsToolsProvider,
    ServerUsage,
    UsageProfiles,
    UsageRecorder,
)
from services.errors import StorageUnavailable
from services.storage.store import Store
from services.tools.providers.local import LocalToolsProvider
from tests.discovery_facts import request
from tests.fakes import FakeClock, FakeDocuments
from tests.mcp_tools import listed, mcp_tool


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 21, tzinfo=UTC))


@pytest.fixture
def use(clock: FakeClock) -> ServerUsage:
    return ServerUsage(Store(FakeDocuments(clock=clock)), clock)


def test_a_server_that_answers_messages_of_a_context_gets_it(use: ServerUsage, clock: FakeClock) -> None:
    root = LearnedContextsToolsProvider(LocalToolsProvider([mcp_tool("acme", "lookup")]), use)
    before = root.tools()
    for number in range(FEWEST_CALLS):
        use.count_call("acme", ["courses", "notes"] if number % 3 == 0 else ["courses"])
    clock.at += REFRESH_AFTER

    after = root.tools()
    assert contexts_of(before[0]) == {"acme"}
    assert contexts_of(after[0]) == {"acme", "courses"}
    assert filter_by_context(after, ["courses"]) == tuple(after)


def test_a_few_calls_teach_nothing(use: ServerUsage, clock: FakeClock) -> None:
    for _ in range(FEWEST_CALLS - 1):
        use.count_call("acme", ["courses"])
    clock.at += REFRESH_AFTER

    assert use.known_contexts() == {"acme": frozenset()}


def test_the_same_tuple_comes_for_as_long_as_nothing_has_changed(use: ServerUsage, clock: FakeClock) -> None:
    tools = listed("tracker")

    class Root:
        def tools(self):
            return tools

    root = LearnedContextsToolsProvider(Root(), use)
    first = root.tools()
    clock.at += 2 * REFRESH_AFTER
    assert root.tools() is first
    assert {"jira", "tracker"} <= set(first[0].contexts)


@pytest.fixture
def store() -> Store:
    return Store(FakeDocuments(clock=FakeClock(datetime(2026, 11, 21, tzinfo=UTC))))


def test_shares_are_told_once_there_is_enough(store: Store) -> None:
    profiles = UsageProfiles(store)
    for _ in range(FEWEST_USES - 1):
        profiles.count_use("maya", ["courses"])
    assert profiles.habits("maya") == Habits()

    profiles.count_use("maya", ["notes"])
    assert profiles.habits("maya").contexts == {"courses": 0.9, "notes": 0.1}
    assert profiles.habits("ben") == Habits()


def test_the_tools_that_a_student_uses_are_counted_too(store: Store) -> None:
    profiles = UsageProfiles(store)
    for _ in range(FEWEST_USES):
        profiles.count_use("maya", ["courses"], ["canvas_get_grades"])

    assert profiles.habits("maya").tools == {"canvas_get_grades": 1.0}


@pytest.mark.exact_documents
def test_habits_are_read_again_after_a_few_minutes_and_after_a_use_of_this_process() -> None:
    now = [0.0]
    documents = FakeDocuments()
    store = Store(documents)
    profiles, elsewhere = UsageProfiles(store, monotonic=lambda: now[0]), UsageProfiles(store)
    before = profiles.habits("maya")
    for _ in range(FEWEST_USES):
        elsewhere.count_use("maya", ["courses"])
    reads = documents.reads
    same = profiles.habits("maya")

    assert (before, same, documents.reads) == (Habits(), Habits(), reads)
    now[0] += REFRESH_AFTER.total_seconds()
    assert profiles.habits("maya").contexts == {"courses": 1.0}
    profiles.count_use("maya", ["notes"])
    assert profiles.habits("maya").contexts.keys() == {"courses", "notes"}


def test_only_numbers_are_kept(store: Store) -> None:
    UsageProfiles(store).count_use("maya", ["courses", "notes"])

    (document,) = store.for_student("maya").find(PROFILES, {})
    assert document == {"id": "all", "of_courses": 1, "of_notes": 1}


def test_habits_lean_a_little_and_never_more() -> None:
    assert profile_bias({}, "courses") == 0
    assert profile_bias({"courses": 1.0}, "courses") == pytest.approx(LARGEST_BIAS)
    assert (
        profile_bias({"courses": 0.9, "notes": 0.1}, "notes")
        < 0
        < profile_bias({"courses": 0.9, "notes": 0.1}, "courses")
    )
    assert profile_bias({"courses": 1.0}, "news") >= -LARGEST_BIAS


NOTES = mcp_tool("vault", "notes_read", contexts=("notes", "study"))


GRADES = mcp_tool("school", "grades", contexts=("courses",))


TOOLS = (NOTES, GRADES)


MESSAGE = "what did I write about cells"


class Desk:
    def __init__(self) -> None:
        clock = FakeClock(datetime(2026, 11, 21, tzinfo=UTC))
        self.store = Store(FakeDocuments(clock=clock))
        self.recorder = UsageRecorder(
            UsageProfiles(self.store), RetrievalMisses(self.store, clock), ServerUsage(self.store, clock)
        )

    def misses(self) -> list:
        return self.store.for_student("maya").find(COLLECTION, {})


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_tool_that_had_to_be_searched_is_a_miss(desk: Desk) -> None:
    facts = request("maya", "courses", called=(NOTES.name,), found=(NOTES.name,))

    desk.recorder.record_calls(facts, MESSAGE, TOOLS)
    (miss,) = desk.misses()
    assert (miss["found"], miss["needed"]) == (["courses"], ["notes", "study"])


def test_a_tool_that_was_there_at_once_is_none(desk: Desk) -> None:
    desk.recorder.record_calls(request("maya", "notes", called=(NOTES.name,)), MESSAGE, TOOLS)
    desk.recorder.record_calls(request("maya", "notes", called=(NOTES.name,), found=(NOTES.name,)), MESSAGE, TOOLS)

    assert desk.misses() == []


@pytest.mark.exact_documents
def test_calls_are_counted_by_context_for_the_student_and_the_server(desk: Desk) -> None:
    desk.recorder.record_calls(request("maya", "courses", called=(GRADES.name,)), MESSAGE, TOOLS)

    assert desk.store.for_student("maya").get("context_uses", "all") == {"id": "all", "of_courses": 1}
    assert desk.store.shared.get("server_uses", "school") == {"id": "school", "calls": 1, "of_courses": 1}


def test_an_answer_without_calls_touches_no_store(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk.recorder, "_record", None)

    desk.recorder.record_calls(request("maya", "courses"), MESSAGE, TOOLS)


def test_a_store_that_is_away_does_not_fail_the_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise StorageUnavailable("The store does not answer.")

    monkeypatch.setattr(desk.recorder, "_record", away)

    desk.recorder.record_calls(request("maya", "courses", called=(GRADES.name,)), MESSAGE, TOOLS)
    assert filter_by_context(TOOLS, ["courses"]) == (GRADES,)
