"""Search for free time: in which days and hours, what of them is over, and the stretches that are free."""

from datetime import UTC, datetime, time, timedelta

from services.errors import BadArguments
from services.i18n import gettext
from services.i18n.english import clock, duration, moment
from services.integrations.calendar.agenda import Agenda, DayRange, read_agenda, read_days
from services.integrations.calendar.free_time_rules import Stretch, day_windows, free_stretches
from services.integrations.calendar.times import parse_clock, start_of
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.tools.context import ToolExecutionContext


class FreeTimeSearch:
    """Search for free time in days and hours, as far as they are not over.

    wanted: the days that were asked for. over: what of them is over, as a sentence, and why nothing was looked at where
    nothing is left; else empty. agenda: what is in the calendars; None where nothing is left to look at.
    """

    def __init__(
        self,
        context: ToolExecutionContext,
        start: str | None,
        end: str | None,
        day_start: str,
        day_end: str,
        buffer_minutes: int,
        weekdays_only: bool,
    ) -> None:
        now, self._zone = context.now(), context.timezone
        errors = ArgumentErrorCollector()
        days = errors.read(read_days, start, end, None, today=now.date(), default=7)
        hours = errors.read(_hours, day_start, day_end)
        errors.raise_found()
        assert days
        assert hours
        self.wanted, (self.opens, self.closes) = days, hours
        self._buffer, self._weekdays_only = timedelta(minutes=buffer_minutes), weekdays_only
        self._within = self._windows(now)
        self.over = self._over(now)
        left = self.days_left
        self.agenda: Agenda | None = read_agenda(context, left.bounds(self._zone)) if left else None

    @property
    def days_left(self) -> DayRange | None:
        """Days of which something is left."""
        if not self._within:
            return None
        first, last = (window[0].astimezone(self._zone).date() for window in (self._within[0], self._within[-1]))
        return DayRange(first=first, last=last)

    @property
    def conditions(self) -> str:
        buffer = int(self._buffer.total_seconds() // 60)
        kept = f", {duration(buffer)} kept free around events" if buffer else ""
        return f"{kept}{', Monday to Friday' if self._weekdays_only else ''}"

    @property
    def note(self) -> str:
        """Line about what is over, to follow a list; empty where nothing is."""
        return f"\nNote: {self.over}" if self.over else ""

    def free(self, minutes: int) -> list[Stretch]:
        """Free stretches of at least that many minutes."""
        busy = self.agenda.busy() if self.agenda else []
        taken = [(start.astimezone(UTC) - self._buffer, end.astimezone(UTC) + self._buffer) for start, end in busy]
        return free_stretches(taken, self._within, minutes=minutes)

    def _windows(self, now: datetime) -> list[Stretch]:
        windows = day_windows(self.wanted, self.opens, self.closes, self._zone, now=now)
        return [window for window in windows if not (self._weekdays_only and self._is_weekend(window[0]))]

    def _over(self, now: datetime) -> str:
        asked = self._windows(start_of(self.wanted.first, self._zone))
        if not asked:
            return f"{self.wanted} has no day from Monday to Friday, so nothing was looked at; give other days."
        if not self._within:
            hours = f"{self.wanted}, {clock(self.opens)} to {clock(self.closes)},"
            present = moment(now, self._zone)
            return f"{hours} is over: it is {present} now. Nothing was looked at; give days that are still to come."
        begins = self._within[0][0]
        if begins == asked[0][0]:
            return ""
        return f"what was before {moment(begins, self._zone)} is over, so only later times were looked at."

    def _is_weekend(self, at: datetime) -> bool:
        return at.astimezone(self._zone).weekday() >= 5


def _end_of_day(text: str) -> time:
    """Parse when a day ends; 24:00, which clocks do not have, is its last minute."""
    return time(23, 59) if text.strip() == "24:00" else parse_clock(text, "day_end")


def _hours(day_start: str, day_end: str) -> tuple[time, time]:
    errors = ArgumentErrorCollector()
    opens, closes = errors.read(parse_clock, day_start, "day_start"), errors.read(_end_of_day, day_end)
    errors.raise_found()
    assert opens is not None
    assert closes is not None
    if closes <= opens:
        raise BadArguments(
            gettext("day_end must be later than day_start; time past midnight belongs to the next day."),
            field="day_end",
        )
    return opens, closes
