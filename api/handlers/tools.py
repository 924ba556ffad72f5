"""`GET /api/handlers/tools` and `POST /api/tools/execute/{tool_name}`: the root of tools as one student has it."""

from collections.abc import Mapping

from api.auth import require
from api.endpoint import ApiCall, Reply
from api.errors import ApiError, sentence_of
from api.handlers.models import (
    ExampleEntry,
    ExecuteRequest,
    Reason,
    SourceEntry,
    ToolAnswer,
    ToolEntry,
    ToolList,
    ToolQuery,
    ToolUse,
)
from services.errors import ApprovalError
from services.identity.api_keys import Scope
from services.tools.base import Tool, ToolResult
from services.tools.door import Offer
from services.tools.exclusions import Exclusion
from services.tools.lanes import lane
from services.tools.usage import ToolNumbers

EXECUTE_DEADLINE_S = 75.0
"""Longer than any tool's own time-out, which ends the call with a result."""
_SCOPE_OF_EFFECT = {True: Scope.WRITE, False: Scope.READ}


async def list_tools(call: ApiCall) -> Reply:
    """With `usage_days`, how all students together used them: for keys with the scope admin."""
    wanted: ToolQuery = call.query
    used: Mapping[str, ToolUse] = {}
    if wanted.usage_days is not None:
        require(call.key_holder, frozenset({Scope.ADMIN}))
        used = {one.tool: _use(one) for one in await call.run(call.services.usage.last, wanted.usage_days)}
    offers = await call.run(call.services.door.offers, call.student.id)
    sees_setup = call.services.keys.is_instructor(call.student)
    return Reply(
        body=ToolList(tools=tuple(_entry(offer, used.get(offer.tool.name), sees_setup=sees_setup) for offer in offers))
    )


async def execute_tool(call: ApiCall) -> Reply:
    """200 with the result, 202 when the student must approve first. A tool's own failure is a result, not an error."""
    wanted: ExecuteRequest = call.body
    tool = await call.run(call.services.door.tool, call.path("tool_name"))
    if tool is not None:
        require(call.key_holder, frozenset({_SCOPE_OF_EFFECT[tool.effect.needs_approval]}))
    result = await call.run(_execute, call, wanted, kind=_kind(tool), deadline_s=EXECUTE_DEADLINE_S)
    return Reply(status=202 if result.requires_approval else 200, body=_answer(result))


def _execute(call: ApiCall, wanted: ExecuteRequest) -> ToolResult:
    try:
        return call.services.door.call(
            call.student,
            call.path("tool_name"),
            wanted.arguments,
            asked_by=call.key_holder.key.label,
            assistant=wanted.assistant,
        )
    except ApprovalError as error:
        raise ApiError(429, "too_much_waiting", sentence_of(error), headers={"retry-after": "60"}) from None


def _kind(tool: Tool | None) -> str:
    """Threads of its own for each outside service: one that hangs does not keep the others waiting."""
    return lane(tool)


def _use(numbers: ToolNumbers) -> ToolUse:
    return ToolUse(calls=numbers.calls, failures=numbers.failures, median_below_s=numbers.median_below_s)


def _entry(offer: Offer, usage: ToolUse | None, *, sees_setup: bool) -> ToolEntry:
    tool, reason = offer.tool, offer.reason
    return ToolEntry(
        name=tool.name,
        title=tool.title,
        label=tool.label,
        description=tool.description,
        category=tool.category,
        contexts=tool.contexts,
        effect=tool.effect.value,
        integration=tool.integration,
        server=tool.server,
        optional=tool.is_optional,
        usage_hint=tool.usage_hint,
        when=tool.when,
        when_not=tool.when_not,
        capabilities=tool.capabilities,
        produces=tool.produces,
        examples=tuple(ExampleEntry(description=one.description, arguments=one.arguments) for one in tool.examples),
        parameters=tool.schema,
        available=reason is None,
        reason=_reason(reason, sees_setup=sees_setup) if reason else None,
        usage=usage,
    )


def _reason(reason: Exclusion, *, sees_setup: bool) -> Reason:
    return Reason(
        kind=reason.kind,
        integration=reason.integration,
        sentence=reason.sentence,
        next_step=reason.next_step,
        setup=(reason.setup or None) if sees_setup else None,
    )


def _answer(result: ToolResult) -> ToolAnswer:
    return ToolAnswer(
        success=result.success,
        output=result.output,
        data=result.data,
        error=result.error,
        error_kind=result.error_kind,
        is_partial=result.is_partial,
        requires_approval=result.requires_approval,
        approval_request_id=result.approval_request_id,
        sources=tuple(SourceEntry(title=source.title, url=source.url) for source in result.sources),
    )
