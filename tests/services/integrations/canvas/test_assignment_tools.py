"""What the tools say about assignments, over real HTTP."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.errors import BadArguments, NameUnknown, ReconnectRequired, ServiceUnavailable
from services.tools.context import ToolExecutionContext
from tests.campus_server import CampusServer

BIOLOGY, HISTORY = 4201, 4505


def test_upcoming_lists_two_weeks_in_order_of_due_date(call: Any) -> None:
    now = datetime.now(UTC)

    dues = [
        datetime.fromisoformat(assignment["due_at"])
        for assignment in call("canvas_list_assignments").data["assignments"]
    ]

    assert dues == sorted(dues)
    assert now < dues[0]
    assert dues[-1] < now + timedelta(days=15)


def test_due_dates_are_in_the_students_zone_with_its_name(call: Any) -> None:
    output = call("canvas_list_assignments").output

    assert re.search(r"due \w{3} \d{1,2} \w{3} \d{4}, \d{1,2}:\d\d [AP]M C[SD]T — ", output)


def test_what_is_upcoming_past_or_overdue_costs_one_request(campus: CampusServer, call: Any) -> None:
    # Whether an account teaches is asked once an hour, with the list of courses.
    call("canvas_list_courses")
    for window, path in (
        ("upcoming", "/planner/items"),
        ("past", "/planner/items"),
        ("overdue", "/missing_submissions"),
    ):
        since = campus.log()[-1]["id"]

        call("canvas_list_assignments", window=window)

        (entry,) = campus.log(service="canvas", since=since)
        assert entry["path"].endswith(path)


def test_overdue_are_past_and_not_handed_in(call: Any) -> None:
    result = call("canvas_list_assignments", window="overdue")

    titles = [assignment["title"] for assignment in result.data["assignments"]]
    assert "Problem Set 7: Endomembrane system" in titles
    assert all(assignment["status"].startswith("missing") for assignment in result.data["assignments"])


def test_unsubmitted_includes_what_has_no_due_date(call: Any) -> None:
    result = call("canvas_list_assignments", window="unsubmitted", limit=100)

    assert "no due date" in result.output
    assert result.data["assignments"][-1]["due_at"] is None
    assert not any("graded" in assignment["status"] for assignment in result.data["assignments"])


def test_past_comes_latest_first(call: Any) -> None:
    dues = [assignment["due_at"] for assignment in call("canvas_list_assignments", window="past").data["assignments"]]

    assert len(dues) > 1
    assert dues == sorted(dues, reverse=True)


def _day_of(assignment: dict[str, Any]) -> str:
    return str(datetime.fromisoformat(assignment["due_at"]).astimezone(ZoneInfo("America/Chicago")).date())


def test_a_range_is_whole_days_of_the_student(call: Any) -> None:
    upcoming = call("canvas_list_assignments").data["assignments"][0]
    day = _day_of(upcoming)

    result = call("canvas_list_assignments", window="range", start=day, end=day)

    assert upcoming["id"] in [assignment["id"] for assignment in result.data["assignments"]]
    assert {_day_of(assignment) for assignment in result.data["assignments"]} == {day}
    with pytest.raises(BadArguments, match="a start and an end"):
        call("canvas_list_assignments", window="range")
    with pytest.raises(BadArguments, match="before"):
        call("canvas_list_assignments", window="range", start="2026-11-24", end="2026-11-23")


def test_a_course_narrows_the_list(call: Any) -> None:
    result = call("canvas_list_assignments", course="bio")

    assert {assignment["course_id"] for assignment in result.data["assignments"]} == {BIOLOGY}
    assert "in BIOL 201: Cell Biology" in result.output


def test_what_is_cut_off_is_said(call: Any) -> None:
    result = call("canvas_list_assignments", limit=2)

    assert len(result.data["assignments"]) == 2
    assert f"Note: only the first 2 of {result.data['total']} are shown." in result.output


def test_an_unclear_course_is_asked_back_with_the_choices(call: Any) -> None:
    with pytest.raises(BadArguments, match=r"There are: “BIOL 201: Cell Biology” \(id 4201\)"):
        call("canvas_list_assignments", course="basket weaving")


@pytest.mark.parametrize("window", ["unsubmitted", "waiting", "late", "all"])
def test_one_list_of_all_courses_says_the_same_as_the_courses_one_by_one(
    campus: CampusServer, call: Any, window: str
) -> None:
    together = call("canvas_list_assignments", window=window, limit=100)
    keep_the_calendar_closed(campus)

    apart = call("canvas_list_assignments", window=window, limit=100)

    assert together.data["assignments"]
    assert together.data == apart.data
    assert not apart.is_partial


def test_a_course_that_the_list_leaves_out_is_asked_by_itself(campus: CampusServer, call: Any, client: Any) -> None:
    whole = call("canvas_list_assignments", window="all", limit=100).data
    rows = [row for row in client.assignments_of([4201, 4310, 4402, HISTORY, 4607]) if row["course_id"] != HISTORY]
    answer_from_the_calendar(campus, rows)

    assert call("canvas_list_assignments", window="all", limit=100).data == whole


def test_a_list_without_submissions_is_not_taken_for_work_that_is_open(
    campus: CampusServer, call: Any, client: Any
) -> None:
    whole = call("canvas_list_assignments", window="unsubmitted", limit=100).data
    rows = [{**row, "submission": None} for row in client.assignments_of([4201, HISTORY])]
    answer_from_the_calendar(campus, rows)

    assert call("canvas_list_assignments", window="unsubmitted", limit=100).data == whole


@pytest.mark.parametrize("status", [400, 404])
def test_a_canvas_that_does_not_know_the_list_is_asked_course_by_course(
    campus: CampusServer, call: Any, status: int
) -> None:
    whole = call("canvas_list_assignments", window="late", limit=100).data
    keep_the_calendar_closed(campus, status)

    assert call("canvas_list_assignments", window="late", limit=100).data == whole


def keep_the_calendar_closed(campus: CampusServer, status: int = 403) -> None:
    """As for a sign-in from before Homeroom asked for leave to it."""
    campus.fault(service="canvas", fault="status", path="/api/v1/calendar_events", times=0, status=status)


def answer_from_the_calendar(campus: CampusServer, assignments: list[dict[str, Any]]) -> None:
    body = [{"id": f"assignment_{row['id']}", "assignment": row} for row in assignments]
    campus.fault(service="canvas", fault="status", path="/api/v1/calendar_events", times=0, status=200, body=body)


def test_a_forbidden_course_is_named_and_the_rest_is_whole(campus: CampusServer, call: Any) -> None:
    whole = call("canvas_list_assignments", window="unsubmitted", limit=100).data["assignments"]
    keep_the_calendar_closed(campus)
    campus.fault(service="canvas", fault="status", path=f"/api/v1/courses/{HISTORY}/assignments", times=0, status=403)

    result = call("canvas_list_assignments", window="unsubmitted", limit=100)

    assert result.data["assignments"] == [assignment for assignment in whole if assignment["course_id"] != HISTORY]
    assert (
        "Note: The assignments of HIST 142: The Modern World since 1789 are missing here. "
        "Canvas does not let this account see this." in result.output
    )


def test_a_course_that_does_not_answer_is_named(campus: CampusServer, call: Any) -> None:
    keep_the_calendar_closed(campus)
    campus.fault(service="canvas", fault="status", path=f"/api/v1/courses/{HISTORY}/assignments", times=0, status=500)

    result = call("canvas_list_assignments", window="unsubmitted")

    assert "HIST 142: The Modern World since 1789 are missing here. Canvas has trouble on its side" in result.output


def test_when_no_course_answers_it_is_no_answer(campus: CampusServer, call: Any) -> None:
    keep_the_calendar_closed(campus)
    campus.fault(service="canvas", fault="status", path="/api/v1/courses/*/assignments", times=0, status=500)

    with pytest.raises(ServiceUnavailable):
        call("canvas_list_assignments", window="unsubmitted")


def test_a_token_that_dies_between_two_requests_asks_for_a_reconnect(campus: CampusServer, call: Any) -> None:
    keep_the_calendar_closed(campus)
    campus.fault(service="canvas", fault="status", path=f"/api/v1/courses/{HISTORY}/assignments", times=0, status=401)

    with pytest.raises(ReconnectRequired):
        call("canvas_list_assignments", window="unsubmitted")


def test_broken_dates_and_rows_hide_nothing_else(campus: CampusServer, call: Any) -> None:
    def row(id: int, due_at: Any, **more: Any) -> dict[str, Any]:
        plannable = {"id": id, "title": f"Essay {id}", "due_at": due_at, "points_possible": None}
        base = {"plannable_type": "assignment", "plannable_id": id, "course_id": 1, "context_name": "Writing"}
        return {
            **base,
            "plannable": plannable,
            "submissions": False,
            "html_url": f"/courses/1/assignments/{id}",
            **more,
        }

    soon = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    rows = [
        row(1, soon),
        row(2, "2026-13-40"),
        row(3, None),
        {"plannable_type": "assignment"},
        row(4, 12345, plannable_date=None),
    ]
    campus.fault(service="canvas", fault="status", path="/api/v1/planner/items", status=200, body=rows)

    output = call("canvas_list_assignments").output

    assert "**Essay 1** — Writing — due " in output
    assert "**Essay 2** — Writing — due date unreadable in Canvas" in output
    assert "**Essay 3** — Writing — no due date" in output
    assert "Note: 1 item in Canvas could not be read." in output


def test_the_end_of_summer_time_moves_no_due_date(campus: CampusServer, call: Any, maya: ToolExecutionContext) -> None:
    def row(id: int, due_at: str) -> dict[str, Any]:
        thing = {"title": f"Essay {id}", "due_at": due_at}
        return {"plannable_type": "assignment", "plannable_id": id, "context_name": "Writing", "plannable": thing}

    rows = [row(1, "2026-11-01T04:59:00Z"), row(2, "2026-11-02T05:59:00Z")]
    campus.fault(service="canvas", fault="status", path="/api/v1/planner/items", status=200, body=rows)

    output = call("canvas_list_assignments", window="range", start="2026-10-31", end="2026-11-01").output

    assert "Essay 1** — Writing — due Sat 31 Oct 2026, 11:59 PM CDT" in output
    assert "Essay 2** — Writing — due Sun 1 Nov 2026, 11:59 PM CST" in output


def test_an_assignment_is_found_by_words_of_its_title(call: Any) -> None:
    result = call("canvas_get_assignment", assignment="lab report 6")

    assert result.data["title"] == "Lab Report 6: Mitosis in onion root tips"
    assert result.data["course_id"] == BIOLOGY
    assert "How to hand it in: upload a file" in result.output
    assert "Count at least 200 cells." in result.output
    assert "<p>" not in result.output


def test_an_assignment_is_found_by_its_id_with_or_without_its_course(campus: CampusServer, call: Any) -> None:
    listed = call("canvas_list_assignments", course="bio").data["assignments"][0]

    assert call("canvas_get_assignment", assignment=str(listed["id"])).data["title"] == listed["title"]
    assert call("canvas_get_assignment", assignment=str(listed["id"]), course="bio").data["id"] == listed["id"]


def test_an_unclear_assignment_is_asked_back_with_the_choices(call: Any) -> None:
    with pytest.raises(
        BadArguments, match=r"assignment: 5 fit “[^”]*”: “Quiz 1 .*\(BIOL 201: Cell Biology, .*, id \d+\)"
    ):
        call("canvas_get_assignment", assignment="quiz", course="bio")


def test_an_assignment_that_is_not_there_is_said_with_what_could_not_be_read(campus: CampusServer, call: Any) -> None:
    campus.fault(service="canvas", fault="status", path=f"/api/v1/courses/{HISTORY}/assignments", times=0, status=403)

    with pytest.raises(NameUnknown, match=r"(?s)assignment: none is called “underwater.*HIST 142"):
        call("canvas_get_assignment", assignment="underwater basket weaving")


def test_an_assignment_without_a_description_says_so(call: Any) -> None:
    output = call("canvas_get_assignment", assignment="lab notebook check 3", course="bio").output

    assert "nothing to hand in online" in output
    assert "There are no instructions" in output
