"""Files of every kind: what is in them, told right in three zones, and never a crash."""

from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.ics import wrapped
from services.i18n import locale_scope
from services.integrations.calendar.event import Event
from services.integrations.calendar_feed import parser
from services.integrations.calendar_feed.occurrences import expand_events
from services.integrations.calendar_feed.parser import MOST_ENTRIES, NotACalendar, ParsedFeed, read_feed
from tests.timing import growth

ZONES = [ZoneInfo("America/Chicago"), ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Sydney")]
START, END = datetime(2026, 10, 1, tzinfo=UTC), datetime(2027, 5, 1, tzinfo=UTC)


def feed_of(*lines: str, name: str = "Test") -> ParsedFeed:
    entry = "\n".join(["BEGIN:VEVENT", "UID:one@x", "SUMMARY:One", *lines, "END:VEVENT", ""])
    return read_feed(wrapped(name, entry).encode(), default_name="host")


def events(feed: ParsedFeed, zone: ZoneInfo = ZONES[0]) -> tuple[Event, ...]:
    return expand_events(feed, mark="calendar_feed", start=START, end=END, zone=zone).events


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_a_series_with_a_zone_stays_at_its_time_of_day_there(zone: ZoneInfo) -> None:
    feed = feed_of(f"DTSTART;TZID={zone.key}:20261002T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=30")

    found = [event.start.astimezone(zone) for event in events(feed, ZONES[0])]

    assert len(found) == 30
    assert {(at.hour, at.minute) for at in found} == {(9, 0)}
    assert len({at.utcoffset() for at in found}) == 2


@settings(max_examples=60)
@given(st.datetimes(datetime(2026, 10, 2), datetime(2027, 4, 28)), st.sampled_from(ZONES), st.sampled_from(ZONES))
def test_a_moment_is_the_same_however_it_is_written_and_whoever_reads(
    naive: datetime, written: ZoneInfo, reader: ZoneInfo
) -> None:
    moment = naive.replace(microsecond=0, tzinfo=UTC)
    local = moment.astimezone(written).replace(fold=0)
    in_utc = feed_of(f"DTSTART:{moment:%Y%m%dT%H%M%SZ}")
    in_zone = feed_of(f"DTSTART;TZID={written.key}:{local:%Y%m%dT%H%M%S}")

    (event,), (other,) = events(in_utc, reader), events(in_zone, reader)

    assert event.start.astimezone(UTC) == moment
    assert other.start.astimezone(UTC) in (moment, moment - timedelta(hours=1))
    assert event.start.tzinfo is reader


@settings(max_examples=60)
@given(st.dates(date(2026, 10, 2), date(2027, 4, 20)), st.integers(1, 5), st.sampled_from(ZONES))
def test_a_whole_day_is_that_day_for_every_reader(on: date, length: int, zone: ZoneInfo) -> None:
    feed = feed_of(f"DTSTART;VALUE=DATE:{on:%Y%m%d}", f"DTEND;VALUE=DATE:{on + timedelta(days=length):%Y%m%d}")

    (event,) = events(feed, zone)

    assert event.is_all_day
    assert (event.start.date(), event.end.date()) == (on, on + timedelta(days=length))


@pytest.mark.parametrize(
    ("lines", "minutes"),
    [
        (("DTSTART:20261101T100000Z",), 0),
        (("DTSTART:20261101T100000Z", "DURATION:PT45M"), 45),
        (("DTSTART:20261101T100000Z", "DTEND:20261101T103000Z"), 30),
        (("DTSTART:20261101T100000Z", "DTEND:20261101T090000Z"), 0),
        (("DTSTART:20261101T100000Z", "DTEND;VALUE=DATE:20261102"), 0),
        (("DTSTART;VALUE=DATE:20261110",), 24 * 60),
    ],
)
def test_an_entry_without_a_sensible_end_has_the_length_that_the_format_says(
    lines: tuple[str, ...], minutes: int
) -> None:
    (event,) = events(feed_of(*lines))

    assert event.end - event.start == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("line", "is_due"),
    [
        ("URL:https://c.example/calendar?include_contexts=course_7&month=11&year=2026#assignment_61", True),
        ("URL:https://c.example/courses/7/assignments/61", True),
        ("URL:https://c.example/calendar?event_id=3&include_contexts=course_7", False),
        ("URL:javascript:alert(1)", False),
    ],
)
def test_due_dates_are_told_by_their_link_and_no_other_link_is_kept(line: str, is_due: bool) -> None:
    (event,) = events(feed_of("DTSTART:20261101T100000Z", line))

    assert event.is_due is is_due
    assert event.url == "" or event.url.startswith("https://c.example/")
    if is_due:
        assert event.url == "https://c.example/courses/7/assignments/61"


def test_a_cancelled_entry_is_left_out() -> None:
    assert events(feed_of("DTSTART:20261101T100000Z", "STATUS:CANCELLED")) == ()


def test_a_zone_by_its_windows_name_is_understood() -> None:
    (event,) = events(feed_of("DTSTART;TZID=Central Standard Time:20261101T100000"))

    assert event.start.astimezone(UTC) == datetime(2026, 11, 1, 16, tzinfo=UTC)


def test_times_without_a_zone_are_read_in_the_feeds_own_when_it_names_one() -> None:
    entry = "X-WR-TIMEZONE:Europe/Berlin\nBEGIN:VEVENT\nUID:a\nSUMMARY:A\nDTSTART:20261201T120000\nEND:VEVENT\n"
    feed = read_feed(wrapped("Berlin", entry).encode(), default_name="host")

    assert events(feed)[0].start.astimezone(UTC).hour == 11


@pytest.mark.parametrize("rule", ["FREQ=SECONDLY", "FREQ=MINUTELY;COUNT=9", "FREQ=HOURLY"])
def test_a_rule_that_repeats_absurdly_often_is_set_aside(rule: str) -> None:
    feed = feed_of("DTSTART:20200101T000000Z", f"RRULE:{rule}")

    assert (feed.series, feed.unread) == ((), 1)


@pytest.mark.parametrize(
    "lines",
    [
        [f"RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8,9;BYMINUTE={minute}" for minute in range(40)],
        ["RDATE:" + ",".join(["20261101T100000Z"] * (MOST_ENTRIES + 1))],
    ],
    ids=["forty rules", "thousands of days"],
)
def test_an_entry_that_would_take_seconds_to_expand_is_set_aside(lines: list[str]) -> None:
    feed = feed_of("DTSTART:19010101T000000Z", *lines)

    assert (feed.series, feed.unread) == ((), 1)


@pytest.mark.parametrize(
    "shape",
    [
        "X\n{}",
        "{}",
        "X\nBEGIN:VEVENT\n{}END:VEVENT\n",
        "BEGIN:VTIMEZONE\n{}",
    ],
    ids=["spoilt", "never ended", "ended once", "in a zone"],
)
def test_entries_that_never_end_cost_time_in_proportion(shape: str) -> None:
    def read(many: int) -> ParsedFeed:
        return read_feed(wrapped("Torn", shape.format("BEGIN:VEVENT\n" * many)).encode(), default_name="host")

    assert growth(read, size=1_500) < 30


def test_an_entry_that_never_ends_costs_only_itself_and_is_counted() -> None:
    whole = "BEGIN:VEVENT\nUID:{0}\nSUMMARY:{0}\nDTSTART:20261101T100000Z\nEND:VEVENT\n"
    torn = "BEGIN:VEVENT\nUID:torn\nDTSTART:20261101T100000Z\n"

    feeds = [
        read_feed(wrapped("Mine", text).encode(), default_name="host")
        for text in (whole.format("a") + torn + whole.format("b"), whole.format("a") + whole.format("b") + torn)
    ]

    assert [(feed.name, [event.title for event in events(feed)], feed.unread) for feed in feeds] == [
        ("Mine", ["a", "b"], 1)
    ] * 2


@pytest.mark.parametrize(
    ("text", "titles", "name"),
    [
        ("{a}END:VCALENDAR\nBEGIN:VCALENDAR\n{b}{torn}{c}", ["a", "b", "c"], "Mine"),
        ("{a}{early}{b}{c}", ["a", "b", "c"], "Mine"),
        ("END:VEVENT\n{a}{torn}{b}", ["a", "b"], "host"),
    ],
    ids=["a second calendar", "a part that ends too often", "an end without a beginning"],
)
def test_no_entry_is_lost_without_a_word(text: str, titles: list[str], name: str) -> None:
    whole = "BEGIN:VEVENT\nUID:{0}\nSUMMARY:{0}\nDTSTART:20261101T100000Z\nEND:VEVENT\n"
    torn = whole.format("torn").replace("END:VEVENT", "BEGIN:VALARM\nEND:VEVENT")
    early = whole.format("early").replace("END:VEVENT", "END:VALARM\nEND:VEVENT")
    filled = text.format(torn=torn, early=early, **{id: whole.format(id) for id in "abc"})

    feed = read_feed(wrapped("Mine", filled).encode(), default_name="host")

    assert ([event.title for event in events(feed)], feed.name) == (titles, name)
    assert feed.unread


def test_of_a_feed_without_measure_only_so_much_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # Patched, as the real measure takes seconds, and what the library is spared shows nowhere else.
    monkeypatch.setattr(parser, "MOST_ENTRIES", 20)
    entries = [f"BEGIN:VEVENT\nUID:{number}\nDTSTART:20261101T100000Z\nEND:VEVENT\n" for number in range(100)]
    with patch.object(icalendar.Calendar, "from_ical", side_effect=icalendar.Calendar.from_ical) as parsed:
        feed = read_feed(wrapped("Much", "".join(entries)).encode(), default_name="host")

    assert (sum(map(len, feed.series)), feed.unread) == (20, 80)
    assert [call.args[0].count(b"BEGIN:VEVENT") for call in parsed.call_args_list] == [20]


def test_more_than_anybody_reads_is_cut_and_said() -> None:
    entries = "".join(
        f"BEGIN:VEVENT\nUID:{n}\nSUMMARY:{n}\nDTSTART:20261101T{n % 24:02}0000Z\nEND:VEVENT\n" for n in range(2_100)
    )
    feed = read_feed(wrapped("Much", entries).encode(), default_name="host")

    found = expand_events(feed, mark="f", start=START, end=END, zone=ZONES[0])

    assert found.is_cut
    assert len(found.events) == 2_000


@pytest.mark.parametrize("body", [b"", b"<html>", b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", b"\xff\xfe\x00"])
def test_what_is_no_whole_calendar_is_none_at_all(body: bytes) -> None:
    with pytest.raises(NotACalendar):
        read_feed(body, default_name="host")


@pytest.mark.parametrize(
    ("body", "why"), [(b"<html>", "no empieza con"), (b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "se corta antes")]
)
def test_why_it_is_none_is_told_in_the_language_of_who_reads_it(body: bytes, why: str) -> None:
    with locale_scope("es-MX"), pytest.raises(NotACalendar, match=why):
        read_feed(body, default_name="host")


@settings(max_examples=150)
@given(
    st.lists(
        st.text(max_size=40) | st.sampled_from(["RRULE:FREQ=", "DTSTART:2026", "EXDATE:x", "DTEND;TZID=:1"]), max_size=6
    )
)
def test_no_line_in_an_entry_makes_the_reader_crash(lines: list[str]) -> None:
    body = wrapped("X", "\n".join(["BEGIN:VEVENT", "DTSTART:20261101T100000Z", *lines, "END:VEVENT", ""]))

    try:
        feed = read_feed(body.encode(), default_name="host")
    except NotACalendar:
        return
    expand_events(feed, mark="f", start=START, end=END, zone=ZONES[0])
