"""Requests and events as plain JSON over the SDK's client."""

from collections.abc import Iterator
from contextlib import closing

import anthropic
import pytest

from services.agent.anthropic_wire import Wire
from tests.anthropic_server import OVERLOADED, START, AnthropicServer, end, text

SENT = {
    "model": "claude-haiku-5-5",
    "max_tokens": 10,
    "messages": [{"role": "user", "content": "¿Qué?"}],
    "stream": True,
}
TOOLS = [{"name": "look", "description": "Ein Blick – ☀", "input_schema": {"type": "object"}}]


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    server = AnthropicServer()
    yield server
    server.stop()


@pytest.fixture
def wire(server: AnthropicServer) -> Iterator[Wire]:
    with closing(anthropic.Anthropic(api_key="test", base_url=server.url, max_retries=0)) as client:
        yield Wire(client)


def test_a_request_arrives_as_it_was_given_the_first_time_and_every_time(server: AnthropicServer, wire: Wire) -> None:
    server.script = [[START, *text("Hi"), *end("end_turn")]] * 2

    for _ in range(2):
        list(wire.events({**SENT, "tools": TOOLS}))

    assert server.requests == [{**SENT, "tools": TOOLS}] * 2


def test_events_come_as_plain_json_in_their_order(server: AnthropicServer, wire: Wire) -> None:
    server.script = [[START, *text("Hi"), *end("end_turn")]]

    kinds = [event["type"] for event in wire.events(SENT)]

    assert kinds[0] == "message_start"
    assert kinds[-1] == "message_stop"
    assert "ping" not in kinds


def test_an_error_within_the_stream_is_raised_as_the_sdk_would(server: AnthropicServer, wire: Wire) -> None:
    server.script = [[START, OVERLOADED]]

    with pytest.raises(anthropic.APIStatusError) as raised:
        list(wire.events(SENT))

    assert (raised.value.status_code, raised.value.type) == (200, "overloaded_error")
