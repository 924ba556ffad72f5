"""What the demo model refuses, in the API's own words, seen as errors of the real SDK."""

from typing import Any, get_type_hints

import anthropic
import httpx
import pytest
from anthropic import types

from sandbox.model import request_schema as shapes
from tests.campus_server import CampusServer
from tests.sandbox.model_client import MODEL, body, claude, says

TOOL: dict[str, Any] = {
    "name": "list_things",
    "description": "List things.",
    "input_schema": {"type": "object", "properties": {"day": {"type": "string"}}},
}
HI: dict[str, Any] = {"role": "user", "content": "hi"}
ASKED: dict[str, Any] = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "toolu_1", "name": "list_things", "input": {}}],
}


def answered(*ids: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "ok"} for id in ids]}


def refused(campus: CampusServer, **request: Any) -> str:
    """Send a raw body and give the message of its 400."""
    headers = {"x-api-key": "demo", "anthropic-version": "2023-06-01"}
    answer = httpx.post(f"{campus.url}/anthropic/v1/messages", json=request, headers=headers)
    error = answer.json()["error"]
    assert (answer.status_code, error["type"]) == (400, "invalid_request_error"), answer.text
    message: str = error["message"]
    return message


def base(**changes: Any) -> dict[str, Any]:
    return {"model": MODEL, "max_tokens": 100, "messages": [HI], **changes}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (base(surprise=1), "surprise: Extra inputs are not permitted"),
        (base(temperature=0.5), "`temperature` is deprecated"),
        (base(top_p=0.5), "`top_p` is deprecated"),
        (base(thinking={"type": "enabled", "budget_tokens": 2000}), "not supported"),
        ({"model": MODEL, "messages": [HI]}, "max_tokens: Field required"),
        ({"model": MODEL, "max_tokens": 5}, "messages: Field required"),
        (base(max_tokens="5"), "max_tokens: Input should be a valid integer"),
        (base(max_tokens=0), "max_tokens: Input should be greater than"),
        (base(max_tokens=64_001), "64001 > 64000"),
        (base(stream="yes"), "stream: Input should be a valid boolean"),
        (base(messages=[]), "messages: at least one message is required"),
        (base(messages=[{"role": "assistant", "content": "hi"}, HI]), 'first message must use the "user" role'),
        (base(messages=[{"role": "developer", "content": "hi"}]), "messages.0.role"),
        (base(messages=[{"role": "user", "content": ""}]), "messages.0: user messages must have non-empty content"),
        (base(messages=[{"role": "user", "content": []}]), "messages.0: user messages must have non-empty content"),
        (base(messages=[{**HI, "name": "Maya"}]), "messages.0.name: Extra inputs are not permitted"),
        (
            base(messages=[{"role": "user", "content": [{"type": "text", "text": ""}]}]),
            "text content blocks must be non-empty",
        ),
        (
            base(messages=[{"role": "user", "content": [{"type": "text", "text": "a", "meta": 1}]}]),
            "messages.0.content.0.text.meta: Extra inputs are not permitted",
        ),
        (
            base(messages=[{"role": "user", "content": [{"type": "text"}]}]),
            "messages.0.content.0.text.text: Field required",
        ),
        (base(messages=[{"role": "user", "content": [{"type": "note", "text": "a"}]}]), "Input tag 'note'"),
        (base(messages=[HI, {"role": "assistant", "content": "I"}]), "does not support assistant message prefill"),
        (base(system=[{"type": "text", "text": "a", "x": 1}]), "system.0.text.x: Extra inputs are not permitted"),
        (base(system=7), "system: Input should be a valid list"),
    ],
)
def test_a_malformed_request_is_refused_with_its_path(
    campus: CampusServer, request_: dict[str, Any], words: str
) -> None:
    assert words in refused(campus, **request_)


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ([TOOL, TOOL], "tools: Tool names must be unique."),
        ([{**TOOL, "name": "two words"}], "tools.0.custom.name: String should match pattern"),
        ([{"name": "a", "description": "b"}], "tools.0.custom.input_schema: Field required"),
        ([{**TOOL, "input_schema": {"properties": {}}}], "tools.0.custom.input_schema.type: Field required"),
        ([{**TOOL, "input_schema": {"type": "array"}}], "tools.0.custom.input_schema.type: Input should be 'object'"),
        (
            [{**TOOL, "input_schema": {"type": "object", "properties": {"a": {"type": "text"}}}}],
            "JSON schema is invalid",
        ),
        ([{**TOOL, "input_schema": {"type": "object", "required": "a"}}], "JSON schema is invalid"),
        ([{**TOOL, "effect": "read"}], "tools.0.custom.effect: Extra inputs are not permitted"),
        ([{**TOOL, "type": "web_search_20260318"}], "no server tools"),
        ([{**TOOL, "defer_loading": True}], "At least one tool must have defer_loading=false"),
    ],
)
def test_malformed_tools_are_refused(campus: CampusServer, tools: list[dict[str, Any]], words: str) -> None:
    assert words in refused(campus, **base(tools=tools))


@pytest.mark.parametrize(
    ("choice", "tools", "words"),
    [
        ({"type": "tool", "name": "other"}, [TOOL], "Tool 'other' not found"),
        ({"type": "auto"}, [], "while providing tools"),
        ({"type": "maybe"}, [TOOL], "Input tag 'maybe'"),
        ({"type": "auto", "name": "x"}, [TOOL], "tool_choice.auto.name: Extra inputs are not permitted"),
    ],
)
def test_a_wrong_tool_choice_is_refused(
    campus: CampusServer, choice: dict[str, Any], tools: list[dict[str, Any]], words: str
) -> None:
    assert words in refused(campus, **base(tools=tools, tool_choice=choice))


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        (
            [HI, ASKED, HI],
            "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1",
        ),
        ([HI, ASKED], "messages.1: `tool_use` ids were found without"),
        ([HI, ASKED, HI, {"role": "assistant", "content": "ok"}, answered("toolu_1")], "messages.1: `tool_use` ids"),
        (
            [HI, answered("toolu_9")],
            "messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9",
        ),
        ([HI, ASKED, answered("toolu_1", "toolu_2")], "messages.2.content.1: unexpected `tool_use_id`"),
        ([HI, ASKED, answered("toolu_1", "toolu_1")], "each tool_use must have a single result"),
        ([HI, ASKED, answered("toolu_1"), ASKED, answered("toolu_1")], "messages.3: `tool_use` ids must be unique"),
    ],
)
def test_unpaired_calls_and_results_are_refused(
    campus: CampusServer, messages: list[dict[str, Any]], words: str
) -> None:
    assert words in refused(campus, **base(messages=messages, tools=[TOOL]))


def test_paired_results_are_accepted_also_over_two_user_messages_in_a_row(campus: CampusServer) -> None:
    # "Consecutive user or assistant turns in your request will be combined into a single turn" (SDK 2.11).
    two = {"role": "assistant", "content": [*ASKED["content"], {**ASKED["content"][0], "id": "toolu_2"}]}

    with claude(campus) as client:
        message = client.messages.create(
            **base(messages=[HI, two, answered("toolu_1"), answered("toolu_2")], tools=[TOOL])
        )

    assert message.stop_reason == "end_turn"


def test_more_than_four_breakpoints_are_refused(campus: CampusServer) -> None:
    marked = {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}

    assert "Found 5" in refused(campus, **base(system=[marked] * 5))


def test_a_prompt_beyond_the_window_is_refused(campus: CampusServer) -> None:
    message = refused(campus, **base(messages=[{"role": "user", "content": "word " * 170_000}]))

    assert message.startswith("prompt is too long: ")
    assert message.endswith(" tokens > 200000 maximum")


def test_an_unknown_model_is_not_found(campus: CampusServer) -> None:
    with claude(campus) as client, pytest.raises(anthropic.NotFoundError, match="claude-nothing-9"):
        client.messages.create(**base(model="claude-nothing-9"))


@pytest.mark.parametrize("model", ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"])
def test_the_known_models_answer(campus: CampusServer, model: str) -> None:
    with claude(campus) as client:
        assert client.messages.create(**base(model=model)).model == model


def test_a_missing_key_is_an_authentication_error(campus: CampusServer) -> None:
    address = f"{campus.url}/anthropic/v1/messages"

    answer = httpx.post(address, json=base(), headers={"anthropic-version": "2023-06-01"})

    assert (answer.status_code, answer.json()["error"]["type"]) == (401, "authentication_error")


def test_a_missing_version_is_refused(campus: CampusServer) -> None:
    answer = httpx.post(f"{campus.url}/anthropic/v1/messages", json=base(), headers={"x-api-key": "demo"})

    assert answer.status_code == 400
    assert "anthropic-version" in answer.json()["error"]["message"]


def test_a_body_that_is_not_json_is_refused(campus: CampusServer) -> None:
    headers = {"x-api-key": "demo", "anthropic-version": "2023-06-01", "content-type": "application/json"}

    answer = httpx.post(f"{campus.url}/anthropic/v1/messages", content=b"{", headers=headers)

    assert answer.status_code == 400
    assert "not valid JSON" in answer.json()["error"]["message"]


def test_errors_carry_a_request_id(campus: CampusServer) -> None:
    with claude(campus) as client, pytest.raises(anthropic.BadRequestError) as raised:
        client.messages.create(**base(messages=[]))

    assert str(raised.value.request_id).startswith("req_")


def test_allowed_keys_are_those_of_the_sdks_types() -> None:
    param_types = {
        "text": types.TextBlockParam,
        "image": types.ImageBlockParam,
        "document": types.DocumentBlockParam,
        "search_result": types.SearchResultBlockParam,
        "thinking": types.ThinkingBlockParam,
        "redacted_thinking": types.RedactedThinkingBlockParam,
        "tool_use": types.ToolUseBlockParam,
        "tool_result": types.ToolResultBlockParam,
        "tool_reference": types.ToolReferenceBlockParam,
    }
    for kind, param in param_types.items():
        required, optional = shapes.BLOCKS[kind]
        assert {"type", *required, *optional} == set(get_type_hints(param)), kind
    assert set(get_type_hints(types.ToolParam)) == shapes.TOOL


def test_allowed_top_level_keys_are_those_of_the_sdk() -> None:
    from anthropic.types import message_count_tokens_params, message_create_params

    created = set(get_type_hints(message_create_params.MessageCreateParamsBase)) | {"stream"}
    counted = set(get_type_hints(message_count_tokens_params.MessageCountTokensParams))
    beyond_the_body = {"user_profile_id", "workspace_id"}

    assert created - beyond_the_body == shapes.TOP_LEVEL
    assert counted - beyond_the_body == shapes.COUNT_TOKENS


def test_a_context_block_beside_the_words_is_accepted(campus: CampusServer) -> None:
    with claude(campus) as client:
        assert client.messages.create(**base(messages=[says("/say ok")])).content[0].text == "ok"


def test_everything_a_full_request_may_have_is_accepted(campus: CampusServer) -> None:
    full = body(
        "/say ok",
        system="s",
        tools=[TOOL],
        tool_choice={"type": "auto"},
        metadata={"user_id": "u1"},
        stop_sequences=["X"],
    )

    with claude(campus) as client:
        assert client.messages.create(**full).content[0].text == "ok"
