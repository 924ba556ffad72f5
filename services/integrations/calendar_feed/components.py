"""Entries of a feed as one shape: to-dos as due dates, whole days of Outlook as days, doubled properties once."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

import icalendar

IS_DUE = "X-HOMEROOM-IS-DUE"
"""Set on an entry that was a to-do; no feed can set it, since a parsed one loses it first."""
_SINGLE = (
    *("UID", "DTSTART", "DTEND", "DURATION", "DUE", "SUMMARY", "DESCRIPTION", "LOCATION", "URL", "STATUS", "TRANSP"),
    *("CLASS", "SEQUENCE", "LAST-MODIFIED", "COMPLETED", "PERCENT-COMPLETE", "RECURRENCE-ID", "DTSTAMP"),
    *("X-MICROSOFT-CDO-BUSYSTATUS", "X-MICROSOFT-CDO-ALLDAYEVENT"),
)
"""Properties that RFC 5545 allows once (3.6.1, 3.6.2)."""
_TIMES = frozenset({"DTSTART", "DTEND", "DURATION", "DUE", "RECURRENCE-ID"})
_OF_A_TODO = frozenset({"DTSTART", "DTEND", "DURATION", "DUE", "COMPLETED", "PERCENT-COMPLETE", "STATUS"})
_FOLD = re.compile(rb"\r?\n[ \t]")
_DAYS_IN_UTC = re.compile(rb"^(RDATE|EXDATE)[^:\r\n]*:([\d,]*Z[\dZ,]*)(?=\r?$)", re.MULTILINE | re.IGNORECASE)
"""Google writes the days of birthdays so, though a day has no zone (RFC 5545, 3.3.4)."""
_MIDNIGHT = time(0)


def unfolded(body: bytes) -> bytes:
    """Join folded lines (RFC 5545, 3.1) before the bytes are read as letters: a fold may stand inside one."""
    return _FOLD.sub(b"", body)


def with_plain_days(body: bytes) -> bytes:
    """Write the days that a series adds or leaves out as days, where they are written as days in UTC."""
    return _DAYS_IN_UTC.sub(lambda line: line[1] + b";VALUE=DATE:" + line[2].upper().replace(b"Z", b""), body)


def text_of(body: bytes, charset: str | None) -> str:
    """Read a file's bytes: UTF-8 as RFC 5545 has it, else what its server says, else Windows's Latin."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", errors="replace")
    for name in ("utf-8-sig", charset or "cp1252", "cp1252"):
        try:
            return body.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return body.decode("latin-1")


def as_event(entry: icalendar.cal.Component) -> icalendar.Event | None:
    """Entry of a calendar as an event of its own; None for a to-do that is done, dropped or due at no time.

    A property that stands twice counts once, with its first text; one of two times stays two, which nobody can read.
    """
    entry.pop(IS_DUE, None)
    for name in _SINGLE:
        values = entry.get(name)
        if isinstance(values, list) and values and (name not in _TIMES or _are_alike(values)):
            entry[name] = values[0]
    if isinstance(entry, icalendar.Todo):
        return _due_date(entry)
    if isinstance(entry, icalendar.Event) and _word(entry, "X-MICROSOFT-CDO-ALLDAYEVENT") == "TRUE":
        _make_whole_day(entry)
    return entry if isinstance(entry, icalendar.Event) else None


def one_master_each(entries: Iterable[icalendar.Event]) -> Iterator[tuple[icalendar.Event, ...]]:
    """Part the entries of one UID: each master with its exceptions.

    Timetable programs give one UID to several entries that are no series. Of two with the same start the later
    revision counts (RFC 5545, 3.8.7.4).
    """
    masters: dict[Any, icalendar.Event] = {}
    exceptions: list[icalendar.Event] = []
    for entry in entries:
        if "RECURRENCE-ID" in entry:
            exceptions.append(entry)
            continue
        start = getattr(entry.get("DTSTART"), "dt", None)
        if start not in masters or _revision(entry) >= _revision(masters[start]):
            masters[start] = entry
    alone = list(masters.values())
    series = next((master for master in alone if "RRULE" in master), alone[0] if alone else None)
    yield from ((master,) for master in alone if master is not series)
    if series is not None or exceptions:
        yield (*([series] if series is not None else []), *exceptions)


def _due_date(todo: icalendar.Todo) -> icalendar.Event | None:
    """A to-do as an entry without a length at the moment, or the day, that it is due."""
    is_done = _word(todo, "STATUS") in ("COMPLETED", "CANCELLED") or "COMPLETED" in todo
    due, begins, length = (_time(todo, name) for name in ("DUE", "DTSTART", "DURATION"))
    if due is None and isinstance(begins, date) and isinstance(length, timedelta):
        due = begins + length
    if is_done or str(todo.get("PERCENT-COMPLETE", "")) == "100" or not isinstance(due, date):
        return None
    event = icalendar.Event()
    for name, value in todo.items():
        if name.upper() not in _OF_A_TODO:
            event[name] = value
    event.add("DTSTART", due)
    event[IS_DUE] = "TRUE"
    return event


def _make_whole_day(entry: icalendar.Event) -> None:
    """Outlook writes its whole days as times from midnight to midnight, with a property that says what is meant."""
    for name in ("DTSTART", "DTEND"):
        at = _time(entry, name)
        if isinstance(at, datetime) and at.time() != _MIDNIGHT:
            return
    for name in ("DTSTART", "DTEND"):
        at = _time(entry, name)
        if isinstance(at, datetime):
            del entry[name]
            entry.add(name, at.date())


def _are_alike(values: list[Any]) -> bool:
    first = values[0].to_ical() if hasattr(values[0], "to_ical") else values[0]
    return all((value.to_ical() if hasattr(value, "to_ical") else value) == first for value in values)


def _revision(entry: icalendar.Event) -> int:
    try:
        return int(entry.get("SEQUENCE", 0))
    except (TypeError, ValueError):
        return 0


def _time(entry: icalendar.cal.Component, name: str) -> Any:
    """Value of a property that tells a time or a length; None where it has none, or one that makes no sense."""
    try:
        return getattr(entry.get(name), "dt", None)
    except ValueError:
        return None


def _word(entry: icalendar.cal.Component, name: str) -> str:
    return str(entry.get(name, "")).strip().upper()
