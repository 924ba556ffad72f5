"""Series of an event as it was read: its master, the occurrences that were left out or moved, and a part of it."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import EventChanges, Scope
from services.integrations.google_calendar.errors import LABEL
from services.integrations.google_calendar.payloads import Json, instant_of
from services.integrations.google_calendar.recurring_events import is_first, series_from
from services.integrations.kit.payloads import payload_guard


def event_json(event: Event) -> Json:
    return dict(event.raw["json"])


def master_of(event: Event) -> Json | None:
    master: Json | None = event.raw.get("master")
    return master


def cuts_series(event: Event, scope: Scope) -> bool:
    """Check whether a change cuts the event's series in two."""
    master = master_of(event)
    return scope is Scope.FOLLOWING and master is not None and not is_first(master, event_json(event))


def series_of(event: Event, scope: Scope, changes: EventChanges) -> Json | None:
    """Series that a change applies to: the event's own or, where it is cut in two, the part from the event on.

    The part has its own dates for the occurrences that were left out or moved, which would come back otherwise; not for
    the event itself where it gets a new time.
    """
    whole = event_json(event) if event.is_series else master_of(event)
    if whole is None or not cuts_series(event, scope):
        return whole
    own = exception_lines([event_json(event)]) if changes.start or changes.days else []
    exceptions = [line for line in exceptions_of(event) if line not in own]
    return series_from({**whole, "recurrence": [*whole["recurrence"], *exceptions]}, event_json(event))


def exceptions_of(event: Event) -> list[str]:
    """EXDATE and RDATE lines for the occurrences that were left out or moved, as far as they were read."""
    return list(event.raw.get("exceptions") or ())


def kept_exceptions(event: Event, series: Json) -> list[str]:
    """Exceptions that still are some of a series after a change: none where it takes place at other times."""
    whole = event_json(event) if event.is_series else master_of(event) or {}
    is_same = all(series.get(name) == whole.get(name) for name in ("start", "recurrence"))
    return exceptions_of(event) if is_same else []


@payload_guard(LABEL)
def exception_lines(instances: Iterable[Json]) -> list[str]:
    """Write occurrences that were left out or moved one by one as EXDATE and RDATE lines (RFC 5545, 3.8.5)."""
    lines: list[str] = []
    for instance in instances:
        planned, takes_place = instant_of(instance["originalStartTime"]), instant_of(instance.get("start"))
        is_left_out = instance.get("status") == "cancelled"
        if planned and (is_left_out or takes_place != planned):
            lines.append(f"EXDATE{_written(planned)}")
            if takes_place and not is_left_out and isinstance(takes_place, datetime) == isinstance(planned, datetime):
                lines.append(f"RDATE{_written(takes_place)}")
    return lines


def _written(at: datetime | date) -> str:
    return f":{at.astimezone(UTC):%Y%m%dT%H%M%SZ}" if isinstance(at, datetime) else f";VALUE=DATE:{at:%Y%m%d}"
