"""Which stretches of time nothing takes. Everything here counts in UTC, where clocks never change."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.integrations.calendar.agenda import Days
from services.integrations.calendar.times import earliest, latest

Stretch = tuple[datetime, datetime]


def windows(wanted: Days, opens: time, closes: time, zone: ZoneInfo, *, now: datetime) -> Iterator[Stretch]:
    """The part of each wanted day between two times of day, as far as it is not past."""
    for on in wanted.all():
        start = max(earliest(on, opens, zone).astimezone(UTC), _next_quarter(now))
        end = latest(on, closes, zone).astimezone(UTC)
        if start < end:
            yield start, end


def free_stretches(busy: Iterable[Stretch], within: Iterable[Stretch], *, minutes: int) -> list[Stretch]:
    """What is left of `within` without `busy`, as far as a piece lasts that many minutes."""
    taken = sorted((start.astimezone(UTC), end.astimezone(UTC)) for start, end in busy)
    least = timedelta(minutes=minutes)
    return [piece for window in within for piece in _gaps(taken, *window) if piece[1] - piece[0] >= least]


def _gaps(taken: list[Stretch], opens: datetime, closes: datetime) -> Iterator[Stretch]:
    free_from = opens
    for start, end in taken:
        if start >= closes:
            break
        if start > free_from:
            yield free_from, start
        free_from = max(free_from, end)
    if free_from < closes:
        yield free_from, closes


def _next_quarter(now: datetime) -> datetime:
    """Now, or the next quarter of an hour: nobody starts at 10:43:17."""
    late = timedelta(minutes=now.minute % 15, seconds=now.second, microseconds=now.microsecond)
    return now.astimezone(UTC) - late + (timedelta(minutes=15) if late else timedelta(0))
