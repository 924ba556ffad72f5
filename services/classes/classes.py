"""`Classes`: repository of classes and their members."""

import secrets
from collections.abc import Sequence

from services.classes.school_class import ClassMember, ClassRole, SchoolClass
from services.errors import BadArguments, ItemNotFound, PermissionMissing
from services.i18n import gettext
from services.identity.roles import Roles
from services.identity.students import Student, Students
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.store import Store

CLASSES, MEMBERS = "classes", "class_members"
MOST_MEMBERS = 500
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters of a join code: none that is mistaken for another one when it is read from a wall."""
CODE_LENGTH = 8


class Classes:
    """Every method takes the student who asks, and refuses what their role in the class does not allow."""

    def __init__(self, store: Store, students: Students, roles: Roles, clock: Clock) -> None:
        self._documents, self._students, self._roles, self._clock = store.shared, students, roles, clock

    def create(self, student: Student, *, name: str, term: str = "") -> SchoolClass:
        """Make a class whose instructor is this student. Raises `PermissionMissing`, `BadArguments`."""
        if not self._roles.may_make_classes(student):
            raise PermissionMissing("Homeroom", gettext("Only instructors can make a class."))
        if not name.strip():
            raise BadArguments(gettext("Give the class a name."), field="name")
        now = self._clock()
        made = SchoolClass(
            id=secrets.token_hex(12),
            name=name.strip(),
            term=term.strip(),
            join_code=new_join_code(),
            code_ends_at=None,
            most_members=MOST_MEMBERS,
            created_at=now,
        )
        self._documents.insert(CLASSES, class_document(made))
        self._put_member(made.id, student.id, ClassRole.INSTRUCTOR, joined_by="made")
        return made

    def of_student(self, student_id: str) -> Sequence[tuple[SchoolClass, ClassRole]]:
        """The classes that a student is in, newest first, with their role in each; archived ones too."""
        roles = {found["class_id"]: ClassRole(found["role"]) for found in self._memberships(student_id)}
        found = self._documents.find(CLASSES, {"id": {"$in": list(roles)}}, order=[("created_at", -1)]) if roles else []
        return [(class_of(document), roles[document["id"]]) for document in found]

    def role_in(self, student_id: str, class_id: str) -> ClassRole | None:
        """The role of a student in a class; None for somebody who is not in it."""
        found = self._documents.get(MEMBERS, member_id(class_id, student_id))
        return ClassRole(found["role"]) if found else None

    def require_instructor(self, student: Student, class_id: str) -> SchoolClass:
        """The class, for one of its instructors; raises `ItemNotFound` for everybody else, as if there were none."""
        found = self._documents.get(CLASSES, class_id)
        if found is None or self.role_in(student.id, class_id) is not ClassRole.INSTRUCTOR:
            raise ItemNotFound("Homeroom", gettext("There is no such class."))
        return class_of(found)

    def require_member(self, student: Student, class_id: str) -> tuple[SchoolClass, ClassRole]:
        """The class and the student's role in it; raises `ItemNotFound` for everybody who is not in it."""
        found, role = self._documents.get(CLASSES, class_id), self.role_in(student.id, class_id)
        if found is None or role is None:
            raise ItemNotFound("Homeroom", gettext("There is no such class."))
        return class_of(found), role

    def instructors(self, student: Student, class_id: str) -> Sequence[Student]:
        """The instructors of a class, for everybody in it."""
        self.require_member(student, class_id)
        found = self._documents.find(MEMBERS, {"class_id": class_id, "role": ClassRole.INSTRUCTOR.value})
        known = (self._students.get(document["student_id"]) for document in found)
        return [instructor for instructor in known if instructor is not None]

    def join(self, student: Student, code: str) -> SchoolClass:
        """Join by a code; again changes nothing. Raises `ItemNotFound` for a code that does not work."""
        found = self._documents.find(CLASSES, {"join_code": clean_join_code(code)}, limit=1) if code.strip() else []
        if not found or class_of(found[0]).archived_at is not None:
            raise ItemNotFound("Homeroom", gettext("This code does not work. Ask your instructor for a new one."))
        joined = class_of(found[0])
        if self.role_in(student.id, joined.id) is None:
            self._put_member(joined.id, student.id, ClassRole.MEMBER, joined_by="code")
        return joined

    def members(self, student: Student, class_id: str) -> Sequence[ClassMember]:
        """Everybody in a class, for one of its instructors."""
        self.require_instructor(student, class_id)
        return [member_of(found) for found in self._documents.find(MEMBERS, {"class_id": class_id})]

    def _memberships(self, student_id: str) -> Sequence[Document]:
        return self._documents.find(MEMBERS, {"student_id": student_id})

    def _put_member(self, class_id: str, student_id: str, role: ClassRole, *, joined_by: str) -> None:
        self._documents.put(
            MEMBERS,
            {
                "id": member_id(class_id, student_id),
                "class_id": class_id,
                "student_id": student_id,
                "role": role.value,
                "joined_at": stamp(self._clock()),
                "joined_by": joined_by,
            },
        )


def new_join_code() -> str:
    """A new random join code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def clean_join_code(written: str) -> str:
    """A join code as it is stored, of one that was typed with spaces, hyphens or small letters."""
    return "".join(letter for letter in written.upper() if letter.isalnum())


def member_id(class_id: str, student_id: str) -> str:
    """Id of the document that holds a membership."""
    return f"{class_id}.{student_id}"


def class_document(written: SchoolClass) -> Document:
    """A class as it is stored."""
    return {
        **vars(written),
        "created_at": stamp(written.created_at),
        "code_ends_at": stamp(written.code_ends_at) if written.code_ends_at else None,
        "archived_at": stamp(written.archived_at) if written.archived_at else None,
    }


def class_of(document: Document) -> SchoolClass:
    """The class that a document holds."""
    ends, archived = document["code_ends_at"], document["archived_at"]
    return SchoolClass(
        **{
            **{name: document[name] for name in SchoolClass.__dataclass_fields__},
            "created_at": moment(document["created_at"]),
            "code_ends_at": moment(ends) if ends else None,
            "archived_at": moment(archived) if archived else None,
        }
    )


def member_of(document: Document) -> ClassMember:
    """The membership that a document holds."""
    return ClassMember(
        class_id=document["class_id"],
        student_id=document["student_id"],
        role=ClassRole(document["role"]),
        joined_at=moment(document["joined_at"]),
        joined_by=document["joined_by"],
    )
