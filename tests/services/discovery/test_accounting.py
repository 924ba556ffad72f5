"""What requests cost and spared: sums that are exact, by the day, and never a query over turns."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.discovery.accounting import Accounting, RequestFacts
from services.discovery.daily_counters import KEPT_DAYS, TOTALS, DailyCounters
from services.discovery.insights import ALL, FILTER, REAL
from services.discovery.metrics import Metrics
from services.discovery.tool_search import FIND
from services.errors import StorageUnavailable
from services.identity.students import Student, Students
from services.llm.chat_model import Usage
from services.storage.store import Store
from tests.discovery_facts import request
from tests.fakes import FakeClock, FakeDocuments

EVENING = datetime(2026, 11, 24, 3, tzinfo=UTC)
"""A Monday evening in Chicago, and Tuesday in UTC."""


class Books:
    """Accounting and metrics over one store, with two students in it."""

    def __init__(self) -> None:
        self.clock = FakeClock(EVENING)
        self.engine = FakeDocuments(clock=self.clock)
        self.store = Store(self.engine)
        students = Students(self.store, self.clock)
        self.counters = DailyCounters(self.store, students, self.clock)
        self.accounting, self.metrics = Accounting(self.counters, self.clock), Metrics(self.counters)
        self.maya, self.ben = (
            students.sign_in(issuer="campus", subject=name, name=name, email="", timezone="America/Chicago")
            for name in ("maya", "ben")
        )

    def note(self, *contexts: str, by: Student | None = None, **facts: Any) -> None:
        self.accounting.record_request(request((by or self.maya).id, *contexts, **facts))


@pytest.fixture
def books() -> Books:
    return Books()


def test_what_the_api_counted_is_the_truth_and_the_parts_add_up_to_it(books: Books) -> None:
    books.note(fresh=100, read=2_500, written=400, output=70)

    numbers = books.metrics.for_student(books.maya.id, 7)
    assert numbers.bill(REAL).input.read == 2_500
    assert numbers["system"] + numbers["tools"] + numbers["messages"] == 3_000
    # 2,000 were estimated, 3,000 counted: each estimate grows by half.
    assert (numbers["tools"], numbers["all_tools"], numbers.output) == (300, 6_000, 70)


def test_what_all_students_share_would_have_been_read_with_all_tools_too(books: Books) -> None:
    # Ben's first question: the search (100) and the system text (1,000) were in the cache, the tools that it added not.
    books.note(by=books.ben, fresh=0, read=1_100, written=900, tools_tokens=200, front_tokens=100)

    with_all = books.metrics.for_student(books.ben.id, 7).bill(ALL).input
    assert (with_all.read, with_all.written) == (4_000 + 1_000, 800)


def test_a_turn_is_counted_by_its_first_request(books: Books) -> None:
    found = ("web_search",)
    books.note("courses", called=("canvas_grades",))
    books.note("courses", is_first=False, called=(FIND,))
    books.note("courses", is_first=False, called=found, found=found, loaded=("canvas_grades", *found), searched=found)

    numbers = books.metrics.for_student(books.maya.id, 7)
    assert (numbers["turns"], numbers["requests"], numbers["searched"]) == (1, 3, 1)
    assert (numbers.tools_loaded, numbers.tools_offered) == (2, 40)
    assert (numbers["called"], numbers["called_at_once"]) == (2, 1)
    assert [(line.name, line.turns) for line in numbers.contexts] == [("courses", 1)]
    assert {line.name: (line.loaded, line.called, line.found) for line in numbers.tools} == {
        "canvas_grades": (1, 1, 0),
        "canvas_assignments": (1, 0, 0),
        "web_search": (0, 1, 1),
    }


def test_a_request_beside_the_conversation_costs_the_same_with_any_tools(books: Books) -> None:
    books.accounting.record_side_request(books.maya.id, "claude-haiku-5-5", Usage(input_tokens=2_000, output_tokens=30))

    numbers = books.metrics.for_student(books.maya.id, 7)
    assert numbers.bill(REAL) == numbers.bill(ALL) == numbers.bill(FILTER)
    assert (numbers.bill(REAL).input.fresh, numbers["requests"], numbers.output) == (2_000, 0, 30)


def test_searches_of_the_model_cost_their_fee_and_one_without_a_known_fee_is_counted(books: Books) -> None:
    books.accounting.record_side_request(books.maya.id, "claude-haiku-5-5", Usage(), searches=3)
    priced = books.metrics.for_student(books.maya.id, 7)
    books.accounting.record_side_request(books.maya.id, "own.model/7", Usage(), searches=2)
    both = books.metrics.for_student(books.maya.id, 7)

    assert priced.bill(REAL).dollars == pytest.approx(0.03)
    assert (priced.web_searches, priced.unpriced_searches) == (3, 0)
    assert (both.web_searches, both.unpriced_searches) == (5, 2)
    assert both.bill(REAL).dollars == pytest.approx(0.03)


def test_a_message_without_contexts_has_a_line_of_its_own(books: Books) -> None:
    books.note(tools_tokens=0)
    books.note(called=(FIND,))

    numbers = books.metrics.for_student(books.maya.id, 7)
    assert [(line.name, line.turns) for line in numbers.contexts] == [("none", 2)]
    assert numbers["bare_turns"] == 1


requests = st.lists(
    st.builds(
        request,
        st.just("maya"),
        fresh=st.integers(0, 9_000),
        read=st.integers(0, 9_000),
        written=st.integers(0, 9_000),
        is_first=st.booleans(),
        strategy=st.sampled_from(["frozen", "append", "per_message"]),
        model=st.sampled_from(["claude-haiku-5-5", "claude-sonnet-5-5", "own.model/7"]),
        tools_tokens=st.integers(0, 4_000),
        conversation_id=st.sampled_from(["a", "b"]),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(noted=requests, contexts=st.lists(st.sampled_from(["courses", "notes", "jira"]), unique=True))
def test_days_contexts_and_students_add_up_to_the_whole(noted: Sequence[RequestFacts], contexts: list[str]) -> None:
    books = Books()
    for number, facts in enumerate(noted):
        student = books.ben if number % 3 == 0 else books.maya
        books.clock.advance(hours=7)
        names = contexts if number % 2 else ()
        known = {name: getattr(facts, name) for name in ("is_first", "strategy", "model", "tools_tokens")}
        kinds = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        fresh, read, written = (getattr(facts.usage, kind) for kind in kinds)
        books.note(*names, by=student, fresh=fresh, read=read, written=written, **known)

    both = [books.metrics.for_student(student.id, 30) for student in (books.maya, books.ben)]
    everybody = books.metrics.for_everyone(30)
    for number in ("requests", "turns", "tools", "all_tools", "messages", "loaded"):
        assert sum(numbers[number] for numbers in both) == everybody[number]
    assert everybody["requests"] == len(noted)
    for side in (REAL, ALL, FILTER):
        inputs = [numbers.bill(side).input for numbers in (*both, everybody)]
        assert inputs[0].read + inputs[1].read == inputs[2].read
    assert sum(line.tools_tokens for line in everybody.contexts if line) <= everybody["tools"]
    counted = sum(facts.usage.input_tokens for facts in noted)
    assert everybody.bill(REAL).input.fresh == counted
    assert sum(line.turns for line in everybody.by_day) == everybody["turns"]


def test_tokens_of_several_contexts_are_shared_without_a_rest(books: Books) -> None:
    books.note("courses", "calendar", "notes", fresh=2_000)

    numbers = books.metrics.for_student(books.maya.id, 7)
    spared = numbers.bill(ALL).input.weighed - numbers.bill(REAL).input.weighed
    assert sum(line.tools_tokens for line in numbers.contexts) == numbers["tools"] == 200
    assert sum(line.saved for line in numbers.contexts) == spared


def test_a_students_day_is_that_of_their_own_calendar(books: Books) -> None:
    books.note()

    assert f"{books.metrics.for_student(books.maya.id, 7).by_day[0].date}" == "2026-11-23"
    assert f"{books.metrics.for_everyone(7).by_day[0].date}" == "2026-11-24"


def test_the_totals_know_no_student_and_a_student_no_other(books: Books) -> None:
    books.note("courses", by=books.ben)

    kept = json.dumps(books.store.shared.find(TOTALS, {}))
    assert books.metrics.for_student(books.maya.id, 7).is_empty
    assert not [word for word in (books.ben.id, "chat", "ben") if word in kept]


def test_numbers_are_read_by_the_day_whatever_the_number_of_turns(books: Books) -> None:
    for _ in range(3):
        for _ in range(50):
            books.note("courses", called=("canvas_grades",))
        books.clock.advance(days=1)
    books.engine.reads = 0

    assert books.metrics.for_everyone(30)["turns"] == 150
    assert books.engine.reads == 1
    assert len(books.store.shared.find(TOTALS, {})) == 3
    assert len(json.dumps(books.store.shared.find(TOTALS, {})[0])) < 2_000


def test_old_numbers_are_forgotten(books: Books) -> None:
    books.note()
    books.clock.advance(days=KEPT_DAYS)

    assert books.metrics.for_student(books.maya.id, 1_000).is_empty
    assert books.metrics.for_everyone(1_000).is_empty


def test_failures_are_counted_by_tool_and_by_why(books: Books) -> None:
    books.accounting.record_failure(books.maya.id, "files__read", "timed_out")
    books.accounting.record_failure(books.maya.id, "files__read", "timed_out")

    (line,) = books.metrics.for_student(books.maya.id, 7).tools
    assert (line.name, line.failures, line.failed) == ("files__read", {"timed_out": 2}, 2)


def test_an_answer_does_not_fail_for_a_number_that_cannot_be_kept(
    books: Books, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise StorageUnavailable("The store does not answer.")

    monkeypatch.setattr(books.engine, "increment", breaks)

    books.note()
    books.accounting.record_failure(books.maya.id, "canvas_grades", "timed_out")

    assert "request_not_counted" in caplog.text
    assert "failure_not_counted" in caplog.text


def test_a_price_that_nobody_knows_is_not_nothing(books: Books) -> None:
    books.note(model="own-model", fresh=10_000)
    unknown = books.metrics.for_student(books.maya.id, 7)
    books.note(model="claude-haiku-5-5", fresh=10_000, output=100)

    both = books.metrics.for_student(books.maya.id, 7)
    assert unknown.bill(REAL).dollars is None
    assert both.unpriced == ["own-model"]
    assert 0 < (both.bill(REAL).dollars or 0) < 0.1


def test_a_week_is_seven_days_with_today(books: Books) -> None:
    books.note()
    books.clock.advance(days=6)
    assert books.metrics.for_student(books.maya.id, 7)["turns"] == 1

    books.clock.at += timedelta(days=1)
    assert books.metrics.for_student(books.maya.id, 7)["turns"] == 0
