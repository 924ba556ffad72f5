"""What would be, and what is needed: exact, enough, and never more than enough."""

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.canvas.grade_forecast import (
    OpenWork,
    WhatIfScores,
    forecast_grade,
    needed_percent,
    possible_range,
    share_of_grade,
)
from services.integrations.canvas.gradebook import Gradebook, rounded_percent
from services.integrations.canvas.grading_scheme import DEFAULT, GradingScheme, read_scheme
from services.integrations.canvas.tools.forecast import entries_named
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.conftest import ContextOf
from tests.services.integrations.canvas.test_gradebook import book, entry, group

TERM = book(
    group(entry(1, 10, 8), entry(2, 10), weight=50),
    group(entry(3, 100), weight=50),
)
NOTHING = WhatIfScores(percents={}, others=OpenWork.AVERAGE)


@pytest.mark.parametrize(
    ("others", "outcome"),
    [
        (OpenWork.AVERAGE, 80),
        (OpenWork.ZERO, 20),
        (OpenWork.FULL, 95),
        (OpenWork.LEFT_OUT, 80),
    ],
)
def test_what_is_open_is_assumed_as_asked(others: OpenWork, outcome: int) -> None:
    assert forecast_grade(TERM, WhatIfScores(percents={}, others=others)) == outcome


def test_a_supposed_score_counts_with_its_weight() -> None:
    assert forecast_grade(TERM, WhatIfScores(percents={3: Fraction(60)}, others=OpenWork.AVERAGE)) == 70
    assert forecast_grade(TERM, WhatIfScores(percents={1: Fraction(100)}, others=OpenWork.LEFT_OUT)) == 100


def test_what_is_needed_on_the_final() -> None:
    final = TERM.groups[1].entries

    assert needed_percent(TERM, final, Fraction(90), NOTHING) == 100
    assert needed_percent(TERM, final, Fraction(85), NOTHING) == 90
    assert needed_percent(TERM, final, Fraction(91), NOTHING) is None
    assert needed_percent(TERM, final, Fraction(40), NOTHING) == 0
    assert possible_range(TERM) == (20, 95)


def test_shares_of_the_grade_come_to_all_of_it() -> None:
    assert [share_of_grade(TERM, id) for id in (1, 2, 3, 99)] == [25, 25, 50, 0]


BOOKS = st.lists(
    st.tuples(st.integers(1, 60), st.lists(st.tuples(st.integers(1, 50), st.none() | st.integers(0, 50)), max_size=4)),
    min_size=1,
    max_size=3,
).map(
    lambda groups: book(
        *(
            group(
                *(
                    entry(100 * at + id, possible, None if score is None else min(score, possible))
                    for id, (possible, score) in enumerate(pairs)
                ),
                weight=weight,
                drop_lowest=weight % 2,
            )
            for at, (weight, pairs) in enumerate(groups)
        )
    )
)


@given(BOOKS, st.integers(0, 100), st.sampled_from(OpenWork))
def test_what_is_needed_is_enough_and_a_little_less_is_not(graded: Gradebook, target: int, others: OpenWork) -> None:
    on = graded.open_entries
    what_if = WhatIfScores(percents={}, others=others)

    found = needed_percent(graded, on, Fraction(target), what_if) if on else None

    def outcome(percent: Fraction) -> Fraction:
        given = WhatIfScores(percents={entry.id: percent for entry in on}, others=others)
        return rounded_percent(forecast_grade(graded, given) or Fraction(0))

    if found is not None:
        assert outcome(found) >= target
        assert found == 0 or outcome(found - Fraction(1, 10)) < target
    elif on:
        assert outcome(Fraction(100)) < target


@pytest.mark.parametrize(
    ("words", "least"),
    [("A", 94), ("an A", 94), ("a-", 90), ("A minus", 90), ("B plus", 87), ("90", 90), ("92.5 %", 92.5), ("pass", 61)],
)
def test_a_target_is_a_letter_or_a_percentage(words: str, least: float) -> None:
    assert DEFAULT.least(words)[1] == Fraction(str(least))


@pytest.mark.parametrize("words", ["", "excellent", "A+", "1000", "9O"])
def test_a_target_that_is_neither_lists_the_letters(words: str) -> None:
    with pytest.raises(BadArguments, match="A, A-, B") as raised:
        DEFAULT.least(words)

    assert raised.value.field == "target"


def test_a_courses_own_scheme_decides_its_letters() -> None:
    own = read_scheme([["High", 0.9], ["Pass", 0.5], ["Fail", 0.0]])

    assert [own.letter(Fraction(percent)) for percent in (90, 89, 50, 0)] == ["High", "Pass", "Pass", "Fail"]
    assert own.letter(Fraction("89.995")) == "High"
    assert own.letter(None) == ""


@pytest.mark.parametrize("broken", [None, [], "A", [["A"]], [["A", "94"]], [[1, 2]], {"A": 94}])
def test_a_scheme_that_cannot_be_read_gives_way_to_canvass_default(broken: object) -> None:
    read: GradingScheme = read_scheme(broken)

    assert read is DEFAULT
    assert not read.is_own


def test_a_question_means_what_is_open_before_what_is_graded() -> None:
    labs = group(entry(1, 10, 8), entry(2, 10))

    assert [item.id for item in entries_named(book(labs), "E2", field="item")] == [2]
    assert [item.id for item in entries_named(book(labs), "1", field="item")] == [1]
    assert [item.id for item in entries_named(book(labs), "g", field="item")] == [2]
    with pytest.raises(BadArguments, match="There are: “E2”"):
        entries_named(book(labs), "term paper", field="item")


def test_an_answer_names_need_outcome_and_assumptions(call: Any) -> None:
    result = call("canvas_forecast_grade", course="bio", target="A-", item="final exam")

    need = result.data["needed_percent"]
    assert f"A- (90 % or more) needs {need:g} % on “Final Exam”" in result.output
    assert re.search(
        r"- Other work without a grade \(“Problem Set 8.*\): taken as the student's average", result.output
    )
    missing = "“Problem Set 7: Endomembrane system” (dropped by the course’s rules)"
    assert f"- Missing work counts as zero: {missing}." in result.output
    assert "- Left out: extra credit and deductions for lateness" in result.output
    again = call("canvas_forecast_grade", course="bio", scores={"final exam": need})
    assert again.data["outcome"] >= 90


def test_everything_that_an_answer_links_is_a_source(call: Any) -> None:
    result = call("canvas_forecast_grade", course="bio", target="80")

    linked = re.findall(r"\[open\]\((\S+?)\)", result.output)
    assert len(linked) > 1
    assert set(linked) <= {source.url for source in result.sources}


def test_what_is_out_of_reach_is_said_kindly_with_what_is_not(call: Any) -> None:
    result = call("canvas_forecast_grade", course="calc", target="A", item="final")

    assert not result.data["is_reachable"]
    headline = result.output.split("\n")[0]
    assert "A (94 % or more) is out of reach with “Final exam”: full marks there bring the course to " in headline
    assert re.search(r"to [\d.]+ % \(B-\) ", headline)
    assert "ask the instructor" in result.output


def test_what_is_still_open_is_named_where_all_of_it_is_not_enough(call: Any) -> None:
    output = call("canvas_forecast_grade", course="calc", target="B").output

    assert "out of reach with everything that is still open (6 items)" in output
    assert "- Still open: “WeBWorK 12: Ratio and root tests”, " in output


def test_a_forecast_that_canvas_does_not_confirm_says_so(campus: CampusServer, call: Any) -> None:
    rows = [{"id": 1, "name": "Labs", "assignments": [{"id": 5, "points_possible": 10, "submission": {"score": 1}}]}]
    path = "/api/v1/courses/4201/assignment_groups"
    campus.fault(service="canvas", fault="status", path=path, status=200, body=[{**rows[0], "group_weight": 100}])

    result = call("canvas_forecast_grade", course="bio")

    assert "Note: Canvas shows" in result.output
    assert "the forecast is only rough" in result.output
    assert result.is_partial


def test_a_hidden_total_is_never_told_as_canvass(call: Any, context_of: ContextOf) -> None:
    diego = context_of("diego")

    grades = call("canvas_get_grades", diego)
    forecast = call("canvas_forecast_grade", diego, course="psych", target="B")

    psychology = next(course for course in grades.data["courses"] if course["id"] == 4809)
    assert (psychology["score"], psychology["grade"], psychology["is_hidden"]) == (None, None, True)
    assert "Note: the instructor hides the total" in forecast.output


def test_an_unclear_item_is_asked_back_with_the_choices(call: Any) -> None:
    with pytest.raises(BadArguments, match=r"item: 3 fit “[^”]*”: “Essay 4.*\(id 4402\d+\)"):
        call("canvas_forecast_grade", course="writing", target="A", item="essay 4")


def test_words_of_a_group_mean_all_that_is_open_in_it(call: Any) -> None:
    result = call("canvas_forecast_grade", course="bio", target="A-", item="problem sets")

    assert "on each of the 3 items listed here" in result.output
    assert re.findall(r"- \*\*(Problem Set \d)", result.output) == ["Problem Set 7", "Problem Set 8", "Problem Set 9"]


def test_a_course_without_graded_work_is_refused_with_the_reason(campus: CampusServer, call: Any) -> None:
    campus.fault(service="canvas", fault="status", path="/api/v1/courses/4201/assignment_groups", status=200, body=[])

    with pytest.raises(BadArguments, match="Nothing counts towards a grade"):
        call("canvas_forecast_grade", course="bio", target="A")


def test_one_percentage_can_be_supposed_for_everything_else(call: Any) -> None:
    named = {"final exam": 80.0}
    open_ones = call("canvas_forecast_grade", course="bio", scores=named).output
    titles = re.findall(r"“([^”]*)”", re.search(r"- Other work without a grade \((.*)\):", open_ones)[1])

    at_once = call("canvas_forecast_grade", course="bio", scores=named, everything_else=90)
    one_by_one = call("canvas_forecast_grade", course="bio", scores={**named, **dict.fromkeys(titles, 90.0)})

    assert len(titles) > 3
    assert at_once.output.split("\n")[0] == one_by_one.output.split("\n")[0]
    assert "- Missing work counts as zero" in at_once.output


def test_a_target_is_asked_of_one_item_with_everything_else_supposed(call: Any) -> None:
    easy = call("canvas_forecast_grade", course="bio", target="B", item="final exam", everything_else=100)
    hard = call("canvas_forecast_grade", course="bio", target="B", item="final exam", everything_else=70)

    assert easy.data["needed_percent"] < hard.data["needed_percent"]
