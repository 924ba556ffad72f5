"""Conversations and their messages, as they are stored: plain JSON in the model API's own shapes."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.agent.items import items_of
from services.agent.messages import Role, StoredMessage
from services.agent.records import TurnRecord, is_live, turn_record
from services.agent.view import Items
from services.assistants.assistant import DEFAULT, Assistant
from services.clock import Clock, stamp
from services.errors import DuplicateDocument, ItemNotFound
from services.storage.documents import Document
from services.storage.store import Store, StudentDocuments

NEW_TITLE = "New chat"
TITLE_LENGTH = 60
_OWNED_BY_CONVERSATION = ("messages", "turns", "approvals")


@dataclass(frozen=True, kw_only=True)
class ConversationSummary:
    """`updated_at` is a stamp of `services.clock`."""

    id: str
    title: str = field(repr=False)
    updated_at: str


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """from_seq: the first message that still goes to the model. news: what it should hear with the next message.

    assistant: the one that answers the next message.
    """

    id: str
    title: str = field(repr=False)
    from_seq: int = 0
    news: tuple[str, ...] = ()
    assistant: str = DEFAULT


class Conversations:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def create(self, student_id: str, *, assistant: str = DEFAULT) -> str:
        """An empty conversation with this assistant; its id."""
        id = secrets.token_hex(12)
        now = stamp(self._clock())
        new = {"title": NEW_TITLE, "created_at": now, "updated_at": now, "is_empty": True, "assistant": assistant}
        self._of(student_id).insert("conversations", {"id": id, **new})
        return id

    def list(self, student_id: str, limit: int) -> list[ConversationSummary]:
        """The latest conversations in which something was said, newest first."""
        found = self._of(student_id).find("conversations", {"is_empty": False}, order=[("updated_at", -1)], limit=limit)
        return [ConversationSummary(id=c["id"], title=c["title"], updated_at=c["updated_at"]) for c in found]

    def get(self, student_id: str, conversation_id: str) -> Conversation:
        """Raises `ItemNotFound`, for another student's conversation too."""
        found = self._of(student_id).get("conversations", conversation_id)
        if found is None:
            raise ItemNotFound("Homeroom", "There is no such chat.", next_step="Start a new chat.")
        return Conversation(
            id=found["id"],
            title=found["title"],
            from_seq=found.get("from_seq", 0),
            news=tuple(found.get("news") or ()),
            assistant=found.get("assistant", DEFAULT),
        )

    def rename(self, student_id: str, conversation_id: str, title: str) -> None:
        self._change(student_id, conversation_id, title=_title(title) or NEW_TITLE)

    def delete(self, student_id: str, conversation_id: str) -> None:
        """The conversation with its messages, turns and approvals; a turn that runs in it ends at its next step."""
        mine = self._of(student_id)
        mine.delete("conversations", {"id": conversation_id})
        for collection in _OWNED_BY_CONVERSATION:
            mine.delete(collection, {"conversation_id": conversation_id})

    def touch(self, student_id: str, conversation_id: str, text: str, *, title: str = NEW_TITLE) -> None:
        """Note that something was said; the first message gives the title, and the news have been told."""
        changes: dict[str, Any] = {"updated_at": stamp(self._clock()), "is_empty": False, "news": []}
        if title == NEW_TITLE:
            changes["title"] = _title(text) or NEW_TITLE
        self._change(student_id, conversation_id, **changes)

    def start_from(self, student_id: str, conversation_id: str, seq: int) -> None:
        """Leave out messages before `seq` in what the model is sent from now on; the student still sees them."""
        self._change(student_id, conversation_id, from_seq=seq)

    def tell(self, student_id: str, conversation_id: str, sentence: str) -> None:
        """Let the model know something with the student's next message."""
        conversation = self.get(student_id, conversation_id)
        self._change(student_id, conversation_id, news=[*conversation.news, sentence])

    def switch(self, student_id: str, conversation_id: str, assistant: Assistant) -> None:
        """Let another assistant answer from the next message on, and let it know that it is not the one before."""
        conversation = self.get(student_id, conversation_id)
        if conversation.assistant != assistant.id:
            told = f"The student has switched this chat to {assistant.name}: what you may use has changed."
            self._change(student_id, conversation_id, assistant=assistant.id, news=[*conversation.news, told])

    def messages(self, student_id: str, conversation_id: str, *, from_seq: int = 0) -> Sequence[StoredMessage]:
        """In order; an unknown conversation has none."""
        where: dict[str, Any] = {"conversation_id": conversation_id}
        if from_seq:
            where["seq"] = {"$gte": from_seq}
        return [_message(m) for m in self._of(student_id).find("messages", where, order=[("seq", 1)])]

    def append(
        self,
        student_id: str,
        conversation_id: str,
        *,
        role: Role,
        content: Sequence[Mapping[str, Any]],
        meta: Mapping[str, Any],
        seq: int | None = None,
    ) -> StoredMessage:
        """Store a message at the end, or exactly at `seq`: then the first one to be there wins, and whoever comes
        later gets `DuplicateDocument`.
        """
        wanted = self._next_seq(student_id, conversation_id) if seq is None else seq
        message = StoredMessage(seq=wanted, role=role, content=tuple(content), meta=meta)
        try:
            self._of(student_id).insert("messages", self._document(conversation_id, message))
        except DuplicateDocument:
            if seq is not None:
                raise
            return self.append(student_id, conversation_id, role=role, content=content, meta=meta)
        return message

    def rewrite(self, student_id: str, conversation_id: str, message: StoredMessage) -> None:
        """Replace a stored message, such as placeholders by what the student decided."""
        self._of(student_id).put("messages", self._document(conversation_id, message))

    def view(self, student_id: str, conversation_id: str, *, followed: str | None = None) -> Items:
        """What a page draws. Of a turn that is running only its question: the rest comes from `TurnRunner.follow`.

        followed: the turn that the page has found running and will follow; it may have ended a moment ago.
        """
        mine = self._of(student_id)
        turns = _turns(mine, conversation_id)
        live = followed or (turns[-1].id if turns and is_live(mine, turns[-1]) else None)
        return items_of(self.messages(student_id, conversation_id), turns, without_turn=live)

    def turn_items(self, student_id: str, turn: TurnRecord) -> Items:
        """What one turn has stored so far, without its question and its notice."""
        where = {"conversation_id": turn.conversation_id, "seq": {"$gte": turn.first_seq}}
        found = [_message(m) for m in self._of(student_id).find("messages", where, order=[("seq", 1)])]
        return items_of([m for m in found if m.meta.get("turn_id") == turn.id and not m.is_question], [])

    def _of(self, student_id: str) -> StudentDocuments:
        return self._store.of(student_id)

    def _change(self, student_id: str, conversation_id: str, **changes: Any) -> None:
        if self._of(student_id).swap("conversations", conversation_id, {}, changes) is None:
            raise ItemNotFound("Homeroom", "There is no such chat.", next_step="Start a new chat.")

    def _next_seq(self, student_id: str, conversation_id: str) -> int:
        where = {"conversation_id": conversation_id}
        last = self._of(student_id).find("messages", where, order=[("seq", -1)], limit=1)
        return last[0]["seq"] + 1 if last else 1

    def _document(self, conversation_id: str, message: StoredMessage) -> Document:
        return {
            "id": f"{conversation_id}.{message.seq:06d}",
            "conversation_id": conversation_id,
            "seq": message.seq,
            "role": message.role,
            "content": list(message.content),
            "meta": dict(message.meta),
            "at": stamp(self._clock()),
        }


def _turns(mine: StudentDocuments, conversation_id: str) -> Sequence[TurnRecord]:
    found = mine.find("turns", {"conversation_id": conversation_id}, order=[("started_at", 1)])
    return [turn_record(document) for document in found]


def _message(document: Document) -> StoredMessage:
    return StoredMessage(
        seq=document["seq"], role=document["role"], content=tuple(document["content"]), meta=document["meta"]
    )


def _title(text: str) -> str:
    """The first words of a message, on one line, cut between words."""
    line = " ".join(text.split())
    if len(line) <= TITLE_LENGTH:
        return line
    cut = line[:TITLE_LENGTH].rsplit(" ", 1)[0]
    return f"{cut.rstrip(' ,;:.')}…"
