"""Request validation as the API does it, with refusals in the API's words."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from starlette.requests import Request

from sandbox.model import request_schema as shapes
from sandbox.model.blocks import check_cache_control, check_keys, check_messages, check_system, check_type
from sandbox.model.errors import refusal
from sandbox.model.files import check_counts
from sandbox.model.structured_output.schema_check import check_output_config
from sandbox.model.token_count import check_ttl_order, count_breakpoints, prompt_pieces
from sandbox.model.tool_changes import check_betas, check_changes
from sandbox.model.tool_result_pairs import check_pairs
from sandbox.model.tools import check_tool_choice, check_tools

MOST_BYTES = 32 * 1024 * 1024
KEY = "demo"
"""What the keys of the campus begin with; each has a prompt cache of its own."""
SAMPLING = ("temperature", "top_p", "top_k")


def check_headers(request: Request) -> str:
    """The caller's key; raises a refusal when the key or the version of the API is missing, or nobody made the key."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    given = request.headers.get("x-api-key")
    key = given or (token.strip() if scheme.lower() == "bearer" else "")
    if not key:
        raise refusal("x-api-key header is required", "authentication_error")
    if not key.startswith(KEY):
        raise refusal("invalid x-api-key" if given else "Invalid bearer token", "authentication_error")
    if not request.headers.get("anthropic-version"):
        raise refusal("anthropic-version: header is required")
    return key


async def read_body(request: Request) -> dict[str, Any]:
    """The JSON object that was sent."""
    raw = await request.body()
    if len(raw) > MOST_BYTES:
        raise refusal("Request exceeds the maximum size", "request_too_large")
    try:
        body = json.loads(raw)
    except ValueError as error:
        raise refusal(f"The request body is not valid JSON: {error}") from None
    if not isinstance(body, dict):
        raise refusal("Input should be a valid dictionary")
    return body


def betas_of(request: Request) -> frozenset[str]:
    """The values of the beta header."""
    return frozenset(filter(None, (beta.strip() for beta in request.headers.get("anthropic-beta", "").split(","))))


def check_request(body: Mapping[str, Any], betas: Collection[str] = ()) -> None:
    """Check a `messages.create` body and the length of its prompt."""
    _check_common(body, shapes.TOP_LEVEL, required=("model", "max_tokens", "messages"), betas=betas)
    _check_output(body)
    if body["messages"][-1]["role"] == "assistant":
        raise refusal(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )
    _check_length(body)


def check_count_request(body: Mapping[str, Any], betas: Collection[str] = ()) -> None:
    """Check a `messages.count_tokens` body."""
    _check_common(body, shapes.COUNT_TOKENS, required=("model", "messages"), betas=betas)


def _check_common(
    body: Mapping[str, Any], allowed: set[str], required: tuple[str, ...], betas: Collection[str]
) -> None:
    check_betas(betas)
    for key in SAMPLING:
        if key in body:
            raise refusal(f"`{key}` is deprecated for this model.")
    check_keys("", body, allowed)
    for key in required:
        if key not in body:
            raise refusal(f"{key}: Field required")
    check_type("model", body["model"], str)
    if body["model"] not in shapes.MODELS:
        raise refusal(f"model: {body['model']}", "not_found_error")
    check_messages(body["messages"])
    check_counts(body["messages"])
    if "system" in body:
        check_system(body["system"])
    if "tools" in body:
        check_tools(body["tools"])
    if "tool_choice" in body:
        check_tool_choice(body["tool_choice"], body.get("tools", []))
    _check_thinking(body)
    check_output_config(body)
    check_cache_control("cache_control", body.get("cache_control"))
    check_ttl_order(body)
    check_changes(body, betas)
    check_pairs(body["messages"], has_tools=bool(body.get("tools")))
    if (found := count_breakpoints(body)) > 4:
        raise refusal(f"A maximum of 4 blocks with cache_control may be provided. Found {found}.")


def _check_thinking(body: Mapping[str, Any]) -> None:
    if "thinking" not in body:
        return
    thinking = body["thinking"]
    check_type("thinking", thinking, dict)
    kind = thinking.get("type")
    if kind not in shapes.THINKING:
        raise refusal(f"thinking: Input tag '{kind}' found using 'type' does not match any of the expected tags")
    if "budget_tokens" in thinking:
        raise refusal(f'"thinking.type.enabled" is not supported for {body["model"]}. Use "adaptive" instead.')
    check_keys(f"thinking.{kind}.", thinking, shapes.THINKING[kind])


def _check_output(body: Mapping[str, Any]) -> None:
    most, limit = body["max_tokens"], shapes.MODELS[body["model"]]
    check_type("max_tokens", most, int)
    if most < 1:
        raise refusal("max_tokens: Input should be greater than or equal to 1")
    if most > limit:
        raise refusal(
            f"max_tokens: {most} > {limit}, which is the maximum allowed number of output tokens for {body['model']}"
        )
    if "stream" in body:
        check_type("stream", body["stream"], bool)
    sequences = body.get("stop_sequences", [])
    check_type("stop_sequences", sequences, list)
    for index, sequence in enumerate(sequences):
        check_type(f"stop_sequences.{index}", sequence, str)
        if not sequence.strip():
            raise refusal("stop_sequences: each stop sequence must contain non-whitespace")


def _check_length(body: Mapping[str, Any]) -> None:
    tokens = sum(piece.tokens for piece in prompt_pieces(body))
    if tokens > shapes.CONTEXT_WINDOW:
        raise refusal(f"prompt is too long: {tokens} tokens > {shapes.CONTEXT_WINDOW} maximum")
