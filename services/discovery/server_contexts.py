"""What MCP servers are about, from their names and their tools' names and descriptions; nobody tags them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from services.discovery.normalisation import normalise, words_of

if TYPE_CHECKING:
    from services.tools.tool import Tool

SIGNS = {
    "courses": "canvas moodle blackboard coursework syllabus gradebook lms assignment",
    "calendar": "calendar caldav appointment",
    "notes": "notion obsidian evernote onenote zettelkasten note",
    "search": "websearch google bing duckduckgo tavily",
    "news": "news rss newsletter headline",
    "github": "github gitlab",
    "mail": "gmail email mail inbox outlook",
    "planner": "todo todoist asana trello",
    "jira": "jira atlassian",
}
"""Words that say, in the name of a server or of a tool, which known context it belongs to."""
SAME = (
    "file xxfile archivo fichero datei fichier arquivo",
    "directory folder carpeta directorio ordner dossier pasta dir",
    "ticket issue bug incidencia",
    "image picture photo imagen foto bild",
    "entity person thing",
    "list show what's whats display lista muestra zeig montre",
    "read open see view lee abre offne lis",
    "create make new add start crea nueva nuevo erstelle cree",
    "write save put guarda escribe speicher",
    "delete remove clear borra elimina losch supprime",
    "search find look busca encuentra such cherche",
    "move rename mueve renombra",
    "edit change update modify cambia actualiza",
    "get fetch give download",
)
"""Words that ask for the same."""
_DOING = "list read create write delete search move edit get"
DOING = frozenset(_DOING.split())
"""What tools of any server do: it counts only together with what they do it to."""
_SAY_NOTHING = """
a all an and any are as at based be between by can complete content data demonstrate detail each existing for from if
info information input into is it its level message more multiple name new not number of on one only operation option
or other output provide query random result return server single some specific string support supported system text
than that the their them these this time to tool two type use used using value various way what when which will with
within without work you your
"""
SAY_NOTHING = frozenset(_SAY_NOTHING.split())
ENOUGH = 1.5
"""Points from which on a message speaks of what a server does: a thing from a tool's name, and what to do with it."""
LEARNING = frozenset(("explain", "coding", "translate", "compose", "maths"))
"""Ideas of messages that want to be told or made something, and may use the same words: they need more points."""

_BY_SIGN = {sign: context for context, signs in SIGNS.items() for sign in signs.split()}
_SAME = {word: group.split()[0] for group in SAME for word in group.split()}
_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_READ = 400


@dataclass(frozen=True, kw_only=True)
class ServerVocabulary:
    """contexts: by which its tools are found. names: the words of its own name. does: such as "read".

    tools: for each, the words of its name and those of its description.
    """

    contexts: frozenset[str]
    names: frozenset[str]
    does: frozenset[str]
    tools: Sequence[tuple[frozenset[str], frozenset[str]]] = field(repr=False)

    def points(self, said: frozenset[str]) -> float:
        """How much of what one of its tools does is said. A brand in a name says more than another word."""
        things = max(_things(names, told, said) for names, told in self.tools)
        named = len(self.names & said) + 0.5 * len(said & self.brands)
        return things + named + 0.5 * (bool(things) and not self.does.isdisjoint(said))

    @property
    def brands(self) -> frozenset[str]:
        whole = self.names.union(*(names for names, _ in self.tools))
        return frozenset(word for word in whole if word in _BY_SIGN)


def inferred_contexts(tool: Tool) -> frozenset[str]:
    """The known contexts of an MCP server's tool, from its own name and its server's."""
    return _known(tool.server or "", tool.name)


def mentioned_contexts(words: Sequence[str], ideas: Collection[str], tools: Sequence[Tool]) -> dict[str, float]:
    """The contexts of the MCP servers among these tools that a message speaks of, with confidence from 0 to 1."""
    servers = _servers(tuple(_described(tool) for tool in tools if tool.server))
    said = frozenset(_stems(words))
    enough = ENOUGH + (not LEARNING.isdisjoint(ideas))
    found: dict[str, float] = {}
    for server in servers:
        if (points := server.points(said)) >= enough:
            sure = round(1 - 0.5**points, 2)
            found |= {name: max(sure, found.get(name, 0.0)) for name in server.contexts}
    return found


_Description = tuple[str, str, str, tuple[str, ...]]


def _described(tool: Tool) -> _Description:
    return tool.server or "", tool.name, tool.description, tuple(tool.contexts)


@lru_cache(maxsize=16)
def _servers(told: tuple[_Description, ...]) -> tuple[ServerVocabulary, ...]:
    by_server: dict[str, list[_Description]] = {}
    for one in told:
        by_server.setdefault(one[0], []).append(one)
    return tuple(_server(name, tools) for name, tools in by_server.items())


def _server(name: str, given: Sequence[_Description]) -> ServerVocabulary:
    tools = tuple(_words_of_tool(name, own, description) for _, own, description, _ in given)
    return ServerVocabulary(
        contexts=frozenset(context for _, _, _, contexts in given for context in contexts),
        names=frozenset(_stems(_parts(name))) - DOING,
        does=DOING.intersection(*[frozenset[str]().union(*(names for names, _ in tools))]),
        tools=tools,
    )


def _words_of_tool(server: str, name: str, description: str) -> tuple[frozenset[str], frozenset[str]]:
    names = frozenset(_stems(_parts(name.removeprefix(f"{server}__"))))
    sentence = description.removeprefix(f"From the MCP server {server}. ")[:_READ]
    return names, frozenset(_stems(words_of(normalise(sentence)))) - names


def _things(names: frozenset[str], told: frozenset[str], said: frozenset[str]) -> float:
    """A thing from a tool's name is worth one, one from its description less, and alone too little."""
    things, rest = (names & said) - DOING, (told & said) - DOING
    return len(things) + min(0.4 * len(rest), 1.2) if things or len(rest) > 1 else 0.0


@lru_cache(maxsize=4096)
def _known(server: str, name: str) -> frozenset[str]:
    words = {_singular(word) for word in _parts(f"{server} {name}")}
    return frozenset(_BY_SIGN[word] for word in words & _BY_SIGN.keys())


def _parts(name: str) -> list[str]:
    """The words of a name however it is written: "getJira_issues" is get, jira, issues."""
    return [part.lower() for part in _NAME_PART.findall(name)]


def _stems(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        stem = _SAME.get(word) or _SAME.get(_singular(word)) or _stem(_singular(word))
        if len(stem) > 2 and word not in SAY_NOTHING and stem not in SAY_NOTHING:
            yield stem


def _stem(word: str) -> str:
    """Enough that "observations" meets "observation" and "creating" meets "create"."""
    for end in ("ing", "ed"):
        if word.endswith(end) and len(word) - len(end) > 3:
            bare = word.removesuffix(end)
            return _SAME.get(bare) or _SAME.get(f"{bare}e") or bare
    return word.removesuffix("e") if len(word) > 5 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
