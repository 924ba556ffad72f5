"""`Waiting`: turns that wait for the student, and what the model is told once they have decided."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.agent import endings
from services.agent.conversations import Conversations
from services.agent.events import TurnStatus
from services.agent.messages import Block, StoredMessage, result_block
from services.agent.records import TurnRecord, TurnRecords
from services.approvals.approvals import Approval, Approvals, ApprovalStatus
from services.errors import TurnBusy

_WORDS = {
    ApprovalStatus.DECLINED: "The student declined this. Nothing was changed. Do not propose it again unless asked.",
    ApprovalStatus.EXPIRED: "The student did not decide in time. Nothing was changed.",
    ApprovalStatus.WITHDRAWN: "The student wrote something else instead of deciding. Nothing was changed.",
}


class Waiting:
    def __init__(self, *, approvals: Approvals, conversations: Conversations, records: TurnRecords) -> None:
        self._approvals = approvals
        self._conversations = conversations
        self._records = records

    def give_way(self, student_id: str, conversation_id: str) -> None:
        """Make room for a new message: what still waits is put aside. Raises `TurnBusy` while a write is being done.

        Whoever calls holds the conversation's lease, so a turn that still counts as running is nobody's any more.
        """
        record = self._records.last(student_id, conversation_id)
        if record is None or record.status.is_over:
            return
        if record.status is TurnStatus.RUNNING:
            self._records.end(student_id, record.id, TurnStatus.INTERRUPTED, endings.INTERRUPTED)
            return
        if self._approvals.is_executing(student_id, conversation_id):
            raise TurnBusy("Homeroom is just doing what you approved.", next_step="Send it again in a moment.")
        self.withdraw(student_id, record)
        self._records.end(student_id, record.id, TurnStatus.DONE, source=TurnStatus.WAITING)

    def withdraw(self, student_id: str, record: TurnRecord) -> None:
        self._approvals.withdraw(student_id, record.conversation_id)
        self.settle(student_id, record)

    def is_decided(self, student_id: str, record: TurnRecord) -> bool:
        """Whether nothing of this turn waits or is being done any more."""
        of_turn = self._approvals.of_turn(student_id, record.conversation_id, record.id)
        return all(approval.status.is_decided for approval in of_turn)

    def is_doing(self, student_id: str, record: TurnRecord) -> bool:
        of_turn = self._approvals.of_turn(student_id, record.conversation_id, record.id)
        return any(approval.status is ApprovalStatus.EXECUTING for approval in of_turn)

    def settle(self, student_id: str, record: TurnRecord) -> None:
        """Write into the turn's stored results how each approval ended; safe to repeat."""
        of_turn = self._approvals.of_turn(student_id, record.conversation_id, record.id)
        decided = {approval.id: approval for approval in of_turn if approval.status.is_decided}
        found = self._conversations.messages(student_id, record.conversation_id, from_seq=record.first_seq)
        for message in found:
            if (settled := _settled(message, decided)) != message:
                self._conversations.rewrite(student_id, record.conversation_id, settled)


def _settled(message: StoredMessage, decided: Mapping[str, Approval]) -> StoredMessage:
    results = dict(message.meta.get("results", {}))
    content = list(message.content)
    for index, block in enumerate(content):
        result = results.get(block.get("tool_use_id"))
        approval = decided.get(result.get("approval_id") or "") if result else None
        if result and approval and not result.get("is_told"):
            content[index] = _told(block["tool_use_id"], approval)
            has_worked = approval.status is ApprovalStatus.DONE
            results[block["tool_use_id"]] = {**result, "success": has_worked, "is_told": True}
    if content == list(message.content):
        return message
    return replace(message, content=tuple(content), meta={**message.meta, "results": results})


def _told(call_id: str, approval: Approval) -> Block:
    words = _WORDS.get(approval.status)
    if words is not None:
        return result_block(call_id, approval.output or words)
    failed = approval.status in (ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN)
    return result_block(call_id, _edited(approval) + approval.output, is_error=failed)


def _edited(approval: Approval) -> str:
    if not approval.is_edited:
        return ""
    arguments: dict[str, Any] = dict(approval.arguments)
    return f"The student changed the request before approving it, to {json.dumps(arguments, ensure_ascii=False)}.\n"
