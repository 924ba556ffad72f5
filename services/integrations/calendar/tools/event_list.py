"""Tools that list the events and the calendars of a student."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import clock, count, sentence
from services.integrations.calendar.access import all_calendars, calendar_named, calendar_read_tool
from services.integrations.calendar.agenda import (
    CHANGE_BLOCKING,
    Agenda,
    DayRange,
    FirstDay,
    HowManyDays,
    LastDay,
    read_agenda,
    read_days,
)
from services.integrations.calendar.calendar_choices import blocks_time
from services.integrations.calendar.event import event_data, event_line, event_sources
from services.integrations.calendar.event_search import closest_titles, events_with_words
from services.integrations.calendar.provider import Calendar
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.result_contracts import CALENDARS, EVENTS
from services.tools.tool import Example

MOST_SHOWN = 100
MOST_NEAR = 5
NO_DUE_DATES = "a calendar knows due dates only from a feed of the courses; this says nothing of what is due elsewhere."
CLOSE = "no event has exactly these words; these have words like them."

CalendarName = Annotated[
    str | None,
    Field(max_length=300, description="Only this calendar, by its name."),
]


@calendar_read_tool(
    label=gettext_noop("Looking at your calendar"),
    title=gettext_noop("Look at your calendar"),
    summary=gettext_noop("See what is in your calendars on some days"),
    produces=(EVENTS,),
    usage_hint="Shows the events of some days, or those with certain words.",
    when=("the student asks what is on a day or in a week", "an event must be found before it is changed"),
    when_not=("due dates of courses are asked for: courses know more about them", "only free time is asked for"),
    examples=(
        Example(description="What is on this week?", arguments={"days": 7}),
        Example(
            description="When is my next biology lab?",
            arguments={"start": "2026-11-21", "days": 60, "search": "biology lab"},
        ),
        Example(
            description="What is due next week, from a calendar feed?",
            arguments={"start": "2026-11-23", "end": "2026-11-29", "kind": "due_dates"},
        ),
    ),
)
def calendar_list_events(
    context: ToolExecutionContext,
    *,
    start: FirstDay = None,
    end: LastDay = None,
    days: HowManyDays = None,
    search: Annotated[
        str | None,
        Field(
            max_length=200, description='Only events with all these words in title, place or notes, like "biology lab".'
        ),
    ] = None,
    calendar: CalendarName = None,
    kind: Annotated[
        Literal["all", "events", "due_dates"],
        Field(description="due_dates: only those of a calendar feed. events: all but those."),
    ] = "all",
) -> ToolResult:
    """List the events in the student's calendars on some days, in order of time,
    with the calendar each event is in.

    For plans, meetings, the schedule of a day or week, and the id of an event to change or delete. Every calendar
    that the student has ticked, and feeds; recurring events as single occurrences. Due
    dates are here only from a feed.
    """
    wanted = _days(context, start, end, days, calendar)
    agenda = read_agenda(context, wanted.bounds(context.timezone), calendar=calendar)
    in_words, is_close = events_with_words(agenda.events, search or "")
    found = [event for event in in_words if kind == "all" or event.is_due == (kind == "due_dates")]
    shown = found[:MOST_SHOWN]
    if not any(event.is_due for event in shown):
        agenda = replace(agenda, remarks=())  # They are about due dates alone.
    about = f" with “{one_line(search, 60)}”" if search else ""
    noun = "due date" if kind == "due_dates" else "event"
    heading = f"{count(len(found), noun)}{about}, {wanted} ({agenda.source})."
    if kind == "due_dates" and not any(event.is_due for event in agenda.events):
        agenda = replace(agenda, remarks=(NO_DUE_DATES,))
    notes = [CLOSE] if is_close and found else [] if in_words else _closest_titles(agenda, search or "")
    if len(found) > MOST_SHOWN:
        notes.append(f"only the first {MOST_SHOWN} of {len(found)} are shown; ask for fewer days, or search.")
    lines = [event_line(event, with_provider=agenda.is_mixed) for event in shown]
    return ToolResult(
        output="\n".join([sentence(heading), *lines, *(f"Note: {note}" for note in notes)]) + agenda.lines(),
        data={
            "events": [event_data(event) for event in shown],
            "total": len(found),
            "unread_calendars": list(agenda.unread),
            **agenda.data(),
        },
        sources=event_sources(*shown),
        is_partial=len(found) > MOST_SHOWN or bool(agenda.notes),
    )


def _days(
    context: ToolExecutionContext, start: str | None, end: str | None, days: int | None, calendar: str | None
) -> DayRange:
    """Read the days; raises `BadArguments` that says what is wrong with the calendar's name, too."""
    errors = ArgumentErrorCollector()
    wanted = errors.read(read_days, start, end, days, context.timezone, today=context.now().date(), default=7)
    if wanted is None and calendar:
        errors.read(calendar_named, context, calendar)
    errors.raise_found()
    assert wanted
    return wanted


def _closest_titles(agenda: Agenda, words: str) -> list[str]:
    titles = [f"“{one_line(title, 80)}”" for title in closest_titles(agenda.events, words, MOST_NEAR)]
    return [f"no event has all these words; closest by title: {', '.join(titles)}."] if titles else []


@calendar_read_tool(
    label=gettext_noop("Looking at your calendars"),
    title=gettext_noop("Look at your calendars"),
    summary=gettext_noop("See which calendars you have, and which can be written to"),
    produces=(CALENDARS,),
    usage_hint="Shows which calendars there are, and which can be written to.",
    when=("an event is to go into a certain calendar", "a calendar seems to be missing"),
    when_not=("events are asked for, not calendars",),
    examples=(Example(description="Which calendars do I have?", arguments={}),),
)
def calendar_list_calendars(context: ToolExecutionContext) -> ToolResult:
    """Tell the names of the calendars themselves, whether Homeroom may write into them, and whether their events take
    the student's time; not what is in them.
    """
    found = all_calendars(context)
    labels = " and ".join(dict.fromkeys(calendar.provider for _, calendar in found))
    heading = f"{count(len(found), 'calendar')} ({labels}, as of {clock(context.now())})."
    rows = [
        {
            **_calendar_data(calendar),
            "integration": id,
            "blocks": blocks_time(calendar, context.connections[id].blocking),
        }
        for id, calendar in found
    ]
    return ToolResult(
        output="\n".join([sentence(heading), *map(_calendar_line, rows), f"Note: {CHANGE_BLOCKING}"]),
        data={"calendars": rows},
    )


def _calendar_line(row: Mapping[str, Any]) -> str:
    parts = [
        f"**{row['name']}**",
        row["provider"],
        "the main calendar" if row["main"] else "",
        "counted when reading" if row["selected"] else "not ticked, so not counted",
        "can be written to" if row["can_write"] else "can only be read",
        "takes the student's time" if row["blocks"] else "takes no time: they may attend what is in it",
    ]
    return f"- {' — '.join(part for part in parts if part)} (id: {row['id']})"


def _calendar_data(calendar: Calendar) -> dict[str, Any]:
    return {
        "id": calendar.id,
        "name": calendar.name,
        "provider": calendar.provider,
        "main": calendar.is_main,
        "selected": calendar.is_selected,
        "can_write": calendar.can_write,
        "timezone": calendar.timezone,
    }
