"""Whether an approval card still tells the truth when it is acted on."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from services.runtime.clock import stamp
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow


def is_card_stale(context: ToolExecutionContext, rows: tuple[PreviewRow, ...]) -> bool:
    """Whether what is there now (`rows`, as a new card would show it) differs from what the student approved.

    What counts is the state before the change; labels that only one of both cards has do not.
    """
    now = {row.label: row.before or row.value for row in rows}
    seen = {row.label: row.before or row.value for row in context.approved_rows}
    return any(seen[label] != now[label] for label in seen.keys() & now.keys())


OPERATIONS = "operations"


PLAN_LIFETIME = timedelta(days=2)


WritePlan = Mapping[str, Any]
"""Plain JSON that only the tool which kept it reads."""


def load_or_save_plan(context: ToolExecutionContext, plan: Callable[[str], WritePlan]) -> WritePlan:
    """The plan of this operation: the one that an earlier try kept, or a new one, kept before anything is done.

    So a repeat after a crash does the very same, and still knows how to take it back. `plan` gets a key that is unique
    to the operation.
    """
    if earlier := earlier_plan(context):
        return earlier
    made = plan(context.operation_id or secrets.token_hex(16))
    save_plan(context, made)
    return made


def save_plan(context: ToolExecutionContext, plan: WritePlan) -> None:
    """Keep this for a repeat of the operation, instead of what an earlier try kept."""
    if context.operation_id is not None:
        until = stamp(context.container.clock() + PLAN_LIFETIME)
        document = {"id": context.operation_id, "plan": dict(plan), "expires_at": until}
        context.container.store.of(context.student.id).put(OPERATIONS, document)


def earlier_plan(context: ToolExecutionContext) -> WritePlan | None:
    """The plan that an earlier try of this operation kept, if there was one that got so far."""
    if context.operation_id is None or not context.is_repeat:
        return None
    document = context.container.store.of(context.student.id).get(OPERATIONS, context.operation_id)
    return None if document is None else document["plan"]
