"""`AssistantRecord` and `HistoryEntry`: an assistant of a class and what was done to it, as they are stored."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from services.assistants.assistant import dump_assistant
from services.assistants.class_assistant import AssistantDraft, ExamWindow, read_draft
from services.identity.students import Student
from services.runtime.clock import moment, stamp
from services.storage.documents import Document
from services.storage.records import read_record, record_reader

UNSAVED = "unsaved_drafts"
"""Collection of what instructors have typed and not saved, of each their own."""


class HistoryAction(StrEnum):
    """What somebody did to an assistant."""

    MADE = "made"
    SAVED = "saved"
    RESTORED = "restored"
    PUBLISHED = "published"
    TAKEN_BACK = "taken_back"
    WINDOWS = "windows"


@dataclass(frozen=True, kw_only=True)
class AssistantRecord:
    """Assistant of a class as its instructors see it.

    draft_version: number of the draft, counted up with each change of it. published: what members have, None for
    nothing; published_version: the number of the draft that it was. revision: counted up with every change.
    """

    id: str
    class_id: str
    draft: AssistantDraft
    draft_version: int
    changed_at: datetime
    published: AssistantDraft | None = None
    published_version: int = 0
    published_at: datetime | None = None
    windows: tuple[ExamWindow, ...] = ()
    revision: int = 1

    @property
    def is_published_as_it_is(self) -> bool:
        """Whether members have the newest draft."""
        return self.published == self.draft


@dataclass(frozen=True, kw_only=True)
class HistoryEntry:
    """Something that was done. number: the revision that it made. by: the student's id of the instructor.

    version: of the draft then; of the one that was published, for a publication. draft: as it was from then on.
    """

    assistant_id: str
    number: int
    action: HistoryAction
    by: str
    at: datetime
    version: int
    draft: AssistantDraft | None = field(default=None, repr=False)
    windows: Sequence[ExamWindow] = ()


@record_reader("class_assistants")
def record_of(document: Document) -> AssistantRecord:
    """The assistant that a document holds."""
    published_at = document["published_at"]
    return AssistantRecord(
        id=document["id"],
        class_id=document["class_id"],
        draft=read_draft(document["draft"]),
        draft_version=document["draft_version"],
        changed_at=moment(document["changed_at"]),
        published=read_draft(document["published"]) if document["published"] else None,
        published_version=document["published_version"],
        published_at=moment(published_at) if published_at else None,
        windows=windows_of(document["windows"]),
        revision=document["revision"],
    )


def entry_document(document: Document, action: HistoryAction, student: Student, at: str) -> Document:
    """An entry as it is stored, under an id of its own. document: of the assistant, after the change."""
    is_window = action is HistoryAction.WINDOWS
    return {
        "id": f"{document['id']}.{document['revision']}.{secrets.token_hex(6)}",
        "assistant_id": document["id"],
        "class_id": document["class_id"],
        "number": document["revision"],
        "action": action.value,
        "by": student.id,
        "at": at,
        "version": document["published_version" if action is HistoryAction.PUBLISHED else "draft_version"],
        "draft": None if is_window else document["draft"],
        "windows": written_windows(windows_of(document["windows"])),
    }


@record_reader("class_assistant_history")
def entry_of(document: Document) -> HistoryEntry:
    """The entry that a document holds."""
    return HistoryEntry(
        assistant_id=document["assistant_id"],
        number=document["number"],
        action=HistoryAction(document["action"]),
        by=document["by"],
        at=moment(document["at"]),
        version=document["version"],
        draft=read_draft(document["draft"]) if document["draft"] else None,
        windows=windows_of(document["windows"]),
    )


def written_draft(draft: AssistantDraft) -> dict[str, Any]:
    """A draft as plain JSON."""
    return dump_assistant(draft)


def windows_of(written: Sequence[Mapping[str, Any]]) -> tuple[ExamWindow, ...]:
    """Windows from plain JSON."""
    return tuple(read_record(ExamWindow, window) for window in written)


def written_windows(windows: Sequence[ExamWindow]) -> list[dict[str, Any]]:
    """Windows as plain JSON."""
    return [
        {**vars(window), "begins_at": stamp(window.begins_at), "ends_at": stamp(window.ends_at)} for window in windows
    ]
