"""One conversation as JSON, for a student's own programs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from services.agent.conversations import ConversationSummary
from services.agent.messages import StoredMessage
from services.approvals.approval import Approval


def as_json(
    conversation: ConversationSummary, messages: Sequence[StoredMessage], approvals: Mapping[str, Approval]
) -> str:
    """What was said, looked up and changed, in order; times are ISO 8601 in UTC."""
    results: dict[str, Mapping[str, Any]] = {}
    for message in messages:
        results.update(message.meta.get("results", {}))
    said = [_message(one, results, approvals) for one in messages if _is_shown(one)]
    whole = {"title": conversation.title, "updated_at": conversation.updated_at, "messages": said}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def _is_shown(message: StoredMessage) -> bool:
    is_ours = message.role == "system" or "results" in message.meta or message.meta.get("is_hidden")
    return not is_ours and bool(message.words or message.tool_calls)


def _message(
    message: StoredMessage, results: Mapping[str, Mapping[str, Any]], approvals: Mapping[str, Approval]
) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "at": message.at, "text": message.words}
    if calls := message.tool_calls:
        labels = message.meta.get("labels", {})
        written["steps"] = [
            {
                "tool": call["name"],
                "label": labels.get(call["id"], call["name"]),
                "arguments": call["input"],
                **_result(results.get(call["id"], {}), approvals),
            }
            for call in calls
        ]
    if rating := message.meta.get("rating"):
        written["rating"] = rating
    return written


def _result(result: Mapping[str, Any], approvals: Mapping[str, Approval]) -> dict[str, Any]:
    approval = approvals.get(result.get("approval_id") or "")
    if approval is not None:
        return {"status": approval.status.value, "outcome": approval.outcome}
    return {"success": result.get("success", False), "sources": result.get("sources", [])}
