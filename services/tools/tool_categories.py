"""Categories of a tool: its subject, and what it does with it (retrieval, creation, communication, …)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.tools.tool import Tool

_WORDS = {
    "retrieval": "list get read find search query fetch lookup look show view feed links summarise summarize api read",
    "search": "search find query lookup",
    "creation": "create add append write make draft new pin post insert upload copy",
    "update": "update edit replace change set complete start block reopen move rename assign transition append merge",
    "deletion": "delete remove archive trash clear",
    "calculation": "forecast rank propose plan suggest analyzer analyze check validator validate conflicts workload "
    "priorities free calculate",
    "communication": "comment comments message messages mail email discussion discussions announcement announcements "
    "ask reply send post chat notify",
}
"""Words in a tool's name that say what it does: MCP servers' tools have names, and nobody who would tag them."""
_CATEGORY_BY_WORD: dict[str, tuple[str, ...]] = {
    word: tuple(name for name, words in _WORDS.items() if word in words.split())
    for words in _WORDS.values()
    for word in words.split()
}
_READS = frozenset({"retrieval", "search", "calculation"})
_CHANGES = frozenset({"creation", "update", "deletion"})
_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def categories_of(tool: Tool) -> tuple[str, ...]:
    """Categories of a tool, its subject first: ("notes", "creation"); of an MCP server's tool, the server, too."""
    servers = (tool.server.casefold(),) if tool.server else ()
    return tuple(dict.fromkeys((tool.category, *servers, *_purposes(tool.name, _is_change(tool)))))


def _is_change(tool: Tool) -> bool | None:
    """Whether a tool changes something; None where its name alone can say. That its calls wait for the student says
    nothing of it for a server's tool: what it reads with is sent to whoever wrote the server.
    """
    if tool.server is None or not tool.effect.needs_approval:
        return tool.effect.needs_approval
    return None if tool.is_read_only is None else not tool.is_read_only


@lru_cache(maxsize=1024)
def _purposes(name: str, is_change: bool | None) -> tuple[str, ...]:
    words = [part.lower() for part in _NAME_PART.findall(name.rpartition("__")[2])]
    named = {category for word in words for category in _CATEGORY_BY_WORD.get(word, ())}
    if is_change is None:
        is_change = bool(named & _CHANGES) or not named & _READS
    # What a tool says of its effect counts more than its name.
    unfitting = _READS if is_change else _CHANGES - {"creation"}
    found = [category for category in _WORDS if category in named - unfitting]
    return tuple(found) or (("update",) if is_change else ("retrieval",))
