"""What the arguments of a change ask to be different about an event."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from services.errors import BadArguments
from services.i18n import gettext
from services.i18n.english import elapsed
from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import Changes, Scope
from services.integrations.calendar.repeating import WEEKDAYS
from services.integrations.calendar.times import after, parse_day, parse_moment
from services.integrations.calendar.writing import DEFAULT_MINUTES, Edges, day_edges, time_edges
from services.tools.context import ToolExecutionContext

_EDGES = ("start", "end", "duration_minutes", "all_day")
_TEXTS = ("title", "location", "description")


def changes_of(event: Event, given: Mapping[str, Any], scope: Scope, context: ToolExecutionContext) -> Changes:
    """What becomes different; raises `BadArguments`. scope: what the change applies to, as `scope_of` says.

    Guests are written to when they change, or when their series is cut in two, unless `notify_guests` says otherwise.
    """
    moves = any(given[name] is not None for name in _EDGES)
    guests = tuple(dict.fromkeys(one.lower() for one in given["add_guests"])), tuple(given["remove_guests"])
    others = [given[name] for name in (*_TEXTS, "reminders_minutes", "repeat_days")]
    if not moves and not any(guests) and all(one is None for one in others):
        raise BadArguments(gettext("Say what should change: give at least one field besides event_id."))
    start, end = _new_edges(event, given, context) if moves else (None, None)
    reminders, notify = given["reminders_minutes"], given["notify_guests"]
    is_told = any(guests) or (scope is Scope.FOLLOWING and bool(event.guests))
    return Changes(
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
