"""Tools that add study sessions over several days, and an assignment's due date."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext_noop
from services.integrations.calendar.access import calendar_write_tool, write_target
from services.integrations.calendar.approval_rows import conflict_rows, session_rows
from services.integrations.calendar.event_arguments import (
    IntoCalendar,
    Location,
    Notes,
    Reminders,
    Title,
    refuse_unknown_links,
)
from services.integrations.calendar.event_drafts import due_date_draft, session_drafts
from services.integrations.calendar.provider import DEFAULT_REMINDERS
from services.integrations.calendar.times import parse_moment
from services.integrations.calendar.tools.event_creation import add_events, preview_event, read_draft, undo_creation
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Example

MOST_SESSIONS = 20
SHORTEST_SESSION = 15


def preview_sessions(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Build one approval card with all sessions."""
    given = calendar_create_study_sessions.validate(arguments)
    drafts, where = read_draft(context, given, session_drafts)
    refuse_unknown_links(context, given["location"], given["description"])
    clashes = conflict_rows(context, [(draft.start, draft.end) for draft in drafts])
    return (*session_rows(drafts, where, context), *clashes)


@calendar_write_tool(
    label=gettext_noop("Adding study sessions"),
    title=gettext_noop("Add study sessions to your calendar"),
    summary=gettext_noop("Add several study sessions on different days at once"),
    preview=preview_sessions,
    undo=undo_creation,
    timeout_s=45.0,
    usage_hint="Adds several study sessions on different days with one approval.",
    when=("the student wants time for one subject on several days",),
    when_not=("it is one event only", "it repeats by a rule, such as every Monday"),
    examples=(
        Example(
            description="Plan three sessions of 90 minutes for my biology exam.",
            arguments={
                "title": "Study for the BIOL 201 exam",
                "starts": ["2026-11-24T16:00", "2026-11-26T10:00", "2026-11-28T14:00"],
                "duration_minutes": 90,
            },
        ),
    ),
)
def calendar_create_study_sessions(
    context: ToolExecutionContext,
    *,
    title: Title,
    starts: Annotated[
        tuple[str, ...],
        Field(
            min_length=1,
            max_length=MOST_SESSIONS,
            description='When each starts, in the student\'s time zone, like ["2026-11-24T16:00", "2026-11-26T10:00"].',
        ),
    ],
    duration_minutes: Annotated[int, Field(ge=SHORTEST_SESSION, le=720, description="How long each lasts.")] = 60,
    location: Location = "",
    description: Notes = "",
    reminders_minutes: Reminders = DEFAULT_REMINDERS,
    calendar: IntoCalendar = None,
) -> ToolResult:
    """Add several study sessions on different days at once, on one card.

    To spread work over days. First find good times, before the exam or due date.
    """
    given = {
        "title": title,
        "starts": starts,
        "duration_minutes": duration_minutes,
        "location": location,
        "description": description,
        "reminders_minutes": reminders_minutes,
    }
    return add_events(context, lambda current: session_drafts(current, given), write_target(context, calendar))


def preview_due_date(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Build the approval card of a due date."""
    given = calendar_add_due_date.validate(arguments)
    if given["link"]:
        context.require_known(given["link"], is_shown=True)
    draft, where = read_draft(context, given, due_date_draft)
    # The time before it that is kept free may have begun.
    return preview_event(context, draft, where, past_at=parse_moment(given["due"], context.timezone, "due"))


@calendar_write_tool(
    label=gettext_noop("Adding a due date"),
    title=gettext_noop("Add a due date to your calendar"),
    summary=gettext_noop("Put an assignment's due date into your calendar, with its link"),
    preview=preview_due_date,
    undo=undo_creation,
    usage_hint="Puts one assignment's due date into the calendar, with its link.",
    when=("the student wants to see a due date in their calendar",),
    when_not=("time to work on it is wanted: that is a study session", "the date is in the calendar already"),
    examples=(
        Example(
            description="Put the essay's due date into my calendar.",
            arguments={
                "assignment": "Essay 4",
                "course": "WRIT 110",
                "due": "2026-11-27T23:59",
                "link": "https://canvas.example.edu/courses/1/assignments/2",
            },
        ),
    ),
)
def calendar_add_due_date(
    context: ToolExecutionContext,
    *,
    assignment: Annotated[
        str, Field(min_length=1, max_length=250, description="The assignment's title, as its course has it.")
    ],
    due: Annotated[str, Field(description="Like 2026-11-27T23:59.")],
    course: Annotated[str, Field(max_length=100, description="Like BIOL 201.")] = "",
    link: Annotated[str, Field(max_length=500, description="Its address, as a tool gave it.")] = "",
    block_minutes: Annotated[
        int, Field(ge=5, le=480, description="How long before the due time the entry begins.")
    ] = 30,
    reminders_minutes: Reminders = DEFAULT_REMINDERS,
    calendar: IntoCalendar = None,
) -> ToolResult:
    """Add an assignment's due date to the student's calendar, with its link, ending at the minute it is due.

    Look the assignment up first and give title, due time and link exactly as they came. An exam takes place
    from then on: it is an event of its own, with calendar_create_event.
    """
    given = {
        "assignment": assignment,
        "due": due,
        "course": course,
        "link": link,
        "block_minutes": block_minutes,
        "reminders_minutes": reminders_minutes,
    }
    return add_events(context, lambda current: [due_date_draft(current, given)], write_target(context, calendar))
