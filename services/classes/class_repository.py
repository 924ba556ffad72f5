"""`ClassRepository`: documents of classes and memberships, for the parts that check who asks."""

import random
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import Any, TypeVar

from services.classes.school_class import (
    ClassMember,
    ClassRole,
    SchoolClass,
    class_document,
    class_of,
    member_of,
)
from services.errors import DuplicateDocument, ItemNotFound
from services.i18n import gettext
from services.identity.roles import address_key
from services.runtime.clock import Clock, moment, stamp
from services.storage.collections import OF_CLASS, OF_MEMBERS
from services.storage.documents import Document
from services.storage.records import read_all
from services.storage.store import Store

Result = TypeVar("Result")

CLASSES, MEMBERS, INVITATIONS = "classes", "class_members", "class_invitations"
SEATS_CHOSEN_FROM = 64
NO_REQUEST = {"asks_from": "", "declined_from": "", "role_was": ""}
"""Fields of a membership about becoming an instructor, of somebody who is one."""
SEEN_FOR_S = 1.0
"""How long what was read in one block may be used in the next."""
LATE_WRITES = timedelta(hours=1)
"""How long something that began before a class was deleted may still write of it: longer than any answer takes."""


@dataclass(kw_only=True)
class SeenClasses:
    """What was read of classes within a block, by what it was asked for. until: on the monotonic clock.

    is_open: whether the block goes on. Threads that were begun in it have it in their context for longer.
    """

    values: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    until: float
    is_open: bool = True


_seen: ContextVar[SeenClasses | None] = ContextVar("seen_classes", default=None)


@contextmanager
def memberships_read_once(before: SeenClasses | None = None) -> Iterator[None]:
    """Read each student's memberships, each class and its assistants once within this block: for the moment in which a
    message is stored or a request to the model is made, whose parts ask for them one after another.

    before: what was read in another block, a moment ago.
    """
    now = time.monotonic()
    if before is not None and now < before.until:
        seen = SeenClasses(values=dict(before.values), until=before.until)
    else:
        seen = SeenClasses(until=now + SEEN_FOR_S)
    token = _seen.set(seen)
    try:
        yield
    finally:
        seen.is_open = False
        _seen.reset(token)


def seen_classes() -> SeenClasses | None:
    """What was read in the block around, for another one that follows at once on another thread."""
    seen = _seen.get()
    return seen if seen is not None and seen.is_open else None


def seen_or_read(kind: str, id: str, read: Callable[[], Result]) -> Result:
    """What was read within the block around; else what is read now."""
    if (seen := seen_classes()) is None:
        return read()
    if (kind, id) not in seen.values:
        seen.values[kind, id] = read()
    value: Result = seen.values[kind, id]
    return value


class ClassFull(ItemNotFound):
    """The class has as many members as it may have."""

    next_step = ""


class ClassRepository:
    """Reads and writes of classes. A class that is being deleted counts as gone."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._documents, self.clock = store, store.shared, clock

    def get(self, class_id: str) -> SchoolClass | None:
        if not class_id:
            return None
        return seen_or_read(CLASSES, class_id, lambda: _shown(self._documents.get(CLASSES, class_id)))

    def with_code(self, code: str) -> SchoolClass | None:
        """The class of a join code, as it is stored."""
        found = self._documents.find(CLASSES, {"join_code": code}, limit=1) if code else []
        return _shown(found[0]) if found else None

    def classes(self, ids: Sequence[str]) -> Sequence[SchoolClass]:
        """Classes by their ids, newest first."""
        seen = seen_classes()
        if seen is not None and ids and all((CLASSES, id) in seen.values for id in ids):
            known = [school_class for id in ids if (school_class := seen.values[CLASSES, id])]
            return sorted(known, key=lambda school_class: school_class.created_at, reverse=True)
        where = {"id": {"$in": list(ids)}}
        found = self._documents.find(CLASSES, where, order=[("created_at", -1)]) if ids else []
        read = read_all(class_of, (document for document in found if not document.get("deleted_at")))
        if seen is not None:
            seen.values.update({(CLASSES, school_class.id): school_class for school_class in read})
        return read

    def insert(self, made: SchoolClass, instructor_id: str, *, joined_by: str, role_from: str = "") -> None:
        """Store a class with its first instructor; raises `DuplicateDocument` for one that there is."""
        batch = self._store.batch()
        # The membership first: without a class it is nothing, and a class without an instructor belongs to nobody.
        first = self._member_document(made.id, instructor_id, ClassRole.INSTRUCTOR, joined_by, role_from=role_from)
        batch.shared.put(MEMBERS, first)
        batch.shared.insert(CLASSES, class_document(made) | {"deleted_at": None})
        batch.commit()

    def change(self, found: SchoolClass, **changes: Any) -> SchoolClass | None:
        """Change a class that nobody has changed since it was read; None when somebody has."""
        changed = self._documents.compare_and_set(
            CLASSES, found.id, {"version": found.version, "deleted_at": None}, {**changes, "version": found.version + 1}
        )
        return class_of(changed) if changed else None

    def role_in(self, student_id: str, class_id: str) -> ClassRole | None:
        if seen_classes() is not None:
            roles = {found.class_id: found.role for found in self.memberships(student_id)}
            return roles.get(class_id)
        found = self._documents.get(MEMBERS, member_id(class_id, student_id))
        return ClassRole(found["role"]) if found else None

    def member(self, class_id: str, student_id: str) -> ClassMember | None:
        found = self._documents.get(MEMBERS, member_id(class_id, student_id))
        return member_of(found) if found else None

    def members(self, class_id: str, **where: Any) -> Sequence[ClassMember]:
        """Members of a class, those who joined first in front. where: fields of their documents."""
        order = [("joined_at", 1), ("id", 1)]
        return read_all(member_of, self._documents.find(MEMBERS, {"class_id": class_id, **where}, order=order))

    def asked_in(self, class_ids: Sequence[str]) -> Sequence[str]:
        """Classes among these in which members ask to teach them, once for each of those."""
        where = {"class_id": {"$in": list(class_ids)}, "asks_from": {"$gt": ""}}
        return [str(found["class_id"]) for found in self._documents.find(MEMBERS, where)] if class_ids else []

    def is_left_by_all_but(self, class_id: str, student_id: str) -> bool:
        """Whether nobody else is in a class; whose membership cannot be read is in it, too."""
        found = self._documents.find(MEMBERS, {"class_id": class_id})
        return all(document.get("student_id") == student_id for document in found)

    def memberships(self, student_id: str) -> Sequence[ClassMember]:
        where = {"student_id": student_id}
        return seen_or_read(MEMBERS, student_id, lambda: read_all(member_of, self._documents.find(MEMBERS, where)))

    def admit(
        self,
        school_class: SchoolClass,
        student_id: str,
        role: ClassRole,
        joined_by: str,
        *,
        is_told: bool = True,
        is_named: bool = False,
        role_from: str = "",
        is_guest: bool = False,
        asks_from: str = "",
    ) -> bool:
        """Make somebody a member; False for who is one already. Raises `ClassFull` when there are as many as may be,
        except for who is_named: by an instructor or by the school's system.

        Each member has a seat, a number that only one may have: so joins at the same moment, in any replica, never
        pass the limit together.
        """
        id = member_id(school_class.id, student_id)
        while True:
            taken = {found["seat"]: found["id"] for found in self._seats(school_class.id)}
            if id in taken.values():
                return False
            counted = sum(not seat.startswith(("i.", "g.")) for seat in taken)
            seat = f"i.{student_id}" if role is ClassRole.INSTRUCTOR else f"g.{student_id}" if is_guest else ""
            seat = seat or _free_seat(taken, school_class.most_members - counted, school_class.most_members)
            seat = seat or (f"x.{student_id}" if is_named else "")
            if not seat:
                raise ClassFull("Homeroom", gettext("This class is full. Ask its instructor to let in more."))
            document = self._member_document(
                school_class.id, student_id, role, joined_by, seat=seat, role_from=role_from
            )
            more = {"is_told": is_told, "is_guest": is_guest, "asks_from": asks_from}
            try:
                self._documents.insert(MEMBERS, {**document, **more})
            except DuplicateDocument:
                continue
            if self.get(school_class.id) is None:
                self.dismiss(school_class.id, student_id)
                raise no_such_class()
            return True

    def open_libraries(self, student_id: str) -> Mapping[str, str]:
        """Owners of the libraries of a student's classes that are not over, with the names of these."""
        ids = [membership.class_id for membership in self.memberships(student_id)]
        return {library_owner(found.id): found.name for found in self.classes(ids) if found.archived_at is None}

    def change_member(self, class_id: str, student_id: str, expected: Mapping[str, Any], **changes: Any) -> bool:
        """Change a membership that still is as expected; whether it was."""
        id = member_id(class_id, student_id)
        return self._documents.compare_and_set(MEMBERS, id, expected, changes) is not None

    def make_instructor(self, class_id: str, student_id: str, *, role_from: str = "") -> None:
        """Let a member teach the class; who does already stays as they are. role_from: of a school's system."""
        changes = {
            "role": ClassRole.INSTRUCTOR.value,
            "seat": f"i.{student_id}",
            "role_from": role_from,
            "is_guest": False,
            "is_listed_learner": False,
            **NO_REQUEST,
        }
        at = stamp(self.clock())
        is_raised = self.change_member(class_id, student_id, {"role": ClassRole.MEMBER.value}, **changes, role_at=at)
        if role_from and not is_raised:
            # Said anew, where it came from a school's system: what that has said before counts no more.
            expected = {"role": ClassRole.INSTRUCTOR.value, "role_from": {"$gt": ""}}
            self.change_member(class_id, student_id, expected, role_from=role_from, role_at=at)

    def dismiss(self, class_id: str, student_id: str, **expected: Any) -> bool:
        """Delete a membership that still is as expected; whether there was one."""
        return self._documents.delete(MEMBERS, {"id": member_id(class_id, student_id), **expected}) > 0

    def use_up_invitation(self, class_id: str, email: str, **expected: Any) -> None:
        """Delete the invitation of somebody who is in the class by now. One to teach it stays: a sign-in with the
        address answers it.
        """
        if address := address_key(email):
            where = {"class_id": class_id, "email": address, "role": ClassRole.MEMBER.value, **expected}
            self._documents.delete(INVITATIONS, where)

    def instructor_marks(self, class_id: str) -> Mapping[str, str | None]:
        """Since when each instructor is about to leave, by their id; None for who is not."""
        where = {"class_id": class_id, "role": ClassRole.INSTRUCTOR.value}
        return {found["student_id"]: found.get("leaving_at") for found in self._documents.find(MEMBERS, where)}

    def begin_deletion(self, class_id: str) -> None:
        """Hide a class from everybody; `finish_deletion` then removes it with everything of it."""
        changes = {"deleted_at": stamp(self.clock()), "join_code": ""}
        self._documents.compare_and_set(CLASSES, class_id, {"deleted_at": None}, changes)

    def finish_deletions(self) -> Iterator[str]:
        """Complete the deletions that have begun: of all of a class, or of what was written late; the classes' ids."""
        begun = self._documents.find(CLASSES, {"deleted_at": {"$gt": ""}}, order=[("deleted_at", 1)])
        done = self._store.guard.work_through("finish_class_deletions", CLASSES, begun, self._finish_begun)
        return (id for id in done if id)

    def _finish_begun(self, found: Document) -> str:
        """Delete what is left of a class; its id, "" where nothing is to be done yet."""
        if "name" not in found and not self._is_past_late_writes(found):
            return ""
        self.finish_deletion(found["id"])
        return str(found["id"])

    def finish_deletion(self, class_id: str) -> None:
        """Delete everything of a class, the class itself last; may be repeated.

        A bare id stays for an hour: then what was written meanwhile goes, such as the cost of an answer that ran.
        """
        for collection in OF_CLASS:
            self._documents.delete(collection, {"class_id": class_id})
        for collection in OF_MEMBERS:
            for student_id, id in self._store.owners(collection, {"class_id": class_id}):
                self._store.for_student(student_id).delete(collection, {"id": id})
        owned = self._store.for_student(library_owner(class_id))
        for collection in self._store.owned:
            owned.delete(collection, {})
        begun = self._documents.get(CLASSES, class_id)
        if begun is not None and self._is_past_late_writes(begun):
            self._documents.delete(CLASSES, {"id": class_id})
        elif begun is not None and "name" in begun:
            self._documents.put(CLASSES, {"id": class_id, "deleted_at": begun["deleted_at"]})

    def _is_past_late_writes(self, deleted: Document) -> bool:
        return self.clock() - moment(deleted["deleted_at"]) >= LATE_WRITES

    def _seats(self, class_id: str) -> Sequence[Document]:
        return self._documents.find(MEMBERS, {"class_id": class_id})

    def _member_document(
        self,
        class_id: str,
        student_id: str,
        role: ClassRole,
        joined_by: str,
        *,
        seat: str = "",
        role_from: str = "",
    ) -> Document:
        return {
            "id": member_id(class_id, student_id),
            "class_id": class_id,
            "student_id": student_id,
            "role": role.value,
            "seat": seat or f"i.{student_id}",
            "joined_at": stamp(self.clock()),
            "joined_by": joined_by,
            "is_told": True,
            "role_from": role_from,
            "role_at": stamp(self.clock()) if role_from else "",
            "is_guest": False,
            "is_listed_learner": False,
            **NO_REQUEST,
        }


def member_id(class_id: str, student_id: str) -> str:
    """Id of the document that holds a membership."""
    return f"{class_id}.{student_id}"


def library_owner(class_id: str) -> str:
    """Owner of what a class itself has among the collections that belong to students, such as its materials."""
    return f"class.{class_id}"


def no_such_class() -> ItemNotFound:
    """What is told to everybody who is not in a class, whether there is one or not."""
    return ItemNotFound(
        "Homeroom",
        gettext("There is no such class, or you are not in it."),
        next_step=gettext("Go back to Classroom to see your classes."),
    )


def _free_seat(taken: Mapping[str, str], room: int, most: int) -> str:
    """A free seat, "" where there is no room. Any of the first free ones, so that those who come at once seldom want
    the same; never one behind the room, so that a class whose limit was lowered stays within it.
    """
    free = (seat for number in range(most) if (seat := f"{number:05d}") not in taken)
    open_seats = list(islice(free, max(0, min(room, SEATS_CHOSEN_FROM))))
    return random.choice(open_seats) if open_seats else ""


def _shown(document: Document | None) -> SchoolClass | None:
    return None if document is None or document.get("deleted_at") else class_of(document)
