"""`Roster`: people whom an instructor names by e-mail address; they join at their next sign-in."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from services.classes.class_repository import INVITATIONS, ClassRepository
from services.classes.classes import MOST_MEMBERS_EVER, Classes
from services.classes.memberships import Memberships
from services.classes.school_class import ClassRole, SchoolClass
from services.errors import BadArguments, DuplicateDocument
from services.i18n import gettext
from services.identity.roles import address_key
from services.identity.students import Student
from services.runtime.clock import stamp
from services.storage.documents import Document
from services.storage.records import read_all, read_record, record_reader
from services.storage.store import Store

LONGEST_LIST = 200_000
LONGEST_ADDRESS = 254
"""RFC 5321, section 4.5.3.1.3: a path of 256 octets, its angle brackets counted."""
_ADDRESS = re.compile(r"[^\s@<>,;:\"'()\[\]]{1,64}@[^\s@<>,;:\"'()\[\]]+\.[^\s@<>,;:\"'()\[\].]+")
_BETWEEN = re.compile(r"[\s,;<>\"'()\[\]]+")
_BEFORE = re.compile(r"^mailto:", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class InvitedPerson:
    """Somebody who is named and has not signed in since. from_course: the course of a school's system whose list names
    them; "" for whom an instructor has named.
    """

    id: str
    class_id: str
    email: str = field(repr=False)
    role: ClassRole
    from_course: str = ""


@dataclass(frozen=True, kw_only=True)
class ParsedList:
    """What a pasted list holds. addresses: each once, as they are compared. unread: what looks like one and is none."""

    addresses: tuple[str, ...] = field(repr=False)
    unread: tuple[str, ...] = field(repr=False)


class Roster:
    """Invitations by address. An address counts only for who signs in with it, vouched for by the sign-in provider."""

    def __init__(self, store: Store, repository: ClassRepository, classes: Classes, memberships: Memberships) -> None:
        self._documents, self._repository = store.shared, repository
        self._classes, self._memberships = classes, memberships

    def invite(
        self,
        student: Student,
        class_id: str,
        written: str,
        *,
        role: ClassRole = ClassRole.MEMBER,
        from_course: str = "",
    ) -> ParsedList:
        """Invite everybody of a pasted list; who is invited already stays so. from_course: of a school's system whose
        list this is. Raises `BadArguments` for a list without an address, and for more than a class may hold.
        """
        school_class = self._classes.require_instructor(student, class_id)
        parsed = parse_list(written)
        if not parsed.addresses:
            raise BadArguments(
                gettext("There is no e-mail address in this list."),
                field="addresses",
                next_step=gettext("Paste one on each line, such as ana.ruiz@school.example."),
            )
        if len(parsed.addresses) + len(self._documents.find(INVITATIONS, {"class_id": class_id})) > MOST_MEMBERS_EVER:
            raise BadArguments(gettext("{most} people are the most.", most=MOST_MEMBERS_EVER), field="addresses")
        for address in parsed.addresses:
            self._invite(school_class, address, role, by=student.id, from_course=from_course)
        return parsed

    def invited(self, student: Student, class_id: str) -> Sequence[InvitedPerson]:
        """Who is invited and has not come yet, for an instructor of the class."""
        self._classes.require_instructor(student, class_id)
        found = self._documents.find(INVITATIONS, {"class_id": class_id}, order=[("email", 1)])
        return read_all(_invited, found)

    def withdraw(self, student: Student, class_id: str, email: str, *, from_course: str | None = None) -> None:
        """Take an invitation back; one that is gone already changes nothing. from_course: only if that one made it."""
        self._classes.require_instructor(student, class_id)
        expected = {} if from_course is None else {"from_course": from_course}
        self._documents.delete(INVITATIONS, {"id": _invitation_id(class_id, address_key(email)), **expected})

    def accept(self, student: Student) -> int:
        """Let somebody who has just signed in into the classes that have named their address; into how many. They read
        of it by `Memberships.untold`.
        """
        if not student.is_email_verified or not student.email.strip():
            return 0
        found = self._documents.find(INVITATIONS, {"email": address_key(student.email)})
        return sum(self._accept(student, invited) for invited in read_all(_invited, found))

    def _accept(self, student: Student, invited: InvitedPerson) -> bool:
        school_class = self._repository.get(invited.class_id)
        if school_class is None or school_class.archived_at is not None:
            return False
        self._memberships.admit(invited.class_id, student.id, invited.role, joined_by="list", is_told=False)
        # Last: after a crash they are let in once more, which changes nothing.
        return self._documents.delete(INVITATIONS, {"id": invited.id}) > 0

    def _invite(self, school_class: SchoolClass, address: str, role: ClassRole, *, by: str, from_course: str) -> None:
        id = _invitation_id(school_class.id, address)
        invitation = {
            "id": id,
            "class_id": school_class.id,
            "email": address,
            "role": role.value,
            "invited_by": by,
            "from_course": from_course,
            "invited_at": stamp(self._repository.clock()),
        }
        try:
            self._documents.insert(INVITATIONS, invitation)
        except DuplicateDocument:
            changes = {"role": role.value} if role is ClassRole.INSTRUCTOR else {}
            # Whom an instructor names stays invited, whatever the course's list says later.
            changes |= {} if from_course else {"from_course": ""}
            if changes:
                self._documents.compare_and_set(INVITATIONS, id, {}, changes)


def parse_list(written: str) -> ParsedList:
    """Find the addresses of a pasted list: one on each line, with names, or the columns of a spreadsheet."""
    if len(written) > LONGEST_LIST:
        raise BadArguments(
            gettext("This list is too long."), field="addresses", next_step=gettext("Paste it in parts.")
        )
    pieces = [_BEFORE.sub("", piece).strip(".:") for piece in _BETWEEN.split(written) if "@" in piece]
    found = [piece for piece in pieces if _is_address(piece)]
    unread = [piece for piece in pieces if not _is_address(piece)]
    return ParsedList(addresses=_each_once(address_key(piece) for piece in found), unread=_each_once(unread))


@record_reader(INVITATIONS)
def _invited(document: Document) -> InvitedPerson:
    return read_record(InvitedPerson, document)


def _is_address(piece: str) -> bool:
    return len(piece) <= LONGEST_ADDRESS and piece.isprintable() and _ADDRESS.fullmatch(piece) is not None


def _each_once(pieces: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pieces))


def _invitation_id(class_id: str, address: str) -> str:
    return f"{class_id}.{hashlib.sha256(address.encode()).hexdigest()[:32]}"
