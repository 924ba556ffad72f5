"""Mentions of tools in texts for the model: a text names no tool that the model has not got."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from services.runtime.identity_cache import IdentityCache

_BLOCK = re.compile(r"\n(?=- |#|\n)")
"""Before a bullet, a heading or a new paragraph."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
_SOURCE = r",? (?:exactly )?(?:that|from|as) {}(?: gave(?: them)?)?"
MOST_FORMS = 64
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
    """The same definitions; those that name another of these tools are rewritten, the same ones each time.

    Those of absent tools stay as they are: nobody calls them, and so the list is the same for more assistants.
    """
    return _rewritings(definitions).without(frozenset(absent))


class _Rewritings:
    """Rewritten forms of one list of definitions, by the absent tools: as many as assistants and connections."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = definitions
        self._without = lru_cache(maxsize=MOST_FORMS)(self._rewrite)

    def without(self, absent: frozenset[str]) -> Sequence[Definition]:
        return self._without(absent) if absent else self._definitions

    def _rewrite(self, absent: frozenset[str]) -> Sequence[Definition]:
        naming = [
            definition["name"] not in absent and _mention(absent, json.dumps(definition)) is not None
            for definition in self._definitions
        ]
        if not any(naming):
            return self._definitions
        return [
            _rewritten(definition, absent) if names else definition
            for definition, names in zip(self._definitions, naming, strict=True)
        ]


_rewritings = IdentityCache(_Rewritings)


def _mention(absent: Collection[str], text: str) -> re.Pattern[str] | None:
    # A name without an underscore may be an ordinary word.
    if "_" not in text:
        return None
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
