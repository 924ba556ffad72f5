"""Words that tools share with a text, the rare ones counting more: for tools of any origin, known in advance or not."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from services.discovery.contexts import contexts_of, sentence_of
from services.runtime.identity_cache import IdentityCache
from services.tools.tool import Tool

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about all also an and any are at be by can could do does did far for from get give had has have how i in "
        "is it me my need no not now of on or out please show so some tell that the their them there these this to "
        "up us want was what when where which will with would you your al como cual de del el en es la las lo los me "
        "mi mis para por que se su un una y",
    )
)


@dataclass(frozen=True, kw_only=True)
class WordIndex:
    """Index of the words of some tools. by_tool: weight of each word, in the order of the tools; rarity: of a word."""

    by_tool: Sequence[Mapping[str, float]]
    rarity: Mapping[str, float]

    def scores(self, text: str) -> list[float]:
        """How much of a text each tool has in its own words; in the order of the tools."""
        asked = set(_words(text)) & self.rarity.keys()
        return [sum(self.rarity[word] * words[word] for word in asked if word in words) for words in self.by_tool]


@IdentityCache
def word_index(tools: Sequence[Tool]) -> WordIndex:
    """Index these tools; the same ones come with every message."""
    by_tool = [_text(tool) for tool in tools]
    seen = Counter(word for words in by_tool for word in words)
    rarity = {word: math.log(1 + len(by_tool) / count) for word, count in seen.items()}
    return WordIndex(by_tool=by_tool, rarity=rarity)


def _text(tool: Tool) -> Mapping[str, float]:
    arguments = tool.schema.get("properties", {})
    spoken = " ".join(f"{name} {value.get('description', '')}" for name, value in arguments.items())
    about = " ".join(f"{name} {sentence_of(name)}" for name in sorted(contexts_of(tool)))
    asked = " ".join(example.description for example in tool.examples)
    return _word_weights(
        tool.name, f"{tool.title} {tool.label} {tool.description} {asked}", f"{spoken} {tool.category} {about}"
    )


@lru_cache(maxsize=1024)
def _word_weights(name: str, told: str, rest: str) -> Mapping[str, float]:
    """Weights of the words of a tool: the most in its name, the least in the rest."""
    weights: dict[str, float] = {}
    for text, weight in ((rest, 0.25), (told, 1.0), (name, 3.0)):
        weights |= dict.fromkeys(_words(text), weight)
    return weights


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return [_stem(word) for word in re.findall(r"[a-z0-9]{2,}", plain) if word not in _STOP_WORDS]


def _stem(word: str) -> str:
    """Stem of a word, so that "events" meets "event" and "scheduling" meets "schedule"."""
    for end in ("ing", "es", "s", "e"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word
