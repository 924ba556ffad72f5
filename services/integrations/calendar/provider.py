"""Protocol of calendar providers: what the calendar's tools need of a service, whichever it is."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable
from zoneinfo import ZoneInfo

from services.i18n import ngettext
from services.integrations.calendar.event import Event
from services.integrations.calendar.recurrence import RecurrenceRule

READ, WRITE = "calendar_read", "calendar_write"
"""Capabilities that the tools require and connections give."""
FRESH_FOR_S = 30.0
"""Cache lifetime of an answer; a write through Homeroom ends it at once."""

DEFAULT_REMINDERS = (1440, 60)

Plan = Mapping[str, Any]
"""Steps of a write or an undo, as JSON that only its provider reads. Each step can be repeated."""


class Scope(StrEnum):
    """Of a recurring event: only one occurrence, it and those after it, or all."""

    # The model reads this docstring and the class's name in the schemas of the tools.

    THIS = "this"
    FOLLOWING = "following"
    ALL = "all"


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """Calendar of a student. id: the provider's mark, a slash, and its own id.

    is_selected: the student has it ticked, so it is read. blocks: what is in it takes the student's time unless they
    choose otherwise; left out, it does where they may write.
    """

    id: str
    name: str
    provider: str
    is_main: bool = False
    is_selected: bool = True
    can_write: bool = False
    timezone: str = ""
    blocks: bool | None = None


@dataclass(frozen=True, kw_only=True)
class FoundEvents:
    """Events in no particular order. unread: names of calendars that could not be read, so something may be missing.

    notes: sentences about what is missing otherwise. as_of: when the oldest part was read, where that was not just now.
    calendars: those that were read; what is in any other counts as the provider says.
    """

    events: tuple[Event, ...] = ()
    calendars: tuple[Calendar, ...] = ()
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    as_of: datetime | None = None


def unread_entries(number: int, calendar: str) -> str:
    """Note on entries that were left out because they could not be read."""
    return ngettext(
        "{n} entry of “{name}” could not be read.", "{n} entries of “{name}” could not be read.", number, name=calendar
    )


@dataclass(frozen=True, kw_only=True)
class EventDraft:
    """Event to add. start, end: aware moments, or days of which the last is not included."""

    title: str
    start: datetime | date
    end: datetime | date
    zone: ZoneInfo
    location: str = ""
    description: str = field(default="", repr=False)
    reminders: tuple[int, ...] = DEFAULT_REMINDERS
    rule: RecurrenceRule | None = None
    guests: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class EventChanges:
    """Changes to an event; None stays as it is. start and end come together.

    days: the weekdays of a weekly series, as in RFC 5545. invite: addresses of new guests. uninvite: addresses or names
    of present ones. notify: the service writes to the guests about the change.
    """

    title: str | None = None
    location: str | None = None
    description: str | None = field(default=None, repr=False)
    reminders: tuple[int, ...] | None = None
    start: datetime | date | None = None
    end: datetime | date | None = None
    days: tuple[str, ...] | None = None
    invite: tuple[str, ...] = field(default=(), repr=False)
    uninvite: tuple[str, ...] = field(default=(), repr=False)
    notify: bool = False


@dataclass(frozen=True, kw_only=True)
class WriteOutcome:
    """Outcome of a plan. is_untouched: the events have not been changed since; else nothing can be undone safely.

    undo: the plan that undoes it, None when it cannot be undone.
    """

    events: tuple[Event, ...]
    undo: Plan | None
    is_untouched: bool = True


class CalendarProvider(Protocol):
    """Calendars of one student at one service, for the length of one tool call.

    Every method raises the typed errors of `services.errors`. mark: what its ids begin with. label: for a person.
    """

    mark: str
    label: str

    def started(self) -> "CalendarProvider":
        """Copy with a fresh deadline, for one tool call."""

    def calendars(self) -> Sequence[Calendar]:
        """List every calendar that the student has there."""

    def events(
        self,
        start: datetime,
        end: datetime,
        zone: ZoneInfo,
        *,
        calendar: str = "",
    ) -> FoundEvents:
        """List what touches [start, end), series as single occurrences; of one calendar or of all selected ones."""


@runtime_checkable
class WritableCalendars(CalendarProvider, Protocol):
    """Provider that can change events too. A write is planned first, stored, and then carried out.

    Planning only reads. Carrying out the same plan again does nothing twice, whatever became of the first time; it adds
    `ChangedElsewhere` (the event was edited since it was planned) and `OutcomeUnknown`.
    """

    def event(self, id: str, zone: ZoneInfo) -> Event:
        """Read an event, occurrence or series; deleted ones too. Raises `ItemNotFound`."""

    def drafted(self, draft: EventDraft, calendar: str = "") -> Event:
        """Preview a draft as an event."""

    def changed(self, event: Event, changes: EventChanges, scope: Scope = Scope.THIS) -> Event:
        """Preview an event after changes; equal to `event`, or without changes, where they change nothing.

        How it repeats is that of the series that `scope` leaves it in: for FOLLOWING, from this occurrence on.
        """

    def adding(self, drafts: Sequence[EventDraft], *, calendar: str, key: str) -> Plan:
        """Plan to add events to a calendar ("" for the main one); ids are made of `key`."""

    def changing(self, event: Event, changes: EventChanges, scope: Scope, *, key: str) -> Plan:
        """Plan to change an event. Raises `BadArguments` for what cannot be done to a series."""

    def removing(self, event: Event, scope: Scope, *, key: str, notify: bool = False) -> Plan:
        """Plan to delete an event. notify: the service writes to the guests about it."""

    def carry_out(self, plan: Plan, zone: ZoneInfo) -> WriteOutcome:
        """Carry out a plan."""

    def take_back(self, undo: Plan, zone: ZoneInfo) -> Sequence[Event]:
        """Undo a write; events that were changed since are left alone and returned."""


_RENAMED = {"Found": FoundEvents, "Draft": EventDraft, "Changes": EventChanges, "Done": WriteOutcome}


def __getattr__(name: str) -> Any:
    """Look up a class by its old name, for one version: calendars of other packages import them."""
    if name not in _RENAMED:
        raise AttributeError(name)
    warnings.warn(f"{name} is now {_RENAMED[name].__name__}.", DeprecationWarning, stacklevel=2)
    return _RENAMED[name]
