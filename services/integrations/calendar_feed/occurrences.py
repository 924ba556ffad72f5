"""Expansion of a feed to events: series by recurring-ical-events, with due dates recognised."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events

from services.integrations.calendar.event import Event, FreeReason
from services.integrations.calendar.times import start_of
from services.integrations.calendar_feed.deadlines import title_of
from services.integrations.calendar_feed.feed_addresses import LABEL
from services.integrations.calendar_feed.parser import ParsedFeed
from services.safety.text import one_line

MOST_EVENTS = 2_000
MOST_S = 4.0
_CALL = re.compile(r"https://[^\s()<>\[\]\"'`\\]{1,500}")
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


def expand_events(
    feed: ParsedFeed, *, mark: str, start: datetime, end: datetime, zone: ZoneInfo, site: str = ""
) -> ExpandedEvents:
    """Expand everything in a feed that touches [start, end) to events in `zone`.

    mark: what their ids begin with. site: scheme and host of the feed's address, for links that can be made.
    """
    events: list[Event] = []
    unread, deadline = 0, time.monotonic() + MOST_S
    for group in feed.series:
        if time.monotonic() > deadline or len(events) >= MOST_EVENTS:
            return ExpandedEvents(events=tuple(events[:MOST_EVENTS]), unread=unread, is_cut=True)
        try:
            events += [
                event
                for entry in _between(feed, group, start, end)
                if (event := _event(feed, entry, group[0], mark=mark, zone=zone, site=site))
                and _touches(event, start, end)
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


def _event(
    feed: ParsedFeed, entry: icalendar.Event, source: icalendar.Event, *, mark: str, zone: ZoneInfo, site: str
) -> Event | None:
    if _word(entry, "STATUS") == "CANCELLED":
        return None
    begins, ends = _when(entry, "DTSTART"), _end(entry)
    is_all_day = not isinstance(begins, datetime)
    start, end = _moment(begins, feed, zone), _moment(ends, feed, zone)
    uid, is_occurrence = str(entry.get("UID", "")), "RECURRENCE-ID" in entry
    deadline = feed.deadlines.of(entry, source=source, site=site)
    reason = None if deadline.is_due else _free_reason(feed, entry, is_all_day)
    if deadline.is_note:
        reason = FreeReason.MARKED
    return Event(
        id=f"{mark}/{uid}/{start:%Y%m%dT%H%M%S}" if is_occurrence or uid in feed.shared_uids else f"{mark}/{uid}",
        provider=LABEL,
        calendar=feed.name,
        title=title_of(entry) or "(no title)",
        course=deadline.course,
        start=start,
        end=max(start, end),
        zone=zone,
        is_all_day=is_all_day,
        is_busy=not deadline.is_due and reason is None,
        free_reason=reason,
        is_declined=reason is FreeReason.DECLINED,
        is_due=deadline.is_due,
        series=f"{mark}/{uid}" if is_occurrence else "",
        location=one_line(entry.get("LOCATION", "")),
        description=str(entry.get("DESCRIPTION", "")),
        url=deadline.url,
        call_url=_call_url(entry),
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


def _call_url(entry: icalendar.Event) -> str:
    """Address of a video call, as RFC 7986 (5.11), Google and Outlook write it."""
    for name in ("CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL"):
        values = entry.get(name, [])
        for value in values if isinstance(values, list) else [values]:
            if _CALL.fullmatch(str(value).strip()):
                return str(value).strip()
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
