"""Tools that look for time: gaps, the best times, and conflicts."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import clock, count, cut_note, day, duration, elapsed, sentence, span
from services.i18n.formats import zone_name
from services.integrations.calendar.access import calendar_read_tool
from services.integrations.calendar.agenda import (
    Agenda,
    DayRange,
    FirstDay,
    HowManyDays,
    LastDay,
    read_agenda,
    read_days,
)
from services.integrations.calendar.event import Event, event_data, event_sources, untitled_line
from services.integrations.calendar.free_slots import DayPart, FreeTimeSearch, Stretch, TimeSuggestion, rank_times
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.result_contracts import FREE_TIME
from services.tools.tool import Example

MOST_CLASHES = 50
MOST_SUGGESTED = 5

WeekdaysOnly = Annotated[bool, Field(description="Leaves out Saturdays and Sundays.")]
SixDaysOn = Annotated[
    str | None, Field(description="Last day, included, like 2026-11-29; default six days after start.")
]
DayStart = Annotated[str, Field(description="Not before this time of day, like 08:00.")]
DayEnd = Annotated[str, Field(description="Not after this time of day, like 22:00.")]
Buffer = Annotated[int, Field(ge=0, le=240, description="Minutes to keep free before and after each event.")]


@calendar_read_tool(
    label=gettext_noop("Finding free time"),
    title=gettext_noop("Find free time"),
    summary=gettext_noop("Find gaps in your calendars that are long enough"),
    produces=(FREE_TIME,),
    usage_hint="Finds gaps of a wanted length in all calendars.",
    when=("the student asks when they are free", "a time is needed for something new"),
    when_not=("the best of the times is to be chosen: ask for suggestions", "the days are over already"),
    examples=(
        Example(
            description="When can I study for two hours this week, between classes and not at night?",
            arguments={"minutes": 120, "day_start": "09:00", "day_end": "18:00", "buffer_minutes": 10},
        ),
    ),
)
def calendar_find_free_time(
    context: ToolExecutionContext,
    *,
    start: FirstDay = None,
    end: SixDaysOn = None,
    minutes: Annotated[int, Field(ge=5, le=1440, description="How long a gap must be at least.")] = 60,
    day_start: DayStart = "08:00",
    day_end: DayEnd = "22:00",
    buffer_minutes: Buffer = 0,
    weekdays_only: WeekdaysOnly = False,
) -> ToolResult:
    """Find the gaps in the student's calendars that are long enough for something.

    What is marked as free, tentative, declined or not answered takes no time, nor do due dates and calendars whose
    events the student may attend or not. For a short list of the best times use calendar_suggest_times.
    """
    search = FreeTimeSearch(context, start, end, day_start, day_end, buffer_minutes, weekdays_only)
    if search.agenda is None:
        return _nothing_left(search, {"free": []})
    free = search.free(minutes)
    heading = (
        f"{count(len(free), 'gap')} of {duration(minutes)} or more, {search.wanted}, between {clock(search.opens)} and "
        f"{clock(search.closes)}{search.conditions} ({search.agenda.source})."
    )
    notes = search.note + _whole_days(search.agenda.events) + search.agenda.gap_lines()
    return ToolResult(
        output="\n".join([sentence(heading), *_by_day(free, context)]) + notes,
        data={
            "free": [{"start": _iso(s, context), "end": _iso(e, context)} for s, e in free],
            "over": search.over,
            **search.agenda.data(),
        },
        is_partial=bool(search.agenda.notes),
    )


@calendar_read_tool(
    label=gettext_noop("Finding the best times"),
    title=gettext_noop("Find the best times"),
    summary=gettext_noop("Rank the best times for a meeting or for studying, each with why"),
    usage_hint="Ranks the best times for a meeting or for studying, each with why.",
    when=("the student leaves the time open and wants a good one",),
    when_not=("every gap is wanted", "the time is given already"),
    examples=(
        Example(
            description="Find me a good hour for a meeting next week, best in the afternoon.",
            arguments={"minutes": 60, "start": "2026-11-23", "end": "2026-11-27", "prefer": "afternoon"},
        ),
    ),
)
def calendar_suggest_times(
    context: ToolExecutionContext,
    *,
    minutes: Annotated[int, Field(ge=15, le=480, description="How long it takes.")] = 60,
    start: FirstDay = None,
    end: SixDaysOn = None,
    prefer: Annotated[DayPart, Field(description="The part of the day that the student likes best.")] = "any",
    day_start: DayStart = "08:00",
    day_end: DayEnd = "21:00",
    buffer_minutes: Buffer = 10,
    weekdays_only: WeekdaysOnly = False,
    how_many: Annotated[
        int | None,
        Field(
            ge=1,
            le=10,
            description="How many times to suggest: one a day, more only where this is more than there are days. 5 and "
            "one a day when left out.",
        ),
    ] = None,
) -> ToolResult:
    """Suggest the best times for a meeting or a study session, ranked, each with the reason.

    The rule gives up to 100 points: 40 for the part of the day the student prefers (else 10 AM to 5 PM), up to 30
    for free time around it, 20 for a day with little in it, 10 for being soon.
    """
    search = FreeTimeSearch(context, start, end, day_start, day_end, buffer_minutes, weekdays_only)
    if search.agenda is None or search.days_left is None:
        return _nothing_left(search, {"suggestions": []})
    found = rank_times(
        search.free(minutes),
        search.agenda.busy(),
        minutes=minutes,
        prefer=prefer,
        days=search.days_left,
        zone=context.timezone,
        most=how_many or MOST_SUGGESTED,
        may_share_days=how_many is not None,
    )
    heading = f"{count(len(found), 'good time')} for {duration(minutes)}, {search.wanted} ({search.agenda.source})."
    lines = [_suggestion(place, suggestion, context) for place, suggestion in enumerate(found, start=1)]
    notes = search.note + _whole_days(search.agenda.events) + search.agenda.gap_lines()
    return ToolResult(
        output="\n".join([sentence(heading), *lines]) + notes,
        data={
            "suggestions": [_suggestion_data(suggestion, context) for suggestion in found],
            "over": search.over,
            **search.agenda.data(),
        },
        is_partial=bool(search.agenda.notes),
    )


@calendar_read_tool(
    label=gettext_noop("Looking for clashes"),
    title=gettext_noop("Look for clashes"),
    summary=gettext_noop("Find where two things in your calendars overlap"),
    usage_hint="Finds where two things of the student's calendars overlap.",
    when=("the student asks what collides", "a plan is to be checked against the calendar"),
    when_not=("gaps are wanted, not overlaps",),
    examples=(Example(description="Does anything clash this week?", arguments={"days": 7}),),
)
def calendar_find_conflicts(
    context: ToolExecutionContext,
    *,
    start: FirstDay = None,
    end: LastDay = None,
    days: HowManyDays = None,
) -> ToolResult:
    """Look for conflicts and double bookings, where two things overlap and leave no free time.

    Whole-day events do not count, nor does what takes no time: due dates, what is marked as free, tentative, declined
    or not answered, and calendars whose events the student may attend or not.
    """
    today = context.now().date()
    wanted = read_days(start, end, days, context.timezone, today=today, default=7)
    agenda = read_agenda(context, wanted.bounds(context.timezone))
    pairs = _clashes([event for event in agenda.events if event.is_busy and not event.is_all_day])
    shown = pairs[:MOST_CLASHES]
    heading = f"{count(len(pairs), 'clash', 'clashes')}, {wanted} ({agenda.source})."
    lines = list(_clash_lines(shown, context, agenda))
    return ToolResult(
        output="\n".join([sentence(heading), *lines, *_limits(pairs, wanted, today)]) + agenda.gap_lines(),
        data={
            "conflicts": [[event_data(first), event_data(other)] for first, other in shown],
            "total": len(pairs),
            **agenda.data(),
        },
        sources=event_sources(*_each(shown)),
        is_partial=bool(agenda.notes) or len(pairs) > MOST_CLASHES,
    )


def _nothing_left(search: FreeTimeSearch, data: dict[str, Any]) -> ToolResult:
    """Result for days that are over: nothing was looked at, so there is nothing to say about gaps."""
    declared(search.over, Provenance.SERVICE)
    return ToolResult(output=search.over, data={**data, "over": search.over, "notes": [], "remarks": []})


def _limits(pairs: Sequence[object], wanted: DayRange, today: date) -> list[str]:
    """Notes on the clashes that are not shown, and on days that are over."""
    cut = cut_note(MOST_CLASHES, len(pairs))
    gone = wanted.before(today)
    over = f"Note: {gone} is over; what clashed then is listed too." if gone else ""
    return [note for note in (cut, over) if note]


def _clashes(events: list[Event]) -> list[tuple[Event, Event]]:
    """Find each pair of overlapping events among these, given in order of start."""
    pairs: list[tuple[Event, Event]] = []
    for index, event in enumerate(events):
        for other in events[index + 1 :]:
            if _utc(other.start) >= _utc(event.end):
                break
            pairs.append((event, other))
    return pairs


def _each(pairs: list[tuple[Event, Event]]) -> list[Event]:
    return list({event.id: event for pair in pairs for event in pair}.values())


def _clash_lines(pairs: list[tuple[Event, Event]], context: ToolExecutionContext, agenda: Agenda) -> Iterator[str]:
    """Format the pairs, with the details and the link of each event where it comes first."""
    told: set[str] = set()
    for first, other in pairs:
        start, end = max(_utc(first.start), _utc(other.start)), min(_utc(first.end), _utc(other.end))
        yield f"- **“{first.title}” and “{other.title}”** — both at {span(start, end, context.timezone)}"
        for event in (first, other):
            if event.id not in told:
                yield f"  {untitled_line(event, with_provider=agenda.is_mixed)}"
        told |= {first.id, other.id}


def _by_day(free: list[Stretch], context: ToolExecutionContext) -> list[str]:
    local = [(start.astimezone(context.timezone), end.astimezone(context.timezone)) for start, end in free]
    return [
        f"- **{day(on)}** — " + " — ".join(_gap(*stretch) for stretch in stretches)
        for on, stretches in groupby(local, key=lambda stretch: stretch[0].date())
    ]


def _gap(start: datetime, end: datetime) -> str:
    length = duration(int(elapsed(start, end).total_seconds() // 60))
    return f"{clock(start)} – {clock(end)} {zone_name(end)} ({length})"


def _whole_days(events: tuple[Event, ...]) -> str:
    """Note which whole-day events made their days busy, which the gaps do not show."""
    titles = sorted({f"“{event.title}” ({event.when})" for event in events if event.is_busy and event.is_all_day})
    return f"\nNote: counted as busy: {', '.join(titles)}." if titles else ""


def _suggestion(place: int, suggestion: TimeSuggestion, context: ToolExecutionContext) -> str:
    when = span(suggestion.start, suggestion.end, context.timezone)
    return f"{place}. **{when}** — {suggestion.reason} — {suggestion.points} points"


def _suggestion_data(suggestion: TimeSuggestion, context: ToolExecutionContext) -> dict[str, Any]:
    times = {"start": _iso(suggestion.start, context), "end": _iso(suggestion.end, context)}
    return {**times, "points": suggestion.points, "reason": suggestion.reason}


def _iso(at: datetime, context: ToolExecutionContext) -> str:
    return at.astimezone(UTC).astimezone(context.timezone).isoformat()


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)
