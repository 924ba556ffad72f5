"""Arguments of the tools that write events: types, checks, requested changes, and the undo record."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, RequestRefused
from services.i18n import formats, gettext
from services.integrations.calendar.access import write_calendars
from services.integrations.calendar.approval_rows import zone_row
from services.integrations.kit.localized import join_list
from services.integrations.kit.writes import is_card_stale
from services.safety.fetch import AddressRefused
from services.safety.link_urls import linkable_urls
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult

DEFAULT_MINUTES = 60
# An approved card may be acted on a little after the start it shows; a new one may not be made then.
APPROVAL_GRACE = timedelta(hours=1)

Reminder = Annotated[int, Field(ge=0, le=40320)]
Title = Annotated[str, Field(min_length=1, max_length=300, description='Like "Study for Biology".')]
Location = Annotated[str, Field(max_length=500, description='Like "Main Library, room 204".')]
Notes = Annotated[str, Field(max_length=4000, description="Notes, as plain text.")]
Reminders = Annotated[
    tuple[Reminder, ...],
    Field(max_length=5, description="Minutes before the start; [] for none."),
]
IntoCalendar = Annotated[
    str | None,
    Field(max_length=300, description="The calendar to write into, by its name; default the main one."),
]
EventId = Annotated[str, Field(min_length=1, max_length=1200, description="The id that calendar_list_events gave.")]

Guest = Annotated[str, Field(pattern=r"^[^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;]+$", max_length=254)]

Edges = tuple[datetime | date, datetime | date]

_ASK_FOR_DAY = "Ask the student which day they mean."


def day_edges(first: date, last: date) -> Edges:
    """Start and end of a whole-day event from its first and last day; raises `BadArguments`."""
    if last < first:
        raise BadArguments(gettext("end is before start."), field="end")
    return first, last + timedelta(days=1)


def time_edges(start: datetime, end: datetime) -> Edges:
    """Start and end of an event with times; raises `BadArguments`.

    Of an end that happens twice, the second is meant where the first is not after the start.
    """
    if end.astimezone(UTC) <= start.astimezone(UTC):
        end = end.replace(fold=1)
    if end.astimezone(UTC) <= start.astimezone(UTC):
        raise BadArguments(gettext("end is not after start."), field="end")
    return start, end


def refuse_past(
    start: datetime | date,
    end: datetime | date,
    context: ToolExecutionContext,
    *,
    grace: timedelta,
    field: str = "start",
    may_have_begun: bool = False,
) -> None:
    """Raise `BadArguments` with the reason when an event would start in the past.

    may_have_begun: only its end counts, for time before a due date.
    """
    now = context.now()
    at = end if may_have_begun else start
    if not isinstance(at, datetime):
        if at < now.date():
            day, today = formats.day(at), formats.day(now)
            raise BadArguments(
                gettext("{field}: {day} is in the past; today is {today}.", field=field, day=day, today=today),
                field=field,
                next_step=_ASK_FOR_DAY,
            )
    elif at.astimezone(UTC) < now.astimezone(UTC) - grace:
        when, present = formats.moment(at, context.timezone), formats.moment(now, context.timezone)
        raise BadArguments(
            gettext("{field}: {when} is in the past; it is {present} now.", field=field, when=when, present=present),
            field=field,
            next_step=_ASK_FOR_DAY,
        )


def refuse_other_zone(context: ToolExecutionContext, label: str) -> None:
    """Raise `ChangedElsewhere` when the times on the card were read in another time zone than today's."""
    if is_card_stale(context, (zone_row(context.timezone.key),)):
        raise ChangedElsewhere(
            label, gettext("The time zone was changed since this was proposed, so nothing was added.")
        )


def refuse_unknown_links(context: ToolExecutionContext, *texts: str | None) -> None:
    """Raise `RequestRefused` for a link that neither the student nor an earlier result named: it could be a trap."""
    try:
        found = linkable_urls(text for text in texts if text)
        context.require_known(*(address for address in found if address.startswith("http")), is_shown=True)
    except AddressRefused:
        raise RequestRefused(
            "Homeroom",
            gettext(
                "There is an address in this event that no message in this chat and no earlier result named, "
                "so it was left out."
            ),
            next_step=gettext("Leave the address out until it stands in a message of this chat."),
        ) from None


def refuse_unnamed_guests(context: ToolExecutionContext, guests: Iterable[str]) -> None:
    """Raise `RequestRefused` for guests that the student did not name: a text could send their plans to strangers."""
    for guest in guests:
        if not context.student_said(guest):
            raise RequestRefused(
                "Homeroom",
                gettext(
                    "{guest} cannot be invited: only addresses that stand in a message of this chat can.", guest=guest
                ),
                next_step=gettext("Leave the guests out until their addresses stand in a message of this chat."),
            )


def undo_record(integration: str, plan: Mapping[str, Any] | None, *titles: str) -> dict[str, Any] | None:
    """Build the stored undo of a write: whose connection, the provider's plan, and titles for the answer."""
    return None if plan is None else {"integration": integration, "plan": dict(plan), "titles": list(titles)}


def undo_write(context: ToolExecutionContext, undo: Mapping[str, Any], sentence: str) -> ToolResult:
    """Undo a write, except what was changed since; `sentence`, marked by `gettext_noop`, has "{titles}" in it."""
    left = write_calendars(
        context, undo["integration"], lambda _, provider: provider.take_back(undo["plan"], context.timezone)
    )
    titles = join_list([f"“{title}”" for title in dict.fromkeys(undo["titles"])])
    output = gettext(sentence, titles=titles or gettext("The event"))
    if left:
        kept = ", ".join(f"“{event.title}” ({event.shown})" for event in left)
        output += " " + gettext("Left alone, because it was changed since: {events}.", events=kept)
    return ToolResult(output=output)
