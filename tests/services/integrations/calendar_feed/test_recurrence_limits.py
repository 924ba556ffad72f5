from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.integrations.calendar_feed.occurrences import MOST_EVENTS, ExpandedEvents, expand_events
from services.integrations.calendar_feed.parser import read_feed

ZONE = ZoneInfo("America/Chicago")
DAY = datetime(2026, 11, 21, tzinfo=ZONE)
SIXTY = ",".join(str(n) for n in range(60))
HOURS = ",".join(str(n) for n in range(24))


def expanded(*lines: str, start: str = "DTSTART:20260101T160000Z") -> tuple[int, ExpandedEvents]:
    """How many entries of a feed with one such entry were set aside, and the days of two weeks."""
    entry = ["BEGIN:VEVENT", "UID:one", start, "SUMMARY:Rowing", *lines, "END:VEVENT"]
    body = "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *entry, "END:VCALENDAR", ""]).encode()
    feed = read_feed(body, default_name="campus.example")
    return feed.unread, expand_events(feed, mark="feed", start=DAY, end=DAY + timedelta(days=14), zone=ZONE)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;INTERVAL=0",
        f"FREQ=DAILY;BYHOUR={HOURS};BYMINUTE={SIXTY};BYSECOND={SIXTY}",
        f"FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR={HOURS};BYMINUTE={SIXTY}",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=13",
        "FREQ=DAILY;BYMONTHDAY=-32",
        "FREQ=DAILY;BYSETPOS=9",
        "FREQ=WEEKLY;BYSETPOS=300",
        "FREQ=DAILY;BYYEARDAY=366;BYMONTH=1",
        "FREQ=DAILY;BYWEEKNO=1;BYMONTH=6",
        "FREQ=SECONDLY",
        "FREQ=YEARLY;BYMONTH=5L",
    ],
)
def test_a_rule_that_would_be_searched_for_minutes_is_set_aside(rule: str) -> None:
    unread, found = expanded(f"RRULE:{rule}")

    assert (unread, found.events) == (1, ())


def test_a_rule_from_before_there_were_calendars_is_set_aside() -> None:
    assert expanded("RRULE:FREQ=DAILY", start="DTSTART:00010101T100000Z")[0] == 1


def test_an_entry_with_two_starts_spoils_nothing() -> None:
    unread, found = expanded("DTSTART:20261125T100000Z", "RRULE:FREQ=DAILY")

    assert (unread, found.events) == (1, ())


@pytest.mark.parametrize(
    ("rule", "times"),
    [
        ("FREQ=DAILY", 14),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TH", 2),
        ("FREQ=DAILY;BYMONTH=11,12;BYMONTHDAY=30,-1", 1),
        ("FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=8,14;BYMINUTE=0,30", 16),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", 1),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", 1),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", 0),
        ("FREQ=DAILY;COUNT=1000000000", 14),
    ],
)
def test_what_calendars_really_say_is_expanded(rule: str, times: int) -> None:
    unread, found = expanded(f"RRULE:{rule}")

    assert (unread, len(found.events)) == (0, times)


def test_one_series_alone_cannot_fill_the_answer() -> None:
    _, found = expanded("DURATION:P20000D", "RRULE:FREQ=DAILY", start="DTSTART:20100101T100000Z")

    assert (len(found.events), found.is_cut) == (MOST_EVENTS, True)


def test_a_file_of_bad_entries_is_gone_over_once_and_the_good_one_is_found() -> None:
    good = "BEGIN:VEVENT\r\nUID:good\r\nDTSTART:20261125T100000Z\r\nSUMMARY:Good\r\nEND:VEVENT\r\n"
    bad = "".join(f"BEGIN:VEVENT\r\nUID:{n}\r\nDTSTART:garbled\r\nEND:VEVENT\r\n" for n in range(6000))
    body = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{good}{bad}no line of a calendar\r\nEND:VCALENDAR\r\n".encode()

    feed = read_feed(body, default_name="campus.example")

    assert next(str(entry["SUMMARY"]) for group in feed.series for entry in group if "SUMMARY" in entry) == "Good"
    assert feed.unread >= 1000


@pytest.mark.parametrize("url", ["https://x.example/a>) [b](<https://c.example", "https://x.example/a b", "https://@/"])
def test_what_is_no_address_is_left_out_of_an_event(url: str) -> None:
    _, found = expanded(f"URL:{url}", start="DTSTART:20261125T100000Z")

    assert [event.url for event in found.events] == [""]
