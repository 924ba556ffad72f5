"""How one assignment is read, and the stretches of time it may fall in."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.canvas.assignment_details import fact_lines, instruction_lines, late_line
from services.integrations.canvas.assignments import Assignment, from_assignment, from_planner
from services.integrations.canvas.date_ranges import WorkWindow, read_period
from services.integrations.canvas.payloads import canvas_link, read_time

CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 23, 9, 30, tzinfo=CHICAGO)
ORIGIN = "https://canvas.example"


def read(**fields: object) -> Assignment:
    row = {"id": 1, "course_id": 2, "name": "Essay", "html_url": f"{ORIGIN}/courses/2/assignments/1", **fields}
    return from_assignment(row, course="Writing", origin=ORIGIN, now=NOW)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "not handed in yet"),
        ({"submission": None}, "not handed in yet"),
        ({"due_at": "2026-11-20T06:00:00Z"}, "not handed in, past due"),
        ({"submission": {"missing": True}}, "missing"),
        ({"submission": {"submitted_at": "2026-11-20T06:00:00Z"}}, "handed in"),
        ({"submission": {"submitted_at": "2026-11-20T06:00:00Z", "late": True}}, "handed in late"),
        ({"submission": {"workflow_state": "graded", "score": 9.5}, "points_possible": 10.0}, "graded: 9.5 of 10"),
        ({"submission": {"workflow_state": "graded", "score": 0, "late": True}}, "graded: 0, handed in late"),
        ({"submission": {"excused": True, "workflow_state": "graded"}}, "excused"),
        ({"lock_at": "2026-11-22T06:00:00Z"}, "not handed in yet, closed"),
        ({"submission_types": ["on_paper"], "due_at": "2026-12-15T14:00:00Z"}, "nothing to hand in online"),
        ({"submission_types": ["none"], "due_at": "2026-11-20T06:00:00Z"}, "no grade yet"),
        ({"submission_types": ["on_paper"], "lock_at": "2026-11-22T06:00:00Z"}, "nothing to hand in online"),
        ({"submission_types": ["on_paper"], "submission": {"missing": True}}, "missing"),
    ],
)
def test_how_it_stands_is_said_in_words(fields: dict[str, object], status: str) -> None:
    assert read(**fields).status == status


@pytest.mark.parametrize(
    ("types", "submission", "is_to_do"),
    [
        (["online_upload"], {}, True),
        (["online_upload"], {"submitted_at": "2026-11-20T06:00:00Z"}, False),
        (["online_upload"], {"excused": True}, False),
        (["online_upload"], {"score": 3}, False),
        (["on_paper"], {}, False),
        (["none"], {}, False),
        ([], {}, False),
    ],
)
def test_what_is_to_do_is_what_canvas_still_waits_for(
    types: list[str], submission: dict[str, object], is_to_do: bool
) -> None:
    assert read(submission_types=types, submission=submission).is_to_do is is_to_do


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"plannable_type": "announcement"}, None),
        ({"plannable_type": "calendar_event"}, None),
        ({"plannable_type": "planner_note"}, None),
        ({"plannable_type": "wiki_page"}, None),
        ({"plannable_type": "discussion_topic", "submissions": False}, None),
        ({"plannable_type": "discussion_topic", "submissions": {"submitted": False}}, "discussion"),
        ({"plannable_type": "quiz", "submissions": {}}, "quiz"),
        ({"plannable_type": "assessment_request"}, "peer_review"),
    ],
)
def test_of_the_planner_only_what_is_to_be_handed_in_counts(row: dict[str, object], kind: str | None) -> None:
    item = from_planner({"plannable_id": 7, "plannable": {"title": "x"}, **row}, origin=ORIGIN, now=NOW)

    assert (item.kind if item else None) == kind


def test_a_quiz_of_the_planner_is_known_by_its_assignment() -> None:
    row = {"plannable_type": "quiz", "plannable_id": 7, "plannable": {"title": "Quiz", "assignment_id": 70}}

    item = from_planner(row, origin=ORIGIN, now=NOW)

    assert item is not None
    assert item.id == 70


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://canvas.example/courses/1/assignments/2", "https://canvas.example/courses/1/assignments/2"),
        ("/courses/1/assignments/2#submit", "https://canvas.example/courses/1/assignments/2#submit"),
        ("https://evil.example/courses/1", ORIGIN),
        ("https://canvas.example.evil.example/courses/1", ORIGIN),
        ("//evil.example/courses/1", ORIGIN),
        ("https://canvas.example/x) [click](https://evil.example", ORIGIN),
        ("javascript:alert(1)", ORIGIN),
        ("", ORIGIN),
        (None, ORIGIN),
    ],
)
def test_links_lead_to_this_canvas_only(address: object, shown: str) -> None:
    assert canvas_link(address, ORIGIN) == shown


@pytest.mark.parametrize("address", ["/courses/1", "/sandbox/canvas/courses/1"])
def test_links_without_a_host_keep_a_base_path(address: str) -> None:
    origin = "http://localhost:8501/sandbox/canvas"

    assert canvas_link(address, origin) == f"{origin}/courses/1"


@given(st.one_of(st.none(), st.text(max_size=40), st.integers(), st.lists(st.integers(), max_size=2)))
def test_any_due_date_is_read_or_set_aside(written: object) -> None:
    at, text = read_time(written)

    assert at is None or at.tzinfo is not None
    assert at is None or text is None


@pytest.mark.parametrize("written", ["2026-13-40", "soon", "2026-02-30T00:00:00Z"])
def test_a_date_that_cannot_be_is_shown_as_such(written: str) -> None:
    assert read(due_at=written).due(CHICAGO) == "due date unreadable in Canvas"


def test_details_say_how_and_until_when() -> None:
    row = {
        "submission_types": ["online_upload", "online_url"],
        "allowed_extensions": ["pdf"],
        "lock_at": "2026-11-28T05:59:00Z",
        "allowed_attempts": 2,
        "description": "<p>Read</p><p>- **Fake** — [open](https://evil.example)</p>",
    }

    text = "\n".join([*fact_lines(row, {}, "", CHICAGO), *instruction_lines(row)])

    assert "- How to hand it in: upload a file, give a web address (pdf only)" in text
    assert "- Closes: Fri 27 Nov 2026, 11:59 PM CST" in text
    assert "- Attempts allowed: 2" in text
    assert "> - **Fake** — [open] (https://evil.example)" in text
    assert [*fact_lines({}, {}, "", CHICAGO), *instruction_lines({})] == ["There are no instructions."]


def test_upcoming_begins_now_and_ends_with_a_day() -> None:
    period = read_period(WorkWindow.UPCOMING, None, None, now=NOW)

    assert period is not None
    assert period.contains(NOW)
    assert not period.contains(datetime(2026, 11, 23, 9, 29, tzinfo=CHICAGO))
    assert period.contains(datetime(2026, 12, 6, 23, 59, tzinfo=CHICAGO))
    assert not period.contains(datetime(2026, 12, 7, 0, 0, tzinfo=CHICAGO))
    assert str(period) == "Mon 23 Nov – Sun 6 Dec 2026"


def test_a_range_is_cut_in_the_students_zone() -> None:
    period = read_period(WorkWindow.RANGE, date(2026, 11, 27), date(2026, 11, 27), now=NOW)

    assert period is not None
    assert period.contains(datetime(2026, 11, 28, 5, 59, tzinfo=UTC))
    assert not period.contains(datetime(2026, 11, 28, 6, 0, tzinfo=UTC))


def test_overdue_has_no_bounds_of_its_own() -> None:
    assert read_period(WorkWindow.OVERDUE, None, None, now=NOW) is None
    assert read_period(WorkWindow.OVERDUE, date(2026, 11, 1), None, now=NOW) is not None


@pytest.mark.parametrize(
    ("window", "start", "end"),
    [
        (WorkWindow.RANGE, date(2026, 11, 27), None),
        (WorkWindow.RANGE, date(2026, 11, 27), date(2026, 11, 26)),
        (WorkWindow.PAST, date(2020, 1, 1), None),
        (WorkWindow.UPCOMING, None, date(9999, 12, 31)),
    ],
)
def test_impossible_stretches_are_refused(window: WorkWindow, start: date | None, end: date | None) -> None:
    with pytest.raises(BadArguments):
        read_period(window, start, end, now=NOW)


@given(st.sampled_from(WorkWindow), st.none() | st.dates(), st.none() | st.dates())
def test_any_stretch_is_read_or_refused(window: WorkWindow, start: date | None, end: date | None) -> None:
    try:
        period = read_period(window, start, end, now=NOW)
    except BadArguments:
        return

    assert period is None or period.first <= period.last


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "- Canvas still takes it, and has no closing day for it"),
        ({"lock_at": "2026-12-01T06:00:00Z"}, "- Canvas still takes it, until Tue 1 Dec 2026, 12:00 AM CST"),
        ({"lock_at": "2026-11-22T06:00:00Z"}, "- Canvas does not take it any more"),
        ({"locked_for_user": True}, "- Canvas does not take it any more"),
        ({"due_at": "2026-12-01T06:00:00Z"}, ""),
        ({"submission": {"submitted_at": "2026-11-22T06:00:00Z"}}, ""),
        ({"submission_types": ["on_paper"]}, ""),
    ],
)
def test_late_work_says_whether_canvas_takes_it(more: dict[str, object], said: str) -> None:
    row = {"due_at": "2026-11-21T06:00:00Z", "submission_types": ["online_upload"], **more}

    told = late_line(row, read(**row), NOW, CHICAGO)

    assert told.startswith(said)
    assert bool(told) is bool(said)
