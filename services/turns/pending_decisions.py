"""`PendingDecisions`: turns that wait for the student, and the results that the model reads of each decision."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from services.approvals.approval import Approval, ApprovalStatus
from services.approvals.approvals import Approvals
from services.approvals.objection_classifier import is_objection, is_refusal
from services.approvals.open_cards import OPEN_CARD_NOTE, OpenCardNews, OpenCards
from services.conversations.conversations import Conversations
from services.conversations.turn_records import TurnRecord, TurnRecords, TurnStatus
from services.errors import TurnBusy
from services.i18n import gettext
from services.i18n.english import duration
from services.llm.messages import Block, StoredMessage, result_block
from services.safety.provenance import Provenance, ResultProvenance
from services.turns import stop_reasons

_RESULT_TEXTS = {
    ApprovalStatus.DECLINED: "The student declined this. Nothing was changed. Do not propose it again unless asked.",
    ApprovalStatus.EXPIRED: "The student did not decide in time. Nothing was changed.",
    ApprovalStatus.WITHDRAWN: "The student wrote something else instead of deciding. Nothing was changed.",
    ApprovalStatus.PENDING: OPEN_CARD_NOTE,
}
_STUDENTS_ANSWER = ResultProvenance(writers=frozenset({Provenance.STUDENT})).data()
LONG_WAIT = timedelta(hours=1)
_WAITS = "waits"
"""Value of `is_told` in a result that says that its card is still open."""


class PendingDecisions:
    def __init__(self, *, approvals: Approvals, conversations: Conversations, records: TurnRecords) -> None:
        self._approvals = approvals
        self._open_cards = OpenCards(approvals)
        self._conversations = conversations
        self._records = records

    def end_last_turn(self, student_id: str, conversation_id: str, text: str) -> None:
        """End a waiting turn for a new message.

        A card stays open unless the message rejects it or wants it changed; a question is withdrawn by any message.
        Raises `TurnBusy` while a write runs. The caller holds the conversation's lease, so a turn that still counts as
        running has no worker any more.
        """
        record = self._records.last(student_id, conversation_id)
        if record is not None and record.status is TurnStatus.RUNNING:
            self._records.end(student_id, record.id, TurnStatus.INTERRUPTED, stop_reasons.INTERRUPTED)
        elif record is not None and record.status is TurnStatus.WAITING:
            if self._approvals.is_executing(student_id, conversation_id):
                raise TurnBusy(
                    gettext("Homeroom is just doing what you approved."),
                    next_step=gettext("Send it again in a moment."),
                )
            self._keep_or_withdraw(student_id, record, text)
            self._records.end(student_id, record.id, TurnStatus.DONE, source=TurnStatus.WAITING)

    def open_card_news(self, student_id: str, conversation_id: str, text: str) -> OpenCardNews:
        """What the model is told with a new message of cards that stay open or were decided; some are refused by it."""
        if is_refusal(text):
            self._open_cards.withdraw_all(student_id, conversation_id)
        return self._open_cards.pending_news(student_id, conversation_id)

    def mark_told(self, student_id: str, news: OpenCardNews) -> None:
        """Record that the message with the news is stored."""
        self._open_cards.mark_reported(student_id, news)

    def withdraw(self, student_id: str, record: TurnRecord) -> None:
        """Withdraw what this turn waits for."""
        self._approvals.withdraw(student_id, record.conversation_id, turn_id=record.id)
        self.settle(student_id, record)

    def withdraw_all(self, student_id: str, record: TurnRecord) -> None:
        """Withdraw what its conversation waits for, from earlier turns, too."""
        self._approvals.withdraw(student_id, record.conversation_id)
        self.settle(student_id, record)

    def _keep_or_withdraw(self, student_id: str, record: TurnRecord, text: str) -> None:
        if is_objection(text):
            self.withdraw(student_id, record)
            return
        left = self._open_cards.mark_undecided(student_id, record.conversation_id, record.id)
        self._approvals.withdraw(student_id, record.conversation_id, turn_id=record.id, only_questions=True)
        self.settle(student_id, record, left_open=left)

    def is_decided(self, student_id: str, record: TurnRecord) -> bool:
        """Whether no approval of this turn waits or runs any more."""
        of_turn = self._approvals.for_turn(student_id, record.conversation_id, record.id)
        return all(approval.status.is_decided for approval in of_turn)

    def is_writing(self, student_id: str, record: TurnRecord) -> bool:
        of_turn = self._approvals.for_turn(student_id, record.conversation_id, record.id)
        return any(approval.status is ApprovalStatus.EXECUTING for approval in of_turn)

    def settle(
        self, student_id: str, record: TurnRecord, *, left_open: Sequence[Approval] = (), is_continued: bool = False
    ) -> None:
        """Write into the turn's stored results how each approval ended; safe to repeat.

        left_open: cards of which the model is told that they still wait. That stays in the conversation for good, as
        the model has read it; it is replaced only when the turn itself continues, and so nobody has read it.
        """
        of_turn = self._approvals.for_turn(student_id, record.conversation_id, record.id)
        decided = {approval.id: approval for approval in of_turn if approval.status.is_decided}
        reported = {approval.id: approval for approval in left_open} | decided
        found = self._conversations.messages(student_id, record.conversation_id, from_seq=record.first_seq)
        for message in found:
            if (settled := _settled(message, reported, is_continued=is_continued)) != message:
                self._conversations.replace_message(student_id, record.conversation_id, settled)


def is_answered(messages: Sequence[StoredMessage]) -> bool:
    """Whether the last turn has ended with a whole answer: its end was stored with that, before its lease ended."""
    last = messages[-1] if messages else None
    return (
        last is not None
        and last.role == "assistant"
        and not last.tool_calls
        and not last.meta.keys() & {"partial", "is_unreadable"}
    )


def may_have_open_cards(messages: Sequence[StoredMessage]) -> bool:
    """Whether the model was told of a card that it waits: `settle` writes so before a turn is left with one."""
    told = (result.get("is_told") for message in messages for result in message.meta.get("results", {}).values())
    return any(word == _WAITS for word in told)


def _settled(message: StoredMessage, approvals: Mapping[str, Approval], *, is_continued: bool) -> StoredMessage:
    results = dict(message.meta.get("results", {}))
    content = list(message.content)
    for index, block in enumerate(content):
        result = results.get(block.get("tool_use_id"))
        approval = approvals.get(result.get("approval_id") or "") if result else None
        if result and approval and result.get("is_told") in (None, _WAITS if is_continued else None):
            content[index] = _result_of_decision(block["tool_use_id"], approval)
            has_worked = approval.status is ApprovalStatus.DONE
            is_told = True if approval.status.is_decided else _WAITS
            # A question's result is what the student answered; of other writes it is not known whose words they repeat.
            answered = {"provenance": _STUDENTS_ANSWER} if approval.is_question and has_worked else {}
            results[block["tool_use_id"]] = {**result, **answered, "success": has_worked, "is_told": is_told}
    if content == list(message.content):
        return message
    return replace(message, content=tuple(content), meta={**message.meta, "results": results})


def _result_of_decision(call_id: str, approval: Approval) -> Block:
    text = _RESULT_TEXTS.get(approval.status)
    if text is not None:
        return result_block(call_id, approval.output or text)
    failed = approval.status in (ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN)
    notes = _note_on_wait(approval) + _note_on_edit(approval)
    return result_block(call_id, notes + approval.output, is_error=failed)


def _note_on_wait(approval: Approval) -> str:
    """Tell how late it was approved, for the model knows no other time than that of the question."""
    waited = approval.began_at - approval.created_at if approval.began_at else timedelta(0)
    if waited < LONG_WAIT:
        return ""
    minutes = int(waited.total_seconds() // 60)
    return f"The student approved this {duration(minutes)} after it was proposed: it is that much later now.\n"


def _note_on_edit(approval: Approval) -> str:
    if not approval.is_edited:
        return ""
    arguments: dict[str, Any] = dict(approval.arguments)
    return f"The student changed the request before approving it, to {json.dumps(arguments, ensure_ascii=False)}.\n"
