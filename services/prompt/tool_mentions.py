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
    """The same definitions; the very same list when none of them names another of these tools.

    Those of absent tools stay as they are: nobody calls them, and so the list is the same for more assistants.
    """
    written = [
        definition["name"] not in absent and _mention(absent, json.dumps(definition)) for definition in definitions
    ]
    if not any(written):
        return definitions
    return [
        _rewritten(definition, absent) if has_mention else definition
        for definition, has_mention in zip(definitions, written, strict=True)
    ]


def _mention(absent: Collection[str], text: str) -> re.Pattern[str] | None:
    # A name without an underscore may be an ordinary word.
    named = sorted(name for name in absent if "_" in name and name in text)
    found = re.compile(rf"\b(?:{'|'.join(map(re.escape, named))})\b") if named else None
    return found if found and found.search(text) else None


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
