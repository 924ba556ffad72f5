"""Reminder tools: set one, list those to come, delete one."""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere
from services.i18n import english, formats, gettext, gettext_noop
from services.integrations.calendar.event_arguments import IntoCalendar
from services.integrations.calendar.provider import WRITE
from services.integrations.calendar.times import after, parse_moment
from services.integrations.calendar.tools.event_creation import calendar_create_event
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches
from services.integrations.planner.tools.task_creation import planner_create_task
from services.integrations.reminders.followed_entry import followed_row, following
from services.integrations.reminders.places import CHANNELS, LABELS, Place, choose_place, remind_at
from services.reminders.timed_reminders import MOST, TimedReminder, TimedReminders
from services.runtime.clock import stamp
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example, Tool

LABEL = gettext_noop("Homeroom reminders")
CONTEXTS = ("planner", "calendar")
LONGEST_KEY = 600
CALENDAR_MINUTES = 15
"""Length of a reminder's entry in a calendar."""
TOOLS_OF_PLACES: dict[Place, Tool] = {"calendar": calendar_create_event, "planner": planner_create_task}

Text = Annotated[str, Field(min_length=1, max_length=200, description='What to be reminded of, like "Biology quiz".')]
At = Annotated[
    str,
    Field(description="The time to be reminded at, or of what it is about. In the student's zone: 2026-11-27T15:00."),
]
Before = Annotated[int, Field(ge=0, le=20160, description="Minutes before `at` that it comes.")]
Where = Annotated[
    Place | None,
    Field(description="Left out unless the student names a way."),
]
MovesWith = Annotated[
    str, Field(max_length=LONGEST_KEY, description="Left out: what is at `at`. “nothing”: it stays when that moves.")
]
Reference = Annotated[str, Field(min_length=1, max_length=200, description="Its id from reminders_list, or its words.")]


def preview_reminder(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: what, when, by which way, and what it moves with; of a calendar or the planner also the rows of what
    is made there.
    """
    given = reminders_create.validate(arguments)
    moment = _moment(context, given["at"], given["before_minutes"])
    place = choose_place(context, given["where"])
    way = PreviewRow(label=gettext_noop("Comes as"), value=gettext(LABELS[place]), resolved={"where": place})
    if place in TOOLS_OF_PLACES:
        made = TOOLS_OF_PLACES[place]
        assert made.preview
        return (way, *made.preview(context, _arguments(place, given["text"], moment, given["calendar"])))
    when = formats.moment(moment, context.timezone)
    return (
        PreviewRow(label=gettext_noop("Reminder"), value=given["text"]),
        PreviewRow(label=gettext_noop("When"), value=when, past_at=stamp(moment)),
        way,
        *followed_row(context, given),
    )


def undo_reminder(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Take it away again, as far as it has not been sent or changed."""
    if (place := undo["where"]) in TOOLS_OF_PLACES:
        made = TOOLS_OF_PLACES[place]
        assert made.undo
        return made.undo(context, undo["made"])
    _reminders(context).remove(context.student.id, undo["id"])
    return ToolResult(output=gettext("The reminder is deleted."))


@tool(
    label=gettext_noop("Setting a reminder"),
    title=gettext_noop("Set a reminder"),
    summary=gettext_noop("Be reminded at a time, or some time before something"),
    category="planner",
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_reminder,
    undo=undo_reminder,
    also_changes=(WRITE,),
    timeout_s=30.0,
    usage_hint="Sets a reminder that comes at its time, as a notification, an e-mail, in the calendar or as a task.",
    when=("the student wants to be reminded at a time, or some time before something",),
    when_not=(
        "no time is named and none can be looked up: that is a task",
        "something takes place then: that is an event",
    ),
    examples=(
        Example(
            description="Remind me 2 hours before the biology quiz (which is on Friday at 10).",
            arguments={"text": "Biology quiz", "at": "2026-11-27T10:00", "before_minutes": 120},
        ),
        Example(
            description="Remind me tonight at 8 to call home.",
            arguments={"text": "Call home", "at": "2026-11-23T20:00"},
        ),
    ),
)
def reminders_create(
    context: ToolExecutionContext,
    *,
    text: Text,
    at: At,
    before_minutes: Before = 0,
    where: Where = None,
    calendar: IntoCalendar = None,
    moves_with: MovesWith = "",
) -> ToolResult:
    """Set a reminder for the student that comes once, at a time or so many minutes before one.

    Look the time of an assignment, quiz or event up first, and give it as `at` with before_minutes; the subtraction is
    done here.
    """
    moment, place = _moment(context, at, before_minutes), choose_place(context, where)
    if place in TOOLS_OF_PLACES:
        made = TOOLS_OF_PLACES[place]
        result = made.function(context, **made.validate(_arguments(place, text, moment, calendar)))
        return ToolResult(
            output=result.output,
            data=result.data,
            sources=result.sources,
            undo={"where": place, "made": dict(result.undo or {})},
        )
    reminders = _reminders(context)
    if len(reminders.waiting(context.student.id)) >= MOST:
        raise BadArguments(gettext("{n} reminders wait already. Delete some first.", n=MOST), field="text")
    reminder = TimedReminder(
        id=context.operation_id or secrets.token_hex(12),
        text=one_line(text),
        remind_at=moment,
        channel=CHANNELS[place],
        created_at=context.container.clock(),
    )
    reminder = reminders.add(context.student.id, following(context, reminder, moves_with))
    return ToolResult(
        output=gettext(
            "The reminder “{text}” is set for {when}, as {way}.",
            text=reminder.text,
            when=formats.moment(reminder.remind_at, context.timezone),
            way=gettext(LABELS[place]),
        )
        + f"\n(id: {reminder.id})",
        data=_data(reminder),
        undo={"where": place, "id": reminder.id},
    )


@tool(
    label=gettext_noop("Looking at your reminders"),
    title=gettext_noop("Look at your reminders"),
    summary=gettext_noop("See the reminders that are still to come"),
    category="planner",
    contexts=CONTEXTS,
    usage_hint="Shows the reminders that are still to come, the next first.",
    when=("the student asks which reminders they have set", "a reminder must be found before it is deleted"),
    when_not=("tasks or events are asked for",),
    examples=(Example(description="Which reminders have I set?", arguments={}),),
)
def reminders_list(context: ToolExecutionContext) -> ToolResult:
    """List the reminders that Homeroom will send the student as notifications or e-mails, the next first.

    Reminders that went into a calendar or the planner are found there.
    """
    found = _reminders(context).waiting(context.student.id)
    lines = [f"- **{one_line(r.text)}** — {english.moment(r.remind_at, context.timezone)} (id: {r.id})" for r in found]
    heading = declared(f"{english.count(len(found), 'reminder')} to come ({LABEL}).", Provenance.SERVICE)
    return ToolResult(output="\n".join([heading, *lines]), data={"reminders": [_data(reminder) for reminder in found]})


def preview_deletion(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the reminder and its time."""
    found = _find(context, reminders_delete.validate(arguments)["reminder"])
    when = formats.moment(found.remind_at, context.timezone)
    return (
        PreviewRow(label=gettext_noop("Reminder"), value=found.text, resolved={"reminder": found.id}),
        PreviewRow(label=gettext_noop("When"), value=when),
    )


def undo_deletion(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Set it again; one whose time has gone by meanwhile stays away."""
    moment = datetime.fromisoformat(undo["remind_at"])
    if moment <= context.now():
        raise ChangedElsewhere(LABEL, gettext("The time of this reminder is over, so it stays deleted."))
    reminder = TimedReminder(
        id=undo["id"],
        text=undo["text"],
        remind_at=moment,
        channel=CHANNELS[undo["where"]],
        created_at=context.container.clock(),
    )
    with suppress(BadArguments):
        reminder = following(context, reminder, undo.get("moves_with", ""))
    _reminders(context).add(context.student.id, reminder)
    return ToolResult(output=gettext("The reminder is set again."))


@tool(
    label=gettext_noop("Deleting a reminder"),
    title=gettext_noop("Delete a reminder"),
    summary=gettext_noop("Delete a reminder before it comes"),
    category="planner",
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_deletion,
    undo=undo_deletion,
    usage_hint="Deletes a reminder that is still to come.",
    when=("the student does not want to be reminded any more",),
    when_not=("it is a task or an event: those have tools of their own",),
    examples=(Example(description="Forget the reminder about the quiz", arguments={"reminder": "Biology quiz"}),),
)
def reminders_delete(context: ToolExecutionContext, *, reminder: Reference) -> ToolResult:
    """Delete one of the reminders that Homeroom would send.

    One that went into the calendar or the planner is deleted with the tools of those.
    """
    reminders = _reminders(context)
    if context.is_repeat and reminders.get(context.student.id, reminder) is None:
        return ToolResult(output=gettext("The reminder is deleted."))
    found = _find(context, reminder)
    if reminders.remove(context.student.id, found.id) is None:
        raise ChangedElsewhere(LABEL, gettext("This reminder was sent or deleted meanwhile."))
    return ToolResult(
        output=gettext("Deleted the reminder “{text}”.", text=one_line(found.text)),
        data=_data(found),
        undo={
            "id": found.id,
            "text": found.text,
            "remind_at": found.remind_at.isoformat(),
            "where": _data(found)["where"],
            "moves_with": found.moves_with,
        },
    )


def _moment(context: ToolExecutionContext, at: str, before_minutes: int) -> datetime:
    return remind_at(after(parse_moment(at, context.timezone, "at"), -before_minutes), context)


def _arguments(place: Place, text: str, moment: datetime, calendar: str | None) -> dict[str, Any]:
    """Arguments of the tool that makes the reminder in the calendar or the planner."""
    if place == "calendar":
        start = f"{moment:%Y-%m-%dT%H:%M}"
        entry = {"title": text, "start": start, "duration_minutes": CALENDAR_MINUTES, "reminders_minutes": [0]}
        return {**entry, "calendar": calendar}
    return {"title": text, "due_date": f"{moment:%Y-%m-%d}", "due_time": f"{moment:%H:%M}"}


def _find(context: ToolExecutionContext, reference: str) -> TimedReminder:
    """The reminder of an id or of words; raises `BadArguments` when none or several fit."""
    waiting = _reminders(context).waiting(context.student.id)
    if by_id := next((reminder for reminder in waiting if reminder.id == reference), None):
        return by_id
    fitting = best_matches(waiting, reference, lambda reminder: (reminder.text,))
    if len(fitting) == 1:
        return fitting[0]
    choices = [
        NameChoice(name=reminder.text, id=reminder.id, at=reminder.remind_at.astimezone(context.timezone))
        for reminder in fitting or waiting
    ]
    if fitting:
        raise several_fit("reminder", reference, choices)
    raise none_fits("reminder", reference, choices)


def _reminders(context: ToolExecutionContext) -> TimedReminders:
    return TimedReminders(context.container.store, context.container.clock)


def _data(reminder: TimedReminder) -> dict[str, Any]:
    """Plain JSON; times are ISO 8601 in UTC."""
    where = next(place for place, channel in CHANNELS.items() if channel is reminder.channel)
    return {"id": reminder.id, "text": reminder.text, "remind_at": reminder.remind_at.isoformat(), "where": where}
