"""Failures in the middle of the model's event stream: after some words it overloads, ends early, stalls or pauses."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Message, Send

from sandbox.fault_bodies import anthropic_error


class StreamFault:
    """Forwards a server-sent stream event by event until `after_words` words went out, then breaks it.

    Words of text and of tool arguments count alike; a stream that is shorter breaks before its `message_delta`, so
    that it never names a stop reason. A pause breaks nothing: what is left comes when the failure is cleared.
    """

    def __init__(self, fault: dict[str, Any], send: Send, *, hold: Callable[[], Awaitable[None]]) -> None:
        self._kind = fault["fault"]
        self._words_left = fault["after_words"]
        self._send = send
        self._hold = hold
        self._pending = b""
        self._has_struck = False
        self._is_broken = False

    async def send(self, message: Message) -> None:
        """Take the place of the request's own `send`."""
        if self._is_broken:
            return
        if message["type"] == "http.response.start":
            headers = [(name, value) for name, value in message["headers"] if name.lower() != b"content-length"]
            await self._send({**message, "headers": headers})
            return
        *events, self._pending = (self._pending + message.get("body", b"")).split(b"\n\n")
        for event in events:
            if not self._has_struck and (self._words_left <= 0 or b'"message_delta"' in event):
                await self._strike()
            if self._is_broken:
                return
            self._words_left -= _words(event)
            await self._forward(event + b"\n\n")

    async def end(self) -> None:
        """Finish the answer when the stream was too short to be broken."""
        if not self._has_struck:
            await self._strike()
        if not self._is_broken:
            await self._forward(self._pending)
            await self._close()

    async def _strike(self) -> None:
        self._has_struck = True
        if self._kind == "overloaded_midstream":
            await self._forward(
                b"event: error\ndata: "
                + json.dumps(anthropic_error("overloaded_error", "Overloaded")).encode()
                + b"\n\n"
            )
        elif self._kind in ("stall", "pause"):
            await self._hold()
        if self._kind != "pause":
            self._is_broken = True
            await self._close()

    async def _close(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _forward(self, body: bytes) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": True})


def _words(event: bytes) -> int:
    for line in event.splitlines():
        if line.startswith(b"data:"):
            delta = json.loads(line[5:]).get("delta", {})
            return len((delta.get("text") or delta.get("partial_json") or "").split())
    return 0
