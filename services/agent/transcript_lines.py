"""Messages as lines of text for whoever sums them up: who said what, what was called, and what came back."""

import json
from collections.abc import Iterator, Sequence

from services.agent.items import question_text
from services.agent.messages import Block, StoredMessage, result_text
from services.agent.summaries import unmarked
from services.files.attachment import attachments_in

LONGEST_RESULT = 3_000
"""Characters of one result; its beginning says what it found."""
LONGEST_PORTION = 200_000
"""Characters that one request sums up."""


def retold(messages: Sequence[StoredMessage]) -> list[str]:
    """One text for each message that says something, none of it able to pass for our own words, or for another's:
    only the first line of what somebody said stands at the margin.
    """
    return [unmarked(text) for message in messages if (text := "\n".join(map(_set_in, _lines(message))))]


def portions(texts: Sequence[str]) -> list[str]:
    """The same in as few pieces as fit into a request each."""
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
        yield f"[{message.seq}] Student ({message.at[:16]}): {question_text(message)}"
        yield from (f"(attached: {one.name})" for one in attachments_in(message.content))
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


def _set_in(said: str) -> str:
    return "\n  ".join(said.splitlines())


def _shortened(block: Block) -> str:
    said = block["content"] if isinstance(block["content"], str) else result_text(block)
    return said if len(said) <= LONGEST_RESULT else f"{said[:LONGEST_RESULT]} (and more)"
