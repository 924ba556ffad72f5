"""`Classes`: classes as their instructors make, change, archive and delete them."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from services.classes.class_repository import ClassRepository, no_such_class
from services.classes.join_codes import new_join_code
from services.classes.school_class import ClassMember, ClassRole, SchoolClass
from services.errors import BadArguments, ChangedElsewhere, DuplicateDocument, PermissionMissing
from services.i18n import gettext
from services.identity.roles import Roles
from services.identity.students import Student, Students
from services.runtime.clock import stamp
from services.safety.text import one_line

MOST_MEMBERS = 500
MOST_MEMBERS_EVER = 2_000
MOST_CLASSES = 100
"""Classes that one person teaches."""
LONGEST_NAME, LONGEST_TERM = 80, 40


class Classes:
    """Every method takes the student who asks, and refuses what their role in the class does not allow: to somebody who
    is not in it there is no such class.
    """

    def __init__(self, repository: ClassRepository, students: Students, roles: Roles) -> None:
        self._repository, self._students, self._roles = repository, students, roles
        self._clock = repository.clock

    def create(self, student: Student, *, name: str, term: str = "", request_id: str = "") -> SchoolClass:
        """Make a class whose instructor is this student. Raises `PermissionMissing`, `BadArguments`.

        request_id: of the form that was sent: the same again makes no second class.
        """
        if not self._roles.is_instructor(student):
            raise PermissionMissing(
                "Homeroom",
                gettext("Only instructors can make a class."),
                next_step=gettext("Ask whoever runs Homeroom to list your address as an instructor's."),
            )
        made = self._new_class(_class_id(student.id, request_id), _name(name), _term(term))
        if (there := self._repository.get(made.id)) is not None:
            return there
        if len(self._taught_by(student.id)) >= MOST_CLASSES:
            raise BadArguments(
                gettext("{most} classes are the most.", most=MOST_CLASSES),
                next_step=gettext("Delete one that is over."),
            )
        try:
            self._repository.insert(made, student.id, joined_by="made")
        except DuplicateDocument:
            return self._repository.get(made.id) or made
        return made

    def create_for_course(
        self, student: Student, *, id: str, name: str, term: str = "", role_from: str = ""
    ) -> SchoolClass:
        """The class of a course that this student teaches, as the school's system says; made once for each id."""
        if (there := self._repository.get(id)) is not None:
            return there
        made = self._new_class(id, one_line(name, LONGEST_NAME), one_line(term, LONGEST_TERM))
        try:
            self._repository.insert(made, student.id, joined_by="lti", role_from=role_from)
        except DuplicateDocument:
            # Somebody else's launch was first. An engine without transactions has stored this one's membership.
            self._repository.dismiss(id, student.id, role_from=role_from, joined_by="lti")
        return self._repository.get(id) or made

    def of_student(self, student_id: str) -> Sequence[tuple[SchoolClass, ClassRole]]:
        """The classes that a student is in, newest first, with their role in each; archived ones too."""
        roles = {found.class_id: found.role for found in self._repository.memberships(student_id)}
        return [(found, roles[found.id]) for found in self._repository.classes(list(roles))]

    def role_in(self, student_id: str, class_id: str) -> ClassRole | None:
        """The role of a student in a class; None for somebody who is not in it, and for a class that is gone."""
        role = self._repository.role_in(student_id, class_id)
        return role if role is not None and self._repository.get(class_id) is not None else None

    def require_member(self, student: Student, class_id: str) -> tuple[SchoolClass, ClassRole]:
        """The class and the student's role in it; raises `ItemNotFound` for everybody who is not in it."""
        found, role = self._repository.get(class_id), self._repository.role_in(student.id, class_id)
        if found is None or role is None:
            raise no_such_class()
        return found, role

    def require_instructor(self, student: Student, class_id: str) -> SchoolClass:
        """The class, for one of its instructors. Raises `ItemNotFound` for who is not in it, as if there were none, and
        `PermissionMissing` for a member.
        """
        found, role = self.require_member(student, class_id)
        if role is not ClassRole.INSTRUCTOR:
            raise PermissionMissing(
                "Homeroom",
                gettext("Only the instructors of this class can do this."),
                next_step=gettext("Ask one of them."),
            )
        return found

    def members(self, student: Student, class_id: str) -> Sequence[ClassMember]:
        """Everybody in a class, instructors too, for one of its instructors."""
        self.require_instructor(student, class_id)
        return self._repository.members(class_id)

    def instructors(self, student: Student, class_id: str) -> Sequence[Student]:
        """The instructors of a class, for everybody in it."""
        self.require_member(student, class_id)
        return self.instructors_of(class_id)

    def instructors_of(self, class_id: str) -> Sequence[Student]:
        """The instructors of a class; for who is about to join it, too."""
        found = self._repository.members(class_id, role=ClassRole.INSTRUCTOR.value)
        known = (self._students.get(member.student_id) for member in found)
        return [instructor for instructor in known if instructor is not None]

    def change(
        self, student: Student, class_id: str, *, version: int, name: str, term: str, most_members: int
    ) -> SchoolClass:
        """Change what a class is called, and how many may be in it. version: that was on the screen. Raises
        `BadArguments`, and `ChangedElsewhere` where somebody has changed it since.
        """
        if not 1 <= most_members <= MOST_MEMBERS_EVER:
            message = gettext("Choose a number from 1 to {most}.", most=MOST_MEMBERS_EVER)
            raise BadArguments(message, field="most_members")
        changes = {"name": _name(name), "term": _term(term), "most_members": most_members}
        return self._change(student, class_id, version, **changes)

    def set_confirmation(self, student: Student, class_id: str, *, is_on: bool) -> SchoolClass:
        """Choose whether further instructors whom the school's system names wait until one of the class says yes."""
        return self._settle(student, class_id, confirms_instructors=is_on)

    def freeze(self, class_id: str, *, is_frozen: bool) -> None:
        """For what the school's system says of a class: keep it as it is, because nobody who teaches it is a teacher of
        its course, or let it go on.
        """
        while (found := self._repository.get(class_id)) is not None and (found.frozen_at is not None) is not is_frozen:
            if self._repository.change(found, frozen_at=stamp(self._clock()) if is_frozen else None) is not None:
                return

    def renew_code(self, student: Student, class_id: str, *, seen: str, ends_at: datetime | None = None) -> SchoolClass:
        """Make a new join code; the one before works no more. seen: the code that was on the screen, "" for none: where
        it is another one by now, that one stays. Raises `BadArguments` for an end that is past.
        """
        self._require_future(ends_at)
        found = self._require_open(student, class_id)
        if found.join_code != seen:
            return found
        ends = stamp(ends_at) if ends_at else None
        return self._change(student, class_id, found.version, join_code=new_join_code(), code_ends_at=ends)

    def set_code_end(self, student: Student, class_id: str, *, version: int, ends_at: datetime | None) -> SchoolClass:
        """Change until when the join code works; None is as long as the class. Raises as `change` does."""
        self._require_future(ends_at)
        self._require_open(student, class_id)
        return self._change(student, class_id, version, code_ends_at=stamp(ends_at) if ends_at else None)

    def close_code(self, student: Student, class_id: str) -> SchoolClass:
        """Let nobody join by a code from now on; who is in the class stays."""
        return self._settle(student, class_id, join_code="", code_ends_at=None)

    def archive(self, student: Student, class_id: str) -> SchoolClass:
        """End a class: its assistants, materials and code are closed; everything stays for when it is opened again."""
        ended = self.require_instructor(student, class_id).archived_at or self._clock()
        return self._settle(student, class_id, archived_at=stamp(ended), join_code="", code_ends_at=None)

    def reopen(self, student: Student, class_id: str) -> SchoolClass:
        """Open an archived class again; its code stays closed until a new one is made."""
        return self._settle(student, class_id, archived_at=None)

    def delete(self, student: Student, class_id: str) -> None:
        """Delete a class with everything of it, for all who are in it; once begun, the jobs loop completes it."""
        self.require_instructor(student, class_id)
        self._repository.begin_deletion(class_id)
        self._repository.finish_deletion(class_id)

    def finish_deletions(self) -> int:
        """For the jobs loop: complete deletions after a crash; how many there were."""
        return len(list(self._repository.finish_deletions()))

    def _new_class(self, id: str, name: str, term: str) -> SchoolClass:
        return SchoolClass(
            id=id,
            name=name,
            term=term,
            join_code=new_join_code(),
            code_ends_at=None,
            most_members=MOST_MEMBERS,
            created_at=self._clock(),
        )

    def _taught_by(self, student_id: str) -> Sequence[ClassMember]:
        return [found for found in self._repository.memberships(student_id) if found.role is ClassRole.INSTRUCTOR]

    def _require_open(self, student: Student, class_id: str) -> SchoolClass:
        found = self.require_instructor(student, class_id)
        if found.archived_at is not None:
            raise BadArguments(gettext("This class is over."), next_step=gettext("Open it again first."))
        return found

    def _require_future(self, ends_at: datetime | None) -> None:
        if ends_at is not None and ends_at <= self._clock():
            raise BadArguments(gettext("Choose a day that is not over yet."), field="ends_at")

    def _change(self, student: Student, class_id: str, version: int, **changes: Any) -> SchoolClass:
        found = self.require_instructor(student, class_id)
        changed = self._repository.change(found, **changes) if found.version == version else None
        if changed is None:
            raise ChangedElsewhere(
                "Homeroom",
                gettext("Somebody has changed this class meanwhile."),
                next_step=gettext("Look at it again, then change it once more."),
            )
        return changed

    def _settle(self, student: Student, class_id: str, **changes: Any) -> SchoolClass:
        """Make a change that is the same whatever the class is now."""
        while True:
            found = self.require_instructor(student, class_id)
            if (changed := self._repository.change(found, **changes)) is not None:
                return changed


def _class_id(maker: str, request_id: str) -> str:
    if not request_id:
        return secrets.token_hex(12)
    return hashlib.sha256(f"homeroom/classes/{maker}/{request_id}".encode()).hexdigest()[:24]


def _name(name: str) -> str:
    line = one_line(name, LONGEST_NAME + 1)
    if not line or len(line) > LONGEST_NAME:
        message = gettext("Give the class a name of at most {most} characters.", most=LONGEST_NAME)
        raise BadArguments(message, field="name", next_step=gettext("Such as “Biology 201”."))
    return line


def _term(term: str) -> str:
    line = one_line(term, LONGEST_TERM + 1)
    if len(line) > LONGEST_TERM:
        raise BadArguments(gettext("{most} characters are the most for the term.", most=LONGEST_TERM), field="term")
    return line
