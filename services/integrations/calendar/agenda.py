"""Agenda: the events of all of a student's calendars in a range of time, without duplicates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import BadArguments, ServiceError
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, days
from services.integrations.calendar.access import (
    assistant_calendar,
    calendar_named,
    read_calendars,
    readable_integrations,
)
from services.integrations.calendar.calendar_choices import with_choices
from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import CalendarProvider, FoundEvents
from services.integrations.calendar.times import parse_day, start_of
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext

MOST_DAYS = 370
MOST_NAMED = 5
LONGEST_TITLE = 80
CHANGE_BLOCKING = "The student chooses under Connections which calendars take their time."
ONLY_DUE_DATES = gettext_noop(
    "due dates here come from a calendar feed, which shows no grades and nothing about what was handed in."
)
FirstDay = Annotated[str | None, Field(description="First day, like 2026-11-23; default today.")]
LastDay = Annotated[str | None, Field(description="Last day, included, like 2026-11-29.")]
HowManyDays = Annotated[
    int | None,
    Field(ge=1, le=366, description="How many days, instead of end; default 7."),
]


@dataclass(frozen=True, kw_only=True)
class DayRange:
    """Range of whole days, both included."""

    first: date
    last: date

    def __str__(self) -> str:
        return days(self.first, self.last)

    def dates(self) -> list[date]:
        return [self.first + timedelta(days=n) for n in range((self.last - self.first).days + 1)]

    def before(self, on: date) -> "DayRange | None":
        """Days of it before a day, None where there are none."""
        return DayRange(first=self.first, last=min(self.last, on - timedelta(days=1))) if self.first < on else None

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        return start_of(self.first, zone), start_of(self.last + timedelta(days=1), zone)


@dataclass(frozen=True, kw_only=True)
class Agenda:
    """Events of all calendars. events: in order of time. labels: the providers that answered.

    notes: lines about what may be missing. only: the name of the calendar that the assistant is restricted to.
    optional: names of the calendars that take none of the student's time.
    """

    events: tuple[Event, ...]
    labels: tuple[str, ...]
    notes: tuple[str, ...]
    remarks: tuple[str, ...]
    unread: tuple[str, ...]
    as_of: datetime
    only: str = ""
    optional: tuple[str, ...] = ()

    @property
    def is_mixed(self) -> bool:
        return len(self.labels) > 1

    @property
    def source(self) -> str:
        """Providers and time of reading: "Google Calendar, as of 10:42 AM"."""
        only = f", only “{self.only}”" if self.only else ""
        return f"{' and '.join(self.labels)}{only}, as of {clock(self.as_of)}"

    def lines(self) -> str:
        """Format notes and remarks as lines that follow a list of events."""
        return "".join(f"\nNote: {note}" for note in (*self.notes, *self.remarks))

    def gap_lines(self) -> str:
        """Format the notes, and what does not count as busy; what a due date does not tell is nothing to free time."""
        return "".join(f"\nNote: {note}" for note in (*self.notes, *self._uncounted()))

    def data(self) -> dict[str, list[str]]:
        """Convert notes and remarks to JSON."""
        return {"notes": list(self.notes), "remarks": list(self.remarks), "optional_calendars": list(self.optional)}

    def _uncounted(self) -> Iterator[str]:
        """Say which calendars and undecided events take no time here, so that the model can say so."""
        if self.optional:
            names = _first([f"“{name}”" for name in self.optional])
            yield f"what is in {names} takes no time, as the student may attend it or not. {CHANGE_BLOCKING}"
        undecided = [
            f"“{one_line(event.title, LONGEST_TITLE)}” ({event.when}, {event.free_reason})"
            for event in self.events
            if event.free_reason and event.free_reason.is_open
        ]
        if undecided:
            yield f"not counted as busy, because it is not settled: {_first(undecided)}."

    def busy(self) -> list[tuple[datetime, datetime]]:
        return [(event.start, event.end) for event in self.events if event.is_busy]


def _first(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - MOST_NAMED} more" if len(texts) > MOST_NAMED else ""
    return f"{', '.join(texts[:MOST_NAMED])}{more}"


def read_days(
    start: str | None, end: str | None, count: int | None, zone: ZoneInfo, *, today: date, default: int
) -> DayRange:
    """Parse the days that a tool was asked for: from `start` (today) to `end`, or `count` (or `default`) days.

    Raises `BadArguments` with all that is wrong.
    """
    errors = ArgumentErrorCollector()
    first = errors.read(parse_day, start, zone, "start") if start else today
    last = errors.read(parse_day, end, zone, "end") if end else None
    if end and count:
        errors.add(BadArguments(gettext("Give end or days, not both."), field="days"))
    errors.raise_found()
    assert first
    last = last or first + timedelta(days=(count or default) - 1)
    if last < first:
        raise BadArguments(
            gettext("end is before start.")
            if start
            else gettext("end is before today, where it starts when start is left out; give start as well."),
            field="end",
        )
    if (last - first).days >= MOST_DAYS:
        raise BadArguments(gettext("That is more than a year; ask for fewer days."), field="end")
    return DayRange(first=first, last=last)


def read_agenda(
    context: ToolExecutionContext,
    between: tuple[datetime, datetime],
    *,
    calendar: str | None = None,
) -> Agenda:
    """Read everything that touches a range of time, in all selected calendars or the named one.

    What takes the student's time goes by their choice of calendars. A provider that fails while another answers is
    named in the notes; when none answers, its error is raised.
    """

    def ask(provider: CalendarProvider) -> FoundEvents:
        return provider.events(*between, context.timezone, calendar=only)

    integration, only, name = _restricted_to(context, calendar)
    found: list[tuple[str, FoundEvents]] = []
    problems: list[tuple[str, ServiceError]] = []
    optional: list[str] = []
    for id in readable_integrations(context) if integration is None else [integration]:
        label = context.container.integrations[id].label
        try:
            part = read_calendars(context, id, ask)
        except ServiceError as problem:
            problems.append((label, problem))
            continue
        events, names = with_choices(part, context.connections[id].blocking, is_only=bool(name))
        found.append((label, replace(part, events=tuple(events))))
        optional += names
    if not found:
        raise problems[0][1]
    return replace(_merged(found, problems, now=context.now()), only=name, optional=tuple(optional))


def _restricted_to(context: ToolExecutionContext, calendar: str | None) -> tuple[str | None, str, str]:
    """Resolve the single calendar to read: integration, id, and the name when it is the assistant's restriction."""
    if calendar:
        integration, wanted = calendar_named(context, calendar)
        return integration, wanted.id, ""
    if (assistants := assistant_calendar(context)) is None:
        return None, "", ""
    return assistants[0], assistants[1].id, assistants[1].name


def _merged(found: list[tuple[str, FoundEvents]], problems: list[tuple[str, ServiceError]], *, now: datetime) -> Agenda:
    events = sorted(
        _without_duplicates([event for _, part in found for event in part.events]), key=lambda event: event.order
    )
    notes = [
        gettext(
            "{label} could not be read ({problem}), so something may be missing.", label=gettext(label), problem=problem
        )
        for label, problem in problems
    ]
    for label, part in found:
        notes += part.notes
        if part.unread:
            names = ", ".join(f"“{name}”" for name in part.unread)
            hidden = gettext(
                "{label} would not show the calendar {names}, so something may be missing here.",
                label=gettext(label),
                names=names,
            )
            notes.append(hidden)
    return Agenda(
        events=tuple(events),
        labels=tuple(label for label, _ in found),
        notes=tuple(notes),
        remarks=(gettext(ONLY_DUE_DATES),) if any(event.is_due for event in events) else (),
        unread=tuple(name for _, part in found for name in part.unread),
        as_of=min([part.as_of.astimezone(now.tzinfo) for _, part in found if part.as_of] or [now]),
    )


def _without_duplicates(events: Sequence[Event]) -> Iterator[Event]:
    """Drop duplicates of an event in a second calendar: the same UID, or the same title, at the same time.

    The one that takes time stays: what the student has copied from a calendar of offers is no offer any more.
    """
    seen: dict[tuple[str, datetime, datetime], str] = {}
    for event in sorted(events, key=lambda event: not event.is_busy):
        start, end, _ = event.order
        keys = [(name.casefold(), start, end) for name in (event.uid, event.title) if name]
        home = f"{event.provider}/{event.calendar}"
        if any(seen.get(key, home) != home for key in keys):
            continue
        seen.update(dict.fromkeys(keys, home))
        yield event
