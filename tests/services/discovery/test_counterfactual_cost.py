"""What a request would have cost with other tools, by the small model of the cache."""

import pytest

from services.discovery import counterfactual_cost
from services.discovery.counterfactual_cost import CounterfactualCost, PromptParts
from services.discovery.insights import ALL, FILTER, REAL
from services.llm.prices import BilledInput
from tests.fakes import FakeClock
from tests.services.discovery.test_accounting import Books


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def cache(clock: FakeClock) -> CounterfactualCost:
    return CounterfactualCost(clock)


def bill(
    cache: CounterfactualCost, messages: int, *, conversation: str = "a", toolset: str = "all", tools: int = 4_000
) -> BilledInput:
    parts = PromptParts(tools=tools, system=1_000, messages=messages)
    return cache.bill(parts, student="maya", conversation=conversation, toolset=toolset)


def test_what_an_earlier_prompt_began_with_is_read_and_the_rest_is_written(cache: CounterfactualCost) -> None:
    assert bill(cache, 100) == BilledInput(written=5_100)
    assert bill(cache, 300) == BilledInput(read=5_100, written=200)


def test_after_five_minutes_everything_is_written_again(cache: CounterfactualCost, clock: FakeClock) -> None:
    bill(cache, 100)
    clock.advance(minutes=4)
    assert bill(cache, 200).read == 5_100
    clock.advance(minutes=4)
    assert bill(cache, 300).read == 5_200
    clock.advance(minutes=5)

    assert bill(cache, 400) == BilledInput(written=5_400)


def test_other_tools_in_front_are_a_miss_until_the_first_ones_come_back(cache: CounterfactualCost) -> None:
    bill(cache, 100, toolset="courses", tools=500)

    assert bill(cache, 200, toolset="notes", tools=300).read == 0
    assert bill(cache, 300, toolset="courses", tools=500) == BilledInput(read=1_600, written=200)


def test_a_new_conversation_reads_tools_and_system_of_the_one_before(cache: CounterfactualCost) -> None:
    bill(cache, 900)

    assert bill(cache, 100, conversation="b") == BilledInput(read=5_000, written=100)


def test_a_conversation_that_was_shortened_keeps_only_its_front(cache: CounterfactualCost) -> None:
    bill(cache, 900)

    assert bill(cache, 100) == BilledInput(read=5_000, written=100)


def test_a_short_prompt_is_never_cached(cache: CounterfactualCost) -> None:
    parts = PromptParts(tools=0, system=500, messages=100)
    for _ in range(2):
        assert cache.bill(parts, student="maya", conversation="a", toolset=()) == BilledInput(fresh=600)


def test_only_so_many_prompts_are_remembered(cache: CounterfactualCost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counterfactual_cost, "MOST_ENTRIES", 4)
    for name in "abc":
        bill(cache, 100, conversation=name, toolset=name)

    assert bill(cache, 200, conversation="a", toolset="a").read == 0
    assert bill(cache, 200, conversation="c", toolset="c").read > 0


def test_what_was_really_read_would_have_been_read_with_all_tools_too() -> None:
    """Another replica, or the process before a restart, had put it into the cache."""
    books = Books()

    books.note("courses", read=1_800, written=200)

    numbers = books.metrics.for_student(books.maya.id, 7)
    assert numbers.bill(ALL).input == BilledInput(read=5_600, written=200)
    assert numbers.bill(FILTER).input == BilledInput(written=2_000)


@pytest.mark.parametrize(("strategy", "side"), [("frozen", ALL), ("per_message", FILTER)])
def test_a_strategy_compared_with_itself_is_exactly_the_same(strategy: str, side: str) -> None:
    books = Books()
    for messages in (800, 1_000):
        books.note("courses", strategy=strategy, messages_tokens=messages, fresh=7, read=1_500, written=300)

    numbers = books.metrics.for_student(books.maya.id, 7)
    assert numbers.bill(side) == numbers.bill(REAL)


def test_twenty_turns_with_all_tools_cost_less_than_the_filter_when_questions_change() -> None:
    """As measured elsewhere: other tools for each message lose the cache, and cost more than they save."""
    books = Books()
    for turn in range(20):
        messages = 800 + 400 * turn
        total = 1_200 + messages
        read = 0 if turn == 0 else total - 400
        books.note(
            ("courses", "calendar", "notes")[turn % 3], messages_tokens=messages, read=read, written=total - read
        )

    numbers = books.metrics.for_student(books.maya.id, 7)
    real, everything, changing = (numbers.bill(side).input.weighed for side in (REAL, ALL, FILTER))
    assert real < everything
    assert real < changing
