"""Mentions of tools in texts for the model: a text names no tool that the model has not got."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

_BLOCK = re.compile(r"\n(?=- |#|\n)")
"""Before a bullet, a heading or a new paragraph."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
_SOURCE = r",? (?:exactly )?(?:that|from|as) {}(?: gave(?: them)?)?"
Definition = Mapping[str, Any]


def without_mentions(text: str, absent: Collection[str]) -> str:
    """Leave out what names one of these tools: "that NAME gave", else the whole sentence.

    A bullet or paragraph that is left with no sentence goes, and a text that is left with headings ("# …") is empty.
    """
    if not (mention := _mention(absent, text)):
        return text
    blocks = _BLOCK.split(re.sub(_SOURCE.format(mention.pattern), "", text))
    kept = [block for block in (_block_without(block, mention) for block in blocks) if block is not None]
    return "\n".join(kept).strip() if any(block.strip() and not block.startswith("#") for block in kept) else ""


def definitions_without_mentions(definitions: Sequence[Definition], absent: Collection[str]) -> Sequence[Definition]:
    """The same definitions, the very same list when none of them names one of these tools."""
    if not (mention := _mention(absent, json.dumps(definitions))):
        return definitions
    return [
        _rewritten(definition, absent) if mention.search(json.dumps(definition)) else definition
        for definition in definitions
    ]


def _mention(absent: Collection[str], text: str) -> re.Pattern[str] | None:
    # A name without an underscore may be an ordinary word.
    named = sorted({word for word in re.findall(r"[A-Za-z0-9_-]+", text) if "_" in word}.intersection(absent))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, named))})\b") if named else None


def _block_without(block: str, mention: re.Pattern[str]) -> str | None:
    if not mention.search(block):
        return block
    opening = next((start for start in ("- ", "\n") if block.startswith(start)), "")
    kept = [part for part in _SENTENCE_END.split(block.removeprefix(opening)) if not mention.search(part)]
    return opening + " ".join(kept) if kept else None


def _rewritten(part: Any, absent: Collection[str]) -> Any:
    if isinstance(part, Mapping):
        return {
            key: without_mentions(value, absent)
            if key == "description" and isinstance(value, str)
            else _rewritten(value, absent)
            for key, value in part.items()
        }
    return part
