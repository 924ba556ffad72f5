"""`ApprovalExecutor`: runs approved writes, undoes them, and records the outcome."""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from services.approvals.approval import Approval, ApprovalStatus, too_late_error
from services.approvals.approvals import Approvals
from services.approvals.approved_account import label_of, refuse_another_account
from services.approvals.card import done_fields
from services.connections import messages
from services.errors import ApprovalError
from services.i18n import gettext, gettext_noop, locale_scope
from services.runtime.clock import MOST_SKEW_S, Clock, stamp
from services.tools.context import ToolExecutionContext
from services.tools.dispatch import Dispatcher
from services.tools.providers.dry_run import DryRunToolsProvider
from services.tools.providers.provider import ToolsProvider
from services.tools.result import FailureKind, ToolResult
from services.tools.toolbox import Toolbox

log = logging.getLogger(__name__)

KEEP_TRYING = timedelta(minutes=5)
"""How long a write, or its undo, is repeated after a crash while its service does not answer; then it is given up."""
UNCLEAR = (FailureKind.UNKNOWN_OUTCOME, FailureKind.TIMED_OUT, FailureKind.INTERNAL)
"""Kinds of failure after which nobody knows whether the service did it."""
NOT_NOW = (FailureKind.UNAVAILABLE, FailureKind.TIMED_OUT, FailureKind.RECONNECT)
NEVER = (FailureKind.CHANGED_ELSEWHERE, FailureKind.NOT_FOUND, FailureKind.BAD_ARGUMENTS)
"""Refusals of an undo that stay: what was written is not there any more as it was."""


class ApprovalExecutor:
    def __init__(self, *, approvals: Approvals, dispatcher: Dispatcher, clock: Clock) -> None:
        self._approvals = approvals
        self._dispatcher = dispatcher
        self._clock = clock

    def execute(
        self, toolbox: Toolbox, approval: Approval, *, holds_lease: Callable[[], bool], is_repeat: bool = False
    ) -> Approval | None:
        """Run an approved write under its own id and settle it; None when it must be tried again later.

        A process that was halted for so long that another one has taken its lease says no more that it failed.

        It speaks as its card does, so that the card and what is there now compare, whoever approves or repeats it.

        Of a student who was switched off meanwhile nothing is written any more: it is looked up what became of it.
        """
        context = toolbox.context(
            conversation_id=approval.conversation_id,
            turn_id=approval.turn_id,
            call_id=approval.call_id,
            operation_id=approval.id,
            is_repeat=is_repeat,
            holds_lease=holds_lease,
            began_at=approval.began_at,
            approved_rows=approval.rows,
            assistant_id=approval.assistant,
        )
        with locale_scope(approval.locale):
            return self._executed(toolbox, approval, context)

    def _executed(self, toolbox: Toolbox, approval: Approval, context: ToolExecutionContext) -> Approval | None:
        is_repeat, result = context.is_repeat, self._done(toolbox, approval, context)
        if not result.success and not context.holds_lease():
            return None
        if is_repeat and result.error_kind in NOT_NOW and not self._has_tried_enough(approval):
            return None
        status = _status(result, is_repeat=is_repeat)
        log.info("approval_executed approval=%s status=%s is_repeat=%s", approval.id, status.value, is_repeat)
        student_id, outcome = toolbox.student.id, _outcome(result, status)
        outcome["account_id"] = _account_of(toolbox, approval)
        settled = self._approvals.settle(student_id, approval.id, ApprovalStatus.EXECUTING, status, **outcome)
        return settled or self._approvals.get(student_id, approval.id)

    def _done(self, toolbox: Toolbox, approval: Approval, context: ToolExecutionContext) -> ToolResult:
        try:
            refuse_another_account(approval, toolbox)
        except ApprovalError as error:
            return ToolResult(success=False, error=str(error), error_kind=FailureKind.NOT_ALLOWED)
        return self._dispatcher.call(
            _allowed(toolbox, toolbox.acting), approval.tool, approval.executed_arguments, context
        )

    def undo(self, toolbox: Toolbox, approval: Approval, *, holds_lease: Callable[[], bool]) -> Approval:
        """Undo a write; raises `ApprovalError` when that is not possible just now: then it stays possible."""
        _refuse_without_its_account(toolbox, approval)
        began = stamp(self._clock())
        self._move(toolbox.student.id, approval, ApprovalStatus.DONE, ApprovalStatus.UNDOING, began_at=began)
        result = self._undone(toolbox, approval, holds_lease)
        if not result.success and not holds_lease():
            raise ApprovalError(result.trouble)
        return self._end_undo(toolbox.student.id, approval, result)

    def finish_undo(self, toolbox: Toolbox, approval: Approval, *, holds_lease: Callable[[], bool]) -> Approval | None:
        """Finish an undo after a crash; None when it must be tried again later. Raises as `undo` does."""
        try:
            _refuse_without_its_account(toolbox, approval)
        except ApprovalError:
            self._move(toolbox.student.id, approval, ApprovalStatus.UNDOING, ApprovalStatus.DONE)
            raise
        result = self._undone(toolbox, approval, holds_lease)
        if not result.success and not holds_lease():
            return None
        if result.error_kind in NOT_NOW and not self._has_tried_enough(approval):
            return None
        return self._end_undo(toolbox.student.id, approval, result)

    def _undone(self, toolbox: Toolbox, approval: Approval, holds_lease: Callable[[], bool]) -> ToolResult:
        context = toolbox.context(
            conversation_id=approval.conversation_id,
            operation_id=approval.id,
            is_undo=True,
            holds_lease=holds_lease,
            assistant_id=approval.assistant,
        )
        with locale_scope(approval.locale):
            provider = _allowed(toolbox, toolbox.undoing)
            return self._dispatcher.call(provider, approval.tool, approval.undo or {}, context)

    def _end_undo(self, student_id: str, approval: Approval, result: ToolResult) -> Approval:
        if result.success:
            sentence = _first_line(result.output)
            return self._move(student_id, approval, ApprovalStatus.UNDOING, ApprovalStatus.UNDONE, outcome=sentence)
        if result.error_kind in NEVER:
            refused = ApprovalStatus.UNDO_REFUSED
            return self._move(student_id, approval, ApprovalStatus.UNDOING, refused, outcome=result.trouble)
        self._move(student_id, approval, ApprovalStatus.UNDOING, ApprovalStatus.DONE)
        step = (
            gettext("Then press Undo again.")
            if result.error_kind == FailureKind.RECONNECT
            else gettext("Press Undo again in a moment.")
        )
        raise ApprovalError(result.trouble, next_step=step)

    def _move(
        self, student_id: str, approval: Approval, source: ApprovalStatus, target: ApprovalStatus, **changes: Any
    ) -> Approval:
        moved = self._approvals.settle(student_id, approval.id, source, target, **changes)
        if moved is None:
            raise too_late_error(self._approvals.get(student_id, approval.id))
        return moved

    def _has_tried_enough(self, approval: Approval) -> bool:
        ago = self._clock() - approval.began_at if approval.began_at else None
        # It began later than now where the clock was set back.
        return ago is None or not -timedelta(seconds=MOST_SKEW_S) <= ago <= KEEP_TRYING


def _allowed(toolbox: Toolbox, provider: ToolsProvider) -> ToolsProvider:
    return DryRunToolsProvider(provider) if toolbox.student.is_disabled else provider


def _refuse_without_its_account(toolbox: Toolbox, approval: Approval) -> None:
    """Raise `ApprovalError` without the account, where nothing can be read, and for
    another one, where it would be missing.
    """
    if not any(tool.name == approval.tool for tool in toolbox.undoing.tools()):
        reason = toolbox.resolution.excluded.get(approval.tool)
        if reason is None:
            raise ApprovalError(
                gettext("Homeroom cannot do this any more."), next_step=gettext("Change it there by hand.")
            )
        label = label_of(toolbox, reason.integration)
        raise ApprovalError(reason.sentence, next_step=messages.reconnect_to_undo(label) if label else reason.next_step)
    account_id = _account_of(toolbox, approval)
    if approval.account_id and account_id and account_id != approval.account_id:
        label = label_of(toolbox, approval.integration)
        sentence = gettext("This was done in another {label} account than the one that is connected now.", label=label)
        raise ApprovalError(
            sentence, next_step=gettext("Connect that {label} account again to undo this.", label=label)
        )


def _account_of(toolbox: Toolbox, approval: Approval) -> str:
    connection = toolbox.connections.get(approval.integration or "")
    return connection.account_id if connection else ""


def _status(result: ToolResult, *, is_repeat: bool) -> ApprovalStatus:
    """Status of a result. After a repeat every failure is unclear, as the first try may have worked; unless it was
    looked up.
    """
    if result.success:
        return ApprovalStatus.DONE
    if result.error_kind == FailureKind.NOT_DONE:
        return ApprovalStatus.FAILED
    return ApprovalStatus.UNKNOWN if is_repeat or result.error_kind in UNCLEAR else ApprovalStatus.FAILED


def _outcome(result: ToolResult, status: ApprovalStatus) -> dict[str, Any]:
    if status is ApprovalStatus.DONE:
        return done_fields(result)
    shown, told = (sentence or gettext("This did not work.") for sentence in (result.trouble, result.error))
    if status is ApprovalStatus.UNKNOWN:
        unclear = gettext_noop(
            "It is not clear whether this happened. Please look there before trying again. ({sentence})"
        )
        shown, told = gettext(unclear, sentence=shown), gettext(unclear, sentence=told)
    return {"outcome": shown, "output": told, "link": result.sources[0].url if result.sources else None}


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
