"""Exam cap: no card's interval runs past the exam that it is for.

A card that is due after the exam comes once more in the last days before it, each on a day of its own choosing, so
that they do not all come on the eve; after the exam it goes on as its schedule says.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.runtime.clock import Clock, moment, stamp
from services.storage.store import Store
from services.study.flashcard import Flashcard, FlashcardState
from services.study.review.review_preferences import ReviewPreferences, ReviewPreferencesRepository
from services.study.review.scheduler import due_of, number_of
from services.study.review.study_day import start_of_day, study_day
from services.study.store.card_repository import CardRepository

FEWEST_DAYS, MOST_DAYS = 3, 14
"""Days before an exam over which last reviews are spread, by how many cards there are."""
_ROOM = 1.5
"""Last reviews take up to two thirds of a day's limit, so that room stays for others."""


@dataclass(frozen=True, kw_only=True)
class ExamDate:
    """When an exam is, and which materials it covers; none for the whole course."""

    course_key: str
    at: datetime
    material_ids: tuple[str, ...] = ()

    def covers(self, card: Flashcard) -> bool:
        """Whether a card is for this exam; one that was made by hand is for every exam of its course."""
        if not card.is_for_exam or card.course_key != self.course_key:
            return False
        source = card.quotation.source_id if card.quotation else ""
        return not self.material_ids or not source or source in self.material_ids


class ExamDates(Protocol):
    """Where exams are known."""

    def upcoming(self, student_id: str, now: datetime) -> Sequence[ExamDate]:
        """The student's exams after this moment, the next first."""


class StoredExamDates:
    """Exams of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def upcoming(self, student_id: str, now: datetime) -> Sequence[ExamDate]:
        rows = self._store.for_student(student_id).find("study_exams", {"at": {"$gt": stamp(now)}}, order=[("at", 1)])
        return [
            ExamDate(
                course_key=row["course_key"], at=moment(row["at"]), material_ids=tuple(row.get("material_ids") or ())
            )
            for row in rows
        ]


@dataclass(frozen=True, kw_only=True)
class ExamCap:
    """Exams of one student, as they are now. days: by course, over how many days last reviews are spread."""

    exams: Sequence[ExamDate]
    days: Mapping[str, int]
    zone: ZoneInfo

    def exam_of(self, card: Flashcard) -> ExamDate | None:
        """The next exam that a card is for."""
        return next((exam for exam in self.exams if exam.covers(card)), None)

    def due_at(self, card: Flashcard) -> datetime:
        """When a card that has a schedule is due."""
        natural, exam = due_of(card.schedule), self.exam_of(card)
        if exam is None:
            return natural
        day = study_day(exam.at, self.zone)
        if natural < start_of_day(day, self.zone) or card.rehearsed == day.isoformat():
            return natural
        last = study_day(datetime.fromisoformat(card.schedule["last_review"]), self.zone)
        first = max(last + timedelta(days=1), self._first_day(exam, day))
        room = (day - first).days
        return start_of_day(first + timedelta(days=number_of(card.id) % room), self.zone) if room > 0 else natural

    def rehearsed(self, card: Flashcard, at: datetime) -> str:
        """Value of `Flashcard.rehearsed` after a review at this moment: whether it was the last before the exam."""
        exam = self.exam_of(card)
        if exam is None or not card.schedule or card.due_at is None:
            return card.rehearsed
        day = study_day(exam.at, self.zone)
        is_last = card.due_at < due_of(card.schedule) and study_day(at, self.zone) >= self._first_day(exam, day)
        return day.isoformat() if is_last else card.rehearsed

    def _first_day(self, exam: ExamDate, day: date) -> date:
        return day - timedelta(days=self.days.get(exam.course_key, FEWEST_DAYS))


class ExamCaps:
    """Exam caps of all students."""

    def __init__(
        self, cards: CardRepository, exams: ExamDates, preferences: ReviewPreferencesRepository, clock: Clock
    ) -> None:
        self._cards, self._exams, self._preferences, self._clock = cards, exams, preferences, clock

    def of(self, student: Student) -> ExamCap:
        """The cap that a student's cards are arranged by now."""
        exams, wanted = self._exams.upcoming(student.id, self._clock()), self._preferences.get(student.id)
        days = {course: int(written.partition(";")[0]) for course, written in wanted.arranged.items()}
        return ExamCap(exams=exams, days=days, zone=ZoneInfo(student.timezone))

    def arrange(self, student: Student) -> ExamCap:
        """Compute the due times of courses anew whose exams came, went or changed since the last time."""
        exams, wanted = self._exams.upcoming(student.id, self._clock()), self._preferences.get(student.id)
        by_course: dict[str, list[ExamDate]] = defaultdict(list)
        for exam in exams:
            by_course[exam.course_key].append(exam)
        days = {course: self._days(student.id, course, wanted) for course in by_course}
        cap = ExamCap(exams=exams, days=days, zone=ZoneInfo(student.timezone))
        arranged = {course: _signature(days[course], by_course[course]) for course in by_course}
        if arranged != dict(wanted.arranged):
            for course in arranged.keys() | wanted.arranged.keys():
                if arranged.get(course) != wanted.arranged.get(course):
                    self._arrange_course(student.id, course, cap)
            # Last: a process that dies before does it all once more.
            self._preferences.set_arranged(student.id, arranged)
        return cap

    def _arrange_course(self, student_id: str, course_key: str, cap: ExamCap) -> None:
        cards = [card for card in self._cards.find(student_id, {"course_key": course_key}) if card.schedule]
        due = [(card, cap.due_at(card)) for card in cards]
        self._cards.update_all(student_id, [(card, {"due_at": at}) for card, at in due if at != card.due_at])

    def _days(self, student_id: str, course_key: str, wanted: ReviewPreferences) -> int:
        cards = self._cards.count(student_id, {"course_key": course_key, "state": str(FlashcardState.KEPT)})
        return min(MOST_DAYS, max(FEWEST_DAYS, math.ceil(_ROOM * cards / max(1, wanted.reviews_a_day))))


def _signature(days: int, exams: Sequence[ExamDate]) -> str:
    told = "|".join(f"{stamp(exam.at)} {' '.join(sorted(exam.material_ids))}" for exam in exams)
    return f"{days};{hashlib.sha256(told.encode()).hexdigest()[:16]}"
