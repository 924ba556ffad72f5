"""Answers of another form than documented are the service's failure, said in its name; what was read fits its types."""

import copy
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from services.connections.connector import Grant
from services.errors import AnswerUnreadable, ServiceError, ServiceUnavailable
from services.integrations import google_calendar, notion
from services.integrations.canvas.assignments import from_assignment
from services.integrations.canvas.payloads import exact_number, read_time
from services.integrations.google_calendar.client import GoogleCalendarClient
from services.integrations.google_calendar.payloads import read_event
from services.integrations.google_calendar.provider import GoogleCalendarProvider
from services.integrations.notion.values import entry_data, entry_line
from services.tools.failures import failure_of
from services.tools.result import FailureKind
from tests.services.safety.fetch.raw_server import RawServer, answer

ZONE = ZoneInfo("America/Chicago")
WEEK = datetime(2026, 11, 22, tzinfo=UTC), datetime(2026, 11, 29, tzinfo=UTC)
ODD: tuple[Any, ...] = (
    None, [], {}, "x", -5, 10**30, 1e308, float("nan"), True, "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00",
    "a\x00\ud800b", [None], [[]], {"a": 1}, [5],
)  # fmt: skip
EVENT = {
    "id": "e1",
    "status": "confirmed",
    "etag": '"1"',
    "summary": "Lab",
    "description": "Bring a coat.",
    "location": "Room 4",
    "htmlLink": "https://calendar.example/e1",
    "iCalUID": "e1@calendar.example",
    "start": {"dateTime": "2026-11-23T10:00:00Z", "timeZone": "UTC"},
    "end": {"dateTime": "2026-11-23T11:00:00Z"},
    "recurrence": ["RRULE:FREQ=WEEKLY"],
    "attendees": [{"email": "a@campus.example", "responseStatus": "accepted", "self": True}],
    "reminders": {"useDefault": False, "overrides": [{"method": "popup", "minutes": 10}]},
}
PAGE = {
    "object": "page",
    "id": "p1",
    "url": "https://notion.example/p1",
    "created_time": "2026-11-01T10:00:00.000Z",
    "last_edited_time": "2026-11-02T10:00:00.000Z",
    "parent": {"type": "workspace", "workspace": True},
    "properties": {
        "Name": {"type": "title", "title": [{"plain_text": "Lab report"}]},
        "Due": {"type": "date", "date": {"start": "2026-11-27", "end": None}},
        "Status": {"type": "status", "status": {"name": "Open"}},
        "Tags": {"type": "multi_select", "multi_select": [{"name": "a"}]},
        "Notes": {"type": "rich_text", "rich_text": [{"plain_text": "b"}]},
    },
}


def broken(whole: Any, odd: Any) -> Iterator[Any]:
    """The same with each of its parts replaced, or left out, one at a time."""

    def places(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, value in inside:
            yield (*path, key)
            yield from places(value, (*path, key))

    for path in places(whole, ()):
        changed = copy.deepcopy(whole)
        inside = changed
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = odd
        yield changed


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_an_event_with_an_odd_part_is_read_or_said_to_be_unreadable(odd: Any) -> None:
    said = set()
    for json in broken(EVENT, odd):
        try:
            event = read_event(json, calendar_id="primary", calendar="", zone=ZONE)
        except AnswerUnreadable as error:
            said.add(str(error))
            continue
        texts = (event.id, event.title, event.location, event.description, event.url, event.uid, event.version)
        assert all(isinstance(text, str) for text in texts)
        assert 1900 <= event.start.year < 9000
    assert said == {"Google Calendar sent something that Homeroom cannot read."}


class Answers:
    """What Google answers, without Google: two events, one of which is odd."""

    def calendar_entries(self) -> list[dict[str, Any]]:
        return [{"id": "primary", "primary": True, "selected": True, "summary": "Maya", "accessRole": "owner"}]

    def events(self, *_: object, **__: object) -> list[dict[str, Any]]:
        return [EVENT, {**EVENT, "id": "e2", "start": {"dateTime": [5]}}]


def test_one_odd_event_is_left_out_with_a_note_and_the_others_are_there() -> None:
    calendars = GoogleCalendarProvider(cast(GoogleCalendarClient, Answers()))

    found = calendars.events(*WEEK, ZONE)

    assert [event.title for event in found.events] == ["Lab"]
    assert found.notes == ("1 entry of “Maya” could not be read.",)


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_page_of_notion_with_an_odd_part_is_read_or_said_to_be_unreadable(odd: Any) -> None:
    said = set()
    for json in broken(PAGE, odd):
        try:
            line = entry_line(json, ZONE)
            entry_data(json, ZONE)
        except AnswerUnreadable as error:
            said.add(str(error))
            continue
        assert line.startswith("- **")
    assert said == {"Notion sent something that Homeroom cannot read."}


@pytest.mark.parametrize("odd", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "2026-13-40", {"a": 1}], ids=repr)
def test_a_due_date_that_no_zone_can_show_is_unreadable_for_that_item_alone(odd: Any) -> None:
    row = {"id": 1, "course_id": 2, "name": "Essay", "due_at": odd, "html_url": "https://canvas.example/1"}

    read = from_assignment(row, course="Bio", origin="https://canvas.example", now=datetime(2026, 11, 22, tzinfo=UTC))

    assert read_time(odd)[0] is None
    assert "due date unreadable in Canvas" in read.line(ZONE)


@pytest.mark.parametrize("odd", [1e308, -1e308, float("inf"), float("nan"), "9", None, True])
def test_points_that_nobody_can_have_meant_count_as_none(odd: Any) -> None:
    assert exact_number(odd) is None


NONSENSE = [
    (b"[" * 100_000, "200 OK"),
    (b'{"id": ' + b"9" * 5_000 + b"}", "200 OK"),
    (b"null", "403 Forbidden"),
    (b"[]", "400 Bad Request"),
    (b"[" * 100_000, "404 Not Found"),
    (b'{"id": {"a": 1}, "bot": [], "summary": 5}', "200 OK"),
    (b'{"id": "\\ud800"}', "200 OK"),
]


@pytest.mark.parametrize(("body", "status"), NONSENSE, ids=range(len(NONSENSE)))
@pytest.mark.parametrize("service", [google_calendar, notion], ids=["google", "notion"])
def test_nonsense_at_the_first_question_is_an_error_of_the_service(service: Any, body: bytes, status: str) -> None:
    with RawServer(answer(body, status=status, content_type="application/json", connection="close")) as server:
        settings = {"CLIENT_ID": "x", "CLIENT_SECRET": "y", "API_BASE_URL": server.origin}
        integration = service.integration(settings)

        with pytest.raises(ServiceError):
            integration.identify(Grant(origin=server.origin, access_token="t"))


def test_of_a_write_whose_answer_cannot_be_read_nobody_knows_whether_it_happened() -> None:
    error = AnswerUnreadable("Notion", "Notion sent something that Homeroom cannot read.")

    assert isinstance(error, ServiceUnavailable)
    assert failure_of(error).kind is FailureKind.INTERNAL
