"""Structured content of every tool call over /mcp, and its JSON Schema (`outputSchema` of a listed tool)."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from mcp_types import CallToolResult, ContentBlock, ImageContent, TextContent

from services.approvals.card_lifetime import LEAST
from services.materials.results import PagePicture
from services.tools.result import ToolResult
from services.tools.result_contracts import data_schema
from services.tools.tool import Tool

# It comes with every tool, and some clients show it to their model: short, as docs/api.md has the words.
_PROPERTIES: Mapping[str, Any] = {
    "success": {"type": "boolean"},
    "error_kind": {"type": ["string", "null"]},
    "is_partial": {"type": "boolean"},
    "requires_approval": {"type": "boolean"},
    "approval_request_id": {"type": ["string", "null"]},
    "sources": {"type": "array", "items": {"type": "object", "required": ["title", "url"]}},
}


def output_schema(data: Mapping[str, Any]) -> dict[str, Any]:
    """JSON Schema of the structured content. data: schema of its `data`."""
    properties = {**_PROPERTIES, "data": dict(data)}
    return {"type": "object", "properties": properties, "required": list(properties)}


def output_schema_of(tool: Tool) -> dict[str, Any]:
    """What writes has no data: its call leaves a request that waits for the student."""
    return output_schema({"type": "null"} if tool.effect.needs_approval else data_schema(tool.produces))


def call_result(result: ToolResult, public_url: str, pictures: Sequence[PagePicture] = ()) -> CallToolResult:
    """MCP result of a call: text for the model, pictures of pages that have none, and all that the HTTP routes tell as
    structured content.
    """
    text = result.output if result.success else (result.error or "This did not work.")
    if result.requires_approval:
        text = (
            f"Not done yet, nothing was changed: the student must approve it in Homeroom ({public_url}). It waits "
            f"until its own time is past, {LEAST.days} day at least. Approval: {result.approval_request_id}"
        )
    told = {
        "success": result.success,
        "data": result.data,
        "error_kind": result.error_kind,
        "is_partial": result.is_partial,
        "requires_approval": result.requires_approval,
        "approval_request_id": result.approval_request_id,
        "sources": [{"title": source.title, "url": source.url} for source in result.sources],
    }
    images = [
        ImageContent(type="image", data=base64.b64encode(picture.content).decode(), mime_type=picture.media_type)
        for picture in pictures
    ]
    content: list[ContentBlock] = [TextContent(type="text", text=text), *images]
    return CallToolResult(content=content, structured_content=told, is_error=not result.success)
