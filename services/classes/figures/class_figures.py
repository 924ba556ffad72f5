"""`ClassFigures`: makes the figures of a week once it is over, and shows them to everybody in the class."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import partial
from random import SystemRandom

from services.classes.figures.disclosure import Draw
from services.classes.figures.figure_counters import COUNTERS, IsCounted
from services.classes.figures.figure_week import FigureWeek, week_of, week_of_key
from services.classes.figures.week_figures import WeekFigures, figures_document, figures_of
from services.classes.figures.week_summary import checked_counters, week_figures
from services.errors import DuplicateDocument
from services.identity.students import Student
from services.runtime.clock import Clock, stamp
from services.storage.records import read_all
from services.storage.store import Store

log = logging.getLogger(__name__)

FIGURES = "class_figures"
KEPT_FOR = timedelta(days=400)
"""A school year, and time to compare it with the next one."""
_SECURE = SystemRandom()
_AT_ONCE = 2_000
"""Documents of one round of the jobs loop."""
_JOB = "close_figures"


@dataclass(frozen=True, kw_only=True)
class FigureReport:
    """Figures of a class. weeks: those with figures, newest first. next_at: the day on which the next ones come.
    is_frozen: none are shown, because nobody who teaches the class is listed as a teacher of its course.
    """

    weeks: Sequence[WeekFigures]
    open_week: FigureWeek
    is_frozen: bool = False


class ClassFigures:
    """Figures are published once, for a week that is over, from those who are members then.

    What is published never changes: not by whoever joins, writes, leaves or deletes everything afterwards. A week of
    fewer than five is closed without figures, and looks like one in which nobody asked.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        require_member: Callable[[Student, str], object],
        is_counted: IsCounted,
        title_of: Callable[[str, str, Sequence[str]], str],
        draw: Draw = _SECURE.random,
        is_frozen: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """require_member: raises `ItemNotFound` for whoever is not in the class. title_of: `TitleOf`, of a class.
        is_frozen: whether a class shows no figures for now.
        """
        self._is_frozen = is_frozen
        self._store, self._clock, self._draw = store, clock, draw
        self._require_member, self._is_counted, self._title_of = require_member, is_counted, title_of

    def report(self, student: Student, class_id: str) -> FigureReport:
        """The figures of a class, the same for its members and its instructors. Raises `ItemNotFound`."""
        self._require_member(student, class_id)
        if self._is_frozen(class_id):
            return FigureReport(weeks=(), open_week=self._open_week(), is_frozen=True)
        found = self._store.shared.find(FIGURES, {"class_id": class_id}, order=[("week", -1)])
        weeks = [figures for figures in read_all(figures_of, found) if figures.students]
        return FigureReport(weeks=weeks, open_week=self._open_week())

    def close_due(self) -> int:
        """For the jobs loop: publish the figures of the weeks that are over, and delete their counters; how many."""
        guard = self._store.guard
        where: dict[str, object] = {"closes_at": {"$lte": stamp(self._clock())}}
        if failed := [id.rpartition(".")[0] for id in guard.resting(_JOB, COUNTERS)]:
            where["class_id"] = {"$nin": failed}
        weeks: dict[str, set[str]] = {}
        for owner, id in self._store.owners(COUNTERS, where, order=[("closes_at", 1)], limit=_AT_ONCE):
            weeks.setdefault(id, set()).add(owner)
        due = [id for id in sorted(weeks) if not guard.is_resting(_JOB, COUNTERS, id)]
        return sum(guard.run(_JOB, COUNTERS, id, partial(self._close, id, weeks[id])) for id in due)

    def _close(self, id: str, due: Iterable[str]) -> None:
        """Publish the figures of one class's week. due: students whose counters brought it up."""
        class_id, _, key = id.rpartition(".")
        week = week_of_key(key)
        counted = self._store.owners(COUNTERS, {"class_id": class_id, "week": key})
        owners = sorted({*due, *(owner for owner, _ in counted)})
        if self._store.shared.get(FIGURES, id) is None:
            titles = partial(self._title_of, class_id)
            figures = week_figures(week, self._counted(owners, class_id, id), title_of=titles, draw=self._draw)
            kept_until = stamp(week.closes_at + KEPT_FOR)
            try:
                self._store.shared.insert(FIGURES, figures_document(class_id, figures, kept_until=kept_until))
            except DuplicateDocument:
                log.info("figures_published_elsewhere")
        # What came late, by an answer that ran for more than an hour, is in no figures: a second look would show it.
        for owner in owners:
            self._store.for_student(owner).delete(COUNTERS, {"id": id})

    def _counted(self, owners: Sequence[str], class_id: str, id: str) -> Mapping[str, Mapping[str, object]]:
        counted: dict[str, Mapping[str, object]] = {}

        def count(owner: str) -> None:
            counters = self._store.for_student(owner).get(COUNTERS, id) if self._is_counted(owner, class_id) else None
            if counters is not None:
                counted[owner] = checked_counters(counters)

        for owner in owners:
            self._store.guard.run(_JOB, COUNTERS, f"{owner}/{id}", partial(count, owner))
        return counted

    def _open_week(self) -> FigureWeek:
        """The oldest week that is not over everywhere."""
        now = self._clock().astimezone(UTC)
        week = week_of(now.date())
        return week.previous if week.previous.closes_at > now else week
