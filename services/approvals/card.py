"""Cards: the rows that a student sees of an action, and the arguments that these rows stand for."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from services.approvals.approval import (
    Approval,
    ApprovalStatus,
    digest_of,
    resolved_in,
    without_invisible_characters,
)
from services.errors import ApprovalError
from services.i18n import get_locale, gettext
from services.runtime.clock import stamp
from services.tools.context import ToolExecutionContext
from services.tools.providers.audit import audited_preview
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Tool


def make_card(
    tool: Tool,
    arguments: Mapping[str, Any],
    context: ToolExecutionContext,
    resolved: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Stored fields of a card; raises what the tool's validation and preview raise.

    resolved: arguments that an earlier card has resolved to ids, and that are not looked up or chosen again.
    """
    tool.validate(arguments)
    with audited_preview(tool, context):
        rows = tool.preview(context, {**arguments, **(resolved or {})}) if tool.preview else _plain_rows(arguments)
    return {
        "arguments": dict(arguments),
        "rows": [asdict(row) for row in rows],
        "resolved_digest": _resolved_digest(context.student.id, tool.name, rows),
        "locale": get_locale(),
    }


def recorded_card(
    tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext, result: ToolResult
) -> dict[str, Any]:
    """Stored fields of a card of what was done at once, without a decision."""
    now = stamp(context.container.clock())
    return {
        "call_id": context.call_id or "",
        "asked_by": context.asked_by,
        "tool": tool.name,
        "title": tool.title,
        "integration": None,
        "arguments": without_invisible_characters(arguments),
        "rows": [asdict(row) for row in result.rows],
        "locale": get_locale(),
        "status": ApprovalStatus.DONE.value,
        **dict.fromkeys(("created_at", "began_at", "expires_at"), now),
        **done_fields(result),
    }


def done_fields(result: ToolResult) -> dict[str, Any]:
    """Stored fields on what a call has done. outcome: for the student; output: for the model."""
    return {
        "outcome": result.output.strip().partition("\n")[0],
        "output": result.output,
        "link": result.sources[0].url if result.sources else None,
        "undo": dict(result.undo) if result.undo is not None else None,
    }


def is_tampered(student_id: str, approval: Approval) -> bool:
    """Whether the stored arguments are not those that the card was made for."""
    digest = digest_of(student_id, approval.conversation_id, approval.tool, approval.arguments)
    resolved = _resolved_digest(student_id, approval.tool, approval.rows)
    return (approval.digest, approval.resolved_digest) != (digest, resolved)


def says_the_same(row: PreviewRow, seen: PreviewRow) -> bool:
    """Whether a row was seen already; one about the same thing counts, which may have another name by now."""
    return row == seen or bool(row.resolved and (row.label, row.resolved) == (seen.label, seen.resolved))


def changed_since_error(news: Sequence[PreviewRow]) -> ApprovalError:
    what = ", ".join(dict.fromkeys(gettext(row.label) for row in news))
    sentence = gettext("Something changed since this was proposed: {what}. Nothing was done.", what=what)
    return ApprovalError(sentence, next_step=gettext("Look at the card once more, then approve."))


def _resolved_digest(student_id: str, tool: str, rows: Sequence[PreviewRow]) -> str:
    resolved = resolved_in(rows)
    return digest_of(student_id, "", tool, resolved) if resolved else ""


def _plain_rows(arguments: Mapping[str, Any]) -> Sequence[PreviewRow]:
    """Card rows with every argument as it is, for a tool without a preview of its own."""
    return [
        PreviewRow(
            label=name.replace("_", " ").capitalize(),
            value=value if isinstance(value, str) else json.dumps(value, ensure_ascii=False),
        )
        for name, value in arguments.items()
    ]
