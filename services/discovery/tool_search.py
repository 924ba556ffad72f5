"""Tool search over the deferred tools: `find_tools` names those that fit, so that they are loaded."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from services.discovery.contexts import contexts_of, sentence_of
from services.discovery.fallbacks import select_tools
from services.i18n import gettext_noop
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.providers.provider import ToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool

MOST_FOUND = 6
"""Tools that one search loads: each costs what its definition does, for the rest of the conversation."""
CONTEXT_POINTS = 4.0
NAME_POINTS = 100.0
NOTHING = "No tool fits these words. Try other ones, or names from the list of tools."
LOADED = "Loaded already, call them: {names}."
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about all also an and any are at be by can could do does did far for from get give had has have how i in "
        "is it me my need no not now of on or out please show so some tell that the their them there these this to "
        "up us want was what when where which will with would you your al como cual de del el en es la las lo los me "
        "mi mis para por que se su un una y",
    )
)

Contexts = Callable[[str], Collection[str]]


@tool(label=gettext_noop("Looking for the right tool"), provenance=Provenance.PUBLIC, category="tools", contexts=())
def find_tools(
    context: ToolExecutionContext,
    *,
    query: Annotated[
        str,
        Field(
            description="What you need, in a few words, or names of tools from the list.", min_length=2, max_length=400
        ),
    ],
) -> ToolResult:
    """Find tools of the list that are not loaded. What fits is loaded and can be called next."""
    return ToolResult(output=NOTHING)


FIND = find_tools.name


def found_tools(name: str, result: ToolResult) -> list[str]:
    """Names of the tools that a call has found; none for any other call than a search with results."""
    data = result.data
    return list(data["found"]) if name == FIND and isinstance(data, Mapping) else []


class SearchableToolsProvider:
    """Provider of the wrapped tools with the search in front."""

    def __init__(self, wrapped: ToolsProvider, contexts: Contexts, loaded: Callable[[], Collection[str]]) -> None:
        """contexts: those of a text. loaded: the tools that the model sees already."""
        self.wrapped = wrapped
        self._contexts = contexts
        self._loaded = loaded

    def tools(self) -> Sequence[Tool]:
        return (find_tools, *self.wrapped.tools())

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        if name != FIND:
            return self.wrapped.execute(name, arguments, context)
        query = str(find_tools.validate(arguments)["query"])
        found = rank_tools(self.wrapped.tools(), query, self._contexts(query))
        loaded = self._loaded()
        new = [tool.name for tool in found if tool.name not in loaded]
        if new:
            return ToolResult(output=f"Found: {', '.join(new)}.", data={"found": new})
        return ToolResult(output=LOADED.format(names=", ".join(tool.name for tool in found)) if found else NOTHING)


def rank_tools(tools: Sequence[Tool], query: str, contexts: Collection[str] = ()) -> list[Tool]:
    """Rank the tools that fit, the best first: by rare words that they share, by the contexts of the words, by name."""
    asked = set(_words(query))
    named = set(re.findall(r"[A-Za-z0-9_-]{3,}", query))
    texts = [_text(tool) for tool in tools]
    seen = Counter(word for text in texts for word in text)
    fitting = {tool.name for tool in select_tools(tools, contexts)}
    points: dict[str, float] = {}
    for found, text in zip(tools, texts, strict=True):
        shared = sum(math.log(1 + len(tools) / seen[word]) * text[word] for word in asked if word in text)
        points[found.name] = shared + CONTEXT_POINTS * (found.name in fitting) + NAME_POINTS * (found.name in named)
    best = sorted(tools, key=lambda tool: -points[tool.name])[:MOST_FOUND]
    top = points[best[0].name] if best else 0.0
    return [tool for tool in best if points[tool.name] > 0 and points[tool.name] >= 0.3 * top]


def _text(tool: Tool) -> Mapping[str, float]:
    arguments = tool.schema.get("properties", {})
    spoken = " ".join(f"{name} {value.get('description', '')}" for name, value in arguments.items())
    about = " ".join(f"{name} {sentence_of(name)}" for name in sorted(contexts_of(tool)))
    return _word_weights(
        tool.name, f"{tool.title} {tool.label} {tool.description}", f"{spoken} {tool.category} {about}"
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
