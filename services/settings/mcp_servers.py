"""`McpServer`: one server as the operator configured it, and the reading of HOMEROOM_MCP_SERVERS."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from services.errors import SettingsError

VARIABLE = "HOMEROOM_MCP_SERVERS"
EXAMPLE = (
    'Set a JSON object, such as {"files": {"command": ["mcp-server-filesystem", "/srv/handouts"]}, '
    '"library": {"url": "https://mcp.example.edu/mcp", "headers": {"Authorization": "Bearer …"}}}.'
)
EFFECTS = ("read", "write", "outbound")
EVERY_TOOL = "*"
"""In place of a tool's name: the word on every tool of the server that has none of its own."""
TOLD = ("student", "school", "service", "others", "operator", "public", "strangers")
_OLD_TOLD = ("private", "shared", "mixed")
"""Names of before November 2026, which `Provenance` still reads."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
_FIELDS = frozenset({"command", "env", "cwd", "url", "headers", "contexts", "category", "effect", "told"})
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, kw_only=True)
class McpServer:
    """Either `command` (stdio) or `url` (streamable HTTP). What may hold a secret stays out of the repr.

    env: the whole environment of the process. contexts: what a message must be about for its tools to matter;
    contexts_by_tool: for those that the operator named. effects: the operator's word on what a tool does. told: the
    word on who may have written what a tool's results hold (`Provenance`). These are by the tool's own name, not the
    prefixed one, or by `EVERY_TOOL`.
    """

    name: str
    command: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    contexts: tuple[str, ...] = ()
    contexts_by_tool: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    category: str = "mcp"
    effects: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What a student reads: "files" becomes "Files"."""
        return self.name.replace("-", " ").capitalize()

    def contexts_of(self, tool: str) -> tuple[str, ...]:
        return self.contexts_by_tool.get(tool, self.contexts)

    def told_of(self, tool: str) -> str | None:
        return self.told.get(tool) or self.told.get(EVERY_TOOL)


def parse(text: str, *, base: Mapping[str, str], plain_http: Collection[str] = ()) -> dict[str, McpServer]:
    """The servers by name, in the order given; raises `SettingsError`.

    base: what every command's environment starts from. plain_http: origins that may be reached without TLS.
    """
    if not text:
        return {}
    try:
        given = json.loads(text)
    except ValueError as error:
        raise _wrong("is not JSON") from error
    if not isinstance(given, dict):
        raise _wrong("is not a JSON object of servers by name")
    return {name: _server(name, spec, base, plain_http) for name, spec in given.items()}


def _server(name: str, spec: Any, base: Mapping[str, str], plain_http: Collection[str]) -> McpServer:
    if not _NAME.fullmatch(name):
        raise _wrong(f"names a server {name[:30]!r}; use up to 20 lower-case letters, digits and hyphens")
    if not isinstance(spec, dict):
        raise _wrong(f"{name} is not a JSON object")
    if unknown := sorted(set(spec) - _FIELDS):
        raise _wrong(f"{name} has an unknown field {unknown[0][:30]!r}; known are {', '.join(sorted(_FIELDS))}")
    if ("command" in spec) == ("url" in spec):
        raise _wrong(f"{name} needs either a command or a url")
    where = _stdio(name, spec, base) if "command" in spec else _http(name, spec, plain_http)
    category = spec.get("category", "mcp")
    if not isinstance(category, str) or not category:
        raise _wrong(f"{name}: category is not a text")
    contexts = _contexts(name, spec.get("contexts", {}))
    effects, told = _words_on_tools(name, spec, "effect", EFFECTS), _words_on_tools(name, spec, "told", TOLD, _OLD_TOLD)
    return McpServer(
        name=name,
        contexts=contexts.pop(EVERY_TOOL, (name,)),
        contexts_by_tool=contexts,
        category=category,
        effects=effects,
        told=told,
        **where,
    )


def _stdio(name: str, spec: Mapping[str, Any], base: Mapping[str, str]) -> dict[str, Any]:
    command, cwd = _texts(name, "command", spec["command"]), spec.get("cwd")
    if not command:
        raise _wrong(f"{name}: command is empty")
    if "headers" in spec:
        raise _wrong(f"{name}: headers belong to a url, not to a command")
    if not isinstance(cwd, str | None):
        raise _wrong(f"{name}: cwd is not a text")
    return {"command": command, "cwd": cwd, "env": {**base, **_named_texts(name, "env", spec.get("env", {}))}}


def _http(name: str, spec: Mapping[str, Any], plain_http: Collection[str]) -> dict[str, Any]:
    url = spec["url"]
    parts = urlsplit(url) if isinstance(url, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise _wrong(f"{name}: url is not an http(s) address")
    if parts.username is not None or parts.fragment:
        raise _wrong(f"{name}: put credentials into headers, not into the url")
    is_open = parts.hostname not in _THIS_MACHINE and f"http://{parts.netloc}" not in plain_http
    if parts.scheme == "http" and is_open:
        raise _wrong(f"{name}: url is plain http; use https, or list its origin in HOMEROOM_EGRESS_ALLOW")
    if "env" in spec or "cwd" in spec:
        raise _wrong(f"{name}: env and cwd belong to a command, not to a url")
    return {"url": url, "headers": _named_texts(name, "headers", spec.get("headers", {}))}


def _words_on_tools(
    name: str, spec: Mapping[str, Any], what: str, choices: Collection[str], old: Collection[str] = ()
) -> dict[str, str]:
    """The operator's word on each tool, by the tool's own name; a text alone is for every tool of the server.

    old: choices that are not named any more.
    """
    given = spec.get(what, {})
    words = _named_texts(name, what, {EVERY_TOOL: given} if isinstance(given, str) else given)
    if not set(words.values()) <= {*choices, *old}:
        raise _wrong(f"{name}: {what} takes {', '.join(choices)}, for the whole server or by the name of a tool")
    return words


def _contexts(name: str, given: Any) -> dict[str, tuple[str, ...]]:
    """Contexts by the tool's own name; a list alone is for every tool. Letters are small, as whoever asks may write."""
    by_tool = given if isinstance(given, dict) else {EVERY_TOOL: given}
    return {
        tool: tuple(context.strip().casefold() for context in _texts(name, "contexts", contexts))
        for tool, contexts in by_tool.items()
    }


def _texts(name: str, what: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) and "\0" not in word for word in value):
        raise _wrong(f"{name}: {what} is not a list of texts")
    return tuple(value)


def _named_texts(name: str, what: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(word, str) and "\0" not in word for word in value.values()):
        raise _wrong(f"{name}: {what} is not an object of texts")
    return dict(value)


def _wrong(problem: str) -> SettingsError:
    return SettingsError(VARIABLE, f"{problem}.", next_step=EXAMPLE)
