"""A model that begins after 0.2 s and speaks 100 tokens, one every 20 ms, to hundreds at once on a tenth of a core.

Speaks just enough of the Messages API (https://docs.claude.com/en/api/messages-streaming) for the SDK's client. It is
a protocol on a bare socket, because a web framework would be late itself at ten thousand tokens a second.
`python -m bench.load.paced_model` prints its address and serves until it is ended.
"""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, cast

from bench.load.app_server import ROOT
from bench.load.event_loop import run

BEGINS_S = 0.2
EVERY_S = 0.02
TOKENS = 100
PARAGRAPH = 25
"""Tokens in one, so that an answer has finished blocks and one that grows."""
IDEAL_LAST_S = BEGINS_S + (TOKENS - 1) * EVERY_S
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_END_OF_HEAD = b"\r\n\r\n"
_USAGE = {"input_tokens": 3000, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


class PacedModel:
    """The model in a process of its own. Use `with PacedModel() as model`."""

    url = ""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "bench.load.paced_model"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)

    def __enter__(self) -> "PacedModel":
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        assert self.url, "the model did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate(timeout=20)

    @property
    def pid(self) -> int:
        return self._process.pid


def words() -> list[str]:
    """The tokens of each answer: "word1 ", "word2 " and so on, in paragraphs."""
    return [f"word{n}" + ("\n\n" if n % PARAGRAPH == 0 and n < TOKENS else " ") for n in range(1, TOKENS + 1)]


def writes() -> list[bytes]:
    """What is written of an answer at each beat: the head with the first token, one token each, the end."""
    tokens = [_event("content_block_delta", index=0, delta={"type": "text_delta", "text": word}) for word in words()]
    tokens[0] = b"".join((_head(), *_opening(), tokens[0]))
    return [*tokens, b"".join(_ending())]


class Connection(asyncio.Protocol):
    """One connection that is kept alive: a request, its answer, the next request."""

    def __init__(self, answer: list[bytes]) -> None:
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._received = bytearray()
        self._began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's own is none of asyncio's classes.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, body = self._received.partition(_END_OF_HEAD)
        length = _LENGTH.search(head)
        needed = int(length[1]) if length else 0
        if not end or len(body) < needed:
            return
        self._received = body[needed:]
        if b"stream" in body and json.loads(body[:needed]).get("stream"):
            self._began = self._loop.time() + BEGINS_S
            self._loop.call_at(self._began, self._write, 0)
        else:
            self._transport.write(_whole())

    def _write(self, at: int) -> None:
        if self._transport.is_closing():
            return
        self._transport.write(self._answer[at])
        if at + 1 < len(self._answer):
            # The schedule is absolute: a token that was late does not delay the next.
            self._loop.call_at(self._began + (at + 1) * EVERY_S, self._write, at + 1)


def _head() -> bytes:
    lines = ("HTTP/1.1 200 OK", "content-type: text/event-stream; charset=utf-8", "request-id: req_1")
    return "\r\n".join((*lines, "transfer-encoding: chunked", "", "")).encode()


def _opening() -> Iterator[bytes]:
    yield _event("message_start", message=_message([], stop_reason=None))
    yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    yield _event("ping")


def _ending() -> Iterator[bytes]:
    yield _event("content_block_stop", index=0)
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    yield _event("message_delta", delta=delta, usage={**_USAGE, "output_tokens": TOKENS})
    yield _event("message_stop") + b"0\r\n\r\n"


def _event(kind: str, **fields: Any) -> bytes:
    event = f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
    return f"{len(event):x}\r\n".encode() + event + b"\r\n"


def _whole() -> bytes:
    body = json.dumps(_message([{"type": "text", "text": "".join(words())}], stop_reason="end_turn")).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _message(content: list[dict[str, Any]], *, stop_reason: str | None) -> dict[str, Any]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "paced", "content": content}
    return {**message, "stop_reason": stop_reason, "stop_sequence": None, "usage": {**_USAGE, "output_tokens": 1}}


async def _serve() -> None:
    answer = writes()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(answer), "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    run(_serve())
