"""Daily counters: what loading tools cost and saved, as one document of numbers for each student and day."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.identity.students import Students
from services.runtime.clock import Clock, moment, stamp
from services.storage.store import DocumentViews, Store

COLLECTION = "discovery_days"
TOTALS = "discovery_totals"
KEPT_DAYS = 100
_RESET = "reset"
_BETWEEN = "__"
_UNFIT = re.compile(r"[^A-Za-z0-9_-]", re.ASCII)


_summed_amounts: ContextVar[dict[tuple[str, str], Counter[str]] | None] = ContextVar("summed_amounts", default=None)


def counter_field(number: str, name: str) -> str:
    """Field of a number that is counted for each context, tool, model or strategy: "tool_called__canvas_grades"."""
    return f"{number}{_BETWEEN}{_UNFIT.sub('-', name)}"


@dataclass(frozen=True, kw_only=True)
class DayCounters:
    """Numbers of one day: `requests`, `tools_tokens`, `tool_called__canvas_grades` and so on."""

    date: date
    numbers: Mapping[str, int]

    def __getitem__(self, number: str) -> int:
        return self.numbers.get(number, 0)

    def by_name(self, number: str) -> Iterator[tuple[str, int]]:
        """The pairs of a number that is kept by name: ("canvas_grades", 3)."""
        start = f"{number}{_BETWEEN}"
        return ((name.removeprefix(start), value) for name, value in self.numbers.items() if name.startswith(start))


class DailyCounters:
    """Counters that are incremented as things happen and read by the day: never a query over turns.

    A student's days are those of their own time zone; the totals over all students are by UTC, and name no student.
    """

    def __init__(self, store: Store, students: Students, clock: Clock) -> None:
        self._store = store
        self._students = students
        self._clock = clock

    def add_amounts(
        self, student_id: str, amounts: Mapping[str, int], *, timezone: str = "", within: DocumentViews | None = None
    ) -> None:
        """Add to today's numbers of this student, and to those of all. timezone: the student's, where it is known.
        within: a batch of writes.
        """
        wanted = {name: amount for name, amount in amounts.items() if amount}
        if not wanted:
            return
        if (summed := _summed_amounts.get()) is not None:
            summed.setdefault((student_id, timezone), Counter()).update(wanted)
            return
        own, utc = self._date_in(timezone) if timezone else self.today(student_id), self.today()
        batch = self._store.batch()
        views = within or batch
        views.for_student(student_id).increment(COLLECTION, f"{own}", wanted, defaults=self._new(own))
        views.shared.increment(TOTALS, f"{utc}", wanted, defaults=self._new(utc))
        batch.commit()

    @contextmanager
    def added_together(self) -> Iterator[DocumentViews]:
        """Add what this block counts at its end, in one write, with what else it writes in the batch that it is given;
        raises `StorageError`.
        """
        amounts: dict[tuple[str, str], Counter[str]] = {}
        token, batch = _summed_amounts.set(amounts), self._store.batch()
        try:
            yield batch
        finally:
            _summed_amounts.reset(token)
        for (student_id, timezone), summed_amounts in amounts.items():
            self.add_amounts(student_id, summed_amounts, timezone=timezone, within=batch)
        batch.commit()

    def last_days(self, days: int, student_id: str | None = None) -> Sequence[DayCounters]:
        """The days of this student, or of all together, on which anything happened, oldest first; today included."""
        first = self.today(student_id) - timedelta(days=days - 1)
        where = {"day": {"$gte": f"{first}"}}
        if student_id is None:
            found = self._store.shared.find(TOTALS, where, order=[("day", 1)])
        else:
            found = self._store.for_student(student_id).find(COLLECTION, where, order=[("day", 1)])
        return [_day(document) for document in found]

    def today(self, student_id: str | None = None) -> date:
        """By this student's calendar; without one, in UTC."""
        student = self._students.get(student_id) if student_id else None
        return self._date_in(student.timezone if student else "UTC")

    def _date_in(self, timezone: str) -> date:
        return self._clock().astimezone(ZoneInfo(timezone)).date()

    def since(self, student_id: str) -> datetime:
        """The start of this student's numbers: their reset, or the oldest day that is still stored."""
        mine = self._store.for_student(student_id)
        oldest = mine.find(COLLECTION, {"day": {"$gte": ""}}, order=[("day", 1)], limit=1)
        if oldest:
            return moment(oldest[0]["began_at"])
        reset = mine.get(COLLECTION, _RESET)
        return moment(reset["began_at"]) if reset else self._clock()

    def reset(self, student_id: str) -> None:
        """Reset this student's numbers; the totals, which name no student, stay."""
        mine = self._store.for_student(student_id)
        mine.delete(COLLECTION, {"day": {"$gte": ""}})
        mine.put(COLLECTION, {"id": _RESET, "began_at": stamp(self._clock())})

    def _new(self, day: date) -> dict[str, str]:
        ends = datetime.combine(day, time(), UTC) + timedelta(days=KEPT_DAYS)
        return {"id": f"{day}", "day": f"{day}", "began_at": stamp(self._clock()), "kept_until": stamp(ends)}


def _day(document: Mapping[str, object]) -> DayCounters:
    numbers = {name: int(value) for name, value in document.items() if isinstance(value, int | float)}
    return DayCounters(date=date.fromisoformat(str(document["day"])), numbers=numbers)


def summed(days: Sequence[DayCounters]) -> Mapping[str, int]:
    """Sum of the numbers of some days."""
    sums: Counter[str] = Counter()
    for day in days:
        sums.update(day.numbers)
    return sums
