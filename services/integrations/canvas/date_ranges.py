"""Date ranges that the assignment tools ask for: upcoming, overdue, a range of days."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import gettext
from services.i18n.english import days

_AHEAD = timedelta(days=13)
_FAR_AHEAD = timedelta(days=119)
_LONGEST = timedelta(days=400)


class WorkWindow(StrEnum):
    """Window of `canvas_list_assignments`, by due date or by state."""

    UPCOMING = "upcoming"
    OVERDUE = "overdue"
    UNSUBMITTED = "unsubmitted"
    WAITING = "waiting"
    GRADED = "graded"
    LATE = "late"
    PAST = "past"
    RANGE = "range"
    ALL = "all"


_BACK = {WorkWindow.PAST: timedelta(days=30), WorkWindow.GRADED: timedelta(days=14)}
_UNBOUNDED = (
    WorkWindow.OVERDUE,
    WorkWindow.UNSUBMITTED,
    WorkWindow.WAITING,
    WorkWindow.LATE,
    WorkWindow.ALL,
)


@dataclass(frozen=True, kw_only=True)
class DateRange:
    """Range of whole days, both included, cut at now for what is ahead or behind."""

    first: date
    last: date
    start: datetime
    end: datetime

    def __str__(self) -> str:
        return days(self.first, self.last)

    def contains(self, moment: datetime) -> bool:
        return self.start <= moment < self.end


def read_period(
    window: WorkWindow, start: date | None, end: date | None, *, now: datetime, far: bool = False
) -> DateRange | None:
    """Compute the range of a window; None when it has no bounds. `now` is in the student's zone.

    far: look ahead four months instead of two weeks, for questions about a few things only. Raises `BadArguments`.
    """
    try:
        return _read_period(window, start, end, now, _FAR_AHEAD if far else _AHEAD)
    except OverflowError:
        raise BadArguments(gettext("That is beyond the calendar."), field="start" if start else "end") from None


def _read_period(
    window: WorkWindow, start: date | None, end: date | None, now: datetime, ahead: timedelta
) -> DateRange | None:
    today = now.date()
    if window is WorkWindow.RANGE and not (start and end):
        raise BadArguments(gettext("A range needs a start and an end."), field="start")
    if window in _UNBOUNDED and not (start or end):
        return None
    back = _BACK.get(window)
    first = start or ((end or today) - back if back else min(today, end or today))
    last = end or (today if back else max(today, first) + ahead)
    if last < first:
        raise BadArguments(gettext("The end is before the start."), field="end")
    if last - first > _LONGEST:
        raise BadArguments(gettext("That is more than a year. Ask for fewer days."), field="end")
    return _period(first, last, now, window)


def whole_days(first: date, last: date, zone: ZoneInfo) -> DateRange:
    """Range from the first midnight of these days to the last."""
    start = datetime.combine(first, time.min, zone)
    return DateRange(
        first=first, last=last, start=start, end=datetime.combine(last + timedelta(days=1), time.min, zone)
    )


def _period(first: date, last: date, now: datetime, window: WorkWindow) -> DateRange:
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    whole = whole_days(first, last, zone)
    start = max(whole.start, now) if window is WorkWindow.UPCOMING else whole.start
    end = min(whole.end, now) if window is WorkWindow.PAST else whole.end
    return DateRange(first=first, last=last, start=start, end=end)
