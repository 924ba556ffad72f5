"""Reply of the demo model: text and tool calls, cut where a limit or a stop sequence says so."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox.model.errors import new_id
from sandbox.model.token_count import tokens_of

LONGEST_PIECE = 40
JSON_PIECE = 12
WORD = re.compile(rf"\s*(?:\[[^\]\n]*\]\([^)\s]*\)|\S{{1,{LONGEST_PIECE}}})(?:\s+[—–-](?=\s))*(?:\s+(?=\S)|\s*$)?")


@dataclass(frozen=True, kw_only=True)
class Text:
    """Some words of the assistant. citations: where they are from, as the API writes it."""

    text: str
    citations: Sequence[Mapping[str, Any]] = ()

    def pieces(self) -> list[str]:
        """The words one by one, each with the space and the dash after it; a very long one in parts.

        A link is one word: its address is not read, so it takes no time to type.
        """
        return WORD.findall(self.text) or [self.text]

    def starting(self) -> dict[str, Any]:
        """The block as `content_block_start` shows it."""
        return {"type": "text", "text": "", "citations": []} if self.citations else {"type": "text", "text": ""}

    def finished(self) -> dict[str, Any]:
        """The block as a finished message holds it."""
        return {"type": "text", "text": self.text} | ({"citations": list(self.citations)} if self.citations else {})

    def delta(self, piece: str) -> dict[str, Any]:
        """One piece of it on the wire."""
        return {"type": "text_delta", "text": piece}

    def last_deltas(self) -> list[dict[str, Any]]:
        """Deltas that follow its words."""
        return [{"type": "citations_delta", "citation": citation} for citation in self.citations]


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call of a tool. `raw` is what is streamed; cut short, it is no longer valid JSON."""

    name: str
    input: Mapping[str, Any]
    id: str = field(default_factory=lambda: new_id("toolu"))
    raw: str | None = None

    @property
    def json(self) -> str:
        """The arguments as they are streamed."""
        return json.dumps(dict(self.input), ensure_ascii=False) if self.raw is None else self.raw

    def pieces(self) -> list[str]:
        """The JSON in a few pieces, an empty one first, as the API sends them."""
        text = self.json
        return ["", *(text[at : at + JSON_PIECE] for at in range(0, len(text), JSON_PIECE))]

    def starting(self) -> dict[str, Any]:
        """The block as `content_block_start` shows it."""
        return {"type": "tool_use", "id": self.id, "name": self.name, "input": {}}

    def finished(self) -> dict[str, Any]:
        """The block as a finished message holds it."""
        return {"type": "tool_use", "id": self.id, "name": self.name, "input": dict(self.input)}

    def delta(self, piece: str) -> dict[str, Any]:
        """One piece of it on the wire."""
        return {"type": "input_json_delta", "partial_json": piece}

    def last_deltas(self) -> list[dict[str, Any]]:
        """Nothing follows its arguments."""
        return []


Block = Text | Call


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A whole answer. stop_sequence: the one that was met, if any."""

    blocks: Sequence[Block]
    stop_reason: str = "end_turn"
    stop_sequence: str | None = None

    @property
    def output_tokens(self) -> int:
        """Output tokens that the answer is billed as."""
        return sum(_cost(block) for block in self.blocks) or 1


def words(text: str) -> Reply:
    """An answer of text only."""
    return Reply(blocks=(Text(text=text),))


def calls(*wanted: Call, before: str = "") -> Reply:
    """An answer that calls tools, after a sentence if one is given."""
    said: tuple[Block, ...] = (Text(text=before),) if before else ()
    return Reply(blocks=(*said, *wanted), stop_reason="tool_use")


def limited(reply: Reply, *, max_tokens: int, stop_sequences: Sequence[str] = ()) -> Reply:
    """The reply cut at the first stop sequence in its text, and at `max_tokens`, even in the middle of a call."""
    return _at_limit(_at_sequence(reply, stop_sequences), max_tokens)


def _at_sequence(reply: Reply, sequences: Sequence[str]) -> Reply:
    for index, block in enumerate(reply.blocks):
        if not isinstance(block, Text):
            continue
        met = [(at, sequence) for sequence in sequences if (at := block.text.find(sequence)) >= 0]
        if met:
            at, sequence = min(met)
            kept = (*reply.blocks[:index], Text(text=block.text[:at]))
            return Reply(blocks=kept, stop_reason="stop_sequence", stop_sequence=sequence)
    return reply


def _at_limit(reply: Reply, max_tokens: int) -> Reply:
    left, kept = max_tokens, []
    for block in reply.blocks:
        cost = _cost(block)
        if cost > left:
            kept.append(_shortened(block, left * 4))
            return Reply(blocks=tuple(kept), stop_reason="max_tokens")
        left -= cost
        kept.append(block)
    return reply


def _shortened(block: Block, characters: int) -> Block:
    if isinstance(block, Text):
        return Text(text=block.text[:characters])
    return replace(block, raw=block.json[: max(1, characters)], input={})


def _cost(block: Block) -> int:
    return tokens_of(block.text if isinstance(block, Text) else block.name + block.json)
