"""Check of an assistant's words before students get it: they name no tool that it does not have."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from services.assistants.assistant import Assistant
from services.i18n import gettext

_NAME = re.compile(r"(?<![\w/.@-])[a-z][a-z0-9-]*(?:__?[A-Za-z0-9][A-Za-z0-9-]*)+(?![\w/@]|\.\w)")
"""A word that reads as a tool's name: parts joined by underscores, and not within an address or a file's name."""
_CLOSE = 0.85
_ACTIONS = frozenset((
    "add", "append", "archive", "assign", "ask", "book", "browse", "build", "call", "cancel", "change", "check",
    "close", "compose", "copy", "create", "delete", "download", "draft", "edit", "email", "enrol", "enroll",
    "execute", "export", "fetch", "file", "fill", "find", "get", "grade", "import", "insert", "invite", "list",
    "load", "look", "lookup", "make", "message", "modify", "move", "notify", "open", "pay", "pin", "plan", "post",
    "publish", "query", "read", "remind", "remove", "rename", "reply", "request", "run", "save", "schedule",
    "search", "send", "set", "share", "show", "sign", "start", "stop", "submit", "sync", "text", "transfer",
    "translate", "update", "upload", "view", "watch", "write",
))  # fmt: skip
"""Verbs that tools' names begin with."""
_LAST_ACTIONS = frozenset(
    ("send", "create", "delete", "update", "search", "fetch", "upload", "submit", "publish", "invite")
)
"""Verbs that tools' names end with, and seldom anything else."""
_CALLED_A_TOOL = re.compile(
    r"(?:\b(?:use|using|call|calling|invoke|run|tool|tools|function|usa|usar|llama|llamar|herramienta)\b[:\s]+"
    r"(?:the\s+|la\s+|tool\s+|herramienta\s+)*[`'\"“«]?)$",
    re.IGNORECASE,
)
"""Words in front of a name that make it a tool's."""
Lack = Literal["switched_off", "category_off", "not_set_up"]


@dataclass(frozen=True, kw_only=True)
class ToolNames:
    """Tools as an assistant has them, whatever a student has connected. known: every name that there is here.

    lacking: of those, the ones that it does not have, with the reason. categories: of those switched off with one.
    servers: of the operator, whose tools are known only while they are up.
    """

    known: Collection[str]
    lacking: Mapping[str, Lack]
    categories: Mapping[str, str]
    servers: Collection[str] = ()


@dataclass(frozen=True, kw_only=True)
class PublishProblem:
    """What is wrong with words for an assistant. tool: its name in the words. next_step: what to do.

    is_blocking: whether it keeps the assistant from being published; a name that may be one of the subject does not.
    """

    tool: str
    sentence: str
    next_step: str
    is_blocking: bool = True


def check_words(assistant: Assistant, tools: ToolNames) -> Sequence[PublishProblem]:
    """Every tool that the assistant's words or rules name and that it does not have, each once, in their order."""
    text = "\n".join((assistant.words, assistant.integrity))
    named = dict.fromkeys((*_NAME.findall(text), *_known_in(text, tools.known)))
    problems = ((name, _problem(name, tools)) for name in named)
    return [
        problem
        for name, blocking in problems
        if (problem := blocking or (_stranger(name) if _reads_as_tool(name, text, tools) else None)) is not None
    ]


def _reads_as_tool(name: str, text: str, tools: ToolNames) -> bool:
    """Whether a name that no tool has is told all the same: it begins or ends with an action, or is called a tool."""
    server, parted, _ = name.partition("__")
    if name in tools.known or (parted and server in tools.servers):
        return False
    parts = name.split("_")
    is_called = any(_CALLED_A_TOOL.search(text[: at.start()][-80:]) for at in re.finditer(re.escape(name), text))
    return parts[0] in _ACTIONS or parts[-1] in _LAST_ACTIONS or is_called


def _stranger(name: str) -> PublishProblem:
    return PublishProblem(
        tool=name,
        sentence=gettext("The words name {tool}, and there is no such tool.", tool=name),
        next_step=gettext("Take it out where you mean a tool; a name that belongs to your subject may stay."),
        is_blocking=False,
    )


def _known_in(text: str, known: Collection[str]) -> Iterator[str]:
    """Known names as they stand in code marks: some have no underscore, and are ordinary words elsewhere."""
    marked = set(re.findall(r"`([^`\s]{1,120})`", text))
    return (name for name in known if name in marked)


def _problem(name: str, tools: ToolNames) -> PublishProblem | None:
    if name in tools.known:
        return _lacking(name, tools) if name in tools.lacking else None
    server, parted, _ = name.partition("__")
    if parted and server in tools.servers:
        return None
    alike = get_close_matches(name, tools.known, n=1, cutoff=_CLOSE)
    if not alike and name.partition("_")[0] not in _families(tools.known):
        # Words of the subject, such as a name in a program, look like this, too.
        return None
    step = gettext("Did you mean {tool}?", tool=alike[0]) if alike else gettext("Take the name out of the words.")
    return PublishProblem(
        tool=name, sentence=gettext("The words name {tool}, and there is no such tool.", tool=name), next_step=step
    )


def _lacking(name: str, tools: ToolNames) -> PublishProblem:
    sentence = gettext("The words name {tool}, which this assistant does not have.", tool=name)
    match tools.lacking[name]:
        case "category_off":
            step = gettext(
                "Switch on this tool or its category, {category}, or take it out of the words.",
                category=gettext(tools.categories[name]),
            )
        case "not_set_up":
            step = gettext("It is not set up in this Homeroom. Take it out of the words.")
        case _:
            step = gettext("Switch it on, or take it out of the words.")
    return PublishProblem(tool=name, sentence=sentence, next_step=step)


def _families(names: Collection[str]) -> frozenset[str]:
    """What tools' names begin with, such as "canvas", where several do."""
    first = [name.partition("_")[0] for name in names if "_" in name]
    return frozenset(family for family in first if first.count(family) > 1)
