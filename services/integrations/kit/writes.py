"""Approved writes: whether the approval card is stale, the plan that a retry after a crash repeats, and when it may."""

import math
import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from services.errors import ServiceUnavailable
from services.i18n import gettext, ngettext
from services.runtime.clock import moment, stamp
from services.storage.documents import Document
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow

OPERATIONS = "operations"
PLAN_LIFETIME = timedelta(days=2)
LONGEST_CALL_S = 45.0
"""How long after its plan a try may still send something."""
IN_FLIGHT_S = 90.0
"""How long a request may lie at a service, long after we have given it up, before it takes effect all the same."""
WritePlan = Mapping[str, Any]
"""Plain JSON that only the tool that saved it reads."""


class StillUnderway(ServiceUnavailable):
    """A request of an earlier try may still take effect: a repeat looks again later, and sends nothing now."""


class RepeatGate:
    """Gate before every request of one try, of a write or of its undo, that a service without idempotency keys would
    carry out twice.

    It stays closed for a repeat, and for an undo that was tried before, while a request of an earlier try may still
    take effect. Made before anything is looked for: what was not there when the gate
    was open already is not on its way.
    """

    def __init__(self, context: ToolExecutionContext, service: str) -> None:
        self._context = context
        self._service = service
        self._is_open = _unsettled_s(context) <= 0

    def pass_through(self) -> None:
        """Note that this try is about to send; raises `StillUnderway`. A first write has noted it with its plan."""
        self.require_settled()
        _require_lease(self._context)
        if self._context.is_repeat or self._context.is_undo:
            _store_plan(self._context, earlier_plan(self._context) or {})

    def require_settled(self) -> None:
        """Raise `StillUnderway` while a request of an earlier try may still take effect."""
        if not self._is_open:
            minutes = max(1, math.ceil(_unsettled_s(self._context) / 60))
            sentence = ngettext(
                "{label} may still be busy with this for {n} minute.",
                "{label} may still be busy with this for {n} minutes.",
                minutes,
                label=self._service,
            )
            raise StillUnderway(self._service, sentence, next_step=gettext("Try again then."))


def is_card_stale(context: ToolExecutionContext, rows: tuple[PreviewRow, ...]) -> bool:
    """Whether the present state (`rows`, as a new card would show it) differs from what the student approved.

    Only the state before the change counts, and only labels that both cards have.
    """
    now = {row.label: row.before or row.value for row in rows}
    seen = {row.label: row.before or row.value for row in context.approved_rows}
    return any(seen[label] != now[label] for label in seen.keys() & now.keys())


def is_resolved(context: ToolExecutionContext, argument: str) -> bool:
    """Whether this is the approved call of a card that has resolved an argument: what it names was there then."""
    return any(argument in row.resolved for row in context.approved_rows)


def load_or_save_plan(context: ToolExecutionContext, plan: Callable[[str], WritePlan]) -> WritePlan:
    """Plan of this operation: the one that an earlier try saved, or a new one, saved before anything is written.

    So a retry after a crash does exactly the same, and can still be undone. `plan`
    gets a key that is unique to the operation.
    """
    if earlier := earlier_plan(context):
        return earlier
    created = plan(context.operation_id or secrets.token_hex(16))
    save_plan(context, created)
    return created


def save_plan(context: ToolExecutionContext, plan: WritePlan) -> None:
    """Save a plan for a retry of the operation; it replaces that of an earlier try.

    Not while a request of that one may still take effect: what it left, and when, is needed until then.
    """
    if _unsettled_s(context) <= 0:
        _require_lease(context)
        _store_plan(context, plan)


def _require_lease(context: ToolExecutionContext) -> None:
    """Raise `StillUnderway` where another process has taken the operation over while this one was halted."""
    if not context.holds_lease():
        raise StillUnderway("Homeroom", gettext("Homeroom is finishing this elsewhere."))


def _store_plan(context: ToolExecutionContext, plan: WritePlan) -> None:
    if context.operation_id is not None:
        until = stamp(context.container.clock() + PLAN_LIFETIME)
        document = {"id": _document_id(context), "plan": dict(plan), "expires_at": until}
        context.container.store.for_student(context.student.id).put(OPERATIONS, document)


def earlier_plan(context: ToolExecutionContext) -> WritePlan | None:
    """Plan that an earlier try of this operation saved, if one got so far."""
    document = _earlier_document(context)
    return None if document is None else document["plan"]


def _unsettled_s(context: ToolExecutionContext) -> float:
    """Seconds until no request of an earlier try can take effect any more; without a plan it had sent nothing."""
    document = _earlier_document(context)
    if document is None:
        return 0.0
    saved = moment(document["expires_at"]) - PLAN_LIFETIME
    return (saved + timedelta(seconds=LONGEST_CALL_S + IN_FLIGHT_S) - context.container.clock()).total_seconds()


def _earlier_document(context: ToolExecutionContext) -> Document | None:
    if context.operation_id is None or not (context.is_repeat or context.is_undo):
        return None
    return context.container.store.for_student(context.student.id).get(OPERATIONS, _document_id(context))


def _document_id(context: ToolExecutionContext) -> str:
    return f"{context.operation_id}/undo" if context.is_undo else f"{context.operation_id}"
