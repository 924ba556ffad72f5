"""What a write must know after a crash: kept under its operation's id before anything is done outside."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from services.clock import stamp
from services.tools.base import ToolExecutionContext

OPERATIONS = "operations"
KEPT_FOR = timedelta(days=2)

Plan = Mapping[str, Any]
"""Plain JSON that only the tool which kept it reads."""


def kept(context: ToolExecutionContext, plan: Callable[[str], Plan]) -> Plan:
    """The plan of this operation: the one that an earlier try kept, or a new one, kept before anything is done.

    So a repeat after a crash does the very same, and still knows how to take it back. `plan` gets a key that is unique
    to the operation.
    """
    if earlier := begun(context):
        return earlier
    made = plan(context.operation_id or secrets.token_hex(16))
    keep(context, made)
    return made


def keep(context: ToolExecutionContext, plan: Plan) -> None:
    """Keep this for a repeat of the operation, instead of what an earlier try kept."""
    if context.operation_id is not None:
        until = stamp(context.container.clock() + KEPT_FOR)
        document = {"id": context.operation_id, "plan": dict(plan), "expires_at": until}
        context.container.store.of(context.student.id).put(OPERATIONS, document)


def begun(context: ToolExecutionContext) -> Plan | None:
    """The plan that an earlier try of this operation kept, if there was one that got so far."""
    if context.operation_id is None or not context.is_repeat:
        return None
    document = context.container.store.of(context.student.id).get(OPERATIONS, context.operation_id)
    return None if document is None else document["plan"]
