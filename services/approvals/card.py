"""Cards: the rows that a student sees of an action, and the arguments that these rows stand for."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from services.approvals.approval import Approval, digest_of, resolved_in
from services.errors import ApprovalError
from services.i18n import get_locale, gettext
from services.tools.context import ToolExecutionContext
from services.tools.providers.audit import audited_preview
from services.tools.result import PreviewRow
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
