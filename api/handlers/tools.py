"""`GET /api/tools` and `POST /api/tools/execute/{tool_name}`: the root of tools as one student has it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from api.auth import require, scope_of
from api.endpoint import ApiAnswer, ApiCall, ApiRequest, Reply
from api.errors import ApiError, sentence_of
from services.errors import ApprovalError
from services.identity.api_keys import KeyScope
from services.tools.availability import Exclusion
from services.tools.dispatch import bulkhead_of
from services.tools.gateway import ToolAvailability
from services.tools.providers.metrics import ToolUsageTotals
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import ExclusionKind, Tool
from services.tools.tool_categories import categories_of

EXECUTE_DEADLINE_S = 75.0
"""Seconds; longer than any tool's own timeout, which ends the call with a result."""


class Reason(ApiAnswer):
    kind: ExclusionKind = Field(description="For programs: what is in the way.")
    integration: str | None = Field(description="Whose connection it is about, if it is.")
    sentence: str
    next_step: str
    setup: str | None = Field(default=None, description="For instructors: what to set, where something is not set up.")


class ToolQuery(ApiRequest):
    usage_days: Annotated[
        int | None,
        Field(ge=1, le=90, description="Also how each tool was used in so many days, today included; needs admin."),
    ] = None


class ToolUse(ApiAnswer):
    calls: int = Field(description="Of all students together.")
    failures: Mapping[str, int] = Field(description="How many failed, by `error_kind`.")
    median_below_s: float | None = Field(description="Half of the calls took less; null when longer than 30 s.")


class ExampleEntry(ApiAnswer):
    description: str = Field(description="What the call asks for.")
    arguments: Mapping[str, Any]


class ToolEntry(ApiAnswer):
    name: str
    title: str
    label: str
    description: str
    category: str
    categories: tuple[str, ...] = Field(description="The category and what it does: retrieval, creation, …")
    contexts: tuple[str, ...]
    effect: Literal["read", "record", "write", "outbound"]
    integration: str | None = Field(description="The connection it needs; null for tools of Homeroom's own.")
    server: str | None = Field(description="The MCP server that offers it; null for every other tool.")
    optional: bool = Field(description="An extra that an answer may do without.")
    usage_hint: str = Field(description="When it helps, in a sentence; empty when its description says enough.")
    when: tuple[str, ...] = Field(description="When to use it.")
    when_not: tuple[str, ...]
    capabilities: tuple[str, ...] = Field(description="What else it requires, such as calendar_write.")
    produces: tuple[str, ...] = Field(description="What its result holds, such as citations.")
    examples: tuple[ExampleEntry, ...] = Field(description="Calls worth imitating.")
    # `schema` is a method of every pydantic model.
    parameters: Mapping[str, Any] = Field(serialization_alias="schema", description="JSON Schema of the arguments.")
    available: bool = Field(description="Whether this student can use it now.")
    reason: Reason | None = Field(description="Why not, when it is not available.")
    usage: ToolUse | None = Field(default=None, description="Only when asked for, and null when it did not run.")


class ToolList(ApiAnswer):
    tools: tuple[ToolEntry, ...]


class ExecuteRequest(ApiRequest):
    arguments: dict[str, Any] = Field(default_factory=dict, description="As the tool's schema says.")
    assistant: str | None = Field(
        default=None,
        max_length=100,
        description="Whose switches bind the call, too. Left out: only what the student lacks does.",
    )


class SourceEntry(ApiAnswer):
    title: str
    url: str


class ToolAnswer(ApiAnswer):
    success: bool
    output: str = Field(description="What a model reads.")
    data: Any = Field(description="The same as JSON.")
    error: str | None = Field(description="Why it failed, as a model reads it; null when it did not.")
    error_kind: FailureKind | None = Field(description="The same for programs.")
    message: str | None = Field(description="The same for a person, in the language of the request.")
    is_partial: bool = Field(
        description="Something is missing or older; a line of the output that begins “Note:” says what."
    )
    requires_approval: bool
    approval_request_id: str | None
    sources: tuple[SourceEntry, ...]


async def list_tools(call: ApiCall) -> Reply:
    """With `usage_days`, how all students together used them: for keys with the scope admin."""
    wanted: ToolQuery = call.query
    used: Mapping[str, ToolUse] = {}
    if wanted.usage_days is not None:
        require(call.key_holder, frozenset({KeyScope.ADMIN}))
        used = {
            numbers.tool: _use(numbers)
            for numbers in await call.run(call.services.usage.of_last_days, wanted.usage_days)
        }
    offers = await call.run(call.services.gateway.list_tools, call.student.id)
    sees_setup = call.services.keys.is_instructor(call.student)
    return Reply(
        body=ToolList(
            tools=tuple(_entry(listing, used.get(listing.tool.name), sees_setup=sees_setup) for listing in offers)
        )
    )


async def execute_tool(call: ApiCall) -> Reply:
    """200 with the result, 202 when the student must approve first. A tool's own failure is a result, not an error."""
    wanted: ExecuteRequest = call.body
    tool = await call.run(call.services.gateway.tool, call.path("tool_name"))
    if tool is not None:
        require(call.key_holder, frozenset({scope_of(tool)}))
    result = await call.run(_execute, call, wanted, kind=_kind(tool), deadline_s=EXECUTE_DEADLINE_S)
    return Reply(status=202 if result.requires_approval else 200, body=_answer(result))


def _execute(call: ApiCall, wanted: ExecuteRequest) -> ToolResult:
    try:
        return call.services.gateway.call(
            call.student,
            call.path("tool_name"),
            wanted.arguments,
            asked_by=call.key_holder.key.label,
            assistant=wanted.assistant,
        )
    except ApprovalError as error:
        raise ApiError(429, "too_much_waiting", sentence_of(error), headers={"retry-after": "60"}) from None


def _kind(tool: Tool | None) -> str:
    """Worker pool of the tool, one for each outside service: a hanging one does not block the others."""
    return bulkhead_of(tool)


def _use(numbers: ToolUsageTotals) -> ToolUse:
    return ToolUse(calls=numbers.calls, failures=numbers.failures, median_below_s=numbers.median_below_s)


def _entry(listing: ToolAvailability, usage: ToolUse | None, *, sees_setup: bool) -> ToolEntry:
    tool, reason = listing.tool, listing.reason
    return ToolEntry(
        name=tool.name,
        title=tool.title,
        label=tool.label,
        description=tool.description,
        category=tool.category,
        categories=categories_of(tool),
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
        examples=tuple(
            ExampleEntry(description=example.description, arguments=example.arguments) for example in tool.examples
        ),
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
        message=result.trouble or None,
        is_partial=result.is_partial,
        requires_approval=result.requires_approval,
        approval_request_id=result.approval_request_id,
        sources=tuple(SourceEntry(title=source.title, url=source.url) for source in result.sources),
    )
