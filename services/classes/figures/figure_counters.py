"""`FigureCounters`: what each member has asked an assistant of their class, as numbers, until their week is over."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from services.classes.figures.counted_answer import CountedAnswer
from services.classes.figures.figure_week import FigureWeek, part_of, week_of
from services.errors import StorageError
from services.identity.students import Student
from services.runtime.clock import Clock, stamp
from services.storage.store import DocumentViews, Store

log = logging.getLogger(__name__)

COUNTERS = "class_figure_counters"

IsCounted = Callable[[str, str], bool]
"""Whether a student, by id, is a member of a class whose use is counted: an instructor's is not."""


class FigureCounters:
    """Counters of the open week: a document for each student, class and week, which belongs to the student.

    They read it in their export, and it goes with their account. Nobody else sees it: an instructor sees what
    `ClassFigures` makes of a whole week.
    """

    def __init__(self, store: Store, clock: Clock, *, is_counted: IsCounted) -> None:
        self._store, self._clock, self._is_counted = store, clock, is_counted

    def record(
        self, student: Student, class_id: str, *requests: CountedAnswer, within: DocumentViews | None = None
    ) -> None:
        """Count the requests of an answer of an assistant of this class, "" for none; a failure of the store is only
        logged. within: a batch of writes.
        """
        try:
            if class_id and self._is_counted(student.id, class_id):
                self._add(student, class_id, requests, within or self._store)
        except StorageError:
            log.warning("answer_not_counted class=%s", class_id)

    def _add(self, student: Student, class_id: str, requests: Sequence[CountedAnswer], views: DocumentViews) -> None:
        now = self._local_time(student)
        week = week_of(now.date())
        amounts: Counter[str] = Counter()
        for request in requests:
            amounts.update(request.amounts(day=now.weekday(), part=part_of(now)))
        if amounts:
            document = counter_document(class_id, week)
            views.for_student(student.id).increment(COUNTERS, document["id"], amounts, defaults=document)

    def _local_time(self, student: Student) -> datetime:
        return self._clock().astimezone(ZoneInfo(student.timezone))


def counter_document(class_id: str, week: FigureWeek) -> dict[str, str]:
    """A student's counters of a class and week, still empty."""
    return {
        "id": f"{class_id}.{week.key}",
        "class_id": class_id,
        "week": week.key,
        "closes_at": stamp(week.closes_at),
    }
