"""`OpenCards`: cards that stay open while their chat goes on, and how the model hears of them.

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
    """What the model is told with a message about cards that were left open. decided: ids of those that have ended."""

    news: tuple[str, ...] = field(default=(), repr=False)
    decided: tuple[str, ...] = ()


class OpenCards:
    def __init__(self, approvals: Approvals) -> None:
        self._approvals = approvals

    def leave(self, student_id: str, conversation_id: str, turn_id: str) -> Sequence[Approval]:
        """Mark what a turn's student has not decided; those cards. Questions are never left open."""
        of_turn = self._approvals.for_turn(student_id, conversation_id, turn_id)
        waiting = [one for one in of_turn if one.status is ApprovalStatus.PENDING and not one.is_question]
        for one in waiting:
            self._approvals.mark_left_open(student_id, one.id, True)
        return waiting

    def refuse(self, student_id: str, conversation_id: str) -> None:
        """Put aside all that were left open: the student does not want them any more."""
        for one in self._approvals.left_open(student_id, conversation_id):
            self._approvals.settle(student_id, one.id, ApprovalStatus.PENDING, ApprovalStatus.WITHDRAWN)

    def heard(self, student_id: str, conversation_id: str) -> OpenCardNews:
        """What the model should hear of them now; of what is just being done, how it ended with a later message."""
        marked = self._approvals.left_open(student_id, conversation_id)
        told = [one for one in marked if one.status in _WORDS]
        return OpenCardNews(
            news=tuple(_news(one) for one in told),
            decided=tuple(one.id for one in told if one.status.is_decided),
        )

    def tell(self, student_id: str, heard: OpenCardNews) -> None:
        """Note that a stored message tells it."""
        for id in heard.decided:
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
    """On one line, and without a sign that could end the block it stands in: it holds words of others."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())
