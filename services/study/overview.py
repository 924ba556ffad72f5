"""`StudyDay`: what is to be practised today, as plain data for the page, Today, the week and the digest."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.runtime.clock import Clock
from services.study.exam import Exam
from services.study.exam_plans.exam_plans import ExamPlans, SessionOfExam
from services.study.review.reviews import Reviews


@dataclass(frozen=True, kw_only=True)
class StudyDay:
    """due: cards to review today, those that are new among them; minutes: about how long that takes.

    by_course: cards to review by course key. sessions: those planned for today that are not done; missed: those of
    earlier. next_exam: the first one ahead.
    """

    due: int = 0
    minutes: int = 0
    by_course: tuple[tuple[str, int], ...] = ()
    sessions: tuple[SessionOfExam, ...] = field(default=(), repr=False)
    missed: tuple[SessionOfExam, ...] = field(default=(), repr=False)
    next_exam: Exam | None = field(default=None, repr=False)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to practise today."""
        return not (self.due or self.sessions or self.missed)


class StudyDays:
    """Makes `StudyDay`s: three store reads each for whoever has neither cards nor exams."""

    def __init__(self, reviews: Reviews, exams: ExamPlans, clock: Clock) -> None:
        self._reviews, self._exams, self._clock = reviews, exams, clock

    def today(self, student: Student) -> StudyDay:
        """What a student is to practise today, in their time zone; for cards the day ends at four in the morning."""
        now, zone = self._clock(), ZoneInfo(student.timezone)
        counts = self._reviews.counts(student)
        exams = self._exams.exams(student)
        ahead = [exam for exam in exams if exam.at > now]
        midnight = datetime.combine(now.astimezone(zone).date() + timedelta(days=1), time(), zone)
        return StudyDay(
            due=sum(count.due + count.new for count in counts.values()),
            minutes=sum(count.minutes for count in counts.values()),
            by_course=tuple((key, count.due + count.new) for key, count in counts.items()),
            sessions=tuple(_sessions(ahead, now, midnight)),
            missed=tuple(
                SessionOfExam(exam=exam, session=session)
                for exam in ahead
                for session in exam.sessions
                if session.is_missed(now)
            ),
            next_exam=ahead[0] if ahead else None,
        )


def _sessions(exams: Sequence[Exam], now: datetime, end: datetime) -> list[SessionOfExam]:
    found = [
        SessionOfExam(exam=exam, session=session)
        for exam in exams
        for session in exam.sessions
        if session.done_at is None and not session.is_missed(now) and session.start < end
    ]
    return sorted(found, key=lambda planned: planned.session.start)
