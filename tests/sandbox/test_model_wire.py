"""The demo model's wire is as strict as the real one: order of results, keys, caches, forced calls, threads."""

from typing import Any

import anthropic
import httpx
import jsonschema
import pytest
from anthropic import beta_tool

from tests.campus_server import CampusServer
from tests.sandbox.model_client import MODEL, body, claude
from tests.sandbox.test_model_requests import ASKED, HI, TOOL, answered, base, refused

TEXT: dict[str, Any] = {"type": "text", "text": "and this"}
RESULT: dict[str, Any] = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
HOUR, MINUTES = {"type": "ephemeral", "ttl": "1h"}, {"type": "ephemeral"}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


@pytest.mark.parametrize("answer", [[user(TEXT, RESULT)], [user(TEXT), user(RESULT)], [HI, user(RESULT, TEXT)]])
def test_results_stand_before_everything_else(campus: CampusServer, answer: list[dict[str, Any]]) -> None:
    words = refused(campus, **base(messages=[HI, ASKED, *answer], tools=[TOOL]))

    assert words.startswith("messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: ")
    assert "toolu_1" in words


def test_a_result_between_two_texts_is_late_for_the_second_call_only(campus: CampusServer) -> None:
    second = {"type": "tool_use", "id": "toolu_2", "name": "list_things", "input": {}}
    asked = {"role": "assistant", "content": [*ASKED["content"], second]}
    late = user(RESULT, TEXT, {**RESULT, "tool_use_id": "toolu_2"})

    words = refused(campus, **base(messages=[HI, asked, late], tools=[TOOL]))

    assert "immediately after: toolu_2." in words


def test_text_after_the_results_is_welcome(campus: CampusServer) -> None:
    with claude(campus) as client:
        reply = client.messages.create(**base(messages=[HI, ASKED, user(RESULT, TEXT), HI], tools=[TOOL]))

    assert reply.content


@pytest.mark.parametrize("tools", [{}, {"tools": []}])
@pytest.mark.parametrize("messages", [[HI, ASKED, answered("toolu_1")]])
def test_calls_in_the_messages_need_tools(
    campus: CampusServer, tools: dict[str, Any], messages: list[dict[str, Any]]
) -> None:
    words = "Requests which include `tool_use` or `tool_result` blocks must define tools."

    assert refused(campus, **base(messages=messages, **tools)) == words


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (
            base(system=[{"type": "text", "text": "a", "cache_control": MINUTES}, {**TEXT, "cache_control": HOUR}]),
            "system.1",
        ),
        (
            base(tools=[{**TOOL, "cache_control": MINUTES}], messages=[user({**TEXT, "cache_control": HOUR})]),
            "messages.0.content.0",
        ),
        (base(tools=[{**TOOL, "cache_control": MINUTES}, {**TOOL, "name": "b", "cache_control": HOUR}]), "tools.1"),
    ],
)
def test_an_hour_in_the_cache_comes_before_five_minutes(
    campus: CampusServer, request_: dict[str, Any], path: str
) -> None:
    assert refused(campus, **request_) == (
        f"{path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. "
        "Note that blocks are processed in the following order: `tools`, `system`, `messages`."
    )


def test_an_hour_and_then_five_minutes_is_in_order(campus: CampusServer) -> None:
    with claude(campus) as client:
        reply = client.messages.create(
            **base(
                system=[{"type": "text", "text": "a", "cache_control": HOUR}],
                messages=[user({**TEXT, "cache_control": {"type": "ephemeral", "ttl": "5m"}})],
            )
        )

    assert reply.content


@pytest.mark.parametrize("path", ["messages", "messages/count_tokens"])
@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"x-api-key": "anything"}, "invalid x-api-key"),
        ({"authorization": "Bearer anything"}, "Invalid bearer token"),
        ({"authorization": "Basic demo"}, "x-api-key header is required"),
    ],
)
def test_a_key_that_nobody_made_is_refused(
    campus: CampusServer, headers: dict[str, str], words: str, path: str
) -> None:
    answer = httpx.post(
        f"{campus.url}/anthropic/v1/{path}",
        json={"model": MODEL, "messages": [HI]} | ({"max_tokens": 5} if path == "messages" else {}),
        headers={"anthropic-version": "2023-06-01", **headers},
    )

    assert (answer.status_code, answer.json()["error"]) == (401, {"type": "authentication_error", "message": words})


FORCED_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "maxLength": 8},
        "size": {"enum": ["small", "large"]},
        "count": {"type": "integer", "minimum": 3},
        "is_new": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "place": {"$ref": "#/$defs/place"},
        "either": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "spare": {"type": "string"},
    },
    "required": ["label", "size", "count", "is_new", "tags", "place", "either"],
    "additionalProperties": False,
    "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}},
}


@pytest.mark.parametrize("choice", [{"type": "any"}, {"type": "tool", "name": "save_report"}])
def test_a_forced_call_has_the_input_that_its_schema_requires(campus: CampusServer, choice: dict[str, Any]) -> None:
    tool = {"name": "save_report", "description": "Save the report.", "input_schema": FORCED_SCHEMA}
    with claude(campus) as client:
        reply = client.messages.create(**body("The weather in Rome is mild.", tools=[tool], tool_choice=choice))

    (call,) = [block for block in reply.content if block.type == "tool_use"]
    jsonschema.validate(call.input, FORCED_SCHEMA)
    assert call.input["label"]


@beta_tool
def get_weather(city: str) -> str:
    """Look up the weather of a city.

    Args:
        city: The city's name.
    """
    return f"It is sunny in {city}."


@pytest.mark.parametrize("thread", [{}, {"thread": False}])
def test_the_sdks_own_tool_runner_plays_a_whole_turn(campus: CampusServer, thread: dict[str, Any]) -> None:
    """With a thread, which it asks for by itself, it sends only what is new."""
    with claude(campus) as client:
        runner = client.beta.messages.tool_runner(
            model=MODEL,
            max_tokens=500,
            messages=[{"role": "user", "content": '/call get_weather {"city": "Rome"}'}],
            tools=[get_weather],
            **thread,
        )
        *_, last = list(runner)

    assert "sunny in Rome" in "".join(block.text for block in last.content if block.type == "text")


def thread_request(**changes: Any) -> dict[str, Any]:
    return {"betas": ["message-threads-2026-08-12"], "extra_body": {"thread": changes.pop("thread")}, **base(**changes)}


def onward(previous: str, **changes: Any) -> dict[str, Any]:
    return thread_request(thread={"type": "continue", "previous_message_id": previous}, **changes)


def test_a_thread_goes_on_from_its_last_answer_once_with_its_system_and_tools(campus: CampusServer) -> None:
    with claude(campus) as client:
        begin = thread_request(thread={"type": "create"}, system="Be kind.", tools=[TOOL])
        first = client.beta.messages.create(**begin)
        second = client.beta.messages.create(**onward(first.id))
        with pytest.raises(anthropic.BadRequestError) as again:
            client.beta.messages.create(**onward(first.id))
        with pytest.raises(anthropic.NotFoundError) as unknown:
            client.beta.messages.create(**onward("msg_lost"))
        with pytest.raises(anthropic.BadRequestError) as repeated:
            client.beta.messages.create(**onward(second.id, tools=[TOOL]))

    assert second.usage.input_tokens > first.usage.input_tokens
    assert again.value.body["error"]["details"] == {"error_code": "thread_already_continued"}  # type: ignore[index]
    assert unknown.value.body["error"]["details"] == {"error_code": "thread_not_found"}  # type: ignore[index]
    assert "tools" in str(repeated.value)


def test_a_thread_needs_its_beta(campus: CampusServer) -> None:
    assert "thread: Extra inputs are not permitted" in refused(campus, **base(thread={"type": "create"}))


@pytest.mark.parametrize(
    "fault", [{"fault": "overloaded"}, {"fault": "status", "status": 529}, {"fault": "status", "status": 500}]
)
def test_every_failure_names_its_request(campus: CampusServer, fault: dict[str, Any]) -> None:
    campus.fault(service="anthropic", **fault)
    with claude(campus) as client, pytest.raises(anthropic.APIStatusError) as failed:
        client.messages.create(**base())

    assert failed.value.request_id
    assert failed.value.body["request_id"] == failed.value.request_id  # type: ignore[index]
