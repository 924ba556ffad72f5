"""Courses that grade by periods: what falls into which, which one is meant, and that the words say it."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from services.errors import BadArguments
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import read_courses
from services.integrations.canvas.gradebook import Gradebook, current_scores, grade_total, rounded_percent
from services.integrations.canvas.grading_periods import GradingPeriod, grade_scope, groups_in_period
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.test_gradebook import entry, group

WRITING = 4402
START = datetime(2026, 9, 1, tzinfo=UTC)
FIRST = GradingPeriod(id=1, title="Quarter 1", start=START, end=START + timedelta(days=30), weight=Fraction(40))
SECOND = GradingPeriod(id=2, title="Quarter 2", start=FIRST.end, end=START + timedelta(days=60), weight=Fraction(60))


def test_what_is_due_until_its_end_counts_in_a_period_and_what_has_no_date_in_the_last() -> None:
    dues = [None, *(START + timedelta(days=day) for day in (0, 1, 30, 31, 90))]
    rows = [{"assignments": [{"id": number, "due_at": due and due.isoformat()} for number, due in enumerate(dues)]}]

    ids = [
        [assignment["id"] for assignment in groups_in_period(rows, period, (FIRST, SECOND))[0]["assignments"]]
        for period in (FIRST, SECOND)
    ]

    assert ids == [[2, 3], [0, 4]]


def test_weighted_periods_make_the_course_and_one_without_grades_gives_its_weight_to_the_others() -> None:
    first, two, empty = (group(entry(id, 10, score)) for id, score in ((1, 9), (2, 6), (3, None)))
    whole = Gradebook(
        groups=(first, two), is_weighted=False, periods=((Fraction(40), (first,)), (Fraction(60), (two,)))
    )
    begun = Gradebook(
        groups=(first, empty), is_weighted=False, periods=((Fraction(40), (first,)), (Fraction(60), (empty,)))
    )

    assert grade_total(whole, current_scores(whole)) == 72
    assert grade_total(begun, current_scores(begun)) == 90


def test_our_total_of_the_running_period_is_canvass_own(client: CanvasClient) -> None:
    course = next(
        read_course for read_course in read_courses(client.courses(), client.origin)[0] if read_course.id == WRITING
    )

    part = grade_scope(client, course, None)
    book, _ = part.book(origin=client.origin, now=datetime.now(UTC))

    ours = grade_total(book, current_scores(book))
    assert ours is not None
    assert course.period is not None
    assert float(rounded_percent(ours)) == course.period.score
    assert course.period.score != course.score


def test_grades_tell_the_running_period_and_the_whole_course(call: Any) -> None:
    every = call("canvas_get_grades")
    detail = call("canvas_get_grades", course="writing")
    first = call("canvas_get_grades", course="writing", grading_period="first half")
    whole = call("canvas_get_grades", course="writing", grading_period="all")

    row = next(row for row in every.data["courses"] if row["id"] == WRITING)
    assert f"{row['grading_period']['score']:g} % (A-) now in Second half, the current grading period" in every.output
    assert f"over all grading periods: {row['score']:g} % (" in every.output
    assert ", Second half (the current grading period): " in detail.output.splitlines()[0]
    assert f"- **The whole course** — {row['score']:g} % (" in detail.output
    assert "40 % of the course; Second half (" in detail.output
    assert "First half (a grading period): " in first.output
    assert "added up from its graded items" in first.output
    titles = [{graded["title"] for graded in result.data["graded"]} for result in (first, detail, whole)]
    assert "Essay 1: A place that argues" in titles[0]
    assert titles[0] | titles[1] == titles[2]
    assert not titles[0] & titles[1]


def test_a_forecast_is_about_the_running_period_unless_another_part_is_meant(call: Any) -> None:
    now = call("canvas_forecast_grade", course="writing", target="A")
    whole = call("canvas_forecast_grade", course="writing", target="A", grading_period="all")
    early = call("canvas_forecast_grade", course="writing", scores={"Essay 1: A place that argues": 50})

    assert "the grading period comes to" in now.output
    assert "- Counted: only what is due in Second half (" in now.output
    assert now.data["grading_period"] == "Second half"
    assert "- Counted: all grading periods by their weights (First half, Second half)." in whole.output
    assert whole.data["grading_period"] is None
    assert "Note: Canvas shows" not in now.output + whole.output
    assert early.data["grading_period"] is None
    assert early.data["outcome"] < early.data["now"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"course": "bio", "grading_period": "quarter 1"}, "has no grading periods"),
        ({"course": "writing", "grading_period": "quarter 7"}, "There are: “First half” \\(id \\d+\\); “Second half”"),
        ({"grading_period": "first half"}, "grading_period needs a course"),
    ],
)
def test_a_period_that_is_not_there_is_refused_with_those_that_are(
    call: Any, arguments: dict[str, str], words: str
) -> None:
    with pytest.raises(BadArguments, match=words):
        call("canvas_get_grades", **arguments)


def test_where_canvas_keeps_the_periods_closed_the_answer_says_that_it_is_about_the_whole_course(
    campus: CampusServer, call: Any
) -> None:
    campus.fault(service="canvas", fault="status", path="/api/v1/courses/*/grading_periods", times=0, status=403)

    result = call("canvas_get_grades", course="writing")

    assert "Note: Canvas does not tell this course's grading periods" in result.output
    assert result.is_partial


def test_a_course_without_a_total_over_all_periods_tells_only_the_running_one(
    campus: CampusServer, call: Any, client: Any
) -> None:
    rows = client.courses()
    mine = next(row for row in rows if row["id"] == WRITING)["enrollments"][0]
    mine["totals_for_all_grading_periods_option"] = False
    campus.fault(service="canvas", fault="status", path="/api/v1/courses", times=0, status=200, body=rows)

    result = call("canvas_get_grades")

    assert "this course shows no total over all grading periods" in result.output
    assert next(row for row in result.data["courses"] if row["id"] == WRITING)["score"] is None
