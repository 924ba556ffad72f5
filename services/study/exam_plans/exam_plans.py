"""`ExamPlans`: exams that a student prepares for, and the plan of sessions of each."""

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound, ServiceError
from services.i18n import gettext
from services.identity.students import Student
from services.materials.library import MaterialLibrary
from services.materials.material import MaterialKind, PageUnit
from services.materials.results import ListedMaterial
from services.runtime.clock import Clock
from services.safety.text import one_line
from services.study.exam import Exam, PlannedSession
from services.study.exam_plans.session_planner import (
    LONGEST,
    CoveredMaterial,
    FreeStretch,
    SessionPlan,
    plan_sessions,
)
from services.study.mastery import Mastery, weakest
from services.study.store.exam_repository import ExamRepository

SERVICE = "Homeroom"
BACK = timedelta(days=7)
"""Exams that are over are told so long."""
MOST_EXAMS, MOST_SESSIONS, LONGEST_TITLE = 40, 60, 200
LEAST_DAILY, MOST_DAILY = 25, 360
"""Minutes a day that a plan may take."""
WEAK_TOPICS = 3
_READ_FROM = (MaterialKind.FILE, MaterialKind.PAGE, MaterialKind.UPLOAD)
_MINUTES_A_PAGE = {PageUnit.SLIDE: 1.0, PageUnit.PAGE: 2.5, PageUnit.SECTION: 2.0}
_UNREAD_MINUTES = 30
"""For a material whose pages are not known yet."""
_TRIES = 5


@dataclass(frozen=True, kw_only=True)
class SessionOfExam:
    """Planned session with the exam that it is for."""

    exam: Exam = field(repr=False)
    session: PlannedSession = field(repr=False)


class ExamPlans:
    """Exams of all students. Raises `ItemNotFound` for one that there is not, `BadArguments`, `StorageError`."""

    def __init__(self, exams: ExamRepository, materials: MaterialLibrary, mastery: Mastery, clock: Clock) -> None:
        self._exams, self._materials, self._mastery, self._clock = exams, materials, mastery, clock

    def exams(self, student: Student, course_key: str | None = None) -> list[Exam]:
        """The student's exams, the next first; those of the last days too. course_key: None for all courses."""
        found = self._exams.exams(student.id, since=self._clock() - BACK)
        return [exam for exam in found if course_key in (None, exam.course_key)]

    def exam(self, student: Student, id: str) -> Exam:
        """Get an exam."""
        exam = self._exams.exam(student.id, id)
        if exam is None:
            raise ItemNotFound(
                SERVICE, gettext("That exam is not there any more."), next_step=gettext("Look at the list anew.")
            )
        return exam

    def add(
        self,
        student: Student,
        *,
        title: str,
        at: datetime,
        course_key: str = "",
        material_ids: Collection[str] = (),
        source: str = "student",
    ) -> Exam:
        """Add an exam. The same `source` (an assignment, an event) again gives the exam that there is."""
        title = one_line(title, LONGEST_TITLE)
        if not title:
            raise BadArguments(gettext("Give the exam a name."), field="title", next_step=gettext("Such as “Midterm”."))
        self._require_ahead(at)
        digest = hashlib.sha256(source.encode()).hexdigest()[:24]
        if self._exams.exam(student.id, digest) is None:
            self.require_room(student)
        return self._exams.add(
            student.id,
            Exam(
                id=secrets.token_hex(12) if source == "student" else digest,
                course_key=course_key,
                title=title,
                at=at,
                source=source,
                material_ids=tuple(dict.fromkeys(material_ids)),
                made_at=self._clock(),
            ),
        )

    def require_room(self, student: Student) -> None:
        """Raise `BadArguments` where the student has as many exams as one can have."""
        if len(self.exams(student)) >= MOST_EXAMS:
            raise BadArguments(
                gettext("{most} exams are the most.", most=MOST_EXAMS), next_step=gettext("Remove one that is over.")
            )

    def change(
        self,
        student: Student,
        id: str,
        *,
        title: str | None = None,
        at: datetime | None = None,
        material_ids: Collection[str] | None = None,
    ) -> Exam:
        """Change what is given of an exam; its sessions stay."""
        changes: dict[str, Any] = {}
        if title is not None and one_line(title, LONGEST_TITLE):
            changes["title"] = one_line(title, LONGEST_TITLE)
        if at is not None:
            self._require_ahead(at)
            changes["at"] = at
        if material_ids is not None:
            changes["material_ids"] = tuple(dict.fromkeys(material_ids))
        return self._change(student, id, lambda exam: replace(exam, **changes))

    def remove(self, student: Student, id: str) -> None:
        """Delete an exam with its plan; what is in the calendar stays there."""
        self._exams.delete(student.id, id)

    def propose(
        self, student: Student, exam_id: str, free: Iterable[FreeStretch], *, daily_minutes: int = 90
    ) -> SessionPlan:
        """Plan sessions in the student's free time until an exam; nothing is stored. free: stretches of free time.

        What was done counts as read, and what is planned and still ahead is planned anew.
        """
        return self.propose_for(student, self.exam(student, exam_id), free, daily_minutes=daily_minutes)

    def propose_for(
        self, student: Student, exam: Exam, free: Iterable[FreeStretch], *, daily_minutes: int = 90
    ) -> SessionPlan:
        """As `propose`, for an exam that need not be stored yet."""
        now = self._clock()
        if exam.at <= now:
            raise BadArguments(gettext("This exam is over."), next_step=gettext("Choose one that is still to come."))
        done = {id for session in exam.sessions if session.done_at for id in session.material_ids}
        covered = [material for material in self.covered(student, exam) if material.id not in done]
        topics = self._mastery.topics(student, exam.course_key)
        known = [topic for topic in topics if topic.share is not None]
        return plan_sessions(
            now=now,
            exam_at=exam.at,
            free=free,
            materials=covered,
            weak_topics=weakest(known, WEAK_TOPICS),
            zone=ZoneInfo(student.timezone),
            daily_minutes=min(max(daily_minutes, LEAST_DAILY), MOST_DAILY),
        )

    def look_at_materials(self, student: Student, exam: Exam) -> None:
        """List the course's materials anew, for a plan; where its source is away they stay as listed last."""
        if exam.course_key:
            with suppress(ServiceError):
                self._materials.materials(student, exam.course_key)

    def covered(self, student: Student, exam: Exam) -> list[CoveredMaterial]:
        """The materials that an exam covers, in the course's order, as they were listed last."""
        if not exam.course_key:
            return []
        try:
            listed = self._materials.materials(student, exam.course_key, live=False).materials
        except ItemNotFound:
            return []
        return [
            CoveredMaterial(id=entry.material.id, title=entry.material.title, minutes=reading_minutes(entry))
            for entry in listed
            if not entry.material.locked
            and (entry.material.id in exam.material_ids if exam.material_ids else entry.material.kind in _READ_FROM)
        ]

    def keep(self, student: Student, exam_id: str, sessions: Sequence[PlannedSession], *, card: str = "") -> Exam:
        """Store the sessions of a plan; those that are done stay, the others are replaced. card: id of the approval
        that put them into the calendar.
        """
        if len(sessions) > MOST_SESSIONS:
            raise BadArguments(gettext("{most} sessions are the most.", most=MOST_SESSIONS))

        def change(exam: Exam) -> Exam:
            done = [session for session in exam.sessions if session.done_at]
            named = [replace(session, card=card or session.card) for session in sessions]
            return replace(exam, sessions=tuple(sorted([*done, *named], key=lambda session: session.start)))

        return self._change(student, exam_id, change)

    def set_done(self, student: Student, exam_id: str, session_id: str, *, is_done: bool = True) -> Exam:
        """Say that a session was done, or was not."""
        done_at = self._clock() if is_done else None
        return self._change_session(student, exam_id, session_id, lambda session: replace(session, done_at=done_at))

    def move(self, student: Student, exam_id: str, session_id: str, start: datetime, *, card: str = "") -> Exam:
        """Move a session to another time."""
        self._require_ahead(start)
        return self._change_session(
            student, exam_id, session_id, lambda session: replace(session, start=start, card=card, done_at=None)
        )

    def drop(self, student: Student, exam_id: str, session_id: str) -> Exam:
        """Take a session off the plan."""

        def change(exam: Exam) -> Exam:
            return replace(exam, sessions=tuple(session for session in exam.sessions if session.id != session_id))

        return self._change(student, exam_id, change)

    def between(self, student: Student, start: datetime, end: datetime) -> list[SessionOfExam]:
        """Sessions that begin within this time, the first first: one store read."""
        found = [
            SessionOfExam(exam=exam, session=session)
            for exam in self.exams(student)
            for session in exam.sessions
            if start <= session.start < end
        ]
        return sorted(found, key=lambda planned: planned.session.start)

    def missed(self, student: Student) -> list[SessionOfExam]:
        """Sessions whose time is over and that were not done, of exams that are still to come."""
        now = self._clock()
        return [
            SessionOfExam(exam=exam, session=session)
            for exam in self.exams(student)
            for session in exam.sessions
            if exam.at > now and session.is_missed(now)
        ]

    def _change_session(
        self, student: Student, exam_id: str, session_id: str, change: Callable[[PlannedSession], PlannedSession]
    ) -> Exam:
        def changed(exam: Exam) -> Exam:
            if session_id not in {session.id for session in exam.sessions}:
                raise ItemNotFound(
                    SERVICE, gettext("That session is not there any more."), next_step=gettext("Look at the plan anew.")
                )
            sessions = (change(session) if session.id == session_id else session for session in exam.sessions)
            return replace(exam, sessions=tuple(sorted(sessions, key=lambda session: session.start)))

        return self._change(student, exam_id, changed)

    def _change(self, student: Student, id: str, change: Callable[[Exam], Exam]) -> Exam:
        for _ in range(_TRIES):
            exam = self.exam(student, id)
            changed = change(exam)
            if self._exams.replace(student.id, exam, changed):
                return replace(changed, version=exam.version + 1)
        raise ChangedElsewhere(SERVICE, gettext("This plan is being changed elsewhere."))

    def _require_ahead(self, at: datetime) -> None:
        if at <= self._clock():
            raise BadArguments(
                gettext("That time is over."), field="at", next_step=gettext("Give a time that is still to come.")
            )


def reading_minutes(entry: ListedMaterial) -> int:
    """About how long a material takes to read."""
    if not entry.pages or entry.unit is None:
        return _UNREAD_MINUTES
    return max(5, min(20 * LONGEST, round(entry.pages * _MINUTES_A_PAGE[entry.unit])))
