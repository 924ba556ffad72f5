"""`ReplyAssembler`: puts an answer together from its events (https://docs.anthropic.com/en/api/messages-streaming)."""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2

from services.errors import ModelInterrupted, ModelUnavailable
from services.i18n import gettext
from services.llm.anthropic_wire import oversized_error
from services.llm.chat_model import ModelReply, Usage
from services.llm.citations import Citation
from services.tools.result import Source

log = logging.getLogger(__name__)

_MOST_TOKENS = 1_000_000_000
"""More than any answer has: a count above it is no count."""
_MOST_SIGNS = 1_000_000
"""Of words, thoughts and arguments together: some times what the longest answer that is asked for may have."""
_MOST_BLOCKS = 2_000
"""An answer that cites changes from block to block; one that has more than these goes in circles."""
_MOST_CALLS = 100
"""Of one answer, as they came; a turn runs fewer, so that nobody misses those beyond."""
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
"""What the API takes back as a tool's name; no tool of ours has another one."""
_GROWING = {"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking"}
_GROWN_BY = {"text": "text_delta", "tool_use": "input_json_delta", "thinking": "thinking_delta"}


class ReplyAssembler:
    """Only calls that were ended by the server are kept; of words, all that were shown."""

    def __init__(self) -> None:
        self.has_text = False
        self._open: dict[int, dict[str, Any]] = {}
        self._grown: dict[int, list[str]] = {}
        self._sources: dict[int, list[Source]] = {}
        self._size = self._begun = 0
        self._content: list[dict[str, Any]] = []
        self._cited: dict[int, list[Citation]] = {}
        self._stop_reason: str | None = None
        self._is_complete = False
        self._usage: dict[str, int] = {}

    def add_event(self, event: Mapping[str, Any]) -> str:
        """Take one event in; the words it brings, or nothing.

        Raises `httpx2.RemoteProtocolError` for a garbled one, `httpx2.DecodingError` when it is too much.
        """
        try:
            return self._taken(event)
        except (LookupError, TypeError, ValueError, AttributeError):
            # A gateway between us and the API: what it sends is checked nowhere else.
            raise httpx2.RemoteProtocolError("An event does not have the form that is documented.") from None

    def _taken(self, event: Mapping[str, Any]) -> str:
        match event.get("type"):
            case "message_start":
                self._count(event["message"]["usage"])
            case "content_block_start":
                return self._said(self._begin(event["index"], dict(event["content_block"])))
            case "content_block_delta":
                return self._said(self._grow(event["index"], event["delta"]))
            case "content_block_stop":
                self._close(event["index"])
            case "message_delta":
                self._stop_reason = _text(event["delta"].get("stop_reason") or "") or None
                self._count(event.get("usage") or {})
            case "message_stop":
                self._is_complete = True
        return ""

    def reply(self) -> ModelReply:
        """The finished message; a stream that just ended, without saying why, has not finished."""
        if self._stop_reason is None or not self._is_complete:
            if self.has_text:
                raise ModelInterrupted(gettext("The answer broke off."))
            raise ModelUnavailable(gettext("The model ended its answer before it began."))
        for index in [index for index, block in self._open.items() if block["type"] == "text"]:
            self._close(index)
        return ModelReply(
            content=tuple(self._content), stop_reason=self._stop_reason, usage=Usage(**self._usage), cited=self._cited
        )

    def _said(self, words: str) -> str:
        self.has_text = self.has_text or bool(words)
        return words

    def _begin(self, index: int, block: dict[str, Any]) -> str:
        self._begun += 1
        if self._begun > _MOST_BLOCKS:
            raise oversized_error()
        if index in self._open:
            raise ValueError
        kind = block["type"]
        first = (block.pop(kind, None) or "") if kind in ("text", "thinking") else ""
        self._size += len(json.dumps(block))
        self._open[index], self._grown[index] = block, []
        words = self._add(index, first)
        return words if kind == "text" else ""

    def _grow(self, index: int, delta: Mapping[str, Any]) -> str:
        block, kind = self._open[index], delta["type"]
        if kind in _GROWING:
            words = _text(delta[_GROWING[kind]])
            if _GROWN_BY.get(block["type"], kind) != kind:
                raise ValueError
            self._add(index, words)
            return words if kind == "text_delta" else ""
        if kind == "signature_delta":
            block["signature"] = self._weighed(_text(delta["signature"]))
        elif kind == "citations_delta" and delta["citation"]["type"] == "search_result_location":
            cited = delta["citation"]
            url = self._weighed(_text(cited["source"]))
            source = Source(title=self._weighed(_text(cited.get("title") or url)), url=url)
            self._sources.setdefault(index, []).append(source)
        return ""

    def _add(self, index: int, words: object) -> str:
        text = self._weighed(_text(words))
        self._grown[index].append(text)
        return text

    def _weighed(self, text: str) -> str:
        self._size += len(text)
        if self._size > _MOST_SIGNS:
            raise oversized_error()
        return text

    def _close(self, index: int) -> None:
        block, grown = self._open.pop(index), "".join(self._grown.pop(index))
        match block["type"]:
            case "tool_use":
                self._close_call(block, grown)
            case "text":
                self._close_text(grown, self._sources.pop(index, []))
            case "thinking":
                signature = _text(block.get("signature") or "")
                self._content.append({"type": "thinking", "thinking": grown, "signature": signature})
            case "redacted_thinking":
                self._content.append({"type": "redacted_thinking", "data": _text(block["data"])})
            case _:
                # Sent back, what we never asked for would be refused with every message to come.
                log.warning("model_block_left_out")

    def _close_text(self, text: str, sources: Sequence[Source]) -> None:
        """A text that cites comes in many blocks; they are one again, with the places that cite beside them."""
        if self._content and self._content[-1]["type"] == "text":
            self._content[-1]["text"] += text
        elif text.strip():
            # The API refuses an empty text block when it is sent back.
            self._content.append({"type": "text", "text": text})
        if sources and self._content and self._content[-1]["type"] == "text":
            at = len(self._content[-1]["text"].rstrip())
            cited = [Citation(at=at, source=source) for source in dict.fromkeys(sources)]
            self._cited.setdefault(len(self._content) - 1, []).extend(cited)

    def _close_call(self, block: Mapping[str, Any], written: str) -> None:
        """A call whose arguments are not whole is dropped: it was cut off, and must never run.

        So is what could not be sent back (NaN, half a character, an id that another call has): the conversation would
        be refused with it, for ever.
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
        known = [one["id"] for one in self._content if one["type"] == "tool_use"]
        if isinstance(arguments, dict) and id not in known and len(known) < _MOST_CALLS:
            self._content.append({"type": "tool_use", "id": id, "name": name, "input": arguments})

    def _count(self, usage: Mapping[str, Any]) -> None:
        """Counts in `message_delta` are totals, and left out where they did not change."""
        for name in Usage.__dataclass_fields__:
            count = usage.get(name)
            if type(count) is int and 0 <= count <= _MOST_TOKENS:
                self._usage[name] = count


def _text(value: object) -> str:
    """Text that can be stored and sent back: without halves of characters. Raises `TypeError` for anything else."""
    if not isinstance(value, str):
        raise TypeError
    return value if value.isascii() else value.encode("utf-8", "replace").decode()
