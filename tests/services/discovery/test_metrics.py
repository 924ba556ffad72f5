"""The metrics exactly as the dynamic tool discovery documents them."""

import re

from tests.services.discovery.test_accounting import Books


def test_the_answer_has_the_documented_shape() -> None:
    books = Books()
    for _ in range(100):
        books.note(all_tools_tokens=500, tools_tokens=300)

    answer = books.metrics.documented_shape(books.maya.id)

    assert answer == {
        "baseline": {
            "requests": 100,
            "totalTokens": 50_000,
            "avgTokensPerRequest": 500,
            "since": "2026-11-24T03:00:00Z",
        },
        "filtered": {
            "requests": 100,
            "totalTokens": 30_000,
            "avgTokensPerRequest": 300,
            "since": "2026-11-24T03:00:00Z",
        },
        "reduction": "40%",
    }


def test_a_listing_counts_as_a_request() -> None:
    books = Books()

    books.metrics.record_tool_list(books.maya.id, baseline_tokens=900, filtered_tokens=0)
    books.note(all_tools_tokens=100, tools_tokens=50)

    answer = books.metrics.documented_shape(books.maya.id)
    assert (answer["baseline"]["requests"], answer["baseline"]["totalTokens"]) == (2, 1_000)
    assert (answer["filtered"]["avgTokensPerRequest"], answer["reduction"]) == (25, "95%")


def test_before_anything_happened_there_is_nothing_to_reduce() -> None:
    books = Books()

    answer = books.metrics.documented_shape(books.maya.id)

    assert answer["reduction"] == "0%"
    assert answer["filtered"]["avgTokensPerRequest"] == 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", answer["baseline"]["since"])


def test_what_costs_more_than_it_saves_is_told_as_it_is() -> None:
    books = Books()
    books.note(all_tools_tokens=100, tools_tokens=150)

    assert books.metrics.documented_shape(books.maya.id)["reduction"] == "-50%"


def test_a_reset_is_the_students_own_and_leaves_the_totals() -> None:
    books = Books()
    books.note()
    books.note(by=books.ben)
    books.clock.advance(days=1)

    books.metrics.reset(books.maya.id)

    answer = books.metrics.documented_shape(books.maya.id)
    assert answer["baseline"]["requests"] == 0
    assert answer["baseline"]["since"] == "2026-11-25T03:00:00Z"
    assert books.metrics.for_student(books.maya.id, 30).is_empty
    assert books.metrics.documented_shape(books.ben.id)["baseline"]["requests"] == 1
    assert books.metrics.for_everyone(30)["turns"] == 2


def test_since_is_the_oldest_day_that_still_counts() -> None:
    books = Books()
    books.metrics.reset(books.maya.id)
    books.clock.advance(days=2)
    books.note()
    books.clock.advance(days=3)
    books.note()

    assert books.metrics.documented_shape(books.maya.id)["baseline"]["since"] == "2026-11-26T03:00:00Z"
