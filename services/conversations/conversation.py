"""`Conversation`: the record of a chat, its forms for a list and a page, and how its messages are stored."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.assistants.assistant import DEFAULT_ASSISTANT
from services.conversations.items import Items
from services.i18n import gettext, gettext_noop
from services.llm.messages import StoredMessage
from services.runtime.clock import moment
from services.storage.documents import Document
from services.storage.records import read_or_none, read_record, record_reader

NEW_TITLE = gettext_noop("New chat")
"""Stored title of a chat without a name; it is translated when it is shown."""


_BLOCKS: Mapping[str, Mapping[str, type]] = {
    "text": {"text": str},
    "tool_use": {"id": str, "name": str, "input": dict},
    "tool_result": {"tool_use_id": str},
}
"""What a block has, by its type; others are sent as they are."""


@dataclass(frozen=True, kw_only=True)
class ConversationSummary:
    """Entry of a list of chats. updated_at: a stamp of `services.runtime.clock`. thread_id: see `Conversation`."""

    id: str
    title: str = field(repr=False)
    updated_at: str
    is_pinned: bool = False
    thread_id: str = ""


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    """End of a conversation, as a page draws it. first_seq: of its first message; 1 when it is whole."""

    items: Items
    first_seq: int = 1


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """Chat. from_seq: the first message that still goes to the model. news: what the model is told with the next one.

    assistant: the one that answers the next message. effort: what the student chose ("quick", "thorough"), None for
    the assistant's own (see `effort.effort_of`). is_named: by the student, so that no other title replaces it.
    has_weak_title: whether the next message gives it another one. may_have_summary: False for one that was never summed
    up. thread_id: common to all versions of a chat (`services.conversations.versions`), "" while there is only this
    one. replaced_by: the version that is listed in place of this one, "" for none. changed_at: when something was
    changed last that its page shows, other than words of the running answer; "" before the first change.
    """

    id: str
    title: str = field(repr=False)
    from_seq: int = 0
    news: tuple[str, ...] = ()
    assistant: str = DEFAULT_ASSISTANT
    effort: str | None = None
    is_named: bool = False
    has_weak_title: bool = False
    may_have_summary: bool = True
    is_pinned: bool = False
    updated_at: str = ""
    changed_at: str = ""
    thread_id: str = ""
    replaced_by: str = ""

    @property
    def summary(self) -> ConversationSummary:
        return ConversationSummary(
            id=self.id,
            title=self.title,
            updated_at=self.updated_at,
            is_pinned=self.is_pinned,
            thread_id=self.thread_id,
        )


@record_reader("conversations")
def conversation_of(document: Document) -> Conversation:
    updated_at = document["updated_at"]
    # Pages tell it: what is no time makes the record unreadable here, not the whole list later.
    moment(updated_at)
    return Conversation(
        id=document["id"],
        title=_title(document),
        from_seq=document.get("from_seq", 0),
        news=tuple(document.get("news") or ()),
        assistant=document.get("assistant", DEFAULT_ASSISTANT),
        effort=document.get("effort"),
        is_named=bool(document.get("is_named")),
        has_weak_title=bool(document.get("has_weak_title")),
        may_have_summary=bool(document.get("has_summary", True)),
        is_pinned=bool(document.get("pinned")),
        updated_at=updated_at,
        changed_at=document.get("changed_at", ""),
        thread_id=document.get("thread_id") or "",
        replaced_by=document.get("replaced_by") or "",
    )


def conversation_summary(document: Document) -> ConversationSummary:
    return conversation_of(document).summary


def _title(document: Document) -> str:
    title = str(document["title"])
    return gettext(title) if title == NEW_TITLE else title


def message_document(conversation_id: str, message: StoredMessage, *, now: str) -> Document:
    """Build the document of a message at its place. now: its time, unless it has one."""
    return {
        "id": f"{conversation_id}.{message.seq:06d}",
        "conversation_id": conversation_id,
        "seq": message.seq,
        "role": message.role,
        "content": list(message.content),
        "meta": dict(message.meta),
        "at": message.at or now,
    }


@record_reader("messages")
def message_of(document: Document) -> StoredMessage:
    content = tuple(document["content"])
    for block in content:
        _check_block(block)
    return read_record(StoredMessage, document, content=content)


def _check_block(block: Mapping[str, Any]) -> None:
    """Raise `LookupError` or `TypeError` for a block without what its kind has, on which a page would fail later."""
    for name, kind in _BLOCKS.get(block["type"], {}).items():
        if not isinstance(block[name], kind):
            raise TypeError(f"This block has another {name}.")


def readable_messages(documents: Iterable[Document]) -> list[StoredMessage]:
    """Messages as a page and the model read them: in the place of one that cannot be read stands an empty message, so
    that no other gets its number.
    """
    messages = [read_or_none(message_of, document) or _unreadable(document) for document in documents]
    return sorted(messages, key=lambda message: message.seq)


def _unreadable(document: Document) -> StoredMessage:
    meta, number = document.get("meta"), str(document["id"]).rpartition(".")[2]
    turn_id = meta.get("turn_id", "") if isinstance(meta, Mapping) else ""
    return StoredMessage(
        seq=int(number) if number.isdecimal() else 0,
        role="assistant",
        content=(),
        meta={"turn_id": turn_id if isinstance(turn_id, str) else "", "is_unreadable": True},
    )
