"""What a gateway may send in place of the documented events: the words that came stay, and nothing crashes."""

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from services.errors import ModelError, ModelInterrupted, ModelUnavailable
from services.llm.anthropic_model import AnthropicModel
from services.llm.anthropic_reply import NO_OBJECT
from services.llm.chat_model import ModelReply, ModelRequest
from tests.agent_fakes import ask
from tests.anthropic_server import START, AnthropicServer, Refusal, call, end, event, text

KEY = "sk-ant-canary-5171"


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    server = AnthropicServer()
    yield server
    server.stop()


@pytest.fixture
def model(server: AnthropicServer) -> Iterator[AnthropicModel]:
    with closing(AnthropicModel(api_key=KEY, base_url=server.url, sleep=lambda wait_s: None)) as model:
        yield model


def asked(model: AnthropicModel, words: str = "Hi") -> tuple[str, ModelReply | ModelError]:
    """The words that came, and how it ended."""
    request = ModelRequest(
        model="claude-haiku-5-5",
        system=[{"type": "text", "text": "Be kind."}],
        tools=[],
        messages=[{"role": "user", "content": [{"type": "text", "text": words}]}],
    )
    return ask(model, request)


def delta(index: Any = 0, **fields: Any) -> dict[str, Any]:
    return event("content_block_delta", index=index, delta=fields)


def raw(data: str) -> str:
    return f"event: content_block_delta\ndata: {data}\n\n"


GARBLED = [
    raw("{oops"),
    raw("null"),
    raw('"words"'),
    raw("[" * 20_000),
    raw('{"type": "content_block_delta", "index": ' + "9" * 5000 + "}"),
    delta(9, type="text_delta", text="x"),
    delta([0], type="text_delta", text="x"),
    delta(type="text_delta", text=None),
    delta(type="text_delta", text={"a": 1}),
    delta(type="input_json_delta", partial_json=None),
    delta(type="thinking_delta", thinking="x"),
    delta(type="citations_delta", citation=None),
    delta(type="citations_delta", citation={"type": "search_result_location", "source": {"a": 1}}),
    delta(),
    event("content_block_delta", delta=None),
    event("content_block_start", index=0, content_block={"type": "text", "text": "again"}),
    event("content_block_start", index=1, content_block=None),
    event("content_block_stop"),
    event("message_start"),
    event("message_delta", delta=None),
    event("message_delta", delta={"stop_reason": {"a": 1}}),
]


@pytest.mark.parametrize("odd", GARBLED, ids=range(len(GARBLED)))
def test_a_garbled_event_breaks_the_answer_off_with_its_words_kept(
    odd: Any, server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [[START, *text("Hello", is_closed=False), odd, *end("end_turn")]]

    words, error = asked(model)

    assert (words, type(error)) == ("Hello", ModelInterrupted)


def test_a_garbled_event_before_the_first_word_is_tried_again(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [[START, raw("{oops")], [START, *text("Hello"), *end("end_turn")]]

    words, reply = asked(model)

    assert words == "Hello"
    assert isinstance(reply, ModelReply)


@pytest.mark.parametrize("count", ["many", -5, 10**400, True, None, [1]])
def test_a_count_that_is_none_is_left_out(count: Any, server: AnthropicServer, model: AnthropicModel) -> None:
    told = event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": count})
    server.script = [[START, *text("Hello"), told, event("message_stop")]]

    _, reply = asked(model)

    assert isinstance(reply, ModelReply)
    assert reply.usage.output_tokens == 1


def test_words_that_were_shown_are_kept_although_their_block_was_not_ended(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [[START, *text("Hello", is_closed=False), *end("end_turn")]]

    _, reply = asked(model)

    assert isinstance(reply, ModelReply)
    assert reply.content == ({"type": "text", "text": "Hello"},)


@pytest.mark.parametrize("arguments", ['{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}', '{"a": ' + "[" * 20_000])
def test_a_call_that_could_not_be_sent_back_is_dropped(
    arguments: str, server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [[START, *text("Hm"), *call("pin", arguments, index=1), *end("tool_use")]]

    _, reply = asked(model)

    assert isinstance(reply, ModelReply)
    assert [block["type"] for block in reply.content] == ["text"]


@pytest.mark.parametrize("arguments", ["[]", "null", '"bio"', "7", "true"])
def test_a_call_whose_arguments_are_no_object_is_kept_so_that_the_model_is_told(
    arguments: str, server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [[START, *call("pin", arguments, index=0), *end("tool_use")]]

    _, reply = asked(model)

    assert isinstance(reply, ModelReply)
    assert [block["input"] for block in reply.content] == [{NO_OBJECT: json.loads(arguments)}]


def test_of_two_calls_with_one_id_the_first_counts(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [[START, *call("pin", "{}"), *call("drop", "{}"), *end("tool_use")]]

    _, reply = asked(model)

    assert isinstance(reply, ModelReply)
    assert [block["name"] for block in reply.content] == ["pin"]


def test_half_a_character_reaches_neither_the_page_nor_the_model(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [[START, *text("a\ud83d"), *end("end_turn")]]

    words, _ = asked(model, "b\ud800")

    assert words == "a?"
    assert server.requests[0]["messages"][0]["content"][0]["text"] == "b?"


@pytest.mark.parametrize(
    "body", [{"error": {"type": ["a"], "message": {"a": 1}}}, {"error": {"type": 7, "message": 5}}]
)
@pytest.mark.parametrize("status", [400, 401, 429, 529])
def test_an_error_of_another_form_is_one_of_ours(
    body: dict[str, Any], status: int, server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [Refusal(status, "x")] * 3
    for refusal in server.script:
        refusal.body = body

    _, error = asked(model)

    assert isinstance(error, ModelError)


def test_a_wait_that_lies_in_the_past_is_none(server: AnthropicServer) -> None:
    waits: list[float] = []
    server.script = [Refusal(429, "rate_limit_error", retry_after="-5"), [START, *text("Hello"), *end("end_turn")]]

    with closing(AnthropicModel(api_key=KEY, base_url=server.url, sleep=waits.append)) as model:
        words, _ = asked(model)

    assert (words, waits) == ("Hello", [0.0])


def test_the_log_holds_neither_the_key_nor_what_an_error_calls_itself(
    server: AnthropicServer, model: AnthropicModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.script = [Refusal(529, "the student's words\nforged=1")] * 3

    _, error = asked(model)

    assert isinstance(error, ModelUnavailable)
    assert KEY not in caplog.text
    assert "student's words" not in caplog.text
