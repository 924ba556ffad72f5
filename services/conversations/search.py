"""`ChatSearch`: full-text search over a student's chats.

The words of about twenty messages stand in one document, each word once, found by its owner: so a message costs one
small write, and a search reads a few kilobytes for each chat. Both engines keep and return the same.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.conversations.conversation import ConversationSummary
from services.conversations.conversations import Conversations
from services.conversations.titles import ChatNames
from services.conversations.turn_records import TurnRecord
from services.errors import DuplicateDocument
from services.i18n.search_tokens import search_tokens, token_spans
from services.llm.messages import StoredMessage
from services.runtime.clock import Clock, stamp
from services.safety.markdown.sanitiser import visible_text
from services.storage.documents import Document
from services.storage.store import Store

COLLECTION = "chat_words"
MESSAGES = 20
"""About so many messages share a document."""
LONGEST_QUERY = 200
CHATS = 50
"""Chats whose words are read together: most searches find enough among the latest."""
CATCH_UP_S = 1.0
"""How long one search indexes what is not indexed yet; the next search goes on."""
BEFORE, AFTER = 40, 90
"""Characters of a snippet around what was found."""


@dataclass(frozen=True, kw_only=True)
class ChatHit:
    """Chat that was found. seq: of the message; 0 for a title. The snippet is before + match + after, on one line."""

    chat: ConversationSummary
    seq: int = 0
    before: str = field(default="", repr=False)
    match: str = field(default="", repr=False)
    after: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class ChatSearchResult:
    """Result of a search. has_more: of the hits. is_whole: False while old chats are not indexed yet."""

    hits: Sequence[ChatHit]
    has_more: bool = False
    is_whole: bool = True


@dataclass(kw_only=True)
class _Matches:
    """Chats that hold the words, of each the version that went on last: what the versions have in common is found in
    all of them.
    """

    wanted: Sequence[str]
    limit: int
    chats: list[tuple[ConversationSummary, Sequence[Document]]] = field(default_factory=list)
    threads: set[str] = field(default_factory=set)
    is_whole: bool = True

    @property
    def are_enough(self) -> bool:
        return len(self.chats) >= self.limit

    def take(self, chats: Sequence[ConversationSummary], documents: Mapping[str, Sequence[Document]]) -> None:
        """Look through chats, later ones first, with the documents of their words."""
        for chat in chats:
            thread, words = chat.thread_id or chat.id, documents.get(chat.id, ())
            if thread not in self.threads and _matches_all(self.wanted, chat.title, words):
                self.threads.add(thread)
                self.chats.append((chat, words))


class ChatSearch:
    def __init__(self, store: Store, clock: Clock, conversations: Conversations) -> None:
        self._store = store
        self._clock = clock
        self._conversations = conversations
        self._names = ChatNames(store, clock, conversations.changes)

    def index(self, student_id: str, conversation_id: str, *, turn: TurnRecord | None = None) -> None:
        """Index the messages since the last time; safe to repeat, and from several replicas at once.

        A chat whose beginning is indexed is named after it as well: what was left undone by a crash after the first
        answer is made up for with the next turn, or the next search. turn: a run of it has ended.
        """
        # Before the messages are read: what comes meanwhile is not indexed yet.
        now = turn.started_at if turn and turn.messages else stamp(self._clock())
        if turn is not None and turn.first_seq == 1:
            messages = self._messages_from(1, student_id, conversation_id, turn)
            self._names.name_after_exchange(student_id, conversation_id, messages)
            if self._insert(student_id, conversation_id, messages, taken_at=_taken_at(messages, now)):
                return
        mine = self._store.for_student(student_id)
        indexed = mine.find(COLLECTION, {"conversation_id": conversation_id}, order=[("from_seq", -1)], limit=1)
        last = indexed[0] if indexed else None
        messages = self._messages_from(last["to_seq"] + 1 if last else 1, student_id, conversation_id, turn)
        if last is None:
            self._names.name_after_exchange(student_id, conversation_id, messages)
        taken_at = _taken_at(messages, now)
        if last is not None and last["to_seq"] - last["from_seq"] < MESSAGES - 1:
            messages = self._add(student_id, last, messages, taken_at)
        self._insert(student_id, conversation_id, messages, taken_at=taken_at)

    def _messages_from(
        self, seq: int, student_id: str, conversation_id: str, turn: TurnRecord | None
    ) -> Sequence[StoredMessage]:
        """Messages from one on: those of the turn that has just ended, where nothing before it is missing."""
        if turn is not None and turn.messages and turn.first_seq <= seq:
            return [message for message in turn.messages if message.seq >= seq]
        return self._conversations.messages(student_id, conversation_id, from_seq=seq)

    def _insert(
        self, student_id: str, conversation_id: str, messages: Sequence[StoredMessage], *, taken_at: str
    ) -> bool:
        """Add documents for these messages; False when another writer, or an earlier time, was first."""
        mine = self._store.for_student(student_id)
        for start in range(0, len(messages), MESSAGES):
            part = messages[start : start + MESSAGES]
            new = {"conversation_id": conversation_id, "from_seq": part[0].seq, **_word_fields(part, taken_at=taken_at)}
            try:
                mine.insert(COLLECTION, {"id": f"{conversation_id}.{part[0].seq:06d}", **new})
            except DuplicateDocument:
                return False
        return True

    def find(self, student_id: str, text: str, *, limit: int) -> ChatSearchResult:
        """Find chats whose messages or title hold every word of `text`; the last word may be a prefix.

        The latest first.
        """
        wanted = search_tokens(text[:LONGEST_QUERY])
        if not wanted:
            return ChatSearchResult(hits=())
        found = _Matches(wanted=wanted, limit=limit + 1)
        until, before, is_last = time.monotonic() + CATCH_UP_S, "", False
        while not (found.are_enough or is_last):
            page = self._conversations.latest_of_all_versions(student_id, before=before, limit=CHATS)
            documents = self._by_chat(student_id, page.chats)
            if behind := [chat for chat in page.chats if _indexed_until(documents.get(chat.id, ())) < chat.updated_at]:
                found.is_whole &= self._catch_up(student_id, behind, until)
                documents = self._by_chat(student_id, page.chats)
            found.take(page.chats, documents)
            before, is_last = page.before, not page.before
        hits = [self._hit(student_id, chat, wanted, documents) for chat, documents in found.chats[:limit]]
        return ChatSearchResult(hits=hits, has_more=found.are_enough, is_whole=found.is_whole)

    def _add(
        self, student_id: str, last: Document, messages: Sequence[StoredMessage], taken_at: str
    ) -> Sequence[StoredMessage]:
        """Fill the last document; the messages that are left over, none when another writer was first."""
        room = MESSAGES - 1 - (last["to_seq"] - last["from_seq"])
        part, rest = messages[:room], messages[room:]
        changes = _word_fields(part, taken_at=taken_at, words=last["words"], to_seq=last["to_seq"])
        unchanged = {"to_seq": last["to_seq"]}
        is_mine = (
            self._store.for_student(student_id).compare_and_set(COLLECTION, last["id"], unchanged, changes) is not None
        )
        return rest if is_mine else ()

    def _catch_up(self, student_id: str, behind: Sequence[ConversationSummary], until: float) -> bool:
        """Index chats that have changed since, the latest first; whether there was time for all."""
        for chat in behind:
            if time.monotonic() > until:
                return False
            self.index(student_id, chat.id)
        return True

    def _by_chat(self, student_id: str, chats: Sequence[ConversationSummary]) -> Mapping[str, Sequence[Document]]:
        by_chat: dict[str, list[Document]] = {}
        where = {"conversation_id": {"$in": [chat.id for chat in chats]}}
        for document in self._store.for_student(student_id).find(COLLECTION, where):
            by_chat.setdefault(document["conversation_id"], []).append(document)
        return by_chat

    def _hit(
        self, student_id: str, chat: ConversationSummary, wanted: Sequence[str], documents: Sequence[Document]
    ) -> ChatHit:
        """Build a hit with a snippet from the latest of the messages that hold the most of these words."""
        fitting = max(
            documents,
            key=lambda document: (_match_count(wanted, document["words"]), document["from_seq"]),
            default=None,
        )
        if fitting is None or not _match_count(wanted, fitting["words"]):
            return ChatHit(chat=chat)
        length = fitting["to_seq"] - fitting["from_seq"] + 1
        messages = self._conversations.messages(student_id, chat.id, from_seq=fitting["from_seq"], limit=length)
        texts = [(message, _searchable_text(message)) for message in messages]
        if not texts:
            # It was deleted meanwhile.
            return ChatHit(chat=chat)
        message, text = max(
            texts, key=lambda pair: (_match_count(wanted, _joined(search_tokens(pair[1]))), pair[0].seq)
        )
        shown = visible_text(text) if message.role == "assistant" else text
        return _snippet(chat, message.seq, shown, wanted)


def _taken_at(messages: Sequence[StoredMessage], now: str) -> str:
    """Time up to which a chat is indexed. Without its answer it counts as not indexed: the next search looks again."""
    is_at_rest = not messages or (messages[-1].role == "assistant" and not messages[-1].tool_calls)
    return now if is_at_rest else ""


def _word_fields(
    messages: Sequence[StoredMessage], *, taken_at: str, words: str = "", to_seq: int = 0
) -> dict[str, Any]:
    known = dict.fromkeys(words.split())
    for message in messages:
        known.update(dict.fromkeys(search_tokens(_searchable_text(message))))
    return {"words": _joined(known), "to_seq": messages[-1].seq if messages else to_seq, "taken_at": taken_at}


def _indexed_until(documents: Sequence[Document]) -> str:
    """Time up to which a chat is indexed, by its last document."""
    return max(documents, key=lambda document: document["from_seq"])["taken_at"] if documents else ""


def _searchable_text(message: StoredMessage) -> str:
    """Text of the student and of Homeroom; not tool results, nor what Homeroom told the model."""
    return "" if message.role == "system" or message.meta.get("is_hidden") else message.text


def _joined(words: "Iterator[str] | Sequence[str] | Mapping[str, None]") -> str:
    """Join words with a space around each, so that whole words and prefixes can be matched."""
    return f" {' '.join(words)} "


def _matches_all(wanted: Sequence[str], title: str, documents: Sequence[Document]) -> bool:
    texts = [_joined(search_tokens(title)), *(document["words"] for document in documents)]
    return all(any(needle in text for text in texts) for needle in _needles(wanted))


def _match_count(wanted: Sequence[str], words: str) -> int:
    return sum(needle in words for needle in _needles(wanted))


def _needles(wanted: Sequence[str]) -> list[str]:
    return [f" {word} " for word in wanted[:-1]] + [f" {wanted[-1]}"]


def _snippet(chat: ConversationSummary, seq: int, text: str, wanted: Sequence[str]) -> ChatHit:
    """Build the snippet around the first match of any of the words."""
    whole, prefix = set(wanted), wanted[-1]
    places = [(start, end) for word, start, end in token_spans(text) if word in whole or word.startswith(prefix)]
    start, end = places[0] if places else (0, 0)
    left = text[max(0, start - BEFORE) : start]
    right = text[end : end + AFTER]
    if start > BEFORE:
        left = "…" + left.partition(" ")[2]
    if len(text) > end + AFTER:
        right = right.rpartition(" ")[0] + "…"
    return ChatHit(chat=chat, seq=seq, before=_line(left), match=text[start:end], after=_line(right))


def _line(text: str) -> str:
    """Put text on one line; a space at either end stays."""
    lead, trail = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' if lead else ''}{' '.join(text.split())}{' ' if trail and text.strip() else ''}"
