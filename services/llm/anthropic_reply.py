"""`ReplyAssembler`: builds a reply from its stream events (https://docs.anthropic.com/en/api/messages-streaming)."""

import json
import logging
import re
from collections.abc import Mapping
from typing import Any

import httpx2

from services.errors import ModelInterrupted, ModelUnavailable
from services.i18n import gettext
from services.llm.anthropic_events import oversized_error
from services.llm.chat_model import ModelReply, Usage
from services.llm.citations import Citation, Source, shorten_quote

log = logging.getLogger(__name__)

_MAX_TOKENS = 1_000_000_000
"""More than any answer has: a larger count is wrong."""
_MAX_CHARACTERS = 1_000_000
"""Of text, thoughts and arguments together: a multiple of the longest answer that is asked for."""
_MAX_BLOCKS = 2_000
"""An answer that cites changes from block to block; one with more than these loops."""
NO_OBJECT = "arguments_must_be_a_JSON_object"
"""Argument that holds what a model gave in place of an object: no tool has it, and its name says what is wrong."""
_MAX_CALLS = 100
"""Of one answer; a turn runs fewer, so that no call that would run is dropped."""
CHARACTERS_PER_TOKEN = 3
"""Rather too few: newer tokenizers cut finer, and JSON finer still."""
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
"""Form of a tool's name that the API takes back; every tool of ours has it."""
_DELTA_FIELDS = {"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking"}
_DELTA_OF_BLOCK = {"text": "text_delta", "tool_use": "input_json_delta", "thinking": "thinking_delta"}


class ReplyAssembler:
    """Keeps only tool calls that the server has ended, but all text that was shown."""

    def __init__(self) -> None:
        self.has_text = False
        self._open: dict[int, dict[str, Any]] = {}
        self._deltas: dict[int, list[str]] = {}
        self._sources: dict[int, dict[Source, str]] = {}
        self._size = self._block_count = 0
        self._content: list[dict[str, Any]] = []
        self._cited: dict[int, list[Citation]] = {}
        self._stop_reason: str | None = None
        self._is_complete = False
        self._usage: dict[str, int] = {}

    def add_event(self, event: Mapping[str, Any]) -> str:
        """Add one event and return the text that it brings, or nothing.

        Raises `httpx2.RemoteProtocolError` for a malformed event, `httpx2.DecodingError` for too much data.
        """
        try:
            return self._dispatch(event)
        except (LookupError, TypeError, ValueError, AttributeError):
            # The answer of a gateway between us and the API is checked nowhere else.
            raise httpx2.RemoteProtocolError("An event does not have the form that is documented.") from None

    def _dispatch(self, event: Mapping[str, Any]) -> str:
        match event.get("type"):
            case "message_start":
                self._count(event["message"]["usage"])
            case "content_block_start":
                return self._with_text_seen(self._open_block(event["index"], dict(event["content_block"])))
            case "content_block_delta":
                return self._with_text_seen(self._extend_block(event["index"], event["delta"]))
            case "content_block_stop":
                self._close_block(event["index"])
            case "message_delta":
                self._stop_reason = _text(event["delta"].get("stop_reason") or "") or None
                self._count(event.get("usage") or {})
            case "message_stop":
                self._is_complete = True
        return ""

    def reply(self) -> ModelReply:
        """Build the finished message; a stream that ended without a stop reason has not finished."""
        if self._stop_reason is None or not self._is_complete:
            if self.has_text:
                raise self.interruption()
            raise ModelUnavailable(gettext("The model ended its answer before it began."))
        for index in [index for index, block in self._open.items() if block["type"] == "text"]:
            self._close_block(index)
        return ModelReply(
            content=tuple(self._content), stop_reason=self._stop_reason, usage=Usage(**self._usage), cited=self._cited
        )

    @property
    def usage_so_far(self) -> Usage | None:
        """What is billed for an answer that has not ended; the API counts the output at the end alone."""
        if not self._usage:
            return None
        written = max(self._usage.get("output_tokens", 0), self._size // CHARACTERS_PER_TOKEN)
        return Usage(**{**self._usage, "output_tokens": written})

    def interruption(self) -> ModelInterrupted:
        """The error of an answer that broke off after its first text."""
        error = ModelInterrupted(gettext("The answer broke off."))
        error.usage = self.usage_so_far
        return error

    def _with_text_seen(self, text: str) -> str:
        self.has_text = self.has_text or bool(text)
        return text

    def _open_block(self, index: int, block: dict[str, Any]) -> str:
        self._block_count += 1
        if self._block_count > _MAX_BLOCKS:
            raise oversized_error()
        if index in self._open:
            raise ValueError
        kind = block["type"]
        first = (block.pop(kind, None) or "") if kind in ("text", "thinking") else ""
        self._size += len(json.dumps(block))
        self._open[index], self._deltas[index] = block, []
        text = self._append_delta(index, first)
        return text if kind == "text" else ""

    def _extend_block(self, index: int, delta: Mapping[str, Any]) -> str:
        block, kind = self._open[index], delta["type"]
        if kind in _DELTA_FIELDS:
            text = _text(delta[_DELTA_FIELDS[kind]])
            if _DELTA_OF_BLOCK.get(block["type"], kind) != kind:
                raise ValueError
            self._append_delta(index, text)
            return text if kind == "text_delta" else ""
        if kind == "signature_delta":
            block["signature"] = self._counted(_text(delta["signature"]))
        elif kind == "citations_delta" and delta["citation"]["type"] == "search_result_location":
            cited = delta["citation"]
            url = self._counted(_text(cited["source"]))
            source = Source(title=self._counted(_text(cited.get("title") or url)), url=url)
            quote = shorten_quote(self._counted(_text(cited.get("cited_text") or "")))
            self._sources.setdefault(index, {}).setdefault(source, quote)
        return ""

    def _append_delta(self, index: int, delta: object) -> str:
        text = self._counted(_text(delta))
        self._deltas[index].append(text)
        return text

    def _counted(self, text: str) -> str:
        self._size += len(text)
        if self._size > _MAX_CHARACTERS:
            raise oversized_error()
        return text

    def _close_block(self, index: int) -> None:
        block, joined = self._open.pop(index), "".join(self._deltas.pop(index))
        match block["type"]:
            case "tool_use":
                self._close_call(block, joined)
            case "text":
                self._close_text(joined, self._sources.pop(index, {}))
            case "thinking":
                signature = _text(block.get("signature") or "")
                self._content.append({"type": "thinking", "thinking": joined, "signature": signature})
            case "redacted_thinking":
                self._content.append({"type": "redacted_thinking", "data": _text(block["data"])})
            case _:
                # A block of an unknown type would be refused with every later message when it is sent back.
                log.warning("model_block_left_out")

    def _close_text(self, text: str, sources: Mapping[Source, str]) -> None:
        """Join a text that cites, which comes in many blocks, and keep the places that cite beside it."""
        if self._content and self._content[-1]["type"] == "text":
            self._content[-1]["text"] += text
        elif text.strip():
            # The API refuses an empty text block when it is sent back.
            self._content.append({"type": "text", "text": text})
        if sources and self._content and self._content[-1]["type"] == "text":
            at = len(self._content[-1]["text"].rstrip())
            cited = [Citation(at=at, source=source, quote=quote) for source, quote in sources.items()]
            self._cited.setdefault(len(self._content) - 1, []).extend(cited)

    def _close_call(self, block: Mapping[str, Any], written: str) -> None:
        """Keep a call, unless its arguments are not whole: then it was cut off, and must never run.

        What could not be sent back (NaN, half a character, an id that another call has) is dropped, too: the API would
        refuse the conversation with it, for ever.
        """
        id, name = _text(block["id"]), _text(block["name"])
        if not _NAME.fullmatch(name):
            name = "unknown_tool"
        try:
            arguments = json.loads(written) if written else {}
            json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            log.warning("model_call_was_cut_off")
            return
        if not isinstance(arguments, dict):
            # Sent back it must be an object; the tool's schema refuses this one, and the model is told.
            log.warning("model_call_was_no_object")
            arguments = {NO_OBJECT: arguments}
        known = [earlier["id"] for earlier in self._content if earlier["type"] == "tool_use"]
        if id not in known and len(known) < _MAX_CALLS:
            self._content.append({"type": "tool_use", "id": id, "name": name, "input": arguments})

    def _count(self, usage: Mapping[str, Any]) -> None:
        """Read counts; in `message_delta` they are totals, left out where they did not change."""
        for name in Usage.__dataclass_fields__:
            count = usage.get(name)
            if type(count) is int and 0 <= count <= _MAX_TOKENS:
                self._usage[name] = count


def _text(value: object) -> str:
    """Clean text for storing and sending back: without halves of characters. Raises `TypeError` for anything else."""
    if not isinstance(value, str):
        raise TypeError
    return value if value.isascii() else value.encode("utf-8", "replace").decode()
