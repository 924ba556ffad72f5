"""`ClassAssistants`: what instructors do with the assistants of their class."""

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import (
    AssistantDraft,
    ClassAssistant,
    ExamWindow,
    parse_draft,
    published,
    read_draft,
)
from services.assistants.publish_check import PublishProblem
from services.classes.assistants.assistant_record import (
    UNSAVED,
    AssistantRecord,
    HistoryAction,
    HistoryEntry,
    entry_document,
    entry_of,
    record_of,
    written_draft,
    written_windows,
)
from services.classes.assistants.exam_windows import checked_windows
from services.classes.assistants.published_assistants import ASSISTANTS, in_force
from services.classes.classes import Classes
from services.classes.school_class import SchoolClass
from services.errors import BadArguments, ChangedElsewhere, DuplicateDocument, ItemNotFound, WriteConflict
from services.i18n import gettext
from services.identity.students import Student
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import keep_later_fields, read_all
from services.storage.store import Store

HISTORY = "class_assistant_history"
MOST_ASSISTANTS = 20
"""Assistants of one class."""
KEPT_ENTRIES = 200
"""Entries of an assistant's history; older ones are removed."""
TRIES = 8
WordsCheck = Callable[[Assistant], Sequence[PublishProblem]]


class NotPublishable(BadArguments):
    """Words name tools that the assistant does not have. problems: each with what to do."""

    def __init__(self, problems: Sequence[PublishProblem]) -> None:
        first = problems[0]
        super().__init__(first.sentence, field="words", next_step=first.next_step)
        self.problems = tuple(problems)


class ClassAssistants:
    """Every method takes who asks, and is for instructors of the class alone; each change is done once, and noted."""

    def __init__(self, store: Store, classes: Classes, clock: Clock, *, check: WordsCheck) -> None:
        """check: what keeps an assistant from being published."""
        self._store, self._documents, self._classes, self._clock = store, store.shared, classes, clock
        self._check = check

    def of_class(self, student: Student, class_id: str) -> Sequence[AssistantRecord]:
        """The assistants of a class, published or not, the oldest first."""
        self._classes.require_instructor(student, class_id)
        found = self._documents.find(ASSISTANTS, {"class_id": class_id}, order=[("created_at", 1)])
        return read_all(record_of, found)

    def get(self, student: Student, id: str) -> AssistantRecord:
        """One of them. Raises `ItemNotFound` for everybody who is not an instructor of its class."""
        return record_of(self._document(student, id))

    def create(self, student: Student, class_id: str, name: str, *, request_id: str) -> AssistantRecord:
        """Make a draft with this name. request_id: of the form; the same again gives the same assistant.

        Raises `BadArguments` for a name that does not fit, and when there are too many.
        """
        school_class = self._open_class(student, class_id)
        id = f"c_{request_id[:16]}"
        draft = parse_draft({"id": id, "name": name.strip(), "integrity": "", "categories": None})
        existing = self.of_class(student, class_id)
        if any(record.id == id for record in existing):
            return self.get(student, id)
        if len(existing) >= MOST_ASSISTANTS:
            sentence = gettext("A class has at most {most} assistants.", most=MOST_ASSISTANTS)
            raise BadArguments(sentence, next_step=gettext("Delete one that you do not need any more."))
        now = stamp(self._clock())
        document = {
            "id": id,
            "class_id": school_class.id,
            "created_at": now,
            "draft": written_draft(draft),
            "draft_version": 1,
            "changed_at": now,
            "published": None,
            "published_version": 0,
            "published_at": None,
            "windows": [],
            "revision": 1,
        }
        entry = entry_document(document, HistoryAction.MADE, student, now)
        batch = self._store.batch()
        batch.shared.put(HISTORY, entry)
        batch.shared.insert(ASSISTANTS, {**document, "entry": entry["id"]})
        try:
            batch.commit()
        except DuplicateDocument:
            self._documents.delete(HISTORY, {"id": entry["id"]})
            return self.get(student, id)
        return record_of(document)

    def save(self, student: Student, draft: AssistantDraft, *, seen: int) -> AssistantRecord:
        """Save the draft. seen: the version that the form began with.

        Raises `ChangedElsewhere` when somebody has saved another one meanwhile, `BadArguments` for what does not fit.
        """
        draft = parse_draft(written_draft(draft))
        return self._change_draft(student, draft, HistoryAction.SAVED, seen=seen)

    def restore(self, student: Student, id: str, number: int, *, seen: int) -> AssistantRecord:
        """Make the draft what it was after an earlier entry of the history, as a new version."""
        found = next((entry for entry in self.history(student, id) if entry.number == number and entry.draft), None)
        if found is None or found.draft is None:
            raise ItemNotFound("Homeroom", gettext("This version is not kept any more."))
        return self._change_draft(student, found.draft, HistoryAction.RESTORED, seen=seen)

    def problems(self, draft: AssistantDraft) -> Sequence[PublishProblem]:
        """What keeps this draft from being published, and what its instructor should look at."""
        return self._check(draft)

    def publish(self, student: Student, id: str, *, seen: int) -> AssistantRecord:
        """Give members the draft of this version. Raises `NotPublishable`, and `ChangedElsewhere` for another one."""
        document = self._document(student, id)
        self._open_class(student, document["class_id"])
        problems = self._check(read_draft(document["draft"]))
        if blocking := [problem for problem in problems if problem.is_blocking]:
            raise NotPublishable(blocking)

        def changes(now: Document) -> dict[str, Any] | None:
            self._require_version(now, seen, student)
            if now["published"] == now["draft"]:
                return None
            return {
                "published": now["draft"],
                "published_version": now["draft_version"],
                "published_at": stamp(self._clock()),
            }

        return self._change(student, document, HistoryAction.PUBLISHED, changes)

    def take_back(self, student: Student, id: str) -> AssistantRecord:
        """Take it from members, at once; the draft stays."""
        return self._change(
            student,
            self._document(student, id),
            HistoryAction.TAKEN_BACK,
            lambda now: {"published": None, "published_at": None} if now["published"] else None,
        )

    def set_windows(
        self, student: Student, id: str, windows: Sequence[ExamWindow], *, seen: Sequence[ExamWindow]
    ) -> AssistantRecord:
        """Set the exam windows, which hold from this moment on. seen: those that the form began with.

        Raises `BadArguments` for a window that does not fit, `ChangedElsewhere` when somebody has set others.
        """
        document = self._document(student, id)
        written = written_windows(checked_windows(windows, seen, self._clock()))

        def changes(now: Document) -> dict[str, Any] | None:
            if _is_so(now, {"windows": written}):
                return None
            if not _is_so(now, {"windows": written_windows(seen)}):
                raise ChangedElsewhere("Homeroom", gettext("Somebody has changed the exam windows meanwhile."))
            return {"windows": written}

        return self._change(student, document, HistoryAction.WINDOWS, changes)

    def delete(self, student: Student, id: str) -> None:
        """Delete an assistant with its history; chats with it go on with the default one."""
        document = self._document(student, id)
        batch = self._store.batch()
        batch.shared.delete(HISTORY, {"assistant_id": document["id"]})
        batch.shared.delete(ASSISTANTS, {"id": document["id"]})
        batch.commit()
        for instructor_id, unsaved_id in self._store.owners(UNSAVED, {"assistant_id": document["id"]}):
            self._store.for_student(instructor_id).delete(UNSAVED, {"id": unsaved_id})

    def history(self, student: Student, id: str) -> Sequence[HistoryEntry]:
        """What was done to it, the latest first."""
        document = self._document(student, id)
        where = {"assistant_id": document["id"], "number": {"$lte": document["revision"]}}
        found = self._documents.find(HISTORY, where, order=[("number", -1)])
        return [entry_of(entry) for entry in found if not _is_undone(entry, document)]

    def as_student(self, student: Student, draft: AssistantDraft) -> ClassAssistant:
        """The assistant that a member would get of this draft, for a preview."""
        document = self._document(student, draft.id)
        school_class = self._classes.require_instructor(student, document["class_id"])
        version = f"draft.{secrets.token_hex(8)}"
        return published(draft, class_id=school_class.id, class_name=school_class.name, version=version)

    def shown(self, record: AssistantRecord, school_class: SchoolClass) -> ClassAssistant | None:
        """What members have of it now; None while it is not published."""
        if record.published is None or school_class.archived_at is not None:
            return None
        document = {
            "published": written_draft(record.published),
            "published_version": record.published_version,
            "published_at": stamp(record.published_at) if record.published_at else None,
        }
        return in_force(document, school_class, record.windows, self._clock())

    def _document(self, student: Student, id: str) -> Document:
        found = self._documents.get(ASSISTANTS, id)
        if found is None:
            raise ItemNotFound("Homeroom", gettext("There is no such assistant."))
        self._classes.require_instructor(student, found["class_id"])
        return found

    def _open_class(self, student: Student, class_id: str) -> SchoolClass:
        found = self._classes.require_instructor(student, class_id)
        if found.archived_at is not None:
            raise BadArguments(gettext("This class is over."), next_step=gettext("Bring it back first."))
        return found

    def _change_draft(
        self, student: Student, draft: AssistantDraft, action: HistoryAction, *, seen: int
    ) -> AssistantRecord:
        written = written_draft(draft)

        def changes(now: Document) -> dict[str, Any] | None:
            if _is_so(now, {"draft": written}):
                return None
            self._require_version(now, seen, student)
            return {
                "draft": written,
                "draft_version": now["draft_version"] + 1,
                "changed_at": stamp(self._clock()),
            }

        return self._change(student, self._document(student, draft.id), action, changes)

    def _require_version(self, document: Document, seen: int, student: Student) -> None:
        if document["draft_version"] != seen:
            raise ChangedElsewhere(
                "Homeroom",
                gettext("You have changed this draft elsewhere meanwhile.")
                if self._changed_by(document) == student.id
                else gettext("Another instructor has changed this draft meanwhile."),
                next_step=gettext("Nothing is lost: your text is still here, and theirs is in the history."),
            )

    def _changed_by(self, document: Document) -> str:
        """Id of whoever changed it last; "" when their account is gone."""
        last = self._documents.get(HISTORY, document.get("entry") or f"{document['id']}.{document['revision']}")
        return str(last["by"]) if last else ""

    def _change(
        self,
        student: Student,
        document: Document,
        action: HistoryAction,
        changes: Callable[[Document], dict[str, Any] | None],
    ) -> AssistantRecord:
        """Do a change and note it, together; anew when something else was changed at the same moment.

        The note comes first, and the document names it: where an engine without transactions dies in between, there is
        a note that nobody is shown, which the next change takes away, and never a change that nobody has made.

        changes: what to change of the document as it is; None when it is so already.
        """
        for _ in range(TRIES):
            wanted = changes(document)
            if wanted is None:
                return record_of(document)
            wanted = keep_later_fields(AssistantRecord, wanted, document)
            id, revision = document["id"], document["revision"]
            changed = {**document, **wanted, "revision": revision + 1}
            entry = entry_document(changed, action, student, stamp(self._clock()))
            fields = {**wanted, "revision": revision + 1, "entry": entry["id"]}
            batch = self._store.batch()
            batch.shared.put(HISTORY, entry)
            batch.shared.compare_and_set(ASSISTANTS, id, {"revision": revision}, fields)
            if (oldest := revision + 1 - KEPT_ENTRIES) > 0:
                batch.shared.delete(HISTORY, {"assistant_id": id, "number": {"$lte": oldest}})
            if named := document.get("entry"):
                batch.shared.delete(HISTORY, {"assistant_id": id, "number": revision, "id": {"$ne": named}})
            try:
                batch.commit()
            except WriteConflict:
                self._documents.delete(HISTORY, {"id": entry["id"]})
                document = self._document(student, document["id"])
                continue
            return record_of(changed)
        raise ChangedElsewhere("Homeroom", gettext("This assistant is being changed by others just now."))


def _is_so(document: Document, fields: Document) -> bool:
    """Whether these fields stand in a document, apart from what only a later version knows of them."""
    return keep_later_fields(AssistantRecord, fields, document) == {name: document[name] for name in fields}


def _is_undone(entry: Document, document: Document) -> bool:
    """Whether an entry is of a change that did not come about: a document names the entry of its last one."""
    is_last = entry["number"] == document["revision"]
    return is_last and bool(named := document.get("entry")) and entry["id"] != named
