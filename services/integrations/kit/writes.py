"""Approved writes: whether the approval card is stale, and the plan that a retry after a crash repeats."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from services.runtime.clock import stamp
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow

OPERATIONS = "operations"
PLAN_LIFETIME = timedelta(days=2)
WritePlan = Mapping[str, Any]
"""Plain JSON that only the tool that saved it reads."""


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

    So a retry after a crash does exactly the same, and can still be undone. `plan` gets a key that is unique to the
    operation.
    """
    if earlier := earlier_plan(context):
        return earlier
    created = plan(context.operation_id or secrets.token_hex(16))
    save_plan(context, created)
    return created


def save_plan(context: ToolExecutionContext, plan: WritePlan) -> None:
    """Save a plan for a retry of the operation; it replaces that of an earlier try."""
    if context.operation_id is not None:
        until = stamp(context.container.clock() + PLAN_LIFETIME)
        document = {"id": context.operation_id, "plan": dict(plan), "expires_at": until}
        context.container.store.for_student(context.student.id).put(OPERATIONS, document)


def earlier_plan(context: ToolExecutionContext) -> WritePlan | None:
    """Plan that an earlier try of this operation saved, if one got so far."""
    if context.operation_id is None or not context.is_repeat:
        return None
    document = context.container.store.for_student(context.student.id).get(OPERATIONS, context.operation_id)
    return None if document is None else document["plan"]
