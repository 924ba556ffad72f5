"""The demo model's answers through the real SDK: types, events, pace, limits."""

import time
from typing import Any

import anthropic
import httpx
import pytest

from tests.campus_server import CampusServer
from tests.sandbox.model_client import MODEL, body, claude, sse

HEADERS = {"x-api-key": "demo", "anthropic-version": "2023-06-01"}
WEATHER = {"name": "get_weather", "description": "Weather.", "input_schema": {"type": "object", "properties": {}}}


def raw_stream(campus: CampusServer, request: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    answer = httpx.post(f"{campus.url}/anthropic/v1/messages", json={**request, "stream": True}, headers=HEADERS)
    assert answer.headers["content-type"].startswith("text/event-stream")
    return sse(answer.text)


def test_a_message_fits_the_sdks_types(campus: CampusServer) -> None:
    with claude(campus) as client:
        message = client.messages.create(**body("/say Hello there"))

    assert message.content[0].text == "Hello there"
    assert (message.role, message.model, message.stop_reason) == ("assistant", MODEL, "end_turn")
    assert message.usage.input_tokens > 0
    assert message.usage.output_tokens > 0


def test_a_stream_ends_in_the_same_message(campus: CampusServer) -> None:
    with claude(campus) as client, client.messages.stream(**body("/say One two  three\n\n- four")) as stream:
        words = list(stream.text_stream)
        message = stream.get_final_message()

    assert "".join(words) == "One two  three\n\n- four"
    assert len(words) > 1
    assert message.stop_reason == "end_turn"


def test_events_come_in_the_order_of_the_api(campus: CampusServer) -> None:
    events = raw_stream(campus, body("/say One two"))

    assert [name for name, _ in events] == [
        "message_start",
        "ping",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert all(name == data["type"] for name, data in events)
    assert events[0][1]["message"]["stop_reason"] is None
    assert events[0][1]["message"]["content"] == []


def test_a_tool_call_streams_its_json_in_pieces(campus: CampusServer) -> None:
    with (
        claude(campus) as client,
        client.messages.stream(**body('/call get_weather {"city": "Chicago, Illinois"}')) as stream,
    ):
        pieces = [event.partial_json for event in stream if event.type == "input_json"]
        message = stream.get_final_message()

    assert len(pieces) > 2
    assert message.content[0].input == {"city": "Chicago, Illinois"}
    assert message.stop_reason == "tool_use"


def test_words_keep_the_pace_that_was_set(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="pace", words_per_second=40, times=0)
    began = time.monotonic()

    with claude(campus) as client, client.messages.stream(**body("/say-long 40")) as stream:
        times = [time.monotonic() - began for _ in stream.text_stream]

    assert len(times) == 40
    assert 0.9 < times[-1] < 3


def test_bearer_keys_are_as_good_as_x_api_key(campus: CampusServer) -> None:
    with claude(campus, api_key=None, auth_token="demo") as client:
        message = client.messages.create(**body("/say hi"))

    assert message.content[0].text == "hi"


def test_max_tokens_cuts_the_text_and_says_so(campus: CampusServer) -> None:
    with claude(campus) as client:
        message = client.messages.create(**{**body("/say-long 200"), "max_tokens": 10})

    assert message.stop_reason == "max_tokens"
    assert message.usage.output_tokens == 10
    assert len(message.content[0].text) == 40


def test_max_tokens_can_cut_a_call_in_the_middle_of_its_json(campus: CampusServer) -> None:
    events = raw_stream(campus, {**body('/call get_weather {"city": "Chicago, Illinois"}'), "max_tokens": 5})

    pieces = "".join(data["delta"].get("partial_json", "") for name, data in events if name == "content_block_delta")
    assert pieces == '{"city": "Chicago, I'[: len(pieces)]
    assert events[-2][1]["delta"]["stop_reason"] == "max_tokens"


def test_a_stop_sequence_ends_the_text(campus: CampusServer) -> None:
    with claude(campus) as client:
        message = client.messages.create(**body("/say one STOP two", stop_sequences=["STOP"]))

    assert message.content[0].text == "one "
    assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", "STOP")


def test_count_tokens_agrees_with_the_usage_of_the_message(campus: CampusServer) -> None:
    request = body("/say hi", system="You help students.", tools=[WEATHER])
    with claude(campus) as client:
        counted = client.messages.count_tokens(
            **{name: value for name, value in request.items() if name != "max_tokens"}
        )
        message = client.messages.create(**request)

    assert counted.input_tokens == message.usage.input_tokens


@pytest.mark.parametrize(
    ("choice", "called"),
    [
        ({"type": "tool", "name": "get_weather"}, ["get_weather"]),
        ({"type": "any"}, ["get_weather"]),
        ({"type": "none"}, []),
    ],
)
def test_tool_choice_is_obeyed(campus: CampusServer, choice: dict[str, str], called: list[str]) -> None:
    with claude(campus) as client:
        message = client.messages.create(**body("Hello", tools=[WEATHER], tool_choice=choice))

    assert [block.name for block in message.content if block.type == "tool_use"] == called


def test_an_unknown_path_is_not_found(campus: CampusServer) -> None:
    with claude(campus) as client, pytest.raises(anthropic.NotFoundError):
        client.models.list()
