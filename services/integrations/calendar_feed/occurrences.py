"""Expansion of a feed to events: series by recurring-ical-events, with due dates of Canvas recognised."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events

from services.integrations.calendar.event import Event, FreeReason
from services.integrations.calendar.times import start_of
from services.integrations.calendar_feed.feed_addresses import LABEL
from services.integrations.calendar_feed.parser import ParsedFeed
from services.safety.link_urls import canonical_url
from services.safety.text import one_line

MOST_EVENTS = 2_000
MOST_S = 4.0
_DUE_UID = re.compile(r"event-(?:assignment|sub-assignment)-")
_IN_CALENDAR = re.compile(r"include_contexts=course_(\d+).*#(?:assignment|sub_assignment)_(\d+)")
_ASSIGNMENT = re.compile(r"/(?:assignments|quizzes)/\d+")
_OWN_ANSWERS = {
    "DECLINED": FreeReason.DECLINED,
    "TENTATIVE": FreeReason.TENTATIVE,
    "NEEDS-ACTION": FreeReason.UNANSWERED,
}
"""PARTSTAT of RFC 5545 (3.2.12)."""


@dataclass(frozen=True, kw_only=True)
class ExpandedEvents:
    """Expanded events. unread: entries whose rule made no sense. is_cut: there were too many to expand them all."""

    events: tuple[Event, ...]
    unread: int
    is_cut: bool


def expand_events(feed: ParsedFeed, *, mark: str, start: datetime, end: datetime, zone: ZoneInfo) -> ExpandedEvents:
    """Expand everything in a feed that touches [start, end) to events in `zone`; `mark` begins their ids."""
    events: list[Event] = []
    unread, deadline = 0, time.monotonic() + MOST_S
    for group in feed.series:
        if time.monotonic() > deadline or len(events) >= MOST_EVENTS:
            return ExpandedEvents(events=tuple(events[:MOST_EVENTS]), unread=unread, is_cut=True)
        try:
            events += [
                event
                for entry in _between(feed, group, start, end)
                if (event := _event(feed, entry, mark=mark, zone=zone)) and _touches(event, start, end)
            ]
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            # What the libraries raise for entries that contradict themselves.
            unread += 1
    return ExpandedEvents(events=tuple(events[:MOST_EVENTS]), unread=unread, is_cut=len(events) > MOST_EVENTS)


def _between(feed: ParsedFeed, group: tuple[icalendar.Event, ...], start: datetime, end: datetime) -> Iterator[Any]:
    if len(group) == 1 and not any(name in group[0] for name in ("RRULE", "RDATE", "RECURRENCE-ID")):
        yield group[0]
        return
    alone = icalendar.Calendar()
    if feed.zone_name:
        alone.add("X-WR-TIMEZONE", feed.zone_name)
    for entry in group:
        alone.add_component(entry)
    # A day more on either side: times without a zone are read in one afterwards.
    wide = start - timedelta(days=1), end + timedelta(days=1)
    yield from recurring_ical_events.of(alone, components=["VEVENT"], skip_bad_series=True).between(*wide)


def _event(feed: ParsedFeed, entry: icalendar.Event, *, mark: str, zone: ZoneInfo) -> Event | None:
    if _word(entry, "STATUS") == "CANCELLED":
        return None
    begins, ends = _when(entry, "DTSTART"), _end(entry)
    is_all_day = not isinstance(begins, datetime)
    start, end = _moment(begins, feed, zone), _moment(ends, feed, zone)
    uid, url = str(entry.get("UID", "")), _link(str(entry.get("URL", "")))
    is_due = bool(_DUE_UID.match(uid) or _ASSIGNMENT.search(url))
    reason = None if is_due else _free_reason(feed, entry, is_all_day)
    return Event(
        id=f"{mark}/{uid}" if "RECURRENCE-ID" not in entry else f"{mark}/{uid}/{start:%Y%m%dT%H%M%S}",
        provider=LABEL,
        calendar=feed.name,
        title=one_line(entry.get("SUMMARY", "") or "(no title)"),
        start=start,
        end=max(start, end),
        zone=zone,
        is_all_day=is_all_day,
        is_busy=not is_due and reason is None,
        free_reason=reason,
        is_declined=reason is FreeReason.DECLINED,
        is_due=is_due,
        series=f"{mark}/{uid}" if "RECURRENCE-ID" in entry else "",
        location=one_line(entry.get("LOCATION", "")),
        description=str(entry.get("DESCRIPTION", "")),
        url=url,
        uid=uid,
    )


def _free_reason(feed: ParsedFeed, entry: icalendar.Event, is_all_day: bool) -> FreeReason | None:
    """Why an entry takes no time; None when it does.

    TRANSP and STATUS are of RFC 5545 (3.8.2.7, 3.8.1.11). Outlook writes what a person sees there into a property of
    its own: https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxcical. A whole day of which nothing
    is said is a note on that day.
    """
    status, shown = _word(entry, "STATUS"), _word(entry, "X-MICROSOFT-CDO-BUSYSTATUS")
    if (answer := _OWN_ANSWERS.get(_own_answer(feed, entry))) is FreeReason.DECLINED:
        return answer
    if _word(entry, "TRANSP") == "TRANSPARENT" or shown in ("FREE", "WORKINGELSEWHERE"):
        return FreeReason.MARKED
    if status == "TENTATIVE" or shown == "TENTATIVE":
        return FreeReason.TENTATIVE
    if answer is not None:
        return answer
    is_said = "TRANSP" in entry or shown in ("BUSY", "OOF")
    return FreeReason.MARKED if is_all_day and not is_said else None


def _own_answer(feed: ParsedFeed, entry: icalendar.Event) -> str:
    """Answer of the calendar's owner to an invitation; empty where nobody is known to be the owner.

    A feed does not say whose it is, but that of a Google account is named after the address.
    """
    invited = entry.get("ATTENDEE", [])
    for guest in invited if isinstance(invited, list) else [invited]:
        if str(guest).casefold() == f"mailto:{feed.name.casefold()}":
            return str(guest.params.get("PARTSTAT", "")).upper()
    return ""


def _word(entry: icalendar.Event, name: str) -> str:
    return str(entry.get(name, "")).strip().upper()


def _end(entry: icalendar.Event) -> datetime | date:
    """End of an entry: DTEND, or DTSTART with DURATION; else one day for a whole day, no time otherwise.

    RFC 5545 (3.6.1).
    """
    begins = _when(entry, "DTSTART")
    if "DTEND" in entry:
        ends = _when(entry, "DTEND")
        return ends if isinstance(ends, datetime) == isinstance(begins, datetime) else begins
    length = getattr(entry.get("DURATION"), "dt", None)
    if isinstance(length, timedelta):
        return begins + length
    return begins if isinstance(begins, datetime) else begins + timedelta(days=1)


def _when(entry: icalendar.Event, name: str) -> datetime | date:
    at = getattr(entry.get(name), "dt", None)
    if not isinstance(at, date):
        raise ValueError(name)
    return at


def _moment(at: datetime | date, feed: ParsedFeed, zone: ZoneInfo) -> datetime:
    if not isinstance(at, datetime):
        return start_of(at, zone)
    return (at if at.tzinfo else at.replace(tzinfo=feed.zone or zone)).astimezone(UTC).astimezone(zone)


def _touches(event: Event, start: datetime, end: datetime) -> bool:
    first, last = event.start.astimezone(UTC), event.end.astimezone(UTC)
    return first < end.astimezone(UTC) and (last > start.astimezone(UTC) or first == last >= start.astimezone(UTC))


def _link(url: str) -> str:
    """Link that a person can open: the assignment's own page where Canvas's feed names the calendar."""
    if not canonical_url(url) or not url.startswith(("http://", "https://")):
        return ""
    parts = urlsplit(url)
    if found := _IN_CALENDAR.search(url):
        base = parts.path.removesuffix("/calendar")
        return f"{parts.scheme}://{parts.netloc}{base}/courses/{found[1]}/assignments/{found[2]}"
    return url
