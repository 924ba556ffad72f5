"""Every tool that writes outside, with arguments that are new each time, and how many of its requests change things."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import httpx

from services.runtime.clock import utc_now
from tests.campus_server import CampusServer

LAB = "Lab 6: Onion root tips"
TRACKER = "Assignment tracker"


@dataclass(frozen=True, kw_only=True)
class Write:
    """arguments: for a mark that no other case has. requests: how many of them change something at the service.

    needs_event: there must be an event with the mark as its id. method: of the requests that change something.
    """

    tool: str
    service: str
    arguments: Callable[[str], dict[str, Any]]
    requests: int = 1
    method: str = "POST"
    needs_event: bool = False

    @property
    def is_surely_once(self) -> bool:
        """Whether the service takes ids of ours, so that a write can be repeated until it is done."""
        return self.service != "notion"


def _session(mark: str) -> dict[str, Any]:
    return {"day": "2099-01-05", "what": f"Chapter {mark}"}


def _hours(mark: str) -> dict[str, str]:
    """As many as the mark's own number: what stands there already would be refused."""
    return {"Hours": str(100 + int("".join(letter for letter in mark if letter.isdigit())))}


def soon(days: int) -> date:
    """A day within the coming year, as an exam's has to be."""
    return (utc_now() + timedelta(days=days)).date()


STARTS = ["2031-06-03T10:00", "2031-06-04T10:00", "2031-06-05T10:00"]
GOOGLE = (
    ("calendar_create_event", lambda mark: {"title": mark, "start": "2031-06-03T07:00"}, 1, "POST"),
    ("calendar_create_study_sessions", lambda mark: {"title": mark, "starts": STARTS}, 3, "POST"),
    ("calendar_add_due_date", lambda mark: {"assignment": mark, "due": "2031-06-03T23:59"}, 1, "POST"),
    ("calendar_update_event", lambda mark: {"event_id": f"google_calendar/{mark}", "title": f"New {mark}"}, 1, "PATCH"),
    ("calendar_delete_event", lambda mark: {"event_id": f"google_calendar/{mark}"}, 1, "DELETE"),
    (
        "reminders_create",
        lambda mark: {"text": mark, "at": f"{soon(9)}T10:00", "where": "calendar"},
        1,
        "POST",
    ),
    (
        "study_exam_plan",
        lambda mark: {"exam": mark, "at": f"{soon(20)}T10:00", "sessions": [f"{soon(9)}T10:00 30 read {mark}"]},
        1,
        "POST",
    ),
)
NOTION = (
    ("notion_create_page", lambda mark: {"title": mark, "parent": LAB, "content": mark}, 1, "POST"),
    ("notion_append_to_page", lambda mark: {"page": LAB, "content": mark}, 1, "PATCH"),
    ("notion_replace_content", lambda mark: {"page": LAB, "content": mark}, 1, "PATCH"),
    ("notion_create_study_notes", lambda mark: {"title": mark, "summary": mark}, 1, "POST"),
    ("notion_create_study_plan", lambda mark: {"title": mark, "sessions": [_session(mark)]}, 1, "POST"),
    ("notion_create_tracker", lambda mark: {"title": mark, "items": [{"name": f"{mark} 1"}, {"name": "2"}]}, 3, "POST"),
    ("notion_add_entries", lambda mark: {"database": TRACKER, "entries": [{"name": mark}]}, 1, "POST"),
    ("notion_update_entry", lambda mark: {"entry": "Lab 9", "database": TRACKER, "changes": _hours(mark)}, 1, "PATCH"),
    ("documents_create", lambda mark: {"title": mark, "content": mark}, 1, "POST"),
    ("documents_edit", lambda mark: {"document": LAB, "text": mark}, 1, "PATCH"),
)
WRITES = (
    *(
        Write(tool=tool, service="google", arguments=make, requests=n, method=how, needs_event=how != "POST")
        for tool, make, n, how in GOOGLE
    ),
    *(Write(tool=tool, service="notion", arguments=make, requests=n, method=how) for tool, make, n, how in NOTION),
)


def put_event(campus: CampusServer, id: str) -> None:
    """An event of Maya's with this id and title, made by her own hand."""
    edges = {
        name: {"dateTime": f"2031-05-06T{hour}:00:00", "timeZone": "America/Chicago"}
        for name, hour in (("start", "15"), ("end", "16"))
    }
    headers = {"Authorization": f"Bearer {campus.token('google', 'maya')}"}
    address = f"{campus.url}/google/calendar/v3/calendars/primary/events"
    body = {"id": id, "summary": id, **edges}
    httpx.post(address, json=body, headers=headers, trust_env=False).raise_for_status()
