"""Tool list for some contexts, with an estimate of the tokens that leaving out the other tools saves."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from services.discovery.contexts import CONTEXT_NAMES, contexts_of, filter_by_context
from services.runtime.identity_cache import IdentityCache
from services.tools.tool import Tool
from services.tools.tool_categories import categories_of

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English and JSON: no tokenizer ships with the model's library."""


@dataclass(frozen=True, kw_only=True)
class ContextToolList:
    """Answer of `GET /tools`.

    enabled: what works for the student now. tools: those of it that were asked for. contexts: what was asked for, in
    order; none when nothing was found. unknown: those of it that no tool has and no message can be about. known: what
    means something here.
    """

    enabled: Sequence[Tool] = field(repr=False)
    tools: Sequence[Tool] = field(repr=False)
    contexts: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    known: tuple[str, ...] = field(default=(), repr=False)

    @cached_property
    def reduction_percent(self) -> int:
        """How many of the enabled tools were left out, in whole per cent, a half rounded up."""
        whole = len(self.enabled)
        return (200 * (whole - len(self.tools)) + whole) // (2 * whole) if whole else 0

    @cached_property
    def version(self) -> str:
        """Short hash of all that is shown of the enabled tools: it changes when any of them does."""
        shown = [
            [tool.name, categories_of(tool), sorted(contexts_of(tool)), _definition(tool)] for tool in self.enabled
        ]
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:16]

    @cached_property
    def enabled_tokens(self) -> int:
        """Estimated tokens of the definitions of all enabled tools in a prompt."""
        return estimate_tokens(self.enabled)

    @cached_property
    def listed_tokens(self) -> int:
        """Estimated tokens of the tools that were asked for."""
        return estimate_tokens(self.tools)


def list_tools(
    enabled: Sequence[Tool], contexts: Sequence[str], *, category: str | None = None, root: Sequence[Tool] = ()
) -> ContextToolList:
    """List the tools of the contexts, of this category if given; without a context, none.

    root: every tool there is, whose contexts are known although the student may have none of them.
    """
    known = known_contexts(root or enabled)
    return ContextToolList(
        enabled=enabled,
        tools=filter_by_context(enabled, contexts, category) if contexts else (),
        contexts=tuple(contexts),
        unknown=tuple(name for name in contexts if name not in known),
        known=known,
    )


def known_contexts(root: Iterable[Tool]) -> tuple[str, ...]:
    """The names of all contexts, in a stable order: the shipped ones, then those that tools bring."""
    brought = {name for tool in root for name in contexts_of(tool)}
    return (*CONTEXT_NAMES, *sorted(brought.difference(CONTEXT_NAMES)))


def estimate_tokens(tools: Iterable[Tool]) -> int:
    """Estimate the tokens of definitions: the model's own count is known only once it has answered."""
    return _characters(list(tools)) // CHARACTERS_PER_TOKEN


@IdentityCache
def _characters(tools: Sequence[Tool]) -> int:
    """Length of the definitions: the same tools come with every request."""
    return sum(len(_definition(tool)) for tool in tools)


def _definition(tool: Tool) -> str:
    return json.dumps(tool.definition(), ensure_ascii=False, sort_keys=True)
