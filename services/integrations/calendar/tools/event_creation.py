"""Tool that adds an event, once or repeating, with its approval card and its undo."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import Field

from services.errors import ChangedElsewhere
from services.i18n import gettext, gettext_noop
from services.integrations.calendar.access import WriteTarget, calendar_write_tool, write_calendars, write_target
from services.integrations.calendar.approval_rows import conflict_lines, conflict_rows, new_event_rows, term_row
from services.integrations.calendar.event import Event, event_data, event_sources, written_line
from services.integrations.calendar.event_arguments import (
    Guest,
    IntoCalendar,
    Location,
    Notes,
    Reminders,
    Title,
    refuse_other_zone,
    refuse_unknown_links,
    refuse_unnamed_guests,
    undo_record,
    undo_write,
)
from services.integrations.calendar.event_drafts import event_draft, first_occurrences
from services.integrations.calendar.provider import DEFAULT_REMINDERS, EventDraft, WritableCalendars, WriteOutcome
from services.integrations.calendar.recurrence import (
    RepeatCount,
    RepeatDays,
    RepeatEvery,
    Repeats,
    RepeatUntil,
    is_term_end,
)
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.localized import join_list
from services.integrations.kit.writes import WritePlan, load_or_save_plan
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Example

Draft = TypeVar("Draft")


def preview_creation(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Build the approval card: every field that would be written, and conflicts."""
    given = calendar_create_event.validate(arguments)
    draft, where = read_draft(context, given, event_draft)
    refuse_unnamed_guests(context, draft.guests)
    refuse_unknown_links(context, draft.location, draft.description)
    term = (term_row(draft.rule),) if draft.rule and is_term_end(given["repeat_until"]) else ()
    return (*preview_event(context, draft, where), *term)


def read_draft(
    context: ToolExecutionContext, given: Mapping[str, Any], build: Callable[..., Draft]
) -> tuple[Draft, WriteTarget]:
    """Read what is to be added and where; raises `BadArguments` with all that is wrong."""
    errors = ArgumentErrorCollector()
    draft, where = errors.read(build, context, given), errors.read(write_target, context, given["calendar"])
    errors.raise_found()
    assert draft
    assert where
    return draft, where


def preview_event(
    context: ToolExecutionContext, draft: EventDraft, where: WriteTarget, *, past_at: datetime | None = None
) -> tuple[PreviewRow, ...]:
    """Build the card of one new event. past_at: when it comes too late; left out, at its start."""

    def read(_: ToolExecutionContext, provider: WritableCalendars) -> Event:
        return provider.drafted(draft, where.calendar)

    event = write_calendars(context, where.integration, read)
    return (
        *new_event_rows(event, draft, where, past_at or event.past_at),
        *conflict_rows(context, first_occurrences(draft)),
    )


def undo_creation(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Delete what was added, unless it was changed since."""
    return undo_write(context, undo, gettext_noop("Took {titles} out of the calendar again."))


@calendar_write_tool(
    label=gettext_noop("Adding to your calendar"),
    title=gettext_noop("Add to your calendar"),
    summary=gettext_noop("Add an event, once or repeating"),
    preview=preview_creation,
    undo=undo_creation,
    usage_hint="Adds an event, once or repeating, with place, guests' busy time and reminders left as the "
    "student says.",
    when=("the student asks for an appointment, a reminder or a repeating event at a time they name",),
    when_not=("the time is not known yet: look for free time first", "several study sessions are wanted at once"),
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
    return add_events(context, lambda current: [event_draft(current, given)], write_target(context, calendar))


def add_events(
    context: ToolExecutionContext, drafts: Callable[[ToolExecutionContext], Sequence[EventDraft]], where: WriteTarget
) -> ToolResult:
    """Add events once, whatever became of an earlier try; raises `BadArguments` for one in the past.

    drafts: makes them; not called for a repeat whose plan was stored.
    """
    refuse_other_zone(context, where.label)

    def act(current: ToolExecutionContext, provider: WritableCalendars) -> WriteOutcome:
        def plan(key: str) -> WritePlan:
            return provider.adding(drafts(current), calendar=where.calendar, key=key)

        return provider.carry_out(load_or_save_plan(current, plan), current.timezone)

    done = write_calendars(context, where.integration, act)
    return _added(context, done, where)


def _added(context: ToolExecutionContext, done: WriteOutcome, where: WriteTarget) -> ToolResult:
    events = done.events
    if all(event.is_deleted for event in events):
        raise ChangedElsewhere(
            where.label, gettext("The event was added, and has been deleted in {label} since.", label=where.label)
        )
    conflicts = conflict_lines(context, events)
    lines = [written_line(event, with_title=len(events) == 1) for event in events]
    return ToolResult(
        output="\n".join([_heading(done, where), *lines, *conflicts]),
        data={
            "event": event_data(events[0]),
            "events": [event_data(event) for event in events],
            "conflicts": conflicts,
        },
        sources=event_sources(*events),
        undo=undo_record(where.integration, done.undo, *(event.title for event in events)),
    )


def _heading(done: WriteOutcome, where: WriteTarget) -> str:
    into = gettext("the calendar") if where.is_main else where.name
    named, first = {"into": into, "label": where.label}, done.events[0]
    if not done.is_untouched:
        return gettext("It is in {into} and was changed since ({label}).", **named)
    if len(done.events) > 1:
        titles = join_list(list(dict.fromkeys(f"“{event.title}”" for event in done.events)))
        return gettext(
            "Added {n} sessions of {titles} to {into} ({label}).", n=len(done.events), titles=titles, **named
        )
    if first.repeats:
        return gettext("Added to {into}, {repeats} ({label}).", repeats=first.repeats, **named)
    return gettext("Added to {into} ({label}).", **named)
