"""`WaitingRequests`: who says that they teach a course whose class nobody has made yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.classes.memberships import Memberships
from services.classes.school_class import ClassRole
from services.errors import DuplicateDocument, ItemNotFound
from services.identity.students import Student, Students
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_all, read_record, record_reader
from services.storage.store import Store

COLLECTION = "lti_role_requests"


@dataclass(frozen=True, kw_only=True)
class WaitingRequest:
    """asks_from: the course and the identity there, as `course_role` names them."""

    id: str
    course_id: str
    student_id: str
    asks_from: str
    asked_at: datetime


class WaitingRequests:
    """A request waits for its class, and is one of the class's own requests from then on."""

    def __init__(self, store: Store, students: Students, memberships: Memberships, clock: Clock) -> None:
        self._documents, self._students = store.shared, students
        self._memberships, self._clock = memberships, clock

    def put(self, course_id: str, student: Student, asks_from: str) -> None:
        """Remember a request; again changes nothing."""
        document = {
            "id": _id(course_id, student.id),
            "course_id": course_id,
            "student_id": student.id,
            "asks_from": asks_from,
            "asked_at": stamp(self._clock()),
        }
        try:
            self._documents.insert(COLLECTION, document)
        except DuplicateDocument:
            self._documents.compare_and_set(COLLECTION, document["id"], {}, {"asks_from": asks_from})

    def withdraw(self, course_id: str, student: Student) -> None:
        """Forget a request: its person is a guest or a student of the course instead."""
        self._documents.delete(COLLECTION, {"id": _id(course_id, student.id)})

    def of_course(self, course_id: str) -> Sequence[WaitingRequest]:
        """Requests that wait for the class of a course, the first one in front."""
        order = [("asked_at", 1), ("id", 1)]
        return read_all(_request_of, self._documents.find(COLLECTION, {"course_id": course_id}, order=order))

    def of_student(self, student: Student) -> Sequence[WaitingRequest]:
        """A student's own requests that wait for a class."""
        return read_all(_request_of, self._documents.find(COLLECTION, {"student_id": student.id}))

    def hand_over(self, course_id: str, class_id: str) -> None:
        """Bring the requests of a course before the class that it has now; may be repeated.

        Each person is in the class as a guest, and the request goes last: whatever ends this, the next launch goes on.
        """
        for request in self.of_course(course_id):
            try:
                if self._students.get(request.student_id) is not None:
                    self._ask(class_id, request)
            except ItemNotFound:
                return
            self._documents.delete(COLLECTION, {"id": request.id, "asks_from": request.asks_from})

    def _ask(self, class_id: str, request: WaitingRequest) -> None:
        self._memberships.admit(class_id, request.student_id, ClassRole.MEMBER, joined_by="lti", is_guest=True)
        self._memberships.request_role(class_id, request.student_id, request.asks_from)


def _id(course_id: str, student_id: str) -> str:
    return f"{course_id}.{student_id}"


@record_reader(COLLECTION)
def _request_of(document: Document) -> WaitingRequest:
    return read_record(WaitingRequest, document)
