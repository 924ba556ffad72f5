"""`SchoolClass` and `ClassMember`: a class and who is in it, as they are stored."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


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


@dataclass(frozen=True, kw_only=True)
class ClassMember:
    """Membership of a student in a class. joined_by: "code", "list", "lti", or "made" for whoever made the class."""

    class_id: str
    student_id: str
    role: ClassRole
    joined_at: datetime
    joined_by: str
