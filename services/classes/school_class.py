"""`SchoolClass` and `ClassMember`: a class and who is in it, as they are stored."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from services.runtime.clock import stamp
from services.storage.documents import Document
from services.storage.records import read_record, record_reader


class ClassRole(StrEnum):
    """Role of a person in one class."""

    MEMBER = "member"
    INSTRUCTOR = "instructor"


@dataclass(frozen=True, kw_only=True)
class SchoolClass:
    """Class that an instructor has made, or the first launch from a school's system.

    term: such as "Fall 2026", in the instructor's words; may be empty. join_code: what a student types or scans to
    join; empty while nobody may. code_ends_at: until when the code works; None is as long as the class. most_members:
    instructors are not counted. archived_at: since when it is over: its assistants and its code are closed.
    version: counted up with every change of the class itself. confirms_instructors: whether whoever would become a
    further instructor by the school's system waits until one of the class says yes. frozen_at: since when nobody who
    teaches the class is listed as a teacher of its course: no roster and no figures until then.
    """

    id: str
    name: str
    term: str
    join_code: str
    code_ends_at: datetime | None
    most_members: int
    created_at: datetime
    archived_at: datetime | None = None
    version: int = 1
    confirms_instructors: bool = True
    frozen_at: datetime | None = None

    def is_code_open(self, now: datetime) -> bool:
        """Whether somebody who has the code may join now, as far as its end goes."""
        return bool(self.join_code) and not self.archived_at and (self.code_ends_at is None or now < self.code_ends_at)


@dataclass(frozen=True, kw_only=True)
class ClassMember:
    """Membership of a student in a class. joined_by: "code", "list", "lti", or "made" for whoever made the class.

    is_told: whether they know of it: who was joined by a list reads so first. role_from: the course of a school's
    system and the identity there that made them an instructor (`course_role`); "" for who became one in Homeroom.
    role_at: when that was said last. is_guest: in it without being a student of it: whoever assists, observes, designs
    or looks after the school's system. asks_from: what `role_from` would be of who has asked to teach the class;
    declined_from: of who was told no. role_was: `role_from` until they launched as a student themselves.
    is_listed_learner: the course's list says that they do not teach it, whatever their launches say.
    """

    class_id: str
    student_id: str
    role: ClassRole
    joined_at: datetime
    joined_by: str
    is_told: bool = True
    role_from: str = ""
    role_at: str = ""
    is_guest: bool = False
    asks_from: str = ""
    declined_from: str = ""
    role_was: str = ""
    is_listed_learner: bool = False

    @property
    def is_student(self) -> bool:
        """Whether they are in the class to learn: neither its instructor nor a guest."""
        return self.role is ClassRole.MEMBER and not self.is_guest


def class_document(written: SchoolClass) -> Document:
    """A class as it is stored."""
    return {
        **vars(written),
        "created_at": stamp(written.created_at),
        "code_ends_at": _optional_stamp(written.code_ends_at),
        "archived_at": _optional_stamp(written.archived_at),
        "frozen_at": _optional_stamp(written.frozen_at),
    }


@record_reader("classes")
def class_of(document: Document) -> SchoolClass:
    """The class that a document holds."""
    return read_record(SchoolClass, document)


@record_reader("class_members")
def member_of(document: Document) -> ClassMember:
    """The membership that a document holds."""
    return read_record(ClassMember, document)


def _optional_stamp(at: datetime | None) -> str | None:
    return stamp(at) if at else None
