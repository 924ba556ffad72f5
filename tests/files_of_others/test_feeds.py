"""Calendar feeds of others: what is due, of which course, once, and readable.

The siblings follow public reports: ical4j and icalendar (folds inside a letter, doubled properties), Moodle's language
packs (es, ca, ja, vi, zh, sv), Blackboard's and Brightspace's feeds as other planners' tests have them, Outlook's
published calendars, Nextcloud's tasks, timetable programs (several entries of one UID).
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from services.integrations.calendar.event import Event
from services.integrations.calendar_feed.occurrences import expand_events
from services.integrations.calendar_feed.parser import read_feed
from tests.files_of_others import case

CHICAGO = ZoneInfo("America/Chicago")
START, END = datetime(2027, 1, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)


def events(body: bytes | str, charset: str | None = None) -> list[Event]:
    feed = read_feed(body if isinstance(body, bytes) else body.encode(), default_name="host", charset=charset)
    site = "https://learn.example.edu"
    found = expand_events(feed, mark="feed", start=START, end=END, zone=CHICAGO, site=site)
    return sorted(found.events, key=lambda event: event.order)


def calendar(*entries: str, prodid: str = "-//x//EN") -> str:
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{prodid}", *entries, "END:VCALENDAR", ""])


def entry(uid: str, title: str, at: str, *lines: str, kind: str = "VEVENT") -> str:
    when = [f"DTSTART:{at}", f"DTEND:{at}"] if at else []
    head = [f"BEGIN:{kind}", f"UID:{uid}", "DTSTAMP:20270101T000000Z", f"SUMMARY:{title}"]
    return "\r\n".join([*head, *when, *lines, f"END:{kind}"])


def moodle(*titles: str, description: str = "", modified: tuple[str, ...] = ()) -> str:
    """A Moodle's export: entries of one course, a day after the other from 18 January."""
    stamps = [f"LAST-MODIFIED:{stamp}" for stamp in modified] or [""] * len(titles)
    return calendar(
        *(
            entry(
                f"{4700 + number}@moodle.example.edu",
                title,
                f"202701{18 + number}T235900Z",
                "CATEGORIES:HIST142",
                f"DESCRIPTION:{description}",
                *filter(None, [stamps[number]]),
            )
            for number, title in enumerate(titles)
        )
    )


def brightspace(*titles: str) -> str:
    about = "DESCRIPTION:View event - https://school.brightspace.com/d2l/le/calendar/6606/event/1"
    return calendar(
        *(
            entry(f"6606-{n}@school.brightspace.com", title, f"202701{18 + n}T045900Z", about, "LOCATION:ECE 20001")
            for n, title in enumerate(titles)
        )
    )


BLACKBOARD = entry("_blackboard.platform.gradebook2.GradableItem-_4732722_1", "Quiz 3", "20270120T045900Z")


@pytest.mark.parametrize(
    ("body", "due"),
    [
        pytest.param(
            case("B09.ics"),
            [("Essay 1: sources is due", "Thu 21 Jan 2027, 11:59 PM CST"), ("Quiz 2 closes", "Fri 22 Jan 2027, 6:00 PM CST")],
            id="B09",
        ),
        pytest.param(
            case("B02.ics"),
            [("Physics problem set 3", "Thu 21 Jan 2027, 11:59 PM CST"), ("Return the library books", "Fri 22 Jan 2027, all day")],
            id="B02",
        ),
    ],
)  # fmt: skip
def test_given_deadlines_are_due_dates(body: bytes, due: list[tuple[str, str]]) -> None:
    assert [(event.title, event.when) for event in events(body) if event.is_due] == due


@pytest.mark.parametrize(
    ("body", "due"),
    [
        pytest.param(moodle("Quiz 2 opens", "Quiz 2 closes"), ["Quiz 2 closes"], id="opens and closes"),
        pytest.param(moodle("Quiz 1 closes", "Quiz 2 closes"), ["Quiz 1 closes", "Quiz 2 closes"], id="two quizzes"),
        pytest.param(moodle("Examen abre", "Examen cierra"), ["Examen cierra"], id="Spanish"),
        pytest.param(moodle("Ensayo 1 está pendiente"), ["Ensayo 1 está pendiente"], id="Spanish assignment"),
        pytest.param(moodle("Asistencia S1 s'obre el"), [], id="Catalan opening"),
        pytest.param(
            moodle("著作権 の受験可能期間開始", "著作権 の受験可能期間終了"), ["著作権 の受験可能期間終了"], id="Japanese"
        ),
        pytest.param(moodle("測驗 啟用", "測驗 關閉"), ["測驗 關閉"], id="Chinese"),
        pytest.param(moodle("Bài thi 1 mở ra", "Bài thi 1 đóng cửa"), ["Bài thi 1 đóng cửa"], id="Vietnamese"),
        pytest.param(moodle("Kvíz nyílik", "Kvíz zárul"), ["Kvíz zárul"], id="a language that no list has"),
        pytest.param(moodle("Essay A is due", "Essay B is due"), ["Essay A is due", "Essay B is due"], id="A and B"),
        pytest.param(
            moodle("Essay draft is due", "Essay final is due"), ["Essay draft is due", "Essay final is due"], id="drafts"
        ),
        pytest.param(moodle("Essay 1 is due to be graded"), [], id="a teacher's"),
        pytest.param(moodle("Read chapter 2 should be completed"), ["Read chapter 2 should be completed"], id="to do"),
        pytest.param(moodle("Labs &amp; Reports is due"), ["Labs & Reports is due"], id="entities"),
        pytest.param(calendar(entry("5@m.example", "Campus open day", "20270120T120000Z", "CATEGORIES:Site events")), [], id="site"),
        pytest.param(calendar(entry("5@m.example", "My own note", "20270120T120000Z")), [], id="without a course"),
        pytest.param(calendar(BLACKBOARD), ["Quiz 3"], id="Blackboard"),
        pytest.param(
            calendar(entry("_blackboard.platform.calendar.CalendarEntry-_1_1", "Office hour", "20270120T120000Z")),
            [],
            id="Blackboard's events",
        ),
        pytest.param(
            brightspace("Quiz 2 - Available", "Essay 1 - Due", "Quiz 2 - Availability Ends", "Field trip"),
            ["Essay 1 - Due", "Quiz 2 - Availability Ends"],
            id="Brightspace",
        ),
        pytest.param(
            calendar(
                entry("a", "Open", "", "DUE:20270120T120000Z", kind="VTODO"),
                entry("b", "Dropped", "", "DUE:20270120T120000Z", "STATUS:CANCELLED", kind="VTODO"),
                entry("c", "All of it", "", "DUE:20270120T120000Z", "PERCENT-COMPLETE:100", kind="VTODO"),
                entry("d", "Some day", "", kind="VTODO"),
                entry("e", "By length", "", "DTSTART:20270121T120000Z", "DURATION:PT2H", kind="VTODO"),
                entry("f", "Half", "", "DUE:20270122T120000Z", "PERCENT-COMPLETE:50", kind="VTODO"),
            ),
            ["Open", "By length", "Half"],
            id="to-dos",
        ),
    ],
)  # fmt: skip
def test_what_is_due_is_told_and_openings_and_events_are_not(body: str, due: list[str]) -> None:
    assert [event.title for event in events(body) if event.is_due] == due


@pytest.mark.parametrize(
    ("body", "due"),
    [
        pytest.param(moodle("Essay 1 is due", "Essay 1 is due"), ["19"], id="an extension"),
        pytest.param(
            moodle("Essay 1 is due", "Essay 1 is due", modified=("20270101T080000Z", "20270110T080000Z")),
            ["19"],
            id="an extension, given later",
        ),
        pytest.param(
            moodle("Weekly quiz closes", "Weekly quiz closes", modified=("20270101T080000Z", "20270101T080100Z")),
            ["18", "19"],
            id="two of one name",
        ),
        pytest.param(moodle(*["Weekly quiz closes"] * 3), ["18", "19", "20"], id="every week"),
    ],
)
def test_an_extension_counts_instead_of_the_first_date(body: str, due: list[str]) -> None:
    found = events(body)

    assert [f"{event.start.astimezone(UTC):%d}" for event in found if event.is_due] == due
    assert not any(event.is_busy for event in found)


@pytest.mark.parametrize(
    ("body", "course", "link"),
    [
        pytest.param(case("B09.ics"), "HIST142", "https://moodle.example.edu/calendar/view.php?view=day&time=", id="B09"),
        pytest.param(
            calendar(entry("42@school.edu/moodle", "Lab is due", "20270120T120000Z", "CATEGORIES:BIO &amp; LAB")),
            "BIO & LAB",
            "https://school.edu/moodle/calendar/view.php?view=day&time=1800446400",
            id="Moodle in a folder",
        ),
        pytest.param(
            calendar(BLACKBOARD),
            "",
            "https://learn.example.edu/webapps/calendar/launch/attempt/_blackboard.platform.gradebook2.GradableItem-_4732722_1",
            id="Blackboard",
        ),
        pytest.param(
            brightspace("Essay 1 - Due"), "ECE 20001", "https://school.brightspace.com/d2l/le/calendar/6606/event/1", id="D2L"
        ),
    ],
)  # fmt: skip
def test_a_deadline_tells_its_course_and_where_it_is_opened(body: bytes | str, course: str, link: str) -> None:
    due = next(event for event in events(body) if event.is_due)

    assert due.course == course
    assert due.url.startswith(link)


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        pytest.param(
            case("B05.ics"),
            ["Exercise class A", "Exercise class B", "Exercise class C", "Exercise class D"],
            id="B05",
        ),
        pytest.param(case("B11.ics"), ["Office hour"], id="B11"),
        pytest.param(
            calendar(
                entry("x", "Old place", "20270120T120000Z", "SEQUENCE:1"),
                entry("x", "New place", "20270120T120000Z", "SEQUENCE:2"),
            ),
            ["New place"],
            id="a revision",
        ),
        pytest.param(
            calendar(
                entry("x", "Class", "20270118T120000Z", "RRULE:FREQ=WEEKLY;COUNT=2"),
                entry("x", "Class, moved", "20270126T120000Z", "RECURRENCE-ID:20270125T120000Z"),
                entry("x", "Extra class", "20270120T120000Z"),
            ),
            ["Class", "Extra class", "Class, moved"],
            id="a series and one more",
        ),
        pytest.param(
            calendar(entry("x", "Talk", "20270120T120000Z", "STATUS:CONFIRMED", "STATUS:CANCELLED")), ["Talk"], id="two words"
        ),
    ],
)  # fmt: skip
def test_each_entry_stands_once_whatever_stands_twice(body: bytes | str, titles: list[str]) -> None:
    found = events(body)

    assert [event.title for event in found] == titles
    assert len({event.id for event in found}) == len(titles)
    assert "[" not in "".join(f"{event.title}{event.location}{event.description}" for event in found)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param(
            case("B01.ics"),
            ["Wiederholung für die Klausur über Größen", "Übung 2: Äquivalenz", "mitbringen 💪 und früh"],
            id="B01",
        ),
        pytest.param(calendar(entry("x", "Übung", "20270120T120000Z")).encode("cp1252"), ["Übung"], id="Latin"),
        pytest.param(b"\xef\xbb\xbf" + calendar(entry("x", "Übung", "20270120T120000Z")).encode(), ["Übung"], id="a mark"),
        pytest.param(calendar(entry("x", "Übung", "20270120T120000Z")).encode("utf-16"), ["Übung"], id="two bytes"),
    ],
)  # fmt: skip
def test_letters_are_read_whole(body: bytes, words: list[str]) -> None:
    text = "\n".join(f"{event.title}\n{event.description}" for event in events(body))

    assert [word for word in words if word not in text] == []
    assert "\ufffd" not in text


def test_letters_of_another_charset_are_read_as_their_server_says() -> None:
    body = calendar(entry("x", "Контрольная", "20270120T120000Z")).encode("cp1251")

    assert [event.title for event in events(body, "windows-1251")] == ["Контрольная"]


@pytest.mark.parametrize(
    ("lines", "when"),
    [
        pytest.param(
            ("DTSTART;TZID=America/Chicago:20270119T000000", "DTEND;TZID=America/Chicago:20270121T000000"),
            "Tue 19 Jan – Wed 20 Jan 2027, all day",
            id="in a zone",
        ),
        pytest.param(
            ("DTSTART;VALUE=DATE:20270119", "DTEND;VALUE=DATE:20270120"), "Tue 19 Jan 2027, all day", id="as days"
        ),
    ],
)
def test_a_whole_day_of_outlook_is_a_day(lines: tuple[str, ...], when: str) -> None:
    body = calendar(entry("x", "Reading day", "", "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE", *lines))

    assert [event.when for event in events(body)] == [when]


@pytest.mark.parametrize(
    "line",
    [
        "CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/abc",
        "X-GOOGLE-CONFERENCE:https://meet.example/abc",
        "X-MICROSOFT-SKYPETEAMSMEETINGURL:https://meet.example/abc",
    ],
)
def test_the_link_of_a_call_in_a_feed_is_told(line: str) -> None:
    assert events(calendar(entry("x", "Talk", "20270120T120000Z", line)))[0].call_url == "https://meet.example/abc"


def test_days_of_a_series_are_read_though_they_are_written_in_utc() -> None:
    """Google's birthdays of contacts are, as in the samples of ical.js."""
    lines = ("RRULE:FREQ=DAILY;COUNT=1", "RDATE:20270211Z", "RDATE:20270213Z")
    body = "\r\n".join(
        ["BEGIN:VEVENT", "UID:b@x", "SUMMARY:Birthday", "DTSTART;VALUE=DATE:20270210", *lines, "END:VEVENT"]
    )

    assert [event.start.day for event in events(calendar(body))] == [10, 11, 13]


@pytest.mark.parametrize("line", ["RDATE:20270299", "EXDATE:soon", "DURATION:P999999999999999999W"])
@pytest.mark.parametrize("kind", ["VEVENT", "VTODO"])
def test_an_entry_whose_times_make_no_sense_hides_no_other(line: str, kind: str) -> None:
    """The length is that of icalendar's own `invalid_duration.ics`."""
    whole = entry("a@x", "Whole", "20270201T100000Z")
    broken = "\r\n".join(
        [f"BEGIN:{kind}", "UID:b@x", "SUMMARY:Broken", "DTSTART;VALUE=DATE:20270210", line, f"END:{kind}"]
    )

    feed = read_feed(calendar(broken, whole).encode(), default_name="host")

    assert [event.title for event in events(calendar(broken, whole))] == ["Whole"]
    assert feed.unread == 1
