"""Arguments of the tools that write events: types, checks, requested changes, and the undo record."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, RequestRefused
from services.i18n import formats, gettext
from services.i18n.english import elapsed
from services.integrations.calendar.access import write_calendars
from services.integrations.calendar.approval_rows import zone_row
from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import EventChanges, Scope
from services.integrations.calendar.recurrence import WEEKDAYS
from services.integrations.calendar.times import after, parse_day, parse_moment
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
_EDGES = ("start", "end", "duration_minutes", "all_day")
MOVING = (*_EDGES, "repeat_days")
_TEXTS = ("title", "location", "description")


def day_edges(first: date, last: date) -> Edges:
    """Start and end of a whole-day event from its first and last day; raises `BadArguments`."""
    if last < first:
        raise BadArguments(gettext("end is before start."), field="end")
    return first, last + timedelta(days=1)


def time_edges(start: datetime, end: datetime) -> Edges:
    """Start and end of an event with times; raises `BadArguments`."""
    if end.astimezone(UTC) <= start.astimezone(UTC):
        raise BadArguments(gettext("end is not after start."), field="end")
    return start, end


def refuse_past(
    event: Event, context: ToolExecutionContext, *, grace: timedelta, field: str = "start", may_have_begun: bool = False
) -> None:
    """Raise `BadArguments` with the reason when an event would start in the past.

    may_have_begun: only its end counts, for time before a due date.
    """
    now = context.now()
    if may_have_begun and event.end.astimezone(UTC) >= now.astimezone(UTC) - grace:
        return
    if event.is_all_day and event.start.date() < now.date():
        raise BadArguments(
            gettext(
                "{field}: {day} is in the past; today is {today}.",
                field=field,
                day=formats.day(event.start),
                today=formats.day(now),
            ),
            field=field,
        )
    if not event.is_all_day and event.start.astimezone(UTC) < now.astimezone(UTC) - grace:
        when, present = formats.moment(event.start, context.timezone), formats.moment(now, context.timezone)
        raise BadArguments(
            gettext("{field}: {when} is in the past; it is {present} now.", field=field, when=when, present=present),
            field=field,
        )


def refuse_other_zone(context: ToolExecutionContext, label: str) -> None:
    """Raise `ChangedElsewhere` when the times on the card were read in another time zone than today's."""
    if is_card_stale(context, (zone_row(context.timezone.key),)):
        raise ChangedElsewhere(
            label, gettext("Your time zone was changed since this was proposed, so nothing was added.")
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
                "There is an address in this event that neither you nor an earlier result named, so it was left out."
            ),
            next_step=gettext("Leave the address out, or write it in this chat yourself."),
        ) from None


def refuse_unnamed_guests(context: ToolExecutionContext, guests: Iterable[str]) -> None:
    """Raise `RequestRefused` for guests that the student did not name: a text could send their plans to strangers."""
    for guest in guests:
        if not context.student_said(guest):
            raise RequestRefused(
                "Homeroom",
                gettext(
                    "{guest} cannot be invited: only addresses that you wrote yourself in this chat can.", guest=guest
                ),
                next_step=gettext("Write the address in this chat yourself, or leave the guests out."),
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


def requested_changes(
    event: Event, given: Mapping[str, Any], scope: Scope, context: ToolExecutionContext
) -> EventChanges:
    """Compute what becomes different; raises `BadArguments`. scope: what the change applies to, as `scope_of` says.

    Guests are written to when they change, or when their series is cut in two, unless `notify_guests` says otherwise.
    """
    moves = any(given[name] is not None for name in _EDGES)
    guests = tuple(dict.fromkeys(add_guest.lower() for add_guest in given["add_guests"])), tuple(given["remove_guests"])
    others = [given[name] for name in (*_TEXTS, "reminders_minutes", "repeat_days")]
    if not moves and not any(guests) and all(other is None for other in others):
        raise BadArguments(gettext("Say what should change: give at least one field besides event_id."))
    start, end = _new_edges(event, given, context) if moves else (None, None)
    reminders, notify = given["reminders_minutes"], given["notify_guests"]
    is_told = any(guests) or (scope is Scope.FOLLOWING and bool(event.guests))
    return EventChanges(
        **{name: given[name] for name in _TEXTS},
        reminders=None if reminders is None else tuple(reminders),
        start=start,
        end=end,
        days=_new_weekdays(given, scope, start),
        invite=guests[0],
        uninvite=guests[1],
        notify=is_told if notify is None else notify,
    )


def _new_weekdays(given: Mapping[str, Any], scope: Scope, start: date | None) -> tuple[str, ...] | None:
    if given["repeat_days"] is None:
        return None
    if scope is Scope.THIS:
        raise BadArguments(
            gettext(
                "repeat_days is for a recurring event with applies_to following or all; one event moves with start."
            ),
            field="repeat_days",
        )
    if given["start"] and start is not None and WEEKDAYS[start.weekday()] not in given["repeat_days"]:
        raise BadArguments(gettext("start is on a day that is not among repeat_days."), field="start")
    return tuple(given["repeat_days"])


def _new_edges(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Edges:
    if given["end"] and given["duration_minutes"]:
        raise BadArguments(gettext("Give end or duration_minutes, not both."), field="duration_minutes")
    is_all_day = event.is_all_day if given["all_day"] is None else given["all_day"]
    return _new_days(event, given) if is_all_day else _new_times(event, given, context)


def _new_days(event: Event, given: Mapping[str, Any]) -> Edges:
    if given["duration_minutes"]:
        raise BadArguments(gettext("A whole-day event has no duration_minutes; give the last day as end."), field="end")
    first: date = parse_day(given["start"], "start") if given["start"] else event.start.date()
    length = event.end.date() - event.start.date() - timedelta(days=1) if event.is_all_day else timedelta(0)
    return day_edges(first, parse_day(given["end"], "end") if given["end"] else first + length)


def _new_times(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Edges:
    if event.is_all_day and not given["start"]:
        raise BadArguments(gettext("Give start with a time of day, like 2026-11-27T15:00."), field="start")
    starts = parse_moment(given["start"], context.timezone, "start") if given["start"] else event.start
    if given["end"]:
        return time_edges(starts, parse_moment(given["end"], context.timezone, "end"))
    return time_edges(starts, after(starts, given["duration_minutes"] or _minutes(event)))


def _minutes(event: Event) -> int:
    return DEFAULT_MINUTES if event.is_all_day else int(elapsed(event.start, event.end).total_seconds() // 60)
