"""Tool that changes an event, or a series from some day on or as a whole; with approval card and undo."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere
from services.i18n import gettext, gettext_noop
from services.integrations.calendar.access import calendar_write_tool, integration_of_event, write_calendars
from services.integrations.calendar.approval_rows import SCOPES, conflict_lines, conflict_rows
from services.integrations.calendar.event import Event, event_data, event_sources, written_line
from services.integrations.calendar.event_arguments import (
    APPROVAL_GRACE,
    EventId,
    Guest,
    Location,
    Notes,
    Reminder,
    Title,
    refuse_past,
    refuse_unknown_links,
    refuse_unnamed_guests,
    undo_record,
    undo_write,
)
from services.integrations.calendar.event_changes import MOVING, WantedChange, wanted_change
from services.integrations.calendar.provider import Scope, WritableCalendars, WriteOutcome
from services.integrations.calendar.recurrence import Weekday
from services.integrations.kit.writes import is_card_stale, load_or_save_plan
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Example

GuestWords = Annotated[str, Field(min_length=2, max_length=254)]
AppliesTo = Annotated[
    Scope,
    Field(
        description="Of a recurring event: the occurrence with this id, it and all following, or all. Ask when "
        "it is not clear."
    ),
]


def preview_update(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Build the approval card: every field that would change, before and after."""
    given = calendar_update_event.validate(arguments)
    refuse_unknown_links(context, given["location"], given["description"])
    refuse_unnamed_guests(context, given["add_guests"])

    def look(_: ToolExecutionContext, provider: WritableCalendars) -> WantedChange:
        wanted = wanted_change(provider, given, context)
        if wanted.new == wanted.event:
            raise BadArguments(gettext("The event already is like that; nothing would change."))
        _refuse_the_past(wanted, context, grace=timedelta(0))
        provider.changing(wanted.read, wanted.changes, wanted.scope, key="preview")
        return wanted

    wanted = write_calendars(context, integration_of_event(context, given["event_id"]), look)
    clashes = conflict_rows(context, wanted.new_times, but=wanted.own_ids)
    return (*wanted.rows, *clashes)


def undo_update(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Restore the changed fields, unless the event was changed since."""
    return undo_write(context, undo, gettext_noop("{titles} is as it was before."))


@calendar_write_tool(
    label=gettext_noop("Changing your calendar"),
    title=gettext_noop("Change an event in your calendar"),
    summary=gettext_noop("Change an event: its time, its title or where it is"),
    preview=preview_update,
    undo=undo_update,
    usage_hint="Changes the time, title, place, notes or repetition of one event.",
    when=("the student asks to move, rename or correct an event",),
    when_not=("it is to be cancelled", "the event belongs to somebody else's calendar"),
    examples=(
        Example(
            description="Move my dentist appointment to Monday at 4.",
            arguments={"event_id": "google_calendar/abc123", "start": "2026-11-30T16:00"},
        ),
        Example(
            description="From next week on, robotics club starts at 7.",
            arguments={
                "event_id": "google_calendar/abc123_20261203T003000Z",
                "start": "2026-12-02T19:00",
                "applies_to": "following",
            },
        ),
        Example(
            description="Move the study group to Tuesdays and Thursdays for the rest of the term.",
            arguments={
                "event_id": "google_calendar/abc123_20261203T003000Z",
                "repeat_days": ["TU", "TH"],
                "applies_to": "following",
            },
        ),
        Example(
            description="Invite lena@example.edu to the group meeting as well, and write to everybody.",
            arguments={
                "event_id": "google_calendar/abc123",
                "add_guests": ["lena@example.edu"],
                "notify_guests": True,
            },
        ),
    ),
)
def calendar_update_event(
    context: ToolExecutionContext,
    *,
    event_id: EventId,
    title: Annotated[Title | None, Field(description="A new title.")] = None,
    start: Annotated[
        str | None,
        Field(
            description="A new start, like 2026-11-27T15:00 (whole day: 2026-11-27). Alone it moves the event, "
            "which keeps its length."
        ),
    ] = None,
    end: Annotated[
        str | None, Field(description="A new end, like 2026-11-27T16:30; of a whole-day event its last day, included.")
    ] = None,
    duration_minutes: Annotated[int | None, Field(ge=1, le=20160, description="A new length, instead of end.")] = None,
    all_day: Annotated[
        bool | None, Field(description="True: a whole-day event. False: one with times (give start).")
    ] = None,
    location: Annotated[Location | None, Field(description='A new place; "" removes it.')] = None,
    description: Annotated[Notes | None, Field(description='New notes instead of the old; "" removes them.')] = None,
    reminders_minutes: Annotated[
        tuple[Reminder, ...] | None,
        Field(max_length=5, description="Minutes before the start, instead of the old; [] for none."),
    ] = None,
    repeat_days: Annotated[
        tuple[Weekday, ...] | None,
        Field(
            min_length=1,
            max_length=7,
            description='Of a weekly series: its days instead, like ["TU", "TH"], with applies_to following or '
            "all; start only for a new time of day.",
        ),
    ] = None,
    add_guests: Annotated[
        tuple[Guest, ...],
        Field(max_length=20, description="E-mail addresses to invite, only those that the student wrote."),
    ] = (),
    remove_guests: Annotated[
        tuple[GuestWords, ...],
        Field(max_length=20, description="By address, or by name as in the event."),
    ] = (),
    notify_guests: Annotated[
        bool | None,
        Field(
            description="Whether guests get an e-mail; ask if the student did not say. Left out: only if "
            "guests change or their series is cut in two."
        ),
    ] = None,
    applies_to: AppliesTo = Scope.THIS,
) -> ToolResult:
    """Change an event in the student's calendars.

    Give the event's id and only the fields that change. How often or until when a series repeats cannot be changed.
    """
    given = {
        "event_id": event_id,
        "title": title,
        "start": start,
        "end": end,
        "duration_minutes": duration_minutes,
        "all_day": all_day,
        "location": location,
        "description": description,
        "reminders_minutes": reminders_minutes,
        "repeat_days": repeat_days,
        "add_guests": add_guests,
        "remove_guests": remove_guests,
        "notify_guests": notify_guests,
        "applies_to": applies_to,
    }
    return _update(context, given, integration_of_event(context, event_id))


def _update(context: ToolExecutionContext, given: Mapping[str, Any], integration: str) -> ToolResult:
    """Change the event once, whatever became of an earlier try."""

    def act(current: ToolExecutionContext, provider: WritableCalendars) -> WriteOutcome:
        plan = load_or_save_plan(current, lambda key: _plan(current, provider, given, key))
        return provider.carry_out(plan, current.timezone)

    done = write_calendars(context, integration, act)
    event = done.events[0]
    heading = _heading(event, given["applies_to"], context.container.integrations[integration].label, done)
    told = [gettext("Its guests get an e-mail.")] if done.undo and _writes_to_guests(event, given) else []
    is_moved = not event.is_all_day and any(given[name] is not None for name in MOVING)
    conflicts = conflict_lines(context, [event] if is_moved else [])
    return ToolResult(
        output="\n".join([" ".join([heading, *told]), written_line(event), *conflicts]),
        data={"event": event_data(event), "conflicts": conflicts},
        sources=event_sources(event),
        undo=undo_record(integration, done.undo, event.title),
    )


def _heading(event: Event, scope: Scope, label: str, done: WriteOutcome) -> str:
    extents = [] if scope is Scope.THIS else [gettext(SCOPES[scope])]
    extent = ", ".join(["", *extents, *filter(None, [event.repeats])])
    if done.undo:
        return gettext("Changed in the calendar{extent} ({label}).", extent=extent, label=label)
    return gettext("It is like that in the calendar{extent} ({label}).", extent=extent, label=label)


def _writes_to_guests(event: Event, given: Mapping[str, Any]) -> bool:
    if given["notify_guests"] is not None:
        return bool(given["notify_guests"])
    is_cut_in_two = given["applies_to"] is Scope.FOLLOWING and bool(event.guests)
    return bool(given["add_guests"] or given["remove_guests"]) or is_cut_in_two


def _plan(
    context: ToolExecutionContext, provider: WritableCalendars, given: Mapping[str, Any], key: str
) -> Mapping[str, Any]:
    """Plan from the event as it is now; raises `ChangedElsewhere` when that is not what the card showed."""
    wanted = wanted_change(provider, given, context)
    if wanted.new != wanted.event:
        if is_card_stale(context, wanted.rows):
            raise changed_meanwhile(provider.label)
        _refuse_the_past(wanted, context, grace=APPROVAL_GRACE)
    return provider.changing(wanted.read, wanted.changes, wanted.scope, key=key)


def changed_meanwhile(label: str) -> ChangedElsewhere:
    return ChangedElsewhere(
        label,
        gettext("This event was changed in {label} after the card was made, so nothing was changed.", label=label),
    )


def _refuse_the_past(wanted: WantedChange, context: ToolExecutionContext, *, grace: timedelta) -> None:
    if wanted.new.start != wanted.event.start:
        new = wanted.new
        refuse_past(new.start.date() if new.is_all_day else new.start, new.end, context, grace=grace)
