"""The answer as server-sent events, word by word at a chosen pace (https://docs.claude.com/en/docs/build-with-claude/streaming)."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from sandbox.model.errors import new_id
from sandbox.model.reply import Reply

MOST_WRITES_PER_SECOND = 20
"""Words that fall due sooner than that share one write: a hundred streams at once stay cheap."""


def message(reply: Reply, *, model: str, usage: Mapping[str, int], message_id: str | None = None) -> dict[str, Any]:
    """The finished message, as an answer that is not streamed."""
    return {
        "id": message_id or new_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block.finished() for block in reply.blocks],
        "stop_reason": reply.stop_reason,
        "stop_sequence": reply.stop_sequence,
        "usage": _usage(usage, reply.output_tokens),
    }


async def events(
    reply: Reply, *, model: str, usage: Mapping[str, int], words_per_second: float, message_id: str | None = None
) -> AsyncIterator[bytes]:
    """Every event of the reply, encoded. 0 words a second means without waiting.

    The schedule is absolute: a word that was sent late does not delay the next.
    """
    loop = asyncio.get_running_loop()
    joined = max(1, round(words_per_second / MOST_WRITES_PER_SECOND)) if words_per_second else 25
    yield _start(model, usage, message_id)
    began, sent = loop.time(), 0
    for batch in _batches(_body(reply), joined):
        sent += joined
        yield batch
        if words_per_second and (wait := began + sent / words_per_second - loop.time()) > 0:
            await asyncio.sleep(wait)
    yield _end(reply, usage)


def _start(model: str, usage: Mapping[str, int], message_id: str | None) -> bytes:
    opening = message(Reply(blocks=(), stop_reason=""), model=model, usage=usage, message_id=message_id)
    opening |= {"stop_reason": None, "usage": _usage(usage, 1)}
    return _event("message_start", message=opening) + _event("ping")


def _body(reply: Reply) -> Iterator[tuple[bytes, bool]]:
    # Pairs of an encoded event and whether it counts as a word.
    for index, block in enumerate(reply.blocks):
        yield _event("content_block_start", index=index, content_block=block.starting()), False
        for piece in block.pieces():
            yield _event("content_block_delta", index=index, delta=block.delta(piece)), bool(piece)
        for delta in block.last_deltas():
            yield _event("content_block_delta", index=index, delta=delta), False
        yield _event("content_block_stop", index=index), False


def _batches(body: Iterator[tuple[bytes, bool]], joined: int) -> Iterator[bytes]:
    batch, words = b"", 0
    for event, is_word in body:
        if is_word and words == joined:
            yield batch
            batch, words = b"", 0
        batch += event
        words += is_word
    if batch:
        yield batch


def _end(reply: Reply, usage: Mapping[str, int]) -> bytes:
    delta = {"stop_reason": reply.stop_reason, "stop_sequence": reply.stop_sequence}
    return _event("message_delta", delta=delta, usage=_usage(usage, reply.output_tokens)) + _event("message_stop")


def _usage(usage: Mapping[str, int], output_tokens: int) -> dict[str, int]:
    return {**usage, "output_tokens": output_tokens}


def _event(kind: str, **fields: Any) -> bytes:
    written = json.dumps({"type": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\ndata: {written}\n\n".encode()
