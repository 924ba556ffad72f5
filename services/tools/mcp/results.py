"""Parser from a server's answer to a `ToolResult`: untrusted text for the model, plain JSON for programs."""

import json
from collections.abc import Mapping
from typing import Any

from services.errors import RequestRefused
from services.safety.text import plain
from services.tools.mcp.limits import McpLimits
from services.tools.result import ToolResult

_ERROR_LENGTH = 1_000


def parse_answer(label: str, answer: Mapping[str, Any], limits: McpLimits) -> ToolResult:
    """Parse an answer. Raises `RequestRefused` with the server's own words when it
    says that the call failed (MCP: `isError`).
    """
    content = answer.get("content") or []
    if answer.get("isError") is True:
        words = " ".join(_part(part) for part in content)
        raise RequestRefused(label, f"{label} says: {plain(words, limit=_ERROR_LENGTH) or 'this did not work.'}")
    data = answer.get("structuredContent")
    output = "\n".join(_part(part) for part in content)
    if not output.strip() and data is not None:
        output = json.dumps(data, ensure_ascii=False)
    notes, data = _fitting(data, limits)
    return ToolResult(output="\n".join([_shortened(plain(output), limits.output) or "(no answer)", *notes]), data=data)


def _part(part: Mapping[str, Any]) -> str:
    match part.get("type"):
        case "text":
            return str(part.get("text", ""))
        case "image" | "audio" as kind:
            return _left_out(kind, part.get("mimeType"), part.get("data"))
        case "resource":
            return _resource(part.get("resource") or {})
        case "resource_link":
            return f"{part.get('title') or part.get('name') or 'Resource'}: {part.get('uri', '')}"
        case kind:
            return f"Note: a part of the kind {str(kind)[:40]} is left out."


def _resource(resource: Mapping[str, Any]) -> str:
    if "text" in resource:
        return f"{resource.get('uri', '')}\n{resource['text']}"
    return _left_out("file", resource.get("mimeType"), resource.get("blob"))


def _left_out(kind: str, mime: Any, encoded: Any) -> str:
    size = len(encoded) * 3 // 4 if isinstance(encoded, str) else 0
    return f"Note: one {kind} ({str(mime or 'unknown kind')[:60]}, {size:,} bytes) is left out; only text can be read."


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return (
        f"{text[:limit]}\nNote: only the first {limit:,} of {len(text):,} characters are shown. Ask for less at once."
    )


def _fitting(data: Any, limits: McpLimits) -> tuple[list[str], Any]:
    size = 0 if data is None else len(json.dumps(data))
    if size <= limits.data_bytes:
        return [], data
    return [f"Note: the structured part ({size:,} bytes) is left out; it is too large."], None
