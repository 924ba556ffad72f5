"""`OpenCards`: approval cards that stay open while their chat goes on, and how the model is told about them.

A card is marked before the model is told that it waits, and its decision is told with the student's next message until
a message that says so is stored: after a crash it may be told twice, never not at all.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from services.approvals.approval import Approval, ApprovalStatus
from services.approvals.approvals import Approvals

OPEN_CARD_NOTE = (
    "Not done yet: it still waits for the student, who has not decided and decides with the buttons on its card; words "
    "do not approve it. It stays open while the chat goes on, so do not propose it again, do not call it done, and "
    "answer what the student says now. You will be told how they decided."
)
_DONE = "The student has approved this since, and it was done"
_WORDS = {
    ApprovalStatus.PENDING: "Still waiting for the student, undecided; do not propose it again",
    ApprovalStatus.DONE: _DONE,
    ApprovalStatus.UNDO_REFUSED: _DONE,
    ApprovalStatus.UNDONE: "The student has approved this since, and then undone it",
    ApprovalStatus.FAILED: "The student has approved this since, but it did not work",
    ApprovalStatus.UNKNOWN: "The student has approved this since; it is not clear whether it worked",
    ApprovalStatus.DECLINED: "The student has declined this since; nothing was changed; propose it only when asked",
    ApprovalStatus.EXPIRED: "The student did not decide on this in time; nothing was changed",
    ApprovalStatus.WITHDRAWN: "Put aside, as the student wanted it otherwise or not at all; nothing was changed",
}
_WITH_RESULT = (ApprovalStatus.DONE, ApprovalStatus.UNDO_REFUSED, ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN)
_LONGEST_OUTPUT = 600
_LONGEST_ROW = 120


@dataclass(frozen=True, kw_only=True)
class OpenCardNews:
    """News for the model about open cards, sent with a message. decided: ids of those that have ended."""

    news: tuple[str, ...] = field(default=(), repr=False)
    decided: tuple[str, ...] = ()


class OpenCards:
    """Registry of the cards of a conversation that were left open."""

    def __init__(self, approvals: Approvals) -> None:
        self._approvals = approvals

    def mark_undecided(self, student_id: str, conversation_id: str, turn_id: str) -> Sequence[Approval]:
        """Mark what a turn's student has not decided; those cards. Questions are never left open."""
        approvals = self._approvals.for_turn(student_id, conversation_id, turn_id)
        pending = [card for card in approvals if card.status is ApprovalStatus.PENDING and not card.is_question]
        for card in pending:
            self._approvals.mark_left_open(student_id, card.id, True)
        return pending

    def withdraw_all(self, student_id: str, conversation_id: str) -> None:
        """Withdraw all that were left open: the student does not want them any more."""
        for card in self._approvals.left_open(student_id, conversation_id):
            self._approvals.settle(student_id, card.id, ApprovalStatus.PENDING, ApprovalStatus.WITHDRAWN)

    def pending_news(self, student_id: str, conversation_id: str) -> OpenCardNews:
        """News about the open cards now; a card that is just being executed is reported with a later message."""
        marked = self._approvals.left_open(student_id, conversation_id)
        reported = [card for card in marked if card.status in _WORDS]
        return OpenCardNews(
            news=tuple(_news(card) for card in reported),
            decided=tuple(card.id for card in reported if card.status.is_decided),
        )

    def mark_reported(self, student_id: str, news: OpenCardNews) -> None:
        """Unmark the decided cards, after a message that reports them is stored."""
        for id in news.decided:
            self._approvals.mark_left_open(student_id, id, False)


def _news(approval: Approval) -> str:
    told = f"{_WORDS[approval.status]}: {approval.title} ({_row(approval)})."
    if approval.is_edited:
        arguments = json.dumps(dict(approval.arguments), ensure_ascii=False)
        told += f" They changed it first, to {arguments[:_LONGEST_OUTPUT]}."
    if approval.status in _WITH_RESULT:
        told += f" The result: {approval.output[:_LONGEST_OUTPUT]}"
    return _safe(told)


def _row(approval: Approval) -> str:
    return "; ".join(f"{row.label}: {row.value[:_LONGEST_ROW]}" for row in approval.rows[:2])


def _safe(text: str) -> str:
    """On one line, and without a character that could end its block: it holds other people's words."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())
