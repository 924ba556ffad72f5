"""Transcript of a conversation, as text for the model that sums it up (`services.turns.compaction`)."""

import json
from collections.abc import Iterator, Sequence

from services.conversations.summaries import escape_tags
from services.files.attachments import attachments_in
from services.llm.messages import Block, StoredMessage, result_text

LONGEST_RESULT = 3_000
"""Characters of one result; its start says what it found."""
LONGEST_PORTION = 200_000
"""Characters that one request sums up."""


def transcript_lines(messages: Sequence[StoredMessage]) -> list[str]:
    """Write one text for each message that says something. None can pass for our own text or another message: only the
    first line of each stands at the margin.
    """
    return [escape_tags(text) for message in messages if (text := "\n".join(map(_indented, _lines(message))))]


def joined_portions(texts: Sequence[str]) -> list[str]:
    """Join texts to as few portions as fit into a request each."""
    found: list[str] = []
    for text in texts:
        if found and len(found[-1]) + len(text) < LONGEST_PORTION:
            found[-1] = f"{found[-1]}\n\n{text}"
        else:
            found.append(text[:LONGEST_PORTION])
    return found


def _lines(message: StoredMessage) -> Iterator[str]:
    if message.role == "system" or (message.is_question and message.meta.get("is_hidden")):
        return
    if message.is_question:
        yield f"[{message.seq}] Student ({message.at[:16]}): {message.text}"
        yield from (f"(attached: {file.name})" for file in attachments_in(message.content))
        if message.meta.get("has_context"):
            yield f"(the app told: {message.content[0]['text']})"
        return
    for block in message.content:
        if block["type"] == "text":
            yield f"[{message.seq}] {message.role.capitalize()}: {block['text']}"
        elif block["type"] == "tool_use":
            yield f"[{message.seq}] Call {block['name']} {json.dumps(block['input'], ensure_ascii=False)}"
        elif block["type"] == "tool_result":
            yield f"[{message.seq}] Result: {_shortened(block)}"


def _indented(said: str) -> str:
    return "\n  ".join(said.splitlines())


def _shortened(block: Block) -> str:
    said = block["content"] if isinstance(block["content"], str) else result_text(block)
    return said if len(said) <= LONGEST_RESULT else f"{said[:LONGEST_RESULT]} (and more)"
