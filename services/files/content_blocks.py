"""Content blocks for the API: references to files become documents and images, the same bytes every time."""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from services.files.attachments import TYPE, Attachment, Files, from_block
from services.files.limits import LARGEST_MESSAGE, MOST_TOKENS
from services.i18n import DEFAULT_LOCALE, locale_scope
from services.runtime.prompt_files import prompt

Block = Mapping[str, Any]
Message = Mapping[str, Any]


def expand_attachments(
    messages: Sequence[Message], files: Files, student_id: str, conversation_id: str
) -> Sequence[Message]:
    """Replace references by the attached files; the same messages when there are none.

    The newest files go whole, as long as they fit; from the first that does not, older ones are only named. That
    stays so for good, since what comes later is newer: the prompt's beginning changes at most once for each file.
    Sources: https://docs.claude.com/en/docs/build-with-claude/pdf-support and …/vision.
    """
    attached = [from_block(b) for message in messages for b in message["content"] if b["type"] == TYPE]
    if not attached:
        return messages
    left_out = iter([True] * (len(attached) - _fitting(attached)) + [False] * _fitting(attached))

    def blocks_of(block: Block) -> Iterator[Block]:
        if block["type"] != TYPE:
            yield block
            return
        attachment = from_block(block)
        reading = None if next(left_out) else files.read_for_model(student_id, conversation_id, attachment)
        yield from _blocks(attachment, reading)

    return [
        {**message, "content": [b for block in message["content"] for b in blocks_of(block)]} for message in messages
    ]


def name_attachments(messages: Sequence[Message]) -> Sequence[Message]:
    """Replace references by the files' names, for a model that has refused the files."""

    def named(block: Block) -> Block:
        return {"type": "text", "text": _words("unread", from_block(block))} if block["type"] == TYPE else block

    return [{**message, "content": [named(block) for block in message["content"]]} for message in messages]


def estimated_tokens(content: Iterable[Block]) -> int:
    """Estimate the tokens that the files and pictures among these blocks, references still, add to a prompt."""
    return sum(part.get("tokens", 0) for block in content for part in (block, *_inner(block)))


def _inner(block: Block) -> Iterable[Block]:
    """Blocks of a tool's result."""
    parts = block.get("content")
    return parts if block["type"] == "tool_result" and isinstance(parts, list) else ()


def _fitting(attached: Sequence[Attachment]) -> int:
    """Number of files, counted from the newest, that fit whole."""
    tokens = weight = 0
    for count, attachment in enumerate(reversed(attached)):
        tokens, weight = tokens + attachment.tokens, weight + attachment.weight
        if tokens > MOST_TOKENS or weight > LARGEST_MESSAGE:
            return count
    return len(attached)


def _blocks(attachment: Attachment, reading: str | None) -> Iterator[Block]:
    if reading is None:
        yield {"type": "text", "text": _words("left_out", attachment)}
    elif attachment.kind == "image":
        # An image has no title of its own.
        yield {"type": "text", "text": _words("image", attachment)}
        yield {"type": "image", "source": {"type": "base64", "media_type": attachment.media_type, "data": reading}}
    else:
        yield {
            "type": "document",
            "source": _source(attachment, reading),
            "title": attachment.name,
            "context": _words("document", attachment),
        }


def _source(attachment: Attachment, reading: str) -> Block:
    if attachment.kind == "pdf":
        return {"type": "base64", "media_type": attachment.media_type, "data": reading}
    return {"type": "text", "media_type": attachment.media_type, "data": base64.b64decode(reading).decode()}


def _words(words: str, attachment: Attachment) -> str:
    """A name has no braces and no angle brackets in it (see `names.clean`), so it cannot leave its place."""
    with locale_scope(DEFAULT_LOCALE):
        return (
            prompt(f"files/{words}").replace("{name}", attachment.name).replace("{description}", attachment.description)
        )
