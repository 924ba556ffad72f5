"""Changes of an event from the arguments of a tool: what becomes different, and how far it goes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from services.errors import BadArguments, ItemNotFound, PermissionMissing, RequestRefused
from services.i18n import gettext
from services.i18n.english import elapsed
from services.integrations.calendar.approval_rows import Rows, change_rows
from services.integrations.calendar.event import Event
from services.integrations.calendar.event_arguments import DEFAULT_MINUTES, Edges, day_edges, time_edges
from services.integrations.calendar.provider import EventChanges, Scope, WritableCalendars
from services.integrations.calendar.recurrence import WEEKDAYS
from services.integrations.calendar.times import after, parse_day, parse_moment
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.tools.context import ToolExecutionContext

_EDGES = ("start", "end", "duration_minutes", "all_day")
MOVING = (*_EDGES, "repeat_days")
_TEXTS = ("title", "location", "description")


@dataclass(frozen=True, kw_only=True)
class WantedChange:
    """Change as it was asked for. read: the event as it is. event, new: before and after, in the series of `scope`."""

    read: Event
    event: Event
    new: Event
    changes: EventChanges
    scope: Scope

    @property
    def rows(self) -> Rows:
        return change_rows(self.event, self.new, self.scope, notify=self.changes.notify)

    @property
    def new_times(self) -> list[tuple[datetime, datetime]]:
        """Times that it takes after the change and did not take before."""
        is_moved = _instants(self.new) != _instants(self.event)
        return [(self.new.start, self.new.end)] if is_moved and not self.new.is_all_day else []

    @property
    def own_ids(self) -> tuple[str, ...]:
        """Ids of what moves with it, which is no conflict."""
        return (self.read.id,) if self.scope is Scope.THIS else (self.read.id, self.read.series)


def wanted_change(provider: WritableCalendars, given: Mapping[str, Any], context: ToolExecutionContext) -> WantedChange:
    event = changeable_event(provider, given["event_id"], context)
    scope = scope_of(event, given["applies_to"])
    changes = requested_changes(event, given, scope, context)
    if event.is_invited and replace(changes, reminders=None, notify=False) != EventChanges():
        raise RequestRefused(
            provider.label,
            gettext("Only whoever organises this event can change that."),
            next_step=gettext("Ask the organizer."),
        )
    return WantedChange(
        read=event,
        event=provider.changed(event, EventChanges(), scope),
        new=provider.changed(event, changes, scope),
        changes=changes,
        scope=scope,
    )


def scope_of(event: Event, wanted: Scope) -> Scope:
    """Scope of a change; an event that does not repeat is always only itself."""
    if event.is_series:
        return Scope.ALL
    return wanted if event.series else Scope.THIS


def changeable_event(provider: WritableCalendars, event_id: str, context: ToolExecutionContext) -> Event:
    """Read an event that may be changed; raises `ItemNotFound` for a deleted one too."""
    try:
        event = provider.event(event_id, context.timezone)
    except ItemNotFound as missing:
        step = gettext("List the events again: it may have been moved or deleted.")
        raise ItemNotFound(provider.label, str(missing), next_step=step) from missing
    if event.is_deleted:
        raise ItemNotFound(provider.label, gettext("That event has been deleted in {label}.", label=provider.label))
    if not event.can_change:
        raise PermissionMissing(
            provider.label,
            gettext("The calendar “{calendar}” may only be looked at.", calendar=event.calendar),
            next_step=gettext("Only its owner can change it."),
        )
    return event


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
    errors = ArgumentErrorCollector()
    start, end = (errors.read(_new_edges, event, given, context) if moves else None) or (None, None)
    days = errors.read(_new_weekdays, given, scope, start)
    errors.raise_found()
    reminders, notify = given["reminders_minutes"], given["notify_guests"]
    is_told = any(guests) or (scope is Scope.FOLLOWING and bool(event.guests))
    return EventChanges(
        **{name: given[name] for name in _TEXTS},
        reminders=None if reminders is None else tuple(reminders),
        start=start,
        end=end,
        days=days,
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
    return _new_days(event, given, context) if is_all_day else _new_times(event, given, context)


def _new_days(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Edges:
    errors, (start, end) = ArgumentErrorCollector(), (given["start"], given["end"])
    if given["duration_minutes"]:
        problem = gettext("A whole-day event has no duration_minutes; give the last day as end.")
        errors.add(BadArguments(problem, field="duration_minutes"))
    first = errors.read(parse_day, start, context.timezone, "start") if start else event.start.date()
    last = errors.read(parse_day, end, context.timezone, "end") if end else None
    errors.raise_found()
    assert first
    length = event.end.date() - event.start.date() - timedelta(days=1) if event.is_all_day else timedelta(0)
    return day_edges(first, last or first + length)


def _new_times(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Edges:
    errors, (start, end) = ArgumentErrorCollector(), (given["start"], given["end"])
    if event.is_all_day and not start:
        problem = gettext("Give start with a time of day, like 2026-11-27T15:00.")
        errors.add(BadArguments(problem, field="start"))
    starts = errors.read(parse_moment, start, context.timezone, "start") if start else event.start
    ends = errors.read(parse_moment, end, context.timezone, "end") if end else None
    errors.raise_found()
    assert starts
    return time_edges(starts, ends or after(starts, given["duration_minutes"] or _minutes(event)))


def _minutes(event: Event) -> int:
    return DEFAULT_MINUTES if event.is_all_day else int(elapsed(event.start, event.end).total_seconds() // 60)


def _instants(event: Event) -> tuple[datetime, datetime]:
    """Edges to compare: within a zone Python compares what the clock shows, which is the same twice in autumn."""
    return event.start.astimezone(UTC), event.end.astimezone(UTC)
