"""Documents of stored messages: how a message is written to the store and read from it."""

from services.llm.messages import StoredMessage
from services.storage.documents import Document


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


def message_of(document: Document) -> StoredMessage:
    return StoredMessage(
        seq=document["seq"],
        role=document["role"],
        content=tuple(document["content"]),
        meta=document["meta"],
        at=document.get("at", ""),
    )
