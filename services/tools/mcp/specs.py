"""From what a server says of a tool on the wire to a `Spec` that may be shown."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from services.safety.text import plain
from services.settings.mcp_servers import McpServer
from services.tools.mcp.limits import Limits
from services.tools.mcp.schemas import UnusableSchema, cleaned
from services.tools.mcp.spec import Spec, fingerprint

NAME_LENGTH = 64
_TITLE_LENGTH = 80
_OUTSIDE = re.compile(r"[^a-zA-Z0-9_-]")
_NO_WORDS = re.compile(r"[^\w\s(),'-]|_")


def spec_of(server: McpServer, listed: Mapping[str, Any], limits: Limits) -> Spec:
    """Never raises: a tool that cannot be used says so in `problem`."""
    own_name = str(listed.get("name", ""))
    annotations = listed.get("annotations") or {}
    title = str(listed.get("title") or annotations.get("title") or own_name.replace("_", " ").replace("-", " "))
    schema, problem = _schema(listed, limits)
    return Spec(
        name=prefixed(server.name, own_name),
        own_name=own_name,
        title=_one_line(title) or "Tool",
        description=plain(str(listed.get("description") or title), limit=limits.description),
        schema=schema,
        is_read_only=annotations.get("readOnlyHint") is True and annotations.get("destructiveHint") is not True,
        is_outward=annotations.get("openWorldHint") is True,
        fingerprint=fingerprint(listed),
        problem=problem,
    )


def prefixed(server: str, own_name: str) -> str:
    """A name that models can use; what has to be changed in it is made up for by a piece of its hash."""
    usable = f"{server}__{_OUTSIDE.sub('_', own_name)}"
    if usable == f"{server}__{own_name}" and len(usable) <= NAME_LENGTH:
        return usable
    return f"{usable[: NAME_LENGTH - 7]}_{hashlib.sha256(own_name.encode()).hexdigest()[:6]}"


def _schema(listed: Mapping[str, Any], limits: Limits) -> tuple[Mapping[str, Any], str]:
    nothing: Mapping[str, Any] = {"type": "object", "properties": {}}
    if len(json.dumps(listed)) > limits.spec_bytes:
        return nothing, f"its description is longer than {limits.spec_bytes // 1000} kB"
    try:
        return cleaned(listed.get("inputSchema"), limit=limits.description), ""
    except UnusableSchema as error:
        return nothing, str(error)


def _one_line(text: str) -> str:
    """Words only: titles are drawn in places that understand Markdown, icons and bare addresses."""
    return " ".join(_NO_WORDS.sub(" ", plain(text)).split())[:_TITLE_LENGTH]
