"""Ranking of single tools: how likely a message needs each, by example messages, the tools' own words, and contexts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from services.discovery.contexts import FoundContext, contexts_of
from services.discovery.fallbacks import fallback_contexts, select_tools
from services.discovery.features import features, prior_texts
from services.discovery.relevance.tool_classifier import ToolClassifier, shipped_tool_classifier
from services.discovery.relevance.tool_words import word_index
from services.discovery.tool_list import estimate_tokens
from services.runtime.identity_cache import IdentityCache

if TYPE_CHECKING:
    from services.tools.tool import Tool

MOST_LOADED, MOST_FOLLOWING = 6, 4
"""For the first message of a chat, and for one that follows: what those before it needed is loaded already."""
COVERED = 0.95
"""Share of the chances that the loaded tools cover: few tools when the message is clear, more when it is not."""
LEAST_CHANCE, LEAST_FOLLOWING = 0.03, 0.05
"""In the same two cases. Of a tool with a definition of `USUAL_SIZE` tokens; a longer one must be likelier, as
loading it costs more.
"""
USUAL_SIZE = 200
LEAST_OF_CONTEXT, LIKELY = 0.02, 0.3
"""Share of the chances that a context's tools must have, else another tool is loaded only when it is likely itself."""
ELSEWHERE = 0.1
"""Least chance of a tool of another context than the message has, for a message that follows."""
MOST_INSTEAD = 4
"""Tools of a context that stands in for another: which of them helps, examples do not tell."""
SURE = 0.8
"""Chance that a message needs a tool, from which on one without any context has that of its likeliest tool."""
IN_CONTEXT = 2.0
"""Log-odds for a tool of a context that the message was found to have."""
WORDS, WORDS_ALONE = 0.3, 0.6
"""Log-odds for each point of shared words: of tools with examples, and of
those that nobody has written examples for.
"""
HABIT = 2.0
"""Log-odds for a tool that a student uses and no other: habits choose where a message nearly fits several alike."""
NEVER = -50.0
UNTRAINED, TWIN = -1, -2
UNKNOWN, INSTEAD = -6.0, -2.0
"""Log-odds of a tool without examples, to those of all others that the student has together, and to those of all that
they lack.
"""
TEMPERATURE = 1.5
"""Training is surer than messages that it has not seen allow."""
CLEAR = 0.4
"""Chance of the likeliest tool from which on a message says by itself what it needs."""
_BEFORE = (("offer", 0.5), ("before", 0.3), ("reply", 0.2))
"""What was said before, with its part in a message that is not clear."""

_NAME = re.compile(r"[A-Za-z0-9_-]+")

Floats = npt.NDArray[np.float32]


class ToolRanker:
    """Ranker of the tools that a student can use, thread-safe; the classifier is loaded at the first message."""

    def __init__(self, load: Callable[[], ToolClassifier] = shipped_tool_classifier) -> None:
        self._load = load
        self._columns = IdentityCache(lambda tools: _columns(self._load().names, tools))

    def implied_contexts(self, message: str, tools: Sequence[Tool]) -> tuple[FoundContext, ...]:
        """Context of the likeliest tool of a message in which the detector found none; empty unless that is `SURE`."""
        if not tools or not message.strip():
            return ()
        chances = _softmax(self._scores(message, tools, ()))
        there = chances[: len(tools)]
        best, sure = tools[int(there.argmax())], float(there.sum())
        return (
            (FoundContext(name=best.contexts[0], confidence=round(sure, 2)),) if sure >= SURE and best.contexts else ()
        )

    def needed_tools(
        self,
        message: str,
        history: Sequence[Mapping[str, str]],
        tools: Sequence[Tool],
        contexts: Sequence[FoundContext],
        *,
        habits: Mapping[str, float] | None = None,
    ) -> tuple[Tool, ...]:
        """Select the few tools that a message needs, in the order of
        `tools`; at most `MOST_LOADED`, none without context.

        history: {"role", "content"}, oldest first, without the message. contexts: those found for it; each has its
        likeliest tool among the selected. habits: share of each tool in what the student has used.
        """
        names = [context.name for context in contexts]
        if not tools or not names:
            return ()
        chances = self.chances(message, history, tools, names, habits=habits)
        chosen = _covering(chances, _floors(chances, tools, names, has_history=bool(history))) | _best_of_each(
            names, tools, chances
        )
        ranked = sorted(chosen, key=lambda name: -chances[name])
        readers = _readers(tools)
        together = dict.fromkeys(each for name in ranked for each in (name, *readers.get(name, ())))
        loaded = list(together)[: MOST_FOLLOWING if history else MOST_LOADED]
        return tuple(tool for tool in tools if tool.name in loaded)

    def chances(
        self,
        message: str,
        history: Sequence[Mapping[str, str]],
        tools: Sequence[Tool],
        contexts: Collection[str],
        *,
        habits: Mapping[str, float] | None = None,
    ) -> dict[str, float]:
        """The chance of each tool, by name, that it is the one that a message needs; what is left is for none, and for
        tools that the student has not got.
        """
        used = np.array([(habits or {}).get(tool.name, 0.0) for tool in tools], np.float32)
        own = _softmax(self._scores(message, tools, contexts, HABIT * used), TEMPERATURE)
        mixed, before = own[: len(tools)].copy(), prior_texts(history)
        doubt = max(0.0, 1 - float(mixed.max()) / CLEAR)
        for part, share in _BEFORE if contexts else ():
            if text := getattr(before, part):
                mixed += doubt * share * _softmax(self._scores(text, tools, contexts), TEMPERATURE)[: len(tools)]
        return {tool.name: float(chance) for tool, chance in zip(tools, mixed, strict=True)}

    def _scores(
        self, text: str, tools: Sequence[Tool], contexts: Collection[str], bias: Floats | float = 0.0
    ) -> Floats:
        """Log-odds of the tools, in their order, of those that the student has not got together, and of none.

        contexts: the message's; nothing but its context is known of a tool without examples. bias: log-odds for each
        tool besides.
        """
        classifier = self._load()
        logits = classifier.logits(features(text))
        column = self._columns(tools)
        lacked = np.logaddexp.reduce(np.delete(logits[:-1], column[column >= 0]), initial=NEVER)
        fitting = {tool.name for tool in select_tools(tools, contexts)}
        is_fitting = np.array([tool.name in fitting for tool in tools])
        scores = np.where(column >= 0, logits[column], NEVER)
        if fitting:
            words = np.array(word_index(tools).scores(text), np.float32)
            there = np.logaddexp.reduce(logits[column[column >= 0]], initial=NEVER) + UNKNOWN
            # What the student lacks may be asked of a tool of the very context, not of one that stands in for it.
            is_own = np.array([not contexts_of(tool).isdisjoint(contexts) for tool in tools])
            unknown = np.logaddexp(there, np.where(is_own, lacked + INSTEAD, NEVER)) + WORDS_ALONE * words
            scores = np.where(
                column >= 0, scores + WORDS * words, np.where(is_fitting & (column == UNTRAINED), unknown, NEVER)
            )
        return np.append(scores + IN_CONTEXT * is_fitting + bias, [lacked, logits[-1]])


def _softmax(scores: Floats, temperature: float = 1.0) -> Floats:
    powers = np.exp((scores - scores.max()) / temperature)
    return np.asarray(powers / powers.sum(), np.float32)


def _columns(names: Sequence[str], tools: Sequence[Tool]) -> npt.NDArray[np.int64]:
    """The classifier's column of each tool, `UNTRAINED` for one without, `TWIN` for one that another stands for.

    A tool of another service with the same name behind its service's is taken for the same: the sample course's
    assignments are asked for in the words of any course's. Where both are there, the student's own comes first.
    """
    exact = {name: at for at, name in enumerate(names)}
    there = {tool.name for tool in tools}
    alike = {_bare(name): TWIN if name in there else at for name, at in exact.items() if _bare(name)}
    found = (exact.get(tool.name, alike.get(_bare(tool.name), UNTRAINED)) for tool in tools if not tool.server)
    return np.fromiter((UNTRAINED if tool.server else next(found) for tool in tools), np.int64, len(tools))


def _bare(name: str) -> str:
    """A name without its service's: "list_assignments"; empty for a verb alone, as "list" says nothing of what."""
    bare = name.partition("_")[2]
    return bare if "_" in bare else ""


def _covering(chances: Mapping[str, float], floors: Mapping[str, float]) -> set[str]:
    """The likeliest tools that together have `COVERED` of the chances, each with a chance of at least its floor."""
    whole, covered, chosen = sum(chances.values()), 0.0, set[str]()
    for name in sorted(chances, key=lambda name: -chances[name]):
        if covered >= COVERED * whole:
            break
        if chances[name] >= floors[name]:
            chosen.add(name)
        covered += chances[name]
    return chosen


def _floors(
    chances: Mapping[str, float], tools: Sequence[Tool], contexts: Collection[str], *, has_history: bool
) -> Mapping[str, float]:
    """The least chance with which each tool is loaded."""
    whole, sizes = sum(chances.values()), _sizes(tools)
    fitting = {tool.name for tool in select_tools(tools, contexts)}
    if max((chances[name] for name in fitting), default=0.0) < LEAST_OF_CONTEXT * whole:
        # What the message is about, the student has not got.
        return dict.fromkeys(chances, LIKELY)
    if not has_history:
        # It must be likely beside those that the student has not got, too.
        return {name: LEAST_CHANCE * max(size, 1.0) for name, size in sizes.items()}
    return {name: whole * (LEAST_FOLLOWING * size if name in fitting else ELSEWHERE) for name, size in sizes.items()}


@IdentityCache
def _sizes(tools: Sequence[Tool]) -> Mapping[str, float]:
    """Sizes of definitions, the usual one being 1."""
    return {tool.name: estimate_tokens([tool]) / USUAL_SIZE for tool in tools}


@IdentityCache
def _readers(tools: Sequence[Tool]) -> Mapping[str, Sequence[str]]:
    """The tools that give the ids which a tool must be called with, as
    the descriptions of these arguments name them.
    """
    given = {tool.name: _words_on_ids(tool) for tool in tools}
    return {name: [reader for reader in given if reader in words] for name, words in given.items() if words}


def _words_on_ids(tool: Tool) -> set[str]:
    arguments = tool.schema.get("properties", {})
    ids = [name for name in tool.schema.get("required", ()) if name.endswith("_id")]
    return {word for name in ids for word in _NAME.findall(arguments.get(name, {}).get("description", ""))}


def _best_of_each(contexts: Sequence[str], tools: Sequence[Tool], chances: Mapping[str, float]) -> set[str]:
    """The likeliest tool of each context and of what stands in for one, where it is at all likely.

    A question to the student goes with any context.
    """
    instead = fallback_contexts(tools, contexts)
    best: set[str] = set()
    for context in (*contexts, *instead):
        names = [tool.name for tool in tools if context in contexts_of(tool)]
        best |= set(nlargest(MOST_INSTEAD if context in instead else 1, names, key=lambda name: chances[name]))
    return {name for name in best if chances[name] >= LEAST_OF_CONTEXT * sum(chances.values())}
