"""`CourseEntry`: what becomes of a launch in the class of its course, and the ids by which both are known."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.classes.lti.accounts import link_id
from services.classes.lti.launch import Launch
from services.classes.school_class import ClassRole, SchoolClass


class CourseEntryKind(StrEnum):
    """What became of a launch. NO_COURSE: it was outside any. UNDECIDED: an instructor says which class it is.
    ADMINISTRATOR: who looks after the school's system says whether they teach the course. UNCONFIRMED: they say so, and
    there is nobody yet who could say yes. NOT_YET: no instructor has launched this course. OVER: its class was
    archived.
    """

    IN_CLASS = "in_class"
    NO_COURSE = "no_course"
    UNDECIDED = "undecided"
    ADMINISTRATOR = "administrator"
    UNCONFIRMED = "unconfirmed"
    NOT_YET = "not_yet"
    OVER = "over"


class RoleChange(StrEnum):
    """What becomes of an instructor who teaches the course no more. TAKEN_BACK: they are a student of it. LOOKS_ON:
    they are in it as something else, such as an observer. KEPT_ALONE: nobody else teaches the class, and a class is
    never left alone.
    """

    NONE = "none"
    TAKEN_BACK = "taken_back"
    LOOKS_ON = "looks_on"
    KEPT_ALONE = "kept_alone"


@dataclass(frozen=True, kw_only=True)
class CourseEntry:
    """Result of a launch. offered: for UNDECIDED, the classes that it may be. is_guest: they are in the class, and no
    student of it. is_request: just now they have asked to teach the class.
    """

    kind: CourseEntryKind
    school_class: SchoolClass | None = None
    role: ClassRole = ClassRole.MEMBER
    offered: Sequence[SchoolClass] = ()
    is_guest: bool = False
    is_request: bool = False


def course_id(launch: Launch) -> str:
    """Id of a launch's course; its parts are ids of the school's system."""
    whole = json.dumps([launch.issuer, launch.deployment_id, launch.context_id])
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def course_role(course: str, issuer: str, subject: str) -> str:
    """What a membership names where a course's system has made this identity an instructor. course: its id."""
    return f"{course}.{link_id(issuer, subject)[:32]}"


def launched_role(launch: Launch) -> str:
    """The same of a launch's own course and identity."""
    return course_role(course_id(launch), launch.issuer, launch.subject)
