"""The feeds of the campus are what Canvas and other calendars send."""

import httpx
import icalendar
import pytest

from sandbox.canvas.feed import CODES
from tests.campus_server import CampusServer


def get(campus: CampusServer, path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{campus.url}/{path}", headers=headers, trust_env=False)


def test_canvas_writes_due_dates_as_canvas_does(campus: CampusServer) -> None:
    answer = get(campus, f"canvas/feeds/calendars/user_{CODES['maya']}.ics")

    entries = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    due = [entry for entry in entries if str(entry["UID"]).startswith("event-assignment-")]
    assert answer.headers["content-type"].startswith("text/calendar")
    assert "DTSTART;VALUE=DATE;VALUE=DATE:" in answer.text
    assert all(len(line.encode()) <= 75 for line in answer.text.split("\r\n"))
    assert due
    assert all(str(entry["SUMMARY"]).endswith("]") and "#assignment_" in str(entry["URL"]) for entry in due)


def test_each_person_has_a_feed_of_their_own_and_nobody_else_has_one(campus: CampusServer) -> None:
    maya, diego = (get(campus, f"canvas/feeds/calendars/user_{CODES[who]}.ics").text for who in ("maya", "diego"))

    assert "Maya Chen" in maya
    assert "Maya Chen" not in diego
    assert get(campus, "canvas/feeds/calendars/user_guess.ics").status_code == 404


@pytest.mark.parametrize("path", ["ics/rowing.ics", f"canvas/feeds/calendars/user_{CODES['maya']}.ics"])
def test_what_has_not_changed_is_not_sent_again(campus: CampusServer, path: str) -> None:
    first = get(campus, path)

    again = get(campus, path, **{"If-None-Match": first.headers["etag"]})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_the_calendar_page_names_the_feeds(campus: CampusServer) -> None:
    assert f"user_{CODES['maya']}.ics" in get(campus, "canvas/calendar").text
