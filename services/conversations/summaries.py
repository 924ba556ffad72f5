"""`Summaries`: summaries of the older part of a conversation, stored beside it for the model; no message is deleted."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.errors import DuplicateDocument
from services.llm.messages import StoredMessage, text_block
from services.runtime.clock import Clock, stamp
from services.runtime.prompt_files import prompt
from services.storage.documents import Document
from services.storage.records import record_reader
from services.storage.store import Store

COLLECTION = "summaries"
TAG = "earlier_conversation"


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Summary of messages. first_seq, last_seq: numbers of the first and the last of them."""

    id: str
    first_seq: int
    last_seq: int
    text: str = field(repr=False)


class Summaries:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def latest(self, student_id: str, conversation_id: str) -> Summary | None:
        """Load the summary with the highest `last_seq`."""
        where = {"conversation_id": conversation_id}
        found = self._store.for_student(student_id).find(COLLECTION, where, order=[("last_seq", -1)], limit=1)
        return _summary(found[0]) if found else None

    def save(self, student_id: str, conversation_id: str, *, first_seq: int, last_seq: int, text: str) -> Summary:
        """Store a summary; the first one for a place counts, so that what was sent stays as it was.

        For a conversation that was deleted meanwhile nothing is stored.
        """
        document: Document = {
            "id": f"{conversation_id}.{last_seq:06d}",
            "conversation_id": conversation_id,
            "first_seq": first_seq,
            "last_seq": last_seq,
            "text": text,
            "at": stamp(self._clock()),
        }
        mine = self._store.for_student(student_id)
        try:
            mine.insert(COLLECTION, document)
        except DuplicateDocument:
            document = mine.get(COLLECTION, document["id"]) or document
        # A turn of a chat that was never summed up looks for no summary.
        summed_up = {"has_summary": True}
        if mine.compare_and_set("conversations", conversation_id, {"deleted_at": None}, summed_up) is None:
            mine.delete(COLLECTION, {"conversation_id": conversation_id})
        return _summary(document)

    def copy(self, student_id: str, source_id: str, target_id: str, *, before_seq: int) -> None:
        """Copy to a branch the latest summary of messages that both conversations have."""
        where = {"conversation_id": source_id, "last_seq": {"$lt": before_seq}}
        found = self._store.for_student(student_id).find(COLLECTION, where, order=[("last_seq", -1)], limit=1)
        for summary in map(_summary, found):
            self.save(student_id, target_id, first_seq=summary.first_seq, last_seq=summary.last_seq, text=summary.text)


def summary_message(summary: Summary) -> StoredMessage:
    """Build the message in front of a request: one block of the past, which the model is told not to obey."""
    told = prompt("summary_preface").format(first=summary.first_seq, last=summary.last_seq)
    text = f"<{TAG}>\n{told}\n\n{escape_tags(summary.text)}\n</{TAG}>"
    meta = {"is_hidden": True, "summary": summary.id}
    return StoredMessage(seq=summary.last_seq, role="user", content=(text_block(text),), meta=meta)


def with_summary(messages: Sequence[StoredMessage], summary: Summary) -> list[StoredMessage]:
    """Replace messages by their summary, followed by those that it does not cover."""
    return [summary_message(summary), *(message for message in messages if message.seq > summary.last_seq)]


def summary_in(messages: Sequence[StoredMessage]) -> str:
    """Id of the summary that these messages begin with, empty without one."""
    return str(messages[0].meta.get("summary", "")) if messages and messages[0].meta.get("is_hidden") else ""


def escape_tags(text: str) -> str:
    """Replace characters that could end the block it stands in, or open one that counts as ours."""
    return text.replace("<", "‹").replace(">", "›")


@record_reader(COLLECTION)
def _summary(document: Document) -> Summary:
    return Summary(
        id=document["id"], first_seq=document["first_seq"], last_seq=document["last_seq"], text=document["text"]
    )
