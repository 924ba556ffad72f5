"""What goes over the HTTP door in JSON: the bodies of requests and answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.tools.kinds import FailureKind, Kind


class ApiRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ApiAnswer(BaseModel):
    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Problem(ApiAnswer):
    code: str = Field(description="For programs.")
    message: str = Field(description="For people: what happened, and what to do next.")


class ErrorAnswer(ApiAnswer):
    error: Problem


class Reason(ApiAnswer):
    kind: Kind = Field(description="For programs: what is in the way.")
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
    contexts: tuple[str, ...]
    effect: Literal["read", "write", "outbound"]
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
    error: str | None
    error_kind: FailureKind | None = Field(description="In which way it failed; null when it did not.")
    is_partial: bool = Field(
        description="Something is missing or older; a line of the output that begins “Note:” says what."
    )
    requires_approval: bool
    approval_request_id: str | None
    sources: tuple[SourceEntry, ...]


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
        default=None, description="Other arguments than the proposed ones, all of them; only with approve."
    )


class IntegrationEntry(ApiAnswer):
    label: str
    category: str
    connected: bool
    health: str | None
    reason: str | None


class KnowledgeEntry(ApiAnswer):
    kind: Literal["link", "feed"]
    title: str
    url: str
    note: str


class AssistantAnswer(ApiAnswer):
    id: str
    identity: Mapping[str, str]
    system_words: str
    course_knowledge: tuple[KnowledgeEntry, ...] = Field(description="Course material that the assistant brings.")
    integrations: Mapping[str, IntegrationEntry]
    enabled_actions: tuple[str, ...] = Field(description="The names of the tools that this student gets from it now.")
    limits: Mapping[str, int]
    can_respond: bool = Field(description="False while the model refuses Homeroom's key, or this process ends.")
    config_version: str = Field(description="Changes when anything else here does; also the ETag.")


class OpenApiDocument(BaseModel):
    model_config = ConfigDict(extra="allow")

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]
