"""`CourseBindings`: which class belongs to which course of a school's system, and who gets into it by a launch."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.classes.class_repository import ClassRepository
from services.classes.classes import LONGEST_NAME, Classes
from services.classes.lti.course_admission import CourseAdmission
from services.classes.lti.course_entry import CourseEntry, CourseEntryKind, RoleChange, course_id, launched_role
from services.classes.lti.launch import Launch
from services.classes.lti.waiting_requests import WaitingRequests
from services.classes.memberships import Memberships
from services.classes.school_class import ClassMember, ClassRole, SchoolClass
from services.errors import BadArguments, DuplicateDocument, ItemNotFound
from services.i18n import gettext
from services.identity.students import Student
from services.runtime.clock import moment, stamp
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store

COLLECTION = "lti_courses"
MOST_OFFERED = 20


@dataclass(frozen=True, kw_only=True)
class LtiCourse:
    """Course of a school's system as its launches tell of it. class_id: "" until an instructor has launched it."""

    id: str
    platform_id: str
    title: str
    class_id: str
    memberships_url: str
    launched_at: datetime
    synced_at: datetime | None


class CourseBindings:
    """A course is its issuer, deployment and context. Who teaches it comes from its launches, for its class alone."""

    def __init__(
        self,
        store: Store,
        repository: ClassRepository,
        classes: Classes,
        memberships: Memberships,
        waiting: WaitingRequests,
    ) -> None:
        """waiting: requests to teach courses that have no class yet."""
        self._documents, self._repository = store.shared, repository
        self._classes, self._memberships, self._waiting = classes, memberships, waiting
        self._admission = CourseAdmission(repository, classes, memberships)

    def of_class(self, student: Student, class_id: str) -> LtiCourse | None:
        """The course of a class, for one of its instructors; raises `ItemNotFound`."""
        self._classes.require_instructor(student, class_id)
        found = self._documents.find(COLLECTION, {"class_id": class_id}, limit=1)
        return _course_of(found[0]) if found else None

    def unbind(self, student: Student, class_id: str) -> None:
        """Part a class from its course: the next instructor who launches it says which class it is.

        A new class of this course is another one from now on: who teaches the course next did not teach this class.
        Raises `BadArguments` for a class that is frozen.
        """
        self._require_moving(student, class_id)
        if course := self.of_class(student, class_id):
            parted = {"class_id": "", "made_as": secrets.token_hex(8)}
            self._documents.compare_and_set(COLLECTION, course.id, {"class_id": class_id}, parted)

    def note_sync(self, course: LtiCourse) -> None:
        self._documents.compare_and_set(COLLECTION, course.id, {}, {"synced_at": stamp(self._repository.clock())})

    def class_of(self, launch: Launch) -> SchoolClass | None:
        """The class of a launch's course, as it is now."""
        found = self._documents.get(COLLECTION, course_id(launch)) if launch.context_id else None
        return self._repository.get(found["class_id"]) if found else None

    def role_change(self, launch: Launch, student: Student) -> RoleChange:
        """What a launch does to the role of somebody whom an earlier one has made an instructor."""
        known = self.class_of(launch)
        return RoleChange.NONE if known is None else self._admission.role_change(known, launch, student)

    def is_in_class(self, launch: Launch, student: Student) -> bool:
        """Whether a launch changes nothing about who is in the class."""
        known = self.class_of(launch)
        return known is not None and self._admission.changes_nothing(known, launch, student)

    def enter(self, launch: Launch, student: Student) -> CourseEntry:
        """Let somebody into the class of their course; the first instructor makes it, or is asked which one it is."""
        if not launch.context_id:
            return CourseEntry(kind=CourseEntryKind.NO_COURSE)
        self._note(launch)
        if launch.is_learning:
            self._waiting.withdraw(course_id(launch), student)
        known = self.class_of(launch)
        if launch.is_administrator and not launch.is_learning and self._is_new(known, launch, student):
            return CourseEntry(kind=CourseEntryKind.ADMINISTRATOR, school_class=known)
        if known is not None:
            return self._admit(known, launch, student)
        if not launch.is_teaching:
            return CourseEntry(kind=CourseEntryKind.NOT_YET)
        offered = self.offered(student)
        if offered:
            return CourseEntry(kind=CourseEntryKind.UNDECIDED, role=ClassRole.INSTRUCTOR, offered=offered)
        return self.decide(launch, student, "")

    def answer_administrator(self, launch: Launch, student: Student, *, is_teaching: bool) -> CourseEntry:
        """Let in who looks after the school's system, as a guest; who says that they teach the course asks for that. An
        administrator never makes the class of a course.
        """
        self._note(launch)
        if is_teaching:
            # Before it is looked whether there is a class: who makes it at this moment finds the request.
            self._waiting.put(course_id(launch), student, launched_role(launch))
        else:
            self._waiting.withdraw(course_id(launch), student)
        known = self.class_of(launch)
        if known is None:
            return CourseEntry(kind=CourseEntryKind.UNCONFIRMED if is_teaching else CourseEntryKind.NOT_YET)
        return self._admit(known, launch, student, asks=is_teaching)

    def is_confirmed(self, launch: Launch, student: Student | None) -> bool:
        """Whether somebody teaches the class of a launch's course by more than the word of the launch."""
        known = self.class_of(launch)
        if known is None or student is None:
            return False
        return self._classes.role_in(student.id, known.id) is ClassRole.INSTRUCTOR

    def awaiting(self, student: Student) -> Sequence[str]:
        """Titles of the courses without a class of which a student has said that they teach them."""
        stored = (self._documents.get(COLLECTION, request.course_id) for request in self._waiting.of_student(student))
        return [course.title for course in read_all(_course_of, filter(None, stored))]

    def awaited(self, course: LtiCourse) -> Sequence[str]:
        """For the operator: ids of those who have said that they teach a course without a class."""
        return [request.student_id for request in self._waiting.of_course(course.id)]

    def teachers_of(self, school_class: SchoolClass) -> Sequence[Student]:
        """Who teaches a class, for who asks to teach it, too."""
        return self._classes.instructors_of(school_class.id)

    def note_teachers(self, course: LtiCourse, listed: Sequence[str]) -> None:
        """Store whom the course's list calls a teacher: their roles, by `course_role`."""
        self._documents.compare_and_set(COLLECTION, course.id, {}, {"listed_teachers": sorted(listed)})

    def all(self) -> Sequence[LtiCourse]:
        """For the operator: every course that was launched, the last one first."""
        return read_all(_course_of, self._documents.find(COLLECTION, {}, order=[("launched_at", -1)]))

    def bound_class(self, class_id: str) -> SchoolClass | None:
        """For the operator: the class of a course, None where there is none."""
        return self._repository.get(class_id)

    def members_of(self, school_class: SchoolClass) -> Sequence[ClassMember]:
        """For the operator: everybody in the class of a course."""
        return self._repository.members(school_class.id)

    def name_instructor(self, course: str, student: Student) -> SchoolClass:
        """For the operator: make somebody an instructor of a course's class, which is made where there is none, and
        goes on where it was frozen. No school's system takes that role back. Raises `ItemNotFound`.
        """
        stored = self._documents.get(COLLECTION, course)
        if stored is None:
            raise ItemNotFound("Homeroom", f"There is no course {course}.", next_step="`lti courses` lists them.")
        bound = self._repository.get(stored["class_id"])
        if bound is None:
            name = stored["title"][:LONGEST_NAME] or gettext("My class")
            bound = self._classes.create_for_course(student, id=_class_id(course, stored.get("made_as", "")), name=name)
            self._documents.compare_and_set(
                COLLECTION, course, {"class_id": stored["class_id"]}, {"class_id": bound.id}
            )
        self._memberships.admit(bound.id, student.id, ClassRole.INSTRUCTOR, joined_by="lti")
        self._waiting.hand_over(course, bound.id)
        self._repository.change_member(bound.id, student.id, {}, role_from="")
        self._classes.freeze(bound.id, is_frozen=False)
        return bound

    def offered(self, student: Student) -> Sequence[SchoolClass]:
        """The classes that an instructor's course may be: those that they teach, and that belong to no other course."""
        taught = [
            found
            for found, role in self._classes.of_student(student.id)
            if role is ClassRole.INSTRUCTOR and found.archived_at is None
        ]
        bound = (
            self._documents.find(COLLECTION, {"class_id": {"$in": [found.id for found in taught]}}) if taught else []
        )
        ids = {course["class_id"] for course in bound}
        return [found for found in taught if found.id not in ids][:MOST_OFFERED]

    def decide(self, launch: Launch, student: Student, class_id: str) -> CourseEntry:
        """Bind a course that has no class to one of this instructor's, or to a new one for "".

        Of two instructors at once the first one's choice counts.
        """
        self._note(launch)
        if self.class_of(launch) is None:
            chosen = next((found for found in self.offered(student) if found.id == class_id), None)
            if chosen is None:
                name = launch.context_title[:LONGEST_NAME] or gettext("My class")
                made_as = self._stored(launch).get("made_as", "")
                id = _class_id(course_id(launch), made_as)
                chosen = self._classes.create_for_course(student, id=id, name=name, role_from=launched_role(launch))
            expected = {"class_id": self._stored(launch).get("class_id", "")}
            self._documents.compare_and_set(COLLECTION, course_id(launch), expected, {"class_id": chosen.id})
        bound = self.class_of(launch)
        return self._admit(bound, launch, student) if bound else CourseEntry(kind=CourseEntryKind.NOT_YET)

    def _admit(self, school_class: SchoolClass, launch: Launch, student: Student, *, asks: bool = False) -> CourseEntry:
        listed = self._stored(launch).get("listed_teachers", ())
        entry = self._admission.admit(school_class, launch, student, listed=listed, asks=asks)
        self._waiting.hand_over(course_id(launch), school_class.id)
        return entry

    def _require_moving(self, student: Student, class_id: str) -> None:
        if self._classes.require_instructor(student, class_id).frozen_at is not None:
            raise BadArguments(
                gettext("This class stays with its course until a teacher of the course has opened Homeroom."),
                next_step=gettext("Ask a teacher of the course to open Homeroom from it once."),
            )

    def _is_new(self, school_class: SchoolClass | None, launch: Launch, student: Student) -> bool:
        """Whether somebody is not in the class, or would make it."""
        if school_class is None:
            return launch.is_teaching
        is_open = school_class.archived_at is None
        return is_open and self._classes.role_in(student.id, school_class.id) is None

    def _stored(self, launch: Launch) -> Document:
        return self._documents.get(COLLECTION, course_id(launch)) or {}

    def _note(self, launch: Launch) -> None:
        """Store what this launch says of its course."""
        id, now = course_id(launch), stamp(self._repository.clock())
        told: dict[str, Any] = {"platform_id": launch.platform_id, "launched_at": now}
        told |= {"title": launch.context_title} if launch.context_title else {}
        told |= {"memberships_url": launch.memberships_url} if launch.memberships_url else {}
        if self._documents.compare_and_set(COLLECTION, id, {}, told) is None:
            empty = {"title": "", "memberships_url": "", "class_id": "", "synced_at": None}
            empty["made_as"] = secrets.token_hex(8)
            try:
                self._documents.insert(COLLECTION, {"id": id, **empty, **told})
            except DuplicateDocument:
                self._documents.compare_and_set(COLLECTION, id, {}, told)


def _class_id(course: str, made_as: str) -> str:
    """Id of the class that is made for a course, the same for all who launch it at once."""
    whole = hashlib.sha256(f"{course}/{made_as}".encode()).hexdigest() if made_as else course
    return whole[:24]


@record_reader(COLLECTION)
def _course_of(document: Document) -> LtiCourse:
    synced = document["synced_at"]
    return LtiCourse(
        **{name: document[name] for name in ("id", "platform_id", "title", "class_id", "memberships_url")},
        launched_at=moment(document["launched_at"]),
        synced_at=moment(synced) if synced else None,
    )
