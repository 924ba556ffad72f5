"""`Conversations`: repository of conversations and their messages, plain JSON in the shapes of the Messages API."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.conversations.change_watch import ChangeWatch
from services.conversations.conversation import (
    NEW_TITLE,
    Conversation,
    ConversationSummary,
    Excerpt,
    conversation_of,
    conversation_summary,
    message_document,
    readable_messages,
)
from services.conversations.items import Items, items_of
from services.conversations.summaries import Summaries
from services.conversations.titles import says_enough, shortened, title_of
from services.conversations.turn_records import TurnRecord, is_live, turn_record
from services.conversations.versions import version_ids
from services.errors import DuplicateDocument, ItemNotFound, StorageError
from services.files.attachments import Files
from services.i18n import gettext
from services.llm.effort import EffortChoice, checked_effort
from services.llm.messages import Role, StoredMessage
from services.runtime.clock import Clock, stamp
from services.storage.collections import OF_CONVERSATION
from services.storage.documents import Document
from services.storage.records import read_all, read_or_none
from services.storage.store import DocumentViews, Store, StudentDocuments

_KEPT: dict[str, Any] = {"is_empty": False, "deleted_at": None}
_LISTED = {**_KEPT, "replaced_by": None}
_NAMELESS = {"has_weak_title": True, "is_named": {"$ne": True}}


@dataclass(frozen=True, kw_only=True)
class LatestChats:
    """Some chats that can be read. before: what the next page is asked for with; "" for the last."""

    chats: Sequence[ConversationSummary]
    before: str = ""


class Conversations:
    def __init__(self, store: Store, clock: Clock, *, summed_up_at: float = 0.6) -> None:
        """summed_up_at: share of the model's window from which on the older part is summed up for it."""
        self._store = store
        self._clock = clock
        self.files = Files(store, clock)
        self.summaries = Summaries(store, clock)
        self.changes = ChangeWatch(store, clock)
        self.summed_up_at = summed_up_at

    def create(
        self, student_id: str, *, assistant: str = DEFAULT_ASSISTANT, effort: EffortChoice = None, id: str = ""
    ) -> str:
        """Create an empty conversation with this assistant; its id. effort: None for the assistant's own."""
        document = self._new(assistant, effort) | ({"id": id} if id else {})
        self._of(student_id).insert("conversations", document)
        return str(document["id"])

    def new(self, text: str, *, assistant: str, effort: EffortChoice, id: str) -> Document:
        """Build a conversation with this id that begins with this text; `insert` stores it."""
        return {**self._new(assistant, effort), "id": id, "is_empty": False, **_titled(text)}

    def insert(self, student_id: str, document: Document, *, within: DocumentViews) -> None:
        """Store a new conversation, in a batch of writes."""
        within.for_student(student_id).insert("conversations", document)

    def list(
        self, student_id: str, limit: int | None, *, skip: int = 0, has_all_versions: bool = False
    ) -> list[ConversationSummary]:
        """List the conversations with messages: pinned ones first, each part newest first; of a chat with several
        versions the one that was open last, or all. skip: how many of the first are on earlier pages.
        """
        order = [("pinned", -1), ("updated_at", -1)]
        where = _KEPT if has_all_versions else _LISTED
        found = self._of(student_id).find("conversations", where, order=order, limit=limit, skip=skip)
        return read_all(conversation_summary, found)

    def latest_of_all_versions(self, student_id: str, *, before: str = "", limit: int) -> LatestChats:
        """The first of those that went on before a moment, the latest first, and all that went on in the same moment as
        the last of them. before: `LatestChats.before` of the page before.
        """
        mine = self._of(student_id)
        earlier = {**_KEPT, "updated_at": {"$lt": before} if before else {"$gt": ""}}
        found = mine.find("conversations", earlier, order=[("updated_at", -1)], limit=limit)
        before = found[-1]["updated_at"] if len(found) == limit else ""
        if before:
            others = [document["id"] for document in found]
            found += mine.find("conversations", {**_KEPT, "updated_at": before, "id": {"$nin": others}})
        return LatestChats(chats=read_all(conversation_summary, found), before=before)

    def count(self, student_id: str) -> int:
        """How many conversations `list` has in all, without reading them."""
        return self._of(student_id).count("conversations", _LISTED)

    def get(self, student_id: str, conversation_id: str) -> Conversation:
        """Load a conversation; raises `ItemNotFound`, for another student's and a deleted one, too."""
        found = self._of(student_id).get("conversations", conversation_id)
        if found is None or found.get("deleted_at"):
            raise ItemNotFound("Homeroom", gettext("There is no such chat."), next_step=gettext("Start a new chat."))
        return conversation_of(found)

    def exists(self, student_id: str, conversation_id: str) -> bool:
        """Whether there is such a conversation, and it is not deleted."""
        return bool(self._of(student_id).find("conversations", {"id": conversation_id, "deleted_at": None}, limit=1))

    def is_empty(self, student_id: str, conversation_id: str) -> bool | None:
        """Whether no message was recorded in it; None when it is not stored, not even as recently deleted."""
        found = self._of(student_id).get("conversations", conversation_id)
        return None if found is None else bool(found["is_empty"])

    def rename(self, student_id: str, conversation_id: str, title: str) -> None:
        """Give it the student's own name, which stays for ever; an empty one lets messages name it again."""
        name = shortened(title)
        for id in version_ids(self._of(student_id), conversation_id):
            self._change_shown(student_id, id, title=name or NEW_TITLE, is_named=bool(name))

    def pin(self, student_id: str, conversation_id: str, is_pinned: bool) -> None:
        for id in version_ids(self._of(student_id), conversation_id):
            # Never False: engines sort it behind True and before nothing.
            self._change(student_id, id, pinned=is_pinned or None)

    def delete(self, student_id: str, conversation_id: str) -> None:
        """Delete a conversation with all that belongs to it; a turn that runs in it ends at its next step.

        The conversation itself goes last, so that a deletion that a crash broke off is found and repeated.
        """
        mine = self._of(student_id)
        for collection in OF_CONVERSATION:
            mine.delete(collection, {"conversation_id": conversation_id})
        mine.delete("conversations", {"id": conversation_id})

    def touch(self, student_id: str, conversation_id: str, text: str) -> None:
        """Record a new message: the first one that says enough gives the title, and the news count as told."""
        now = stamp(self._clock())
        mine, said = self._of(student_id), _said(now)
        named = {"has_weak_title": {"$ne": True}, "deleted_at": None}
        # Most chats have their title already: so this is one write.
        for expected, changes in ((named, said), (_NAMELESS, {**said, **_titled(text)})):
            if mine.compare_and_set("conversations", conversation_id, expected, changes) is not None:
                break
        else:
            self._change(student_id, conversation_id, **said)
        self.changes.notify(student_id, conversation_id, now)

    def record_message(self, student_id: str, conversation_id: str, said_at: str, *, within: DocumentViews) -> None:
        """As `touch`, in a batch of writes, which fails for a deleted chat; `announce_message` once that is done."""
        alive = {"deleted_at": None}
        within.for_student(student_id).compare_and_set("conversations", conversation_id, alive, _said(said_at))

    def announce_message(self, student_id: str, conversation: Conversation, text: str, said_at: str) -> None:
        """Let pages show a message that is stored, and name a chat after it whose title still says too little."""
        if conversation.has_weak_title and not conversation.is_named:
            mine = self._of(student_id)
            # The message is stored all the same, and the next one gives a title, too.
            with suppress(StorageError):
                mine.compare_and_set("conversations", conversation.id, _NAMELESS, _titled(text))
        self.changes.notify(student_id, conversation.id, said_at)

    def mark_updated(self, student_id: str, conversation_id: str) -> None:
        """Record that the chat went on: it leads the list, and pages that have it open show it."""
        self._change_shown(student_id, conversation_id, updated_at=stamp(self._clock()))

    def mark_changed(self, student_id: str, conversation_id: str) -> None:
        """Let pages that have it open look again, for example at a decision. A failure is no failure of the change."""
        with suppress(ItemNotFound, StorageError):
            self._change_shown(student_id, conversation_id)

    def leave_out_before(self, student_id: str, conversation_id: str, seq: int) -> None:
        """Send the model no message before `seq` from now on; the student still sees them."""
        self._change(student_id, conversation_id, from_seq=seq)

    def add_news(self, student_id: str, conversation_id: str, sentence: str) -> None:
        """Add a sentence that the model is told with the student's next message."""
        conversation = self.get(student_id, conversation_id)
        self._change(student_id, conversation_id, news=[*conversation.news, sentence])

    def switch_assistant(self, student_id: str, conversation_id: str, assistant: Assistant) -> None:
        """Let another assistant answer from the next message on, and tell it of the switch."""
        conversation = self.get(student_id, conversation_id)
        if conversation.assistant != assistant.id:
            switched = f"The student has switched this chat to {assistant.name}: what you may use has changed."
            self._change_shown(student_id, conversation_id, assistant=assistant.id, news=[*conversation.news, switched])

    def set_effort(self, student_id: str, conversation_id: str, effort: EffortChoice) -> None:
        """Set the effort of answers from the next message on; None leaves it to the assistant.

        Raises `BadArguments` for another word, `ItemNotFound` for a conversation that is not theirs.
        """
        self._change_shown(student_id, conversation_id, effort=checked_effort(effort))

    def messages(
        self, student_id: str, conversation_id: str, *, from_seq: int = 0, limit: int | None = None
    ) -> Sequence[StoredMessage]:
        """Load messages in order, the first `limit` of them; an unknown conversation has none. One that cannot be read
        is an empty one of the assistant in its place.
        """
        where: dict[str, Any] = {"conversation_id": conversation_id}
        if from_seq:
            where["seq"] = {"$gte": from_seq}
        return readable_messages(self._of(student_id).find("messages", where, order=[("seq", 1)], limit=limit))

    def append_message(
        self,
        student_id: str,
        conversation_id: str,
        *,
        role: Role,
        content: Sequence[Mapping[str, Any]],
        meta: Mapping[str, Any],
        seq: int | None = None,
    ) -> StoredMessage:
        """Store a message at the end, or exactly at `seq`: then the first writer
        wins, and a later one gets `DuplicateDocument`.
        """
        wanted = self._next_seq(student_id, conversation_id) if seq is None else seq
        message = StoredMessage(seq=wanted, role=role, content=tuple(content), meta=meta)
        try:
            self.insert_message(student_id, conversation_id, message)
        except DuplicateDocument:
            if seq is not None:
                raise
            return self.append_message(student_id, conversation_id, role=role, content=content, meta=meta)
        return message

    def insert_message(
        self, student_id: str, conversation_id: str, message: StoredMessage, *, within: DocumentViews | None = None
    ) -> None:
        """Store a message at its place, in the batch `within` if any; raises `DuplicateDocument` when it is taken."""
        views = within or self._store
        views.for_student(student_id).insert("messages", self._document(conversation_id, message))

    def replace_message(self, student_id: str, conversation_id: str, message: StoredMessage) -> None:
        """Replace a stored message, such as placeholders by what the student decided."""
        self._of(student_id).put("messages", self._document(conversation_id, message))

    def view(self, student_id: str, conversation_id: str, *, followed: str | None = None) -> Items:
        """List what a page draws. Of a turn that runs only its question: the rest comes from `TurnRunner.follow`.

        followed: the turn that the page has found running and will follow; it may have ended a moment ago.
        """
        return self._drawn(student_id, conversation_id, self.messages(student_id, conversation_id), followed)

    def latest(
        self, student_id: str, conversation_id: str, *, limit: int, since: int = 0, followed: str | None = None
    ) -> Excerpt:
        """Load the part of `view` for the last `limit` messages, or for all from message `since` on when it is given.

        It begins with a question, so a longer turn than that is whole.
        """
        where: dict[str, Any] = {"conversation_id": conversation_id, **({"seq": {"$gte": since}} if since else {})}
        most = None if since else limit
        found = self._of(student_id).find("messages", where, order=[("seq", -1)], limit=most)
        messages: Sequence[StoredMessage] = readable_messages(found)
        if messages and messages[0].seq > 1:
            questions = [at for at, message in enumerate(messages) if _begins_turn(message)]
            whole = None if questions else self._whole_turn(student_id, conversation_id, messages)
            messages = whole or messages[questions[0] :]
        items = self._drawn(student_id, conversation_id, messages, followed)
        return Excerpt(items=items, first_seq=messages[0].seq if messages else 1)

    def turn_items(self, student_id: str, turn: TurnRecord) -> Items:
        """List the items that one turn has stored so far, without its question and its notice."""
        messages = self.messages(student_id, turn.conversation_id, from_seq=turn.first_seq)
        return items_of([m for m in messages if m.meta.get("turn_id") == turn.id and not m.is_question], [])

    def _drawn(
        self, student_id: str, conversation_id: str, messages: Sequence[StoredMessage], followed: str | None
    ) -> Items:
        mine = self._of(student_id)
        turns = _turns(mine, conversation_id, from_seq=messages[0].seq if messages else 0)
        live = followed or (turns[-1].id if turns and is_live(mine, turns[-1]) else None)
        return items_of(messages, turns, without_turn=live)

    def _whole_turn(
        self, student_id: str, conversation_id: str, messages: Sequence[StoredMessage]
    ) -> Sequence[StoredMessage]:
        turn = read_or_none(turn_record, self._of(student_id).get("turns", messages[0].meta.get("turn_id", "")))
        first = min(turn.first_seq if turn else messages[0].seq, messages[0].seq)
        return self.messages(student_id, conversation_id, from_seq=first)

    def _new(self, assistant: str, effort: EffortChoice) -> Document:
        now = stamp(self._clock())
        return {
            "id": secrets.token_hex(12),
            "title": NEW_TITLE,
            "created_at": now,
            "updated_at": now,
            "is_empty": True,
            "assistant": assistant,
            "has_weak_title": True,
            "has_summary": False,
            "effort": checked_effort(effort),
        }

    def _of(self, student_id: str) -> StudentDocuments:
        return self._store.for_student(student_id)

    def _change(self, student_id: str, conversation_id: str, **changes: Any) -> None:
        alive = {"deleted_at": None}
        if self._of(student_id).compare_and_set("conversations", conversation_id, alive, changes) is None:
            raise ItemNotFound("Homeroom", gettext("There is no such chat."), next_step=gettext("Start a new chat."))

    def _change_shown(self, student_id: str, conversation_id: str, **changes: Any) -> None:
        """Change what the page of a conversation shows: pages that have it open rerun."""
        now = stamp(self._clock())
        self._change(student_id, conversation_id, changed_at=now, **changes)
        self.changes.notify(student_id, conversation_id, now)

    def _next_seq(self, student_id: str, conversation_id: str) -> int:
        where = {"conversation_id": conversation_id}
        last = self._of(student_id).find("messages", where, order=[("seq", -1)], limit=1)
        return last[0]["seq"] + 1 if last else 1

    def _document(self, conversation_id: str, message: StoredMessage) -> Document:
        return message_document(conversation_id, message, now=stamp(self._clock()))


def _said(at: str) -> dict[str, Any]:
    """What a new message changes of its chat."""
    return {"updated_at": at, "changed_at": at, "is_empty": False, "news": []}


def _titled(text: str) -> dict[str, Any]:
    return {"title": title_of(text) or NEW_TITLE, "has_weak_title": not says_enough(text)}


def _turns(mine: StudentDocuments, conversation_id: str, *, from_seq: int) -> Sequence[TurnRecord]:
    where: dict[str, Any] = {"conversation_id": conversation_id}
    if from_seq > 1:
        where["first_seq"] = {"$gte": from_seq}
    found = mine.find("turns", where, order=[("started_at", 1)])
    return read_all(turn_record, found)


def _begins_turn(message: StoredMessage) -> bool:
    return message.is_question and not message.meta.get("is_hidden")
