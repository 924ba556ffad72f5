"""What the tools of an MCP server are about, from its name and its tools' names and descriptions; nobody tags them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.tools.base import Tool


SIGNS = {
    "courses": "canvas moodle blackboard coursework assignment syllabus gradebook lms",
    "calendar": "calendar caldav appointment",
    "notes": "note notion obsidian evernote onenote zettelkasten",
    "search": "websearch google bing duckduckgo tavily exa",
    "news": "news rss newsletter headline",
    "github": "github gitlab pullrequest",
    "mail": "gmail email mail inbox outlook",
    "planner": "todo todoist asana trello task",
    "jira": "jira atlassian sprint epic",
}
"""Words, in the singular, that say in the name of a server or a tool which known context it belongs to."""
_BY_SIGN = {sign: context for context, signs in SIGNS.items() for sign in signs.split()}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@lru_cache(maxsize=4096)
def _contexts(server: str, name: str) -> frozenset[str]:
    return frozenset(_BY_SIGN[word] for word in words(f"{server} {name}") if word in _BY_SIGN)


def inferred(tool: Tool) -> frozenset[str]:
    """The known contexts of a tool of an MCP server."""
    return _contexts(tool.server or "", tool.name)


def words(text: str) -> list[str]:
    """The words of a name however it is written, in lower case and singular: "getJira_issues" is get, jira, issue."""
    return [singular(word.lower()) for word in _WORD.findall(text)]


def singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
