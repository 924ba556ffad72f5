"""The two tools that look into the calendar: the agenda of some days, and free time in them."""

from datetime import UTC
from itertools import groupby
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments
from services.integrations.google_calendar.access import ID, calendar_of
from services.integrations.google_calendar.agenda import read_agenda, read_days
from services.integrations.google_calendar.events import Event
from services.integrations.calendar.free_time import Stretch, free_stretches, windows
from services.integrations.calendar.times import parse_clock
from services.integrations.wording import clock, count, day, duration, elapsed, one_line, sentence, zone_name
from services.tools.base import Source, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

MOST_SHOWN = 100

FirstDay = Annotated[str | None, Field(description="First day, like 2026-11-23. Today when left out.")]
LastDay = Annotated[str | None, Field(description="Last day, included, like 2026-11-29.")]


@tool(
    label="Looking at your calendar",
    category="calendar",
    contexts=("calendar", "schedule", "study"),
    integration=ID,
)
def calendar_list_events(
    context: ToolExecutionContext,
    *,
    start: FirstDay = None,
    end: LastDay = None,
    days: Annotated[
        int | None,
        Field(ge=1, le=366, description="How many days from start on, instead of end. 7 when both are left out."),
    ] = None,
    search: Annotated[
        str | None, Field(max_length=200, description='Only events with these words in them, like "biology lab".')
    ] = None,
) -> ToolResult:
    """List what is in the student's Google calendars on some days, in order of time.

    Covers every calendar the student has ticked there; recurring events appear as their single occurrences. Use it for
    questions about plans, meetings and conflicts, and to find the id of an event before changing or deleting it.
    Do not use it for due dates of courses, which are in Canvas. To find gaps, use calendar_find_free_time.
    """
    now = context.now()
    wanted = read_days(start, end, days, today=now.date(), default=7)
    agenda = read_agenda(calendar_of(context), wanted, context.timezone, search=search or None)
    shown = agenda.events[:MOST_SHOWN]
    about = f" with “{one_line(search, 60)}”" if search else ""
    heading = f"{count(len(agenda.events), 'event')}{about}, {wanted} (Google Calendar, as of {clock(now)})."
    cut = (
        f"\nNote: only the first {MOST_SHOWN} are shown; ask for fewer days." if len(agenda.events) > MOST_SHOWN else ""
    )
    return ToolResult(
        output="\n".join([sentence(heading), *map(line, shown)]) + cut + agenda.note,
        data={"events": [as_data(event) for event in shown], "unread_calendars": list(agenda.unread)},
        sources=tuple(Source(title=event.title, url=event.url) for event in shown if event.url),
    )


@tool(
    label="Finding free time",
    category="calendar",
    contexts=("calendar", "schedule", "study"),
    integration=ID,
)
def calendar_find_free_time(
    context: ToolExecutionContext,
    *,
    start: FirstDay = None,
    end: Annotated[
        str | None, Field(description="Last day, included, like 2026-11-29. Six days after start when left out.")
    ] = None,
    minutes: Annotated[
        int, Field(ge=5, le=1440, description="How long a gap must be at least, in minutes, like 90.")
    ] = 60,
    day_start: Annotated[
        str, Field(description="Look from this time of day on, in the student's time zone, like 08:00.")
    ] = "08:00",
    day_end: Annotated[
        str, Field(description="Look until this time of day, in the student's time zone, like 22:00.")
    ] = "22:00",
) -> ToolResult:
    """Find the gaps in the student's Google calendars that are long enough for something.

    Counts every calendar the student has ticked; events marked as free and invitations they declined take no time.
    Use it before proposing a time for studying or meeting. It never proposes times in the past.
    """
    now = context.now()
    wanted = read_days(start, end, None, today=now.date(), default=7)
    opens, closes = parse_clock(day_start, "day_start"), parse_clock(day_end, "day_end")
    if closes <= opens:
        raise BadArguments("day_end must be later than day_start.", field="day_end")
    agenda = read_agenda(calendar_of(context), wanted, context.timezone)
    busy = [(event.start, event.end) for event in agenda.events if event.is_busy]
    free = free_stretches(busy, windows(wanted, opens, closes, context.timezone, now=now), minutes=minutes)
    heading = (
        f"{count(len(free), 'gap')} of {duration(minutes)} or more, {wanted}, between {clock(opens)} and "
        f"{clock(closes)} (Google Calendar, as of {clock(now)})."
    )
    return ToolResult(
        output="\n".join([sentence(heading), *_by_day(free, context)]) + _whole_days(agenda.events) + agenda.note,
        data={"free": [{"start": _iso(s, context), "end": _iso(e, context)} for s, e in free]},
    )


def line(event: Event) -> str:
    """One event as a line of a list."""
    parts = [f"**{event.title}**", event.when, event.location, _calendar(event), _state(event), _notes(event)]
    link = f" — [open]({event.url})" if event.url else ""
    return f"- {' — '.join(part for part in parts if part)}{link} (id: {event.id})"


def as_data(event: Event) -> dict[str, Any]:
    """One event as plain JSON; `end` of a whole-day event is the first day after it."""
    written = (str(event.start.date()), str(event.end.date())) if event.is_all_day else (event.start, event.end)
    start, end = (edge if isinstance(edge, str) else edge.isoformat() for edge in written)
    return {
        "id": event.id,
        "title": event.title,
        "start": start,
        "end": end,
        "all_day": event.is_all_day,
        "location": event.location,
        "description": event.description,
        "calendar": event.calendar,
        "busy": event.is_busy,
        "declined": event.is_declined,
        "url": event.url,
    }


def _calendar(event: Event) -> str:
    return f"in {event.calendar}" if "/" in event.id else ""


def _state(event: Event) -> str:
    if event.is_declined:
        return "declined"
    return "" if event.is_busy else "marked as free"


def _notes(event: Event) -> str:
    return f"notes: {one_line(event.description, 160)}" if event.description.strip() else ""


def _by_day(free: list[Stretch], context: ToolExecutionContext) -> list[str]:
    local = [(start.astimezone(context.timezone), end.astimezone(context.timezone)) for start, end in free]
    return [
        f"- **{day(on)}** — " + " — ".join(_gap(*stretch) for stretch in stretches)
        for on, stretches in groupby(local, key=lambda stretch: stretch[0].date())
    ]


def _gap(start: Any, end: Any) -> str:
    length = duration(int(elapsed(start, end).total_seconds() // 60))
    return f"{clock(start)} – {clock(end)} {zone_name(end)} ({length})"


def _whole_days(events: tuple[Event, ...]) -> str:
    """Says which whole-day events made their days busy, since nobody would guess it from the gaps."""
    titles = sorted({f"“{event.title}” ({event.when})" for event in events if event.is_busy and event.is_all_day})
    return f"\nNote: counted as busy: {', '.join(titles)}." if titles else ""


def _iso(at: Any, context: ToolExecutionContext) -> str:
    return str(at.astimezone(UTC).astimezone(context.timezone).isoformat())
