"""`PublishedAssistants`: what members of a class get of its assistants, as in force now."""

from collections.abc import Sequence
from datetime import datetime

from services.assistants.class_assistant import ClassAssistant, ExamWindow, during_exam, published, read_draft
from services.classes.assistants.assistant_record import windows_of
from services.classes.assistants.exam_windows import next_window, open_window
from services.classes.class_repository import ClassRepository, seen_classes, seen_or_read
from services.classes.school_class import SchoolClass
from services.runtime.clock import moment
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store

ASSISTANTS = "class_assistants"


class PublishedAssistants:
    """Source of class assistants for `AssistantRegistry`: nothing of it is cached, so that what ends, ends at once."""

    def __init__(self, store: Store, repository: ClassRepository) -> None:
        self._documents, self._repository = store.shared, repository

    def of_student(self, student_id: str) -> tuple[ClassAssistant, ...]:
        """Those of every class that the student is in and that is not over, by class; one read where there is none."""
        return seen_or_read(ASSISTANTS, student_id, lambda: self._of_student(student_id))

    def _of_student(self, student_id: str) -> tuple[ClassAssistant, ...]:
        memberships = self._repository.memberships(student_id)
        classes = {found.id: found for found in self._repository.classes([each.class_id for each in memberships])}
        running = [id for id, found in classes.items() if found.archived_at is None]
        if not running:
            return ()
        found = self._documents.find(ASSISTANTS, {"class_id": {"$in": running}}, order=[("created_at", 1)])

        @record_reader(ASSISTANTS)
        def read(document: Document) -> ClassAssistant:
            return self._in_force(document, classes[document["class_id"]])

        made = read_all(read, (document for document in found if document.get("published")))
        return tuple(sorted(made, key=lambda assistant: running.index(assistant.class_id)))

    def for_student(self, student_id: str, id: str) -> ClassAssistant | None:
        """One of them; None for whoever is not in its class, for one that is not published, and for a class that is
        over.
        """
        if seen_classes() is not None:
            # Its parts ask for all of them, too.
            return next((each for each in self.of_student(student_id) if each.id == id), None)
        found = self._documents.get(ASSISTANTS, id)
        if found is None or not found["published"]:
            return None
        school_class = self._repository.get(found["class_id"])
        if school_class is None or school_class.archived_at is not None:
            return None
        if self._repository.role_in(student_id, school_class.id) is None:
            return None
        return self._in_force(found, school_class)

    def feeds_in_use(self) -> frozenset[tuple[str, str]]:
        """Class and address of every feed that a published assistant follows in a class that is not over."""
        published = (each for each in self._documents.find(ASSISTANTS, {}) if each.get("published"))
        followed = [pair for pairs in read_all(_feeds, published) for pair in pairs]
        classes = self._repository.classes(list({class_id for class_id, _ in followed}))
        running = {each.id for each in classes if each.archived_at is None}
        return frozenset((class_id, address) for class_id, address in followed if class_id in running)

    def _in_force(self, document: Document, school_class: SchoolClass) -> ClassAssistant:
        windows = windows_of(document["windows"])
        return in_force(document, school_class, windows, self._repository.clock())


@record_reader(ASSISTANTS)
def _feeds(document: Document) -> list[tuple[str, str]]:
    """The class and the address of each feed that an assistant follows as it is published."""
    followed = [(document["class_id"], feed["url"]) for feed in document["published"].get("feeds", ())]
    if not all(isinstance(part, str) for pair in followed for part in pair):
        raise ValueError("feeds")
    return followed


def in_force(
    document: Document, school_class: SchoolClass, windows: Sequence[ExamWindow], now: datetime
) -> ClassAssistant:
    """What members have of a published assistant at this moment."""
    since = document["published_at"]
    assistant = published(
        read_draft(document["published"]),
        class_id=school_class.id,
        class_name=school_class.name,
        version=f"{document['published_version']}.{since}",
        since=moment(since) if since else None,
        next_exam=next_window(windows, now),
    )
    window = open_window(windows, now)
    return during_exam(assistant, window) if window else assistant
