"""`ToolSpec`: a tool as a server describes it, made safe to show, with a fingerprint of the description."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.safety.text import plain
from services.settings.mcp_servers import McpServer
from services.tools.mcp.limits import McpLimits
from services.tools.mcp.schemas import UnusableSchema, clean_schema

PINNED = ("name", "title", "description", "inputSchema", "annotations")
"""Fields of a listed tool that must not change without approval."""


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """Parsed description of a tool. name: what the model calls ("files__read_file").
    own_name: what the server calls it.

    is_read_only, is_outward: its claims that it only reads, and that it meets the world outside of the server, such as
    the web; None for no word (modelcontextprotocol.io/specification, ToolAnnotations).
    fingerprint: of everything that the server says about it. problem: why it cannot be offered at all, or "".
    """

    name: str
    own_name: str
    title: str
    description: str
    schema: Mapping[str, Any] = field(repr=False)
    is_read_only: bool | None
    is_outward: bool | None
    fingerprint: str
    problem: str = ""


def fingerprint(listed: Mapping[str, Any]) -> str:
    """Hash of a listed tool. Its annotations (whether it reads or writes) are part of it, not only its words."""
    said = {name: listed.get(name) for name in PINNED}
    canonical = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


NAME_LENGTH = 64
_TITLE_LENGTH = 80
_OUTSIDE = re.compile(r"[^a-zA-Z0-9_-]")
_NO_WORDS = re.compile(r"[^\w\s(),'-]|_")


def parse_spec(server: McpServer, listed: Mapping[str, Any], limits: McpLimits) -> ToolSpec:
    """Parse a listed tool. Never raises: one that cannot be used says so in `problem`."""
    own_name = str(listed.get("name", ""))
    annotations = listed.get("annotations")
    annotations = annotations if isinstance(annotations, Mapping) else {}
    title = str(listed.get("title") or annotations.get("title") or own_name.replace("_", " ").replace("-", " "))
    schema, problem = _schema(listed, limits)
    return ToolSpec(
        name=prefixed_name(server.name, own_name),
        own_name=own_name,
        title=_one_line(title) or "Tool",
        description=plain(str(listed.get("description") or title), limit=limits.description),
        schema=schema,
        is_read_only=False if _hint(annotations, "destructiveHint") else _hint(annotations, "readOnlyHint"),
        is_outward=_hint(annotations, "openWorldHint"),
        fingerprint=fingerprint(listed),
        problem=problem,
    )


def _hint(annotations: Mapping[str, Any], name: str) -> bool | None:
    value = annotations.get(name)
    return value if isinstance(value, bool) else None


def prefixed_name(server: str, own_name: str) -> str:
    """Name with the server's prefix that models can use; a piece of its hash replaces what had to be removed."""
    usable = f"{server}__{_OUTSIDE.sub('_', own_name)}"
    if usable == f"{server}__{own_name}" and len(usable) <= NAME_LENGTH:
        return usable
    return f"{usable[: NAME_LENGTH - 7]}_{hashlib.sha256(own_name.encode()).hexdigest()[:6]}"


def _schema(listed: Mapping[str, Any], limits: McpLimits) -> tuple[Mapping[str, Any], str]:
    nothing: Mapping[str, Any] = {"type": "object", "properties": {}}
    if len(json.dumps(listed)) > limits.spec_bytes:
        return nothing, f"its description is longer than {limits.spec_bytes // 1000} kB"
    try:
        return clean_schema(listed.get("inputSchema"), limit=limits.description), ""
    except UnusableSchema as error:
        return nothing, str(error)


def _one_line(text: str) -> str:
    """Words only: titles are drawn in places that understand Markdown, icons and bare addresses."""
    return " ".join(_NO_WORDS.sub(" ", plain(text)).split())[:_TITLE_LENGTH]
