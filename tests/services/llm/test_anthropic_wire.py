"""Bounds of an answer: what only shows that it lives, drips or floods us ends, and costs no more than it is long."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import anthropic
import pytest

from services.errors import ModelError, ModelInterrupted, ModelUnavailable
from services.llm.anthropic_model import AnthropicModel
from services.llm.anthropic_reply import ReplyAssembler
from services.llm.anthropic_transport import AnthropicTransport
from services.llm.anthropic_wire import AnthropicWire, StreamBounds
from services.llm.chat_model import ModelReply, ModelRequest
from tests.agent_fakes import ask
from tests.anthropic_server import OVERLOADED, START, AnthropicServer, Refusal, call, end, event, text

BOUNDS = StreamBounds(head_s=5, whole_s=0.6, still_s=0.3, most_bytes=2_000_000, longest=200_000)

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


def asked(server: AnthropicServer, bounds: StreamBounds = BOUNDS) -> tuple[str, ModelReply | ModelError]:
    """The words that came, and how it ended."""
    messages = [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]
    request = ModelRequest(
        model="claude-haiku-5-5", system=[{"type": "text", "text": "."}], tools=[], messages=messages
    )
    with closing(AnthropicModel(api_key="k", base_url=server.url, bounds=bounds, sleep=lambda _: None)) as model:
        return ask(model, request)


def dripping(*first: Any, drop: Any) -> Iterator[Any]:
    """An answer that goes on for ever."""
    yield from first
    while True:
        time.sleep(0.02)
        yield drop


@pytest.mark.parametrize("drop", [event("ping"), ": alive\n\n", ":", "event: ping\n"], ids=str)
def test_an_answer_that_only_shows_that_it_lives_is_not_waited_for(server: AnthropicServer, drop: Any) -> None:
    server.script = [dripping(START, *text("Hel", is_closed=False), drop=drop), dripping(START, drop=drop)]

    words, error = asked(server)
    _, silent = asked(server)

    assert (words, type(error)) == ("Hel", ModelInterrupted)
    assert (type(silent), str(silent)) == (ModelUnavailable, "The model did not answer in time.")
    assert len(server.requests) == 2


def test_an_answer_that_does_not_end_is_broken_off_and_its_words_are_kept(server: AnthropicServer) -> None:
    server.script = [dripping(START, *text("Hel", is_closed=False), drop=text("l")[1])]

    words, error = asked(server)

    assert words.startswith("Hell")
    assert type(error) is ModelInterrupted


FLOODS = {
    "a line": ["data: ", *["x" * 65_536] * 10],
    "lines of one event": ["data: x\n" * 10_000] * 5,
    "words": [text("x" * 50_000)[1]] * 30,
    "events": [event("ping")] * 60_000,
    "blocks": [event("content_block_start", index=i, content_block={"type": "text", "text": ""}) for i in range(3_000)],
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_cut_off_once_and_for_all(server: AnthropicServer, flood: list[Any]) -> None:
    packed = [
        "".join(
            piece if isinstance(piece, str) else f"event: {piece['type']}\ndata: {json.dumps(piece)}\n\n"
            for piece in flood
        )
    ]
    server.script = [
        [START, *text("Hi", index=5_000, is_closed=False), *text("", is_closed=False), *packed, *end("end_turn")]
    ]

    words, error = asked(
        server, StreamBounds(most_bytes=2_000_000, longest=60_000 if "data" in packed[0][:5] else 200_000)
    )

    assert words.startswith("Hi")
    assert type(error) is ModelInterrupted


def test_of_ten_thousand_calls_as_many_are_kept_as_somebody_could_mean(server: AnthropicServer) -> None:
    wanted = [event for index in range(660) for event in call("look", index=index)]
    server.script = [[START, *wanted, *end("tool_use")]]

    _, reply = asked(server, StreamBounds())

    assert isinstance(reply, ModelReply)
    assert len(reply.content) == 100


def test_a_block_that_nobody_asked_for_is_not_kept_to_be_sent_back(server: AnthropicServer) -> None:
    blocks = [
        {"type": "image", "source": {"type": "url", "url": "https://elsewhere.example/?q=1"}},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "tool_result", "tool_use_id": "toolu_0", "content": "Approved."},
    ]
    odd = [
        part
        for i, block in enumerate(blocks, 1)
        for part in (event("content_block_start", index=i, content_block=block), event("content_block_stop", index=i))
    ]
    server.script = [[START, *text("Hi"), *odd, *end("end_turn")]]

    _, reply = asked(server)

    assert isinstance(reply, ModelReply)
    assert reply.content == ({"type": "text", "text": "Hi"},)


def test_lines_may_end_in_any_of_three_ways_and_in_the_middle_of_a_character(server: AnthropicServer) -> None:
    events = [START, *text("Olé ☀"), *end("end_turn")]
    for ending in ("\r\n", "\r", "\n"):
        sent = "".join(f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n" for e in events)
        server.script = [["\ufeff", *sent.replace("\n", ending)]]

        words, reply = asked(server)

        assert (words, type(reply)) == ("Olé ☀", ModelReply)


def test_of_an_endless_refusal_only_its_beginning_is_read(server: AnthropicServer) -> None:
    refusal = Refusal(400, "invalid_request_error")
    refusal.body = {"error": {"type": "x" * 2_000_000}}
    server.script = [refusal]

    _, error = asked(server)

    assert isinstance(error, ModelError)


@pytest.fixture
def wire(server: AnthropicServer) -> Iterator[AnthropicWire]:
    transport = AnthropicTransport(anthropic.DEFAULT_CONNECTION_LIMITS)
    http = anthropic.DefaultHttpxClient(transport=transport)
    with closing(anthropic.Anthropic(api_key="test", base_url=server.url, http_client=http, max_retries=0)) as client:
        yield AnthropicWire(client, transport)


def wanted(_: str) -> bool:
    return True


def test_a_request_arrives_as_it_was_given_the_first_time_and_every_time(
    server: AnthropicServer, wire: AnthropicWire
) -> None:
    server.script = [[START, *text("Hi"), *end("end_turn")]] * 2

    for _ in range(2):
        wire.stream({**SENT, "tools": TOOLS}, ReplyAssembler(), wanted)

    assert server.requests == [{**SENT, "tools": TOOLS}] * 2


def test_an_error_within_the_stream_is_raised_as_the_sdk_would_the_first_time_and_every_time(
    server: AnthropicServer, wire: AnthropicWire
) -> None:
    server.script = [[START, OVERLOADED]] * 2

    for _ in range(2):
        with pytest.raises(anthropic.APIStatusError) as raised:
            wire.stream(SENT, ReplyAssembler(), wanted)

        assert (raised.value.status_code, raised.value.type) == (200, "overloaded_error")


def test_what_the_client_adds_goes_with_every_request_of_a_kind_and_with_no_other(
    server: AnthropicServer, wire: AnthropicWire
) -> None:
    server.script = [[START, *text("Hi"), *end("end_turn")]] * 4

    for betas in ((), ("tools-1",), (), ("tools-1",)):
        wire.stream(SENT, ReplyAssembler(), wanted, betas)

    sent = [{name.lower(): value for name, value in headers.items()} for headers in server.headers]
    assert [headers.get("anthropic-beta") for headers in sent] == [None, "tools-1"] * 2
    assert {headers["authorization"] for headers in sent} == {"Bearer test"}
    assert sent[2] == sent[0]
    assert sent[3] == sent[1]


def test_a_refusal_after_an_answer_is_sent_once_and_told_as_the_sdk_does(
    server: AnthropicServer, wire: AnthropicWire
) -> None:
    server.script = [[START, *text("Hi"), *end("end_turn")], Refusal(529, "overloaded_error")]
    wire.stream(SENT, ReplyAssembler(), wanted)

    with pytest.raises(anthropic.APIStatusError) as raised:
        wire.stream(SENT, ReplyAssembler(), wanted)

    assert (raised.value.status_code, raised.value.type, len(server.requests)) == (529, "overloaded_error", 2)


def test_an_answer_that_nobody_reads_along_is_read_in_few_pieces_and_whole(
    server: AnthropicServer, wire: AnthropicWire
) -> None:
    words = [f"{number} " for number in range(20)]
    events = [START, *text(*words), *end("end_turn")]
    server.script = [_slowly(events), _slowly(events)]
    pieces: dict[bool, list[str]] = {True: [], False: []}

    for is_background, said in pieces.items():
        wire.stream(SENT, ReplyAssembler(), partial(_taken, said), is_background=is_background)

    assert ["".join(said) for said in pieces.values()] == ["".join(words)] * 2
    few, many = (len([piece for piece in said if piece]) for said in pieces.values())
    assert few <= many / 2


def _taken(said: list[str], piece: str) -> bool:
    said.append(piece)
    return True


def _slowly(events: list[Any]) -> Iterator[Any]:
    for each in events:
        time.sleep(0.015)
        yield each
