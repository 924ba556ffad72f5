"""Contexts of MCP servers, inferred from their names and their tools' names and descriptions: nobody tags them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from services.discovery.normalisation import normalise, words_of

if TYPE_CHECKING:
    from services.tools.tool import Tool

KEYWORDS = {
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
WORK_WORDS = {
    "agile": "agile sprint scrum kanban epic backlog standup retro retrospective velocity burndown story iteration",
    "communication": "comment message discussion conversation thread reply replie chat channel slack discord mention "
    "comentario mensaje conversacion hilo respuesta kommentar nachricht",
    "users": "user assignee assigned assign reassign watcher watching reporter member people team teammate owner who "
    "quien quienes asignado asignada equipo miembro wer zugewiesen",
}
"""Words of a team's work: in a message beside a server's context, and in the names of servers' tools."""
SYNONYMS = (
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
"""Words that mean the same; the first stands for all."""
_VERBS = "list read create write delete search move edit get"
VERBS = frozenset(_VERBS.split())
"""What tools of any server do: it counts only together with what they do it to."""
_STOP_WORDS = """
a all an and any are as at based be between by can complete content data demonstrate detail each existing for from if
info information input into is it its level message more multiple name new not number of on one only operation option
or other output provide query random result return server single some specific string support supported system text
than that the their them these this time to tool two type use used using value various way what when which will with
within without work you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
MENTION_SCORE = 1.5
"""Score from which on a message mentions what a server does: a thing from a tool's name, and what to do with it."""
EXPLANATION_IDEAS = frozenset(("explain", "coding", "translate", "compose", "maths"))
"""Ideas of messages that want to be told or made something, and may use the same words: they need a higher score."""

_WORK_CONTEXT_OF = {word: context for context, words in WORK_WORDS.items() for word in words.split()}
_CONTEXT_OF = {word: context for context, words in KEYWORDS.items() for word in words.split()}
_SYNONYM = {word: group.split()[0] for group in SYNONYMS for word in group.split()}
_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_DESCRIPTION_LENGTH = 400
_Description = tuple[str, str, str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class ToolVocabulary:
    """Words of a server's tool. contexts: by which it is found. names: of its name. described: of its description."""

    contexts: frozenset[str]
    names: frozenset[str]
    described: frozenset[str]

    def score(self, said: frozenset[str]) -> float:
        """An object from a tool's name scores one, one from its description less, and alone too little."""
        objects, rest = (self.names & said) - VERBS, (self.described & said) - VERBS
        return len(objects) + min(0.4 * len(rest), 1.2) if objects or len(rest) > 1 else 0.0


@dataclass(frozen=True, kw_only=True)
class ServerVocabulary:
    """Words that a message about an MCP server may have.

    names: the words of its own name. verbs: such as "read".
    """

    name: str
    names: frozenset[str]
    verbs: frozenset[str]
    tools: Sequence[ToolVocabulary] = field(repr=False)

    def score(self, said: frozenset[str]) -> float:
        """How much of what one of its tools does is said. A brand in a name counts more than another word."""
        objects = max(tool.score(said) for tool in self.tools)
        named = len(self.names & said) + 0.5 * len(said & self.brands)
        return objects + named + 0.5 * (bool(objects) and not self.verbs.isdisjoint(said))

    @property
    def brands(self) -> frozenset[str]:
        whole = self.names.union(*(tool.names for tool in self.tools))
        return frozenset(word for word in whole if word in _CONTEXT_OF)

    def contexts(self, said: frozenset[str]) -> frozenset[str]:
        """Contexts of the tools that a message speaks of; of all, where it names the server alone.

        Where tools differ, the server's own name brings all of them, and is left out if others bring what is meant.
        """
        spoken_of = [tool for tool in self.tools if tool.score(said)] or self.tools
        contexts = frozenset(context for tool in spoken_of for context in tool.contexts)
        is_of_one = len({tool.contexts for tool in self.tools}) == 1
        return contexts if is_of_one else contexts - {self.name} or contexts


def inferred_contexts(tool: Tool) -> frozenset[str]:
    """The known contexts of an MCP server's tool, from its own name and its server's.

    Of several that the server's name names, those that the tool's own name names, too: in "notes-and-jira" a note is
    nothing of Jira.
    """
    server = tool.server or ""
    of_server, own = _contexts_named_in(server), _contexts_named_in(tool.name.removeprefix(f"{server}__"))
    return own | (of_server & own or of_server)


def subjects_of(tool: Tool) -> frozenset[str]:
    """The known contexts that the own name of an MCP server's tool names, without those of a team's work."""
    return _subjects(tool.name.removeprefix(f"{tool.server}__"))


def work_contexts(words: Iterable[str]) -> frozenset[str]:
    """The contexts of a team's work that are in these words: "who commented on" is users and communication."""
    singular = {_singular(word) for word in words}
    said = singular | {word.removesuffix("ed") for word in singular}
    return frozenset(_WORK_CONTEXT_OF[word] for word in said & _WORK_CONTEXT_OF.keys())


def mentioned_contexts(words: Sequence[str], ideas: Collection[str], tools: Sequence[Tool]) -> dict[str, float]:
    """The contexts of the MCP servers among these tools that a message mentions, with confidence from 0 to 1."""
    servers = _servers(tuple(_described(tool) for tool in tools if tool.server))
    said = frozenset(_stems(words))
    enough = MENTION_SCORE + (not EXPLANATION_IDEAS.isdisjoint(ideas))
    found: dict[str, float] = {}
    for server in servers:
        if (score := server.score(said)) >= enough:
            sure = round(1 - 0.5**score, 2)
            found |= {name: max(sure, found.get(name, 0.0)) for name in server.contexts(said)}
    return found


def _described(tool: Tool) -> _Description:
    return tool.server or "", tool.name, tool.description, tuple(tool.contexts)


@lru_cache(maxsize=16)
def _servers(tools: tuple[_Description, ...]) -> tuple[ServerVocabulary, ...]:
    by_server: dict[str, list[_Description]] = {}
    for tool in tools:
        by_server.setdefault(tool[0], []).append(tool)
    return tuple(_server(name, described) for name, described in by_server.items())


def _server(name: str, given: Sequence[_Description]) -> ServerVocabulary:
    tools = tuple(_tool(tool) for tool in given)
    return ServerVocabulary(
        name=name,
        names=frozenset(_stems(_parts(name))) - VERBS,
        verbs=VERBS.intersection(*[frozenset[str]().union(*(tool.names for tool in tools))]),
        tools=tools,
    )


def _tool(described: _Description) -> ToolVocabulary:
    server, name, description, contexts = described
    names = frozenset(_stems(_parts(name.removeprefix(f"{server}__"))))
    sentence = description.removeprefix(f"From the MCP server {server}. ")[:_DESCRIPTION_LENGTH]
    stems = frozenset(_stems(words_of(normalise(sentence))))
    return ToolVocabulary(contexts=frozenset(contexts), names=names, described=stems - names)


@lru_cache(maxsize=4096)
def _contexts_named_in(name: str) -> frozenset[str]:
    return _subjects(name) | work_contexts(_parts(name))


def _subjects(name: str) -> frozenset[str]:
    words = {_singular(word) for word in _parts(name)}
    return frozenset(_CONTEXT_OF[word] for word in words & _CONTEXT_OF.keys())


def _parts(name: str) -> list[str]:
    """The words of a name however it is written: "getJira_issues" is get, jira, issues."""
    return [part.lower() for part in _NAME_PART.findall(name)]


def _stems(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        stem = _SYNONYM.get(word) or _SYNONYM.get(_singular(word)) or _stem(_singular(word))
        if len(stem) > 2 and word not in STOP_WORDS and stem not in STOP_WORDS:
            yield stem


def _stem(word: str) -> str:
    """Stem of a word, so that "observations" meets "observation" and "creating" meets "create"."""
    for end in ("ing", "ed"):
        if word.endswith(end) and len(word) - len(end) > 3:
            bare = word.removesuffix(end)
            return _SYNONYM.get(bare) or _SYNONYM.get(f"{bare}e") or bare
    return word.removesuffix("e") if len(word) > 5 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
