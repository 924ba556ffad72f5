"""Course calendars (Canvas API: Calendar Events)."""

from datetime import timedelta

from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.assignments import assignment_json
from sandbox.canvas.school import Row, moment

MOST_CALENDARS = 10


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    events: dict[str, tuple[str, ...] | None] = {
        "type": ("event", "assignment", "sub_assignment"),
        "start_date": None,
        "end_date": None,
        "undated": None,
        "all_events": None,
        "context_codes": None,
        "excludes": ("description", "child_events", "assignment"),
        "includes": ("web_conference", "series_natural_language"),
        # Not in the documentation (app/controllers/calendar_events_api_controller.rb of canvas-lms).
        "include": ("submission",),
        "important_dates": None,
        "blackout_date": None,
    }
    return [
        Endpoint(path="/calendar_events", read=list_events, parameters=events),
        Endpoint(path="/users/{user_id}/calendar_events", read=list_events, parameters=events),
    ]


def list_events(call: Call) -> list[Row]:
    """Events or due dates of the named courses, today's unless dates are given; nothing without courses."""
    today = call.school.campus.now().astimezone(call.timezone).replace(hour=0, minute=0, second=0, microsecond=0)
    start = call.moment("start_date") or today
    end = call.moment("end_date", is_end=True) or start + timedelta(days=1)
    wants_assignments = call.value("type") == "assignment"
    read = call.school.assignments if wants_assignments else call.school.events
    field = "due_at" if wants_assignments else "start_at"
    rows = [row for course in _named(call) for row in read(course["id"])]
    rows = [
        row for row in rows if _is_wanted(call, row[field], start <= moment(row[field]) <= end if row[field] else False)
    ]
    rows.sort(key=lambda row: (row[field] is None, row[field] or "", row["id"]))
    shown = [_due_date(call, row) if wants_assignments else event_json(call, row) for row in rows]
    return [{key: value for key, value in row.items() if key not in call.values("excludes")} for row in shown]


def _named(call: Call) -> list[Row]:
    """The courses of the first ten codes; those that the asker may not see are left out without a word."""
    named = [call.school.course(code.removeprefix("course_")) for code in call.values("context_codes")[:MOST_CALENDARS]]
    return [
        course
        for course in named
        if course and not course["is_restricted"] and call.school.enrollment(course["id"], call.user_id)
    ]


def _due_date(call: Call, row: Row) -> Row:
    return assignment_event_json(call, row, assignment_json(call, row))


def event_json(call: Call, row: Row) -> Row:
    """A calendar event."""
    course = call.school.course(row["course_id"])
    return {
        "id": row["id"],
        "title": row["title"],
        "start_at": row["start_at"],
        "end_at": row["end_at"],
        "type": "event",
        "description": None,
        "created_at": "2026-08-20T14:00:00Z",
        "updated_at": "2026-08-20T14:00:00Z",
        "location_name": row["location_name"],
        "location_address": None,
        "context_code": f"course_{row['course_id']}",
        "context_name": course["name"] if course else None,
        "workflow_state": "active",
        "hidden": False,
        "all_day": False,
        "all_day_date": None,
        "child_events_count": 0,
        "url": f"{call.school.web}/api/v1/calendar_events/{row['id']}",
        "html_url": f"{call.school.web}/calendar?event_id={row['id']}&include_contexts=course_{row['course_id']}",
    }


def assignment_event_json(call: Call, row: Row, assignment: Row) -> Row:
    """A due date as an event: its id is text."""
    course = call.school.course(row["course_id"])
    return {
        "id": f"assignment_{row['id']}",
        "title": row["name"],
        "start_at": row["due_at"],
        "end_at": row["due_at"],
        "type": "assignment",
        "description": row["description"],
        "created_at": assignment["created_at"],
        "updated_at": assignment["updated_at"],
        "context_code": f"course_{row['course_id']}",
        "context_name": course["name"] if course else None,
        "workflow_state": "published",
        "all_day": False,
        "all_day_date": row["due_at"][:10] if row["due_at"] else None,
        "assignment": assignment,
        "url": f"{call.school.web}/api/v1/calendar_events/assignment_{row['id']}",
        "html_url": assignment["html_url"],
    }


def _is_wanted(call: Call, at: str | None, is_in_range: bool) -> bool:
    return call.flag("all_events") or (at is None if call.flag("undated") else is_in_range)
