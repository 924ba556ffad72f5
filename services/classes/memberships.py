"""`Memberships`: who joins, leaves, is removed from a class, and who teaches it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any

from services.classes.class_repository import ClassRepository, no_such_class
from services.classes.classes import Classes
from services.classes.join_codes import clean_join_code
from services.classes.school_class import ClassMember, ClassRole, SchoolClass
from services.errors import BadArguments, ItemNotFound, Throttled
from services.i18n import gettext
from services.identity.students import Student, Students
from services.runtime.clock import moment, stamp
from services.runtime.rate_limiter import RateLimiter, TokenBucket

TRIES = TokenBucket(burst=20, per_second=1 / 30)
"""Codes that one student may try."""
MARK_LASTS = timedelta(minutes=1)
"""Time after which somebody who began to leave, and did not come to its end, counts as staying."""


@dataclass(frozen=True, kw_only=True)
class ClassInvitation:
    """What somebody with a code reads before they join. role: theirs, when they are in the class already."""

    school_class: SchoolClass
    instructors: Sequence[Student]
    role: ClassRole | None


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody in a class, as its instructors see them: nothing else of a student is shown to them."""

    name: str
    email: str
    member: ClassMember


def _person(member: ClassMember, who: Student) -> Person:
    """Somebody in a class. Whom a course's list has brought in is named once they have read that they are in it: their
    account may have a name and an address that neither the course nor the instructor ever knew.
    """
    if member.joined_by == "lti" and not member.is_told:
        return Person(name=gettext("Somebody from the course's list"), email="", member=member)
    return Person(name=who.display_name, email=who.email, member=member)


class Memberships:
    """Joins are once only; every other method refuses what a role does not allow, as `Classes` does."""

    def __init__(
        self, repository: ClassRepository, classes: Classes, students: Students, rate_limiter: RateLimiter
    ) -> None:
        self._repository, self._classes, self._students = repository, classes, students
        self._rate_limiter, self._clock = rate_limiter, repository.clock

    def invitation(self, student: Student, code: str) -> ClassInvitation:
        """The class that a code leads to. Raises `ItemNotFound` for a code that does not work, the same for each
        reason, and `Throttled` for somebody who tries many.
        """
        if wait_s := self._rate_limiter.acquire(f"join_codes/{student.id}", TRIES):
            raise Throttled(
                "Homeroom",
                gettext("You have tried many codes."),
                next_step=gettext("Wait {seconds} s, then try again.", seconds=ceil(wait_s)),
                retry_after_s=wait_s,
            )
        found = self._repository.with_code(clean_join_code(code))
        if found is None or not found.is_code_open(self._clock()):
            raise ItemNotFound(
                "Homeroom",
                gettext("This code does not work, or not any more."),
                next_step=gettext("Look whether it is written as you got it, or ask your instructor for a new one."),
            )
        role = self._repository.role_in(student.id, found.id)
        return ClassInvitation(school_class=found, instructors=self._classes.instructors_of(found.id), role=role)

    def join(self, student: Student, code: str) -> SchoolClass:
        """Join by a code; again changes nothing. Raises as `invitation` does, and `ClassFull`."""
        invitation = self.invitation(student, code)
        joined = invitation.school_class
        if invitation.role is None:
            self._repository.admit(joined, student.id, ClassRole.MEMBER, "code")
        if student.is_email_verified:
            self._repository.use_up_invitation(joined.id, student.email)
        return joined

    def admit(
        self,
        class_id: str,
        student_id: str,
        role: ClassRole,
        *,
        joined_by: str,
        is_told: bool = True,
        role_from: str = "",
        is_guest: bool = False,
        asks_from: str = "",
    ) -> SchoolClass:
        """Let in somebody whom an instructor or the school's system names, however many there are. A role only ever
        rises by this, and a guest who comes as a student is one. role_from: of a school's system that makes them an
        instructor. is_guest, asks_from: of somebody new who is no student, and who asks to teach the class.
        Raises `ItemNotFound` for a class that is gone, or over for who is not in it.
        """
        found = self._repository.get(class_id)
        before = self._repository.role_in(student_id, class_id)
        if found is None or (found.archived_at is not None and before is None):
            raise no_such_class()
        if before is None:
            self._repository.admit(
                found,
                student_id,
                role,
                joined_by,
                is_told=is_told,
                is_named=True,
                role_from=role_from,
                is_guest=is_guest,
                asks_from=asks_from,
            )
        elif role is ClassRole.MEMBER and not is_guest:
            changes = {"is_guest": False, "seat": f"x.{student_id}", "asks_from": ""}
            self._repository.change_member(class_id, student_id, {"is_guest": True}, **changes)
        if role is ClassRole.INSTRUCTOR:
            self._repository.make_instructor(class_id, student_id, role_from=role_from)
        return found

    def request_role(self, class_id: str, student_id: str, asks_from: str) -> bool:
        """Note that a member asks to teach the class, unless they were told no before; whether they have just asked.
        asks_from: the course of a school's system and the identity there that says so.
        """
        member = self._repository.member(class_id, student_id)
        if member is None or member.asks_from or member.declined_from == asks_from:
            return False
        expected = {"role": ClassRole.MEMBER.value}
        return self._repository.change_member(class_id, student_id, expected, asks_from=asks_from)

    def own(self, student: Student, class_id: str) -> ClassMember:
        """The student's own membership; raises `ItemNotFound` for who is not in the class."""
        self._classes.require_member(student, class_id)
        member = self._repository.member(class_id, student.id)
        if member is None:
            raise no_such_class()
        return member

    def requests(self, student: Student, class_id: str) -> Sequence[Person]:
        """Who asks to teach the class, for one of its instructors."""
        return [person for person in self.people(student, class_id) if person.member.asks_from]

    def waiting_requests(self, student: Student) -> Mapping[str, int]:
        """How many ask to teach each class that the student teaches; their own request counts in a class that they ask
        to teach. Classes in which nobody asks are left out.
        """
        own = self._repository.memberships(student.id)
        taught = [member.class_id for member in own if member.role is ClassRole.INSTRUCTOR]
        asking = [member.class_id for member in own if member.asks_from]
        return Counter([*self._repository.asked_in(taught), *asking])

    def confirm_instructor(self, student: Student, class_id: str, member_id: str) -> None:
        """Say yes to somebody who asks to teach the class. Raises `ItemNotFound` for who is not in it any more, and
        `BadArguments` in a class whose own instructors are not listed as teaching its course.

        Of whom the course's list calls a student, this is Homeroom's word alone, and no list takes it back.
        """
        if self._classes.require_instructor(student, class_id).frozen_at is not None:
            raise BadArguments(
                gettext("Your course does not list you as one of its teachers, so you cannot let others teach it."),
                next_step=gettext("Ask a teacher of the course to open Homeroom from it once."),
            )
        self._require_in(class_id, member_id)
        member = self._repository.member(class_id, member_id)
        if member is not None and member.asks_from:
            role_from = "" if member.is_listed_learner else member.asks_from
            self._repository.make_instructor(class_id, member_id, role_from=role_from)

    def decline_instructor(self, student: Student, class_id: str, member_id: str) -> None:
        """Say no to somebody who asks to teach the class: the same launch does not ask again."""
        self._classes.require_instructor(student, class_id)
        self._require_in(class_id, member_id)
        member = self._repository.member(class_id, member_id)
        if member is not None and member.asks_from:
            expected = {"asks_from": member.asks_from}
            changes = {"asks_from": "", "declined_from": member.asks_from}
            self._repository.change_member(class_id, member_id, expected, **changes)

    def take_role_back(self, member: ClassMember, **changes: Any) -> bool:
        """Let an instructor be a member again, because the school's system that had made them one says so; whether they
        are. member: as it was before that was asked: who was made one meanwhile stays so, as do who became one in
        Homeroom and the last one of a class. changes: of the membership beside that.
        """
        if not member.role_from or member.role is not ClassRole.INSTRUCTOR:
            return False
        try:
            mark = self._begin_leaving(member.class_id, member.student_id)
        except BadArguments:
            return False
        expected = {"role_from": member.role_from, "role_at": member.role_at}
        if self._demote(member.class_id, member.student_id, mark, expected, **changes):
            return True
        self._repository.change_member(member.class_id, member.student_id, {"leaving_at": mark}, leaving_at=None)
        return False

    def people(self, student: Student, class_id: str) -> Sequence[Person]:
        """Everybody in a class by name, instructors first, for one of its instructors."""
        known = ((member, self._students.get(member.student_id)) for member in self._classes.members(student, class_id))
        people = [_person(member, who) for member, who in known if who is not None]
        return sorted(people, key=lambda person: (person.member.role is ClassRole.MEMBER, person.name.casefold()))

    def make_instructor(self, student: Student, class_id: str, member_id: str) -> None:
        """Let a member teach the class, too. Raises `ItemNotFound` for who is not in it."""
        self._classes.require_instructor(student, class_id)
        self._require_in(class_id, member_id)
        self._repository.make_instructor(class_id, member_id)

    def make_member(self, student: Student, class_id: str, instructor_id: str) -> None:
        """Let an instructor be a member again; raises `BadArguments` for the last one."""
        self._classes.require_instructor(student, class_id)
        if self._require_in(class_id, instructor_id) is ClassRole.INSTRUCTOR:
            self._demote(class_id, instructor_id, self._begin_leaving(class_id, instructor_id))

    def leave(self, student: Student, class_id: str) -> None:
        """Leave a class; raises `BadArguments` for its last instructor."""
        self._classes.require_member(student, class_id)
        self._dismiss(class_id, student.id)

    def remove(self, student: Student, class_id: str, member_id: str) -> None:
        """Remove somebody; raises `ItemNotFound` for who is not in it, `BadArguments` for the last instructor."""
        self._classes.require_instructor(student, class_id)
        self._require_in(class_id, member_id)
        self._dismiss(class_id, member_id)

    def untold(self, student: Student) -> Sequence[SchoolClass]:
        """Classes into which a list has brought this student, of which they have not read yet."""
        unread = [found.class_id for found in self._repository.memberships(student.id) if not found.is_told]
        return [found for found in self._repository.classes(unread) if found.archived_at is None]

    def mark_told(self, student: Student, class_id: str) -> None:
        """Note that the student has read that they are in a class."""
        self._classes.require_member(student, class_id)
        self._repository.change_member(class_id, student.id, {}, is_told=True)

    def forget(self, student_id: str) -> None:
        """Take somebody out of all their classes, because their account is being deleted; may be repeated.

        A class that loses its last instructor is archived; one that nobody else is in is deleted.
        """
        for membership in self._repository.memberships(student_id):
            class_id = membership.class_id
            if membership.role is ClassRole.INSTRUCTOR:
                self._repository.change_member(class_id, student_id, {}, leaving_at=stamp(self._clock()))
                if not any(mark is None for mark in self._repository.instructor_marks(class_id).values()):
                    self._abandon(class_id, student_id)
            self._repository.dismiss(class_id, student_id)

    def _abandon(self, class_id: str, student_id: str) -> None:
        if self._repository.is_left_by_all_but(class_id, student_id):
            self._repository.begin_deletion(class_id)
            self._repository.finish_deletion(class_id)
        while (found := self._repository.get(class_id)) is not None:
            ended = stamp(found.archived_at or self._clock())
            if self._repository.change(found, archived_at=ended, join_code="", code_ends_at=None) is not None:
                return

    def _require_in(self, class_id: str, student_id: str) -> ClassRole:
        role = self._repository.role_in(student_id, class_id)
        if role is None:
            raise ItemNotFound(
                "Homeroom",
                gettext("This person is not in the class any more."),
                next_step=gettext("Look at the list anew."),
            )
        return role

    def _demote(self, class_id: str, student_id: str, mark: str, expected: Mapping[str, str] = {}, **more: Any) -> bool:
        seat = f"{'g' if more.get('is_guest') else 'x'}.{student_id}"
        changes = {"role": ClassRole.MEMBER.value, "seat": seat, "role_from": "", "role_at": "", "leaving_at": None}
        return self._repository.change_member(
            class_id, student_id, {"leaving_at": mark, **expected}, **{**changes, **more}
        )

    def _dismiss(self, class_id: str, student_id: str) -> None:
        if self._repository.role_in(student_id, class_id) is not ClassRole.INSTRUCTOR:
            self._repository.dismiss(class_id, student_id, role=ClassRole.MEMBER.value)
            return
        self._repository.dismiss(class_id, student_id, leaving_at=self._begin_leaving(class_id, student_id))

    def _begin_leaving(self, class_id: str, student_id: str) -> str:
        """Mark an instructor as leaving; the mark. Raises `BadArguments` where nobody stays who teaches the class.

        Everybody marks first and looks then: of two who leave at once at least one finds that they are the last. A mark
        that was left by a crash is taken away here, and whoever it belonged to does not leave by it any more.
        """
        now = self._clock()
        mark = stamp(now)
        self._repository.change_member(class_id, student_id, {}, leaving_at=mark)
        for other_id, other in self._repository.instructor_marks(class_id).items():
            if other_id == student_id:
                continue
            if other is None:
                return mark
            if now - moment(other) > MARK_LASTS and self._repository.change_member(
                class_id, other_id, {"leaving_at": other}, leaving_at=None
            ):
                return mark
        self._repository.change_member(class_id, student_id, {"leaving_at": mark}, leaving_at=None)
        raise BadArguments(
            gettext("A class needs somebody who teaches it."),
            next_step=gettext("Make somebody else an instructor first, or archive or delete the class."),
        )
