"""The arithmetic of a course grade: the same as Canvas's, whatever is weighted, dropped or not graded."""

from datetime import UTC, datetime
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.integrations.canvas.courses import read_courses
from services.integrations.canvas.gradebook import (
    AssignmentGroup,
    Gradebook,
    GradebookEntry,
    counted_scores,
    current_scores,
    dropped_entries,
    grade_total,
    group_percent,
    read_gradebook,
    rounded_percent,
)
from services.integrations.canvas.grading_periods import grade_scope
from services.integrations.canvas.payloads import exact_number
from tests.services.integrations.canvas.conftest import ContextOf


def entry(id: int, possible: float, score: float | None = None) -> GradebookEntry:
    """Something graded, or open when there is no score."""
    state = "ahead" if score is None else "graded"
    return GradebookEntry(
        id=id, title=f"E{id}", url="", possible=Fraction(possible), score=exact_number(score), state=state
    )


def group(*entries: GradebookEntry, weight: int = 100, **rules: object) -> AssignmentGroup:
    return AssignmentGroup(id=1, name="G", weight=Fraction(weight), entries=entries, **rules)  # type: ignore[arg-type]


def book(*groups: AssignmentGroup, is_weighted: bool = True) -> Gradebook:
    return Gradebook(groups=groups, is_weighted=is_weighted)


def final_scores(graded: Gradebook) -> dict[int, Fraction]:
    """With nothing for everything that is not graded, as Canvas's final score counts."""
    return {entry.id: entry.score or Fraction(0) for entry in graded.entries}


def test_weights_are_shares_of_the_whole() -> None:
    graded = book(group(entry(1, 10, 8), weight=60), group(entry(2, 50, 50), weight=40))

    assert grade_total(graded, current_scores(graded)) == 88


def test_weights_of_groups_without_a_grade_are_shared_out() -> None:
    graded = book(group(entry(1, 10, 8), weight=60), group(entry(2, 50), weight=40))

    assert grade_total(graded, current_scores(graded)) == 80
    assert grade_total(graded, final_scores(graded)) == 48


def test_weights_above_a_hundred_are_extra_credit() -> None:
    graded = book(group(entry(1, 10, 9), weight=100), group(entry(2, 10, 10), weight=5))

    assert grade_total(graded, current_scores(graded)) == 95


def test_without_weights_points_are_added_up() -> None:
    graded = book(group(entry(1, 10, 5), weight=90), group(entry(2, 90, 85), weight=10), is_weighted=False)

    assert grade_total(graded, current_scores(graded)) == 90


def test_points_without_points_possible_are_extra_credit() -> None:
    graded = book(group(entry(1, 10, 8), entry(2, 0, 2)))

    assert grade_total(graded, current_scores(graded)) == 100


def test_nothing_graded_is_no_grade_and_not_zero() -> None:
    assert grade_total(book(group(entry(1, 10))), {}) is None
    assert grade_total(book(), {}) is None


def test_what_may_never_be_dropped_is_kept() -> None:
    quizzes = group(entry(1, 10, 1), entry(2, 10, 9), entry(3, 10, 10), drop_lowest=1, never_drop=frozenset({1}))

    assert [dropped_entry.id for dropped_entry in dropped_entries(quizzes, current_scores(book(quizzes)))] == [2]


def test_the_last_score_is_never_dropped() -> None:
    quizzes = group(entry(1, 10, 1), drop_lowest=3, drop_highest=2)

    assert group_percent(quizzes, current_scores(book(quizzes))) == 10


def test_of_unequal_ones_that_is_dropped_which_helps_most() -> None:
    """The lowest percentage is a trifle here: dropping 60 of 100 helps more than dropping 0 of 1."""
    work = group(entry(1, 1, 0), entry(2, 100, 60), entry(3, 100, 100), drop_lowest=1)

    assert [dropped_entry.id for dropped_entry in dropped_entries(work, current_scores(book(work)))] == [2]


SCORED = st.lists(
    st.tuples(st.integers(1, 40), st.integers(0, 45)).map(lambda pair: (pair[0], min(pair[1], pair[0] + 5))),
    min_size=1,
    max_size=6,
)


@given(SCORED, st.integers(0, 6))
def test_dropping_the_lowest_leaves_the_best_percentage_there_is(pairs: list[tuple[int, int]], drop: int) -> None:
    work = group(*(entry(id, possible, score) for id, (possible, score) in enumerate(pairs)), drop_lowest=drop)

    found = counted_scores(work, current_scores(book(work)))

    keep = max(1, len(pairs) - drop)
    best = max(
        Fraction(sum(score for _, score in some), sum(possible for possible, _ in some))
        for some in combinations(pairs, keep)
    )
    assert len(found) == keep
    assert sum(scored.score for scored in found) / sum(scored.possible for scored in found) == best


@given(SCORED, st.integers(0, 3), st.integers(0, 3))
def test_any_rules_leave_something_and_never_more_than_was_there(
    pairs: list[tuple[int, int]], lowest: int, highest: int
) -> None:
    entries = [entry(id, possible, score) for id, (possible, score) in enumerate(pairs)]
    work = group(*entries, drop_lowest=lowest, drop_highest=highest)

    found = counted_scores(work, current_scores(book(work)))

    assert 1 <= len(found) <= len(pairs)
    assert len({scored.id for scored in found}) == len(found)


@pytest.mark.parametrize("person", ["maya", "diego"])
def test_our_total_is_canvass_own_in_every_course(context_of: ContextOf, person: str) -> None:
    context = context_of(person)
    client = context.client("canvas")
    courses = [course for course in read_courses(client.courses(), client.origin)[0] if course.score is not None]

    for course in courses:
        graded, note = grade_scope(client, course, "all" if course.has_periods else None).book(
            origin=client.origin, now=context.now()
        )
        now, final = grade_total(graded, current_scores(graded)), grade_total(graded, final_scores(graded))
        assert now is not None
        assert final is not None
        assert note == ""
        assert (float(rounded_percent(now)), float(rounded_percent(final))) == (course.score, course.final_score)
    assert len(courses) >= 4


def test_scores_are_read_as_the_decimals_they_are() -> None:
    assert exact_number(38.1) == Fraction(381, 10)
    assert [exact_number(value) for value in (None, "7", True, float("nan"), float("inf"), [])] == [None] * 6


def test_broken_entries_hide_no_other() -> None:
    rows = [
        {"id": 1, "name": "Labs", "group_weight": "much", "rules": None, "assignments": [{"name": "no id"}]},
        {"name": "no id"},
        {"id": 3, "assignments": [{"id": 5, "points_possible": 10, "submission": {"score": 7}}, "nonsense"]},
    ]
    graded, note = read_gradebook(rows, is_weighted=False, origin="https://c", now=datetime.now(UTC))

    assert grade_total(graded, current_scores(graded)) == 70
    assert "could not be read" in note
