"""Tool that adds an event, once or repeating, with its approval card and its undo."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere
from services.i18n import gettext, gettext_noop
from services.i18n.english import elapsed
from services.integrations.calendar.access import WriteTarget, calendar_write_tool, write_calendars, write_target
from services.integrations.calendar.approval_rows import conflict_lines, conflict_rows, new_event_rows, term_row
from services.integrations.calendar.event import Event, event_data, event_sources, written_line
from services.integrations.calendar.event_arguments import (
    APPROVAL_GRACE,
    DEFAULT_MINUTES,
    Edges,
    Guest,
    IntoCalendar,
    Location,
    Notes,
    Reminders,
    Title,
    day_edges,
    refuse_other_zone,
    refuse_past,
    refuse_unknown_links,
    refuse_unnamed_guests,
    time_edges,
    undo_record,
    undo_write,
)
from services.integrations.calendar.provider import DEFAULT_REMINDERS, EventDraft, WritableCalendars, WriteOutcome
from services.integrations.calendar.recurrence import (
    RepeatCount,
    RepeatDays,
    RepeatEvery,
    Repeats,
    RepeatUntil,
    is_term_end,
    read_rule,
    resolve_last_day,
)
from services.integrations.calendar.times import after, date_of, parse_day, parse_moment
from services.integrations.kit.localized import join_list
from services.integrations.kit.writes import WritePlan, is_card_stale, load_or_save_plan
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Example

CHECKED_OCCURRENCES = 26


def preview_creation(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Build the approval card: every field that would be written, and conflicts."""
    given = calendar_create_event.validate(arguments)
    draft = _draft(context, given)
    refuse_unnamed_guests(context, draft.guests)
    refuse_unknown_links(context, draft.location, draft.description)
    where = write_target(context, given["calendar"])
    term = (term_row(draft.rule),) if draft.rule and is_term_end(given["repeat_until"]) else ()
    return (*preview_event(context, draft, where), *term)


def preview_event(
    context: ToolExecutionContext, draft: EventDraft, where: WriteTarget, *, may_have_begun: bool = False
) -> tuple[PreviewRow, ...]:
    """Build the card of one new event; raises `BadArguments` for one in the past.

    may_have_begun: as for `refuse_past`.
    """

    def read(_: ToolExecutionContext, provider: WritableCalendars) -> Event:
        return provider.drafted(draft, where.calendar)

    event = write_calendars(context, where.integration, read)
    refuse_past(event, context, grace=timedelta(0), may_have_begun=may_have_begun)
    return (*new_event_rows(event, draft, where), *conflict_rows(context, first_occurrences(draft)))


def undo_creation(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Delete what was added, unless it was changed since."""
    return undo_write(context, undo, gettext_noop("Took {titles} out of your calendar again."))


@calendar_write_tool(
    label=gettext_noop("Adding to your calendar"),
    title=gettext_noop("Add to your calendar"),
    summary=gettext_noop("Add an event, once or repeating"),
    provenance=Provenance.PRIVATE,
    preview=preview_creation,
    undo=undo_creation,
    examples=(
        Example(
            description="Put a study session into my calendar on Friday from 3 to 4:30.",
            arguments={"title": "Study session", "start": "2026-11-27T15:00", "end": "2026-11-27T16:30"},
        ),
        Example(
            description="Add a run every Monday and Wednesday at 7 until the end of term.",
            arguments={
                "title": "Run",
                "start": "2026-11-23T07:00",
                "duration_minutes": 45,
                "repeats": "weekly",
                "repeat_days": ["MO", "WE"],
                "repeat_until": "end of term",
            },
        ),
    ),
)
def calendar_create_event(
    context: ToolExecutionContext,
    *,
    title: Title,
    start: Annotated[
        str,
        Field(
            description="In the student's time zone, like 2026-11-27T15:00; with all_day 2026-11-27. Not in the past."
        ),
    ],
    end: Annotated[
        str | None,
        Field(description="Like 2026-11-27T16:30; with all_day the last day, included."),
    ] = None,
    duration_minutes: Annotated[
        int | None,
        Field(ge=1, le=20160, description="Instead of end; default 60."),
    ] = None,
    all_day: Annotated[bool, Field(description="Without times of day.")] = False,
    location: Location = "",
    description: Notes = "",
    reminders_minutes: Reminders = DEFAULT_REMINDERS,
    calendar: IntoCalendar = None,
    repeats: Repeats = None,
    repeat_every: RepeatEvery = 1,
    repeat_days: RepeatDays = (),
    repeat_until: RepeatUntil = None,
    repeat_count: RepeatCount = None,
    guests: Annotated[
        tuple[Guest, ...],
        Field(
            max_length=20,
            description="E-mail addresses to invite, only those that the student wrote.",
        ),
    ] = (),
) -> ToolResult:
    """Add one event, or one that repeats, to the student's calendar.

    When the student asks for it or agrees to a time that you proposed. For several study sessions use
    calendar_create_study_sessions, for the due date of an assignment calendar_add_due_date.
    """
    given = {
        "title": title,
        "start": start,
        "end": end,
        "duration_minutes": duration_minutes,
        "all_day": all_day,
        "location": location,
        "description": description,
        "reminders_minutes": reminders_minutes,
        "repeats": repeats,
        "repeat_every": repeat_every,
        "repeat_days": repeat_days,
        "repeat_until": repeat_until,
        "repeat_count": repeat_count,
        "guests": guests,
    }
    return add_events(context, lambda: [_draft(context, given)], write_target(context, calendar))


def add_events(
    context: ToolExecutionContext,
    drafts: Callable[[], Sequence[EventDraft]],
    where: WriteTarget,
    *,
    may_have_begun: bool = False,
) -> ToolResult:
    """Add events once, whatever became of an earlier try; raises `BadArguments` for one in the past.

    drafts: makes them; not called for a repeat whose plan was stored. may_have_begun: as for `refuse_past`.
    """
    refuse_other_zone(context, where.label)

    def act(current: ToolExecutionContext, provider: WritableCalendars) -> WriteOutcome:
        def plan(key: str) -> WritePlan:
            made = drafts()
            for draft in made:
                drafted = provider.drafted(draft, where.calendar)
                refuse_past(drafted, current, grace=APPROVAL_GRACE, may_have_begun=may_have_begun)
            return provider.adding(made, calendar=where.calendar, key=key)

        return provider.carry_out(load_or_save_plan(current, plan), current.timezone)

    done = write_calendars(context, where.integration, act)
    return _added(context, done, where)


def first_occurrences(draft: EventDraft) -> list[Edges]:
    """First times of a new event, to look for conflicts."""
    if draft.rule is None:
        return [(draft.start, draft.end)]
    starts = draft.rule.starts(draft.start, draft.zone, most=CHECKED_OCCURRENCES)
    return [(at, at + _length(draft)) for at in starts]


def _length(draft: EventDraft) -> timedelta:
    """Duration in real time."""
    if isinstance(draft.start, datetime) and isinstance(draft.end, datetime):
        return elapsed(draft.start, draft.end)
    return date_of(draft.end) - date_of(draft.start)


def _added(context: ToolExecutionContext, done: WriteOutcome, where: WriteTarget) -> ToolResult:
    events = done.events
    if all(event.is_deleted for event in events):
        raise ChangedElsewhere(
            where.label, gettext("The event was added, and has been deleted in {label} since.", label=where.label)
        )
    titles = join_list(list(dict.fromkeys(f"“{event.title}”" for event in events)))
    into = gettext("your calendar") if where.is_main else where.name
    if not done.is_untouched:
        heading = gettext(
            "{titles} is in {into} and was changed since ({label}).", titles=titles, into=into, label=where.label
        )
    elif len(events) == 1:
        when = f"{events[0].shown}, {events[0].repeats}" if events[0].repeats else events[0].shown
        heading = gettext(
            "Added {titles} to {into}: {when} ({label}).", titles=titles, into=into, when=when, label=where.label
        )
    else:
        heading = gettext(
            "Added {n} sessions of {titles} to {into} ({label}).",
            n=len(events),
            titles=titles,
            into=into,
            label=where.label,
        )
    conflicts = conflict_lines(context, events)
    lines = [written_line(event, event.when if len(events) > 1 else "") for event in events]
    return ToolResult(
        output="\n".join([heading, *lines, *conflicts]),
        data={
            "event": event_data(events[0]),
            "events": [event_data(event) for event in events],
            "conflicts": conflicts,
        },
        sources=event_sources(*events),
        undo=undo_record(where.integration, done.undo, *(event.title for event in events)),
    )


def _draft(context: ToolExecutionContext, given: Mapping[str, Any]) -> EventDraft:
    """Build the draft; raises `BadArguments`, and `ChangedElsewhere` when the end of term has moved."""
    start, end = _edges(context, given)
    rule = read_rule(
        start,
        repeats=given["repeats"],
        every=given["repeat_every"],
        days=given["repeat_days"],
        until=resolve_last_day(context, given["repeat_until"]),
        count=given["repeat_count"],
    )
    if rule and is_term_end(given["repeat_until"]) and is_card_stale(context, (term_row(rule),)):
        raise ChangedElsewhere("Canvas", gettext("The end of the term was changed in Canvas, so nothing was added."))
    return EventDraft(
        title=given["title"],
        start=start,
        end=end,
        zone=context.timezone,
        location=given["location"],
        description=given["description"],
        reminders=tuple(given["reminders_minutes"]),
        rule=rule,
        guests=tuple(dict.fromkeys(guest.lower() for guest in given["guests"])),
    )


def _edges(context: ToolExecutionContext, given: Mapping[str, Any]) -> Edges:
    start, end, minutes = given["start"], given["end"], given["duration_minutes"]
    if end and minutes:
        raise BadArguments(gettext("Give end or duration_minutes, not both."), field="duration_minutes")
    if given["all_day"]:
        if minutes:
            raise BadArguments(
                gettext("A whole-day event has no duration_minutes; give the last day as end."), field="end"
            )
        first = parse_day(start, "start")
        return day_edges(first, parse_day(end, "end") if end else first)
    begins = parse_moment(start, context.timezone, "start")
    ends = parse_moment(end, context.timezone, "end") if end else after(begins, minutes or DEFAULT_MINUTES)
    return time_edges(begins, ends)
