"""Models of the discovery routes, with the documented names in camel case."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from api.endpoint import ApiAnswer, ApiRequest

LONGEST_CONTEXTS = 500
LONGEST_IN_ADDRESS = 2_000
"""Characters of a message in an address; servers and proxies cut addresses at 8 KB, and write them down."""
LONGEST_MESSAGE = 50_000
MOST_HISTORY = 50


class CamelAnswer(ApiAnswer):
    model_config = ConfigDict(alias_generator=to_camel)


class WhoseQuery(ApiRequest):
    user_id: Annotated[
        str | None,
        Field(alias="userId", max_length=100, description="Another student than the key's own; needs the scope admin."),
    ] = None


class DiscoveryQuery(WhoseQuery):
    context: Annotated[
        str | None,
        Field(max_length=LONGEST_CONTEXTS, description="What it is about, several with commas: courses,calendar."),
    ] = None
    category: Annotated[
        str | None, Field(max_length=100, description="Of the tools that a context brings, only these.")
    ] = None
    message: Annotated[
        str | None,
        Field(
            description="A message of the student, of 2,000 characters at most; its contexts are found, and added to "
            "those that are given."
        ),
    ] = None
    stand_ins: Annotated[
        bool,
        Field(
            alias="standIns",
            description="The contexts given are those of a message: where the student has no tool of one, what answers "
            "in its place is listed, too, as it is for `message`.",
        ),
    ] = False


class ListedTool(CamelAnswer):
    name: str
    description: str
    input_schema: Mapping[str, Any] = Field(description="JSON Schema of the arguments.")
    contexts: tuple[str, ...]
    categories: tuple[str, ...]


class FilteredMetadata(CamelAnswer):
    timestamp: datetime
    request_id: str
    filtered: Literal[True] = True
    original_count: int = Field(description="How many tools work for this student now and may be called with this key.")
    returned_count: int
    reduction_percent: int
    applied_context: str = Field(description="Given, found and standing in, with commas.")
    unknown_contexts: tuple[str, ...] = Field(
        default=(), exclude_if=lambda names: not names, description="Only when something given means nothing here."
    )
    known_contexts: tuple[str, ...] = Field(
        default=(), exclude_if=lambda names: not names, description="With `unknownContexts`: what could be given."
    )


class NoContextMetadata(CamelAnswer):
    timestamp: datetime
    request_id: str
    filtered: Literal[False] = False
    original_count: Literal[0] = 0
    returned_count: Literal[0] = 0
    reduction_percent: Literal[0] = 0
    reason: Literal["no_context_detected"] = "no_context_detected"


class Discovered(ApiAnswer):
    tools: tuple[ListedTool, ...]
    metadata: FilteredMetadata | NoContextMetadata


class TokenNumbers(CamelAnswer):
    requests: int
    total_tokens: int = Field(description="Of tool definitions; an estimate.")
    avg_tokens_per_request: float | int
    since: str


class DiscoveryMetrics(ApiAnswer):
    baseline: TokenNumbers = Field(description="Had every enabled tool been in every request.")
    filtered: TokenNumbers = Field(description="What was there.")
    reduction: str = Field(description="In per cent; below zero when filtering has cost more than it saved.")


class Said(ApiRequest):
    role: Literal["user", "assistant"]
    content: str


class ContextsRequest(ApiRequest):
    message: Annotated[str, Field(description="Of 50,000 characters at most, as those of the history.")]
    history: Annotated[
        tuple[Said, ...], Field(max_length=MOST_HISTORY, description="What was said before, oldest first.")
    ] = ()


class FoundEntry(ApiAnswer):
    name: str
    confidence: float = Field(description="From 0 to 1; of what stands in, that of the other.")
    stands_in_for: str | None = Field(
        default=None,
        exclude_if=lambda name: name is None,
        description="Only of a context that answers in place of this one, of which the student has no tool.",
    )


class ContextList(ApiAnswer):
    contexts: tuple[FoundEntry, ...] = Field(description="The surest first; none when no tool is needed.")
