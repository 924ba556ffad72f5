"""`GET /api/approvals` and `POST /api/approvals/{id}`: pending approvals and the decision on one."""

import asyncio
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from api.auth import require
from api.endpoint import ApiAnswer, ApiCall, ApiRequest, Reply
from api.errors import ApiError, sentence_of
from services.approvals.approval import Approval, ApprovalStatus
from services.errors import AlreadyDecided, ApprovalError
from services.identity.api_keys import KeyScope

DECIDE_DEADLINE_S = 45.0
"""A decision may look at the service first: an edited change gets a new card."""
SETTLED_WITHIN_S = 10.0
LOOK_EVERY_S = 0.1


class Row(ApiAnswer):
    label: str
    value: str
    before: str | None


class ApprovalEntry(ApiAnswer):
    id: str
    status: str = Field(
        description="pending, executing, done, failed, unknown, declined, expired, withdrawn, undoing, undone or "
        "undo_refused."
    )
    tool: str
    title: str
    integration: str | None
    arguments: Mapping[str, Any]
    rows: tuple[Row, ...] = Field(description="What the student's card shows.")
    conversation_id: str | None = Field(description="Null when a program asked.")
    asked_by: str | None = Field(description="The name of the key whose program asked.")
    created_at: datetime
    expires_at: datetime
    outcome: str | None
    link: str | None
    can_undo: bool


class ApprovalList(ApiAnswer):
    approvals: tuple[ApprovalEntry, ...]


class ApprovalQuery(ApiRequest):
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 50


class DecisionRequest(ApiRequest):
    decision: Literal["approve", "decline"]
    arguments: dict[str, Any] | None = Field(
        default=None,
        description="Other arguments than the proposed ones, all of them; only with approve, and a key that may write.",
    )


async def list_approvals(call: ApiCall) -> Reply:
    asked: ApprovalQuery = call.query
    found = await call.run(call.services.approvals.latest, call.student.id, asked.limit)
    return Reply(body=ApprovalList(approvals=tuple(_entry(approval) for approval in found)))


async def decide(call: ApiCall) -> Reply:
    """Approve or decline: 200 with the outcome, or 202 while it still runs; then the list shows the outcome."""
    wanted: DecisionRequest = call.body
    if wanted.arguments is not None:
        # Other arguments are another write, guests included, that nobody has asked for yet.
        require(call.key_holder, frozenset({KeyScope.WRITE}))
    approval = await call.run(_decide, call, wanted, kind="decide", deadline_s=DECIDE_DEADLINE_S)
    deadline = time.monotonic() + SETTLED_WITHIN_S
    while approval.status is ApprovalStatus.EXECUTING and time.monotonic() < deadline:
        await asyncio.sleep(LOOK_EVERY_S)
        approval = await call.run(_find, call, kind="decide")
    is_open = approval.status is ApprovalStatus.EXECUTING
    return Reply(status=202 if is_open else 200, body=_entry(approval))


def _decide(call: ApiCall, wanted: DecisionRequest) -> Approval:
    _find(call)
    try:
        return call.services.turns.decide(call.student, call.path("id"), wanted.decision, wanted.arguments)
    except ApprovalError as error:
        raise _refusal(error, _find(call)) from None


def _find(call: ApiCall) -> Approval:
    try:
        return call.services.approvals.get(call.student.id, call.path("id"))
    except ApprovalError as error:
        raise ApiError(404, "not_found", str(error)) from None


def _refusal(error: ApprovalError, approval: Approval) -> ApiError:
    if approval.status is ApprovalStatus.EXPIRED:
        return ApiError(410, "expired", f"{error} Call the tool again.")
    # The winner's mark may not stand in the store yet when the other one looks.
    if approval.status is ApprovalStatus.PENDING and not isinstance(error, AlreadyDecided):
        return ApiError(409, "not_possible", sentence_of(error))
    return ApiError(409, "already_decided", str(error))


def _entry(approval: Approval) -> ApprovalEntry:
    return ApprovalEntry(
        id=approval.id,
        status=approval.status.value,
        tool=approval.tool,
        title=approval.title,
        integration=approval.integration,
        arguments=approval.arguments,
        rows=tuple(Row(label=row.label, value=row.value, before=row.before) for row in approval.rows),
        conversation_id=approval.conversation_id or None,
        asked_by=approval.asked_by or None,
        created_at=approval.created_at,
        expires_at=approval.expires_at,
        outcome=approval.outcome or None,
        link=approval.link,
        can_undo=approval.can_undo,
    )
