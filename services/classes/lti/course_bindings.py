"""`CourseBindings`: which class belongs to which course of a school's system, and who gets into it by a launch."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from services.classes.class_repository import ClassRepository
from services.classes.classes import LONGEST_NAME, Classes
from services.classes.lti.accounts import link_id
from services.classes.lti.launch import Launch
from services.classes.memberships import Memberships
from services.classes.school_class import ClassMember, ClassRole, SchoolClass
from services.errors import DuplicateDocument
from services.i18n import gettext
from services.identity.students import Student
from services.runtime.clock import moment, stamp
from services.storage.documents import Document
from services.storage.records import record_reader
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


class CourseEntryKind(StrEnum):
    """What became of a launch. NO_COURSE: it was outside any. UNDECIDED: an instructor says which class it is.
    NOT_YET: no instructor has launched this course. OVER: its class was archived.
    """

    IN_CLASS = "in_class"
    NO_COURSE = "no_course"
    UNDECIDED = "undecided"
    NOT_YET = "not_yet"
    OVER = "over"


class RoleChange(StrEnum):
    """What becomes of an instructor whom the course lists as a student by now. KEPT_ALONE: nobody else teaches the
    class, and a class is never left alone.
    """

    NONE = "none"
    TAKEN_BACK = "taken_back"
    KEPT_ALONE = "kept_alone"


@dataclass(frozen=True, kw_only=True)
class CourseEntry:
    """Result of a launch. offered: for UNDECIDED, the classes that it may be."""

    kind: CourseEntryKind
    school_class: SchoolClass | None = None
    role: ClassRole = ClassRole.MEMBER
    offered: Sequence[SchoolClass] = ()


class CourseBindings:
    """A course is its issuer, deployment and context. Who teaches it comes from its launches, for its class alone."""

    def __init__(self, store: Store, repository: ClassRepository, classes: Classes, memberships: Memberships) -> None:
        self._documents, self._repository = store.shared, repository
        self._classes, self._memberships = classes, memberships

    def of_class(self, student: Student, class_id: str) -> LtiCourse | None:
        """The course of a class, for one of its instructors; raises `ItemNotFound`."""
        self._classes.require_instructor(student, class_id)
        found = self._documents.find(COLLECTION, {"class_id": class_id}, limit=1)
        return _course_of(found[0]) if found else None

    def unbind(self, student: Student, class_id: str) -> None:
        """Part a class from its course: the next instructor who launches it says which class it is.

        A new class of this course is another one from now on: who teaches the course next did not teach this class.
        """
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
        if known is None or self._losing_role(known.id, launch, student) is None:
            return RoleChange.NONE
        others = (id for id in self._repository.instructor_marks(known.id) if id != student.id)
        return RoleChange.TAKEN_BACK if any(others) else RoleChange.KEPT_ALONE

    def is_in_class(self, launch: Launch, student: Student) -> bool:
        """Whether a launch changes nothing about who is in the class."""
        known = self.class_of(launch)
        role = self._classes.role_in(student.id, known.id) if known else None
        return role is ClassRole.INSTRUCTOR or (role is ClassRole.MEMBER and not launch.is_teaching)

    def enter(self, launch: Launch, student: Student) -> CourseEntry:
        """Let somebody into the class of their course; the first instructor makes it, or is asked which one it is."""
        if not launch.context_id:
            return CourseEntry(kind=CourseEntryKind.NO_COURSE)
        self._note(launch)
        known = self.class_of(launch)
        if known is not None:
            return self._admit(known, launch, student)
        if not launch.is_teaching:
            return CourseEntry(kind=CourseEntryKind.NOT_YET)
        offered = self.offered(student)
        if offered:
            return CourseEntry(kind=CourseEntryKind.UNDECIDED, role=ClassRole.INSTRUCTOR, offered=offered)
        return self.decide(launch, student, "")

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
                role_from = course_role(course_id(launch), launch.issuer, launch.subject)
                id = _class_id(launch, made_as)
                chosen = self._classes.create_for_course(student, id=id, name=name, role_from=role_from)
            expected = {"class_id": self._stored(launch).get("class_id", "")}
            self._documents.compare_and_set(COLLECTION, course_id(launch), expected, {"class_id": chosen.id})
        bound = self.class_of(launch)
        return self._admit(bound, launch, student) if bound else CourseEntry(kind=CourseEntryKind.NOT_YET)

    def _admit(self, school_class: SchoolClass, launch: Launch, student: Student) -> CourseEntry:
        if school_class.archived_at is not None and self._classes.role_in(student.id, school_class.id) is None:
            return CourseEntry(kind=CourseEntryKind.OVER, school_class=school_class)
        if (member := self._losing_role(school_class.id, launch, student)) is not None:
            self._memberships.take_role_back(member)
        role = ClassRole.INSTRUCTOR if launch.is_teaching else ClassRole.MEMBER
        role_from = course_role(course_id(launch), launch.issuer, launch.subject) if launch.is_teaching else ""
        self._memberships.admit(school_class.id, student.id, role, joined_by="lti", role_from=role_from)
        return CourseEntry(kind=CourseEntryKind.IN_CLASS, school_class=school_class, role=role)

    def _losing_role(self, class_id: str, launch: Launch, student: Student) -> ClassMember | None:
        """The membership of an instructor who is one by this course and this identity, and is none there any more."""
        if not launch.is_learning:
            return None
        role_from = course_role(course_id(launch), launch.issuer, launch.subject)
        found = self._repository.member(class_id, student.id)
        return found if found is not None and found.role_from == role_from else None

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


def course_id(launch: Launch) -> str:
    """Id of a launch's course; its parts are ids of the school's system."""
    whole = json.dumps([launch.issuer, launch.deployment_id, launch.context_id])
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def course_role(course: str, issuer: str, subject: str) -> str:
    """What a membership names where a course's system has made this identity an instructor. course: its id."""
    return f"{course}.{link_id(issuer, subject)[:32]}"


def _class_id(launch: Launch, made_as: str) -> str:
    """Id of the class that is made for a course, the same for all who launch it at once."""
    whole = hashlib.sha256(f"{course_id(launch)}/{made_as}".encode()).hexdigest() if made_as else course_id(launch)
    return whole[:24]


@record_reader(COLLECTION)
def _course_of(document: Document) -> LtiCourse:
    synced = document["synced_at"]
    return LtiCourse(
        **{name: document[name] for name in ("id", "platform_id", "title", "class_id", "memberships_url")},
        launched_at=moment(document["launched_at"]),
        synced_at=moment(synced) if synced else None,
    )
