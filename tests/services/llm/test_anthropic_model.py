"""The Messages API as a stream: what is kept, what is tried again, and what each failure means."""

import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from services.errors import (
    ModelError,
    ModelInterrupted,
    ModelPaused,
    ModelRefused,
    ModelUnavailable,
    PromptTooLong,
)
from services.llm.anthropic_model import AnthropicModel
from services.llm.chat_model import ModelReply, ModelRequest, Usage
from services.llm.citations import Source
from tests.agent_fakes import ask
from tests.anthropic_server import OVERLOADED, START, AnthropicServer, Refusal, Reset, Stall, call, end, text


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    server = AnthropicServer()
    yield server
    server.stop()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def model(server: AnthropicServer, waits: list[float]) -> Iterator[AnthropicModel]:
    with closing(AnthropicModel(api_key="test", base_url=server.url, idle_s=0.3, sleep=waits.append)) as model:
        yield model


def request(**changes: Any) -> ModelRequest:
    message = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    fields = {"model": "claude-haiku-5-5", "system": [{"type": "text", "text": "Be kind."}], "tools": []}
    return ModelRequest(**{**fields, "messages": [message], **changes})


def spoken(model: AnthropicModel) -> tuple[str, ModelReply]:
    words, reply = ask(model, request())
    assert isinstance(reply, ModelReply)
    return words, reply


def failing(model: AnthropicModel) -> tuple[str, ModelError]:
    """The words before a failure, and the failure."""
    words, error = ask(model, request())
    assert isinstance(error, ModelError)
    return words, error


HELLO = [START, *text("Hello", " Maya"), *end("end_turn")]


def test_words_come_as_they_are_said_and_then_the_whole_message(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [[START, *text("Let me", " look."), *call("look", '{"a', '": 1}', index=1), *end("tool_use")]]

    words, reply = spoken(model)

    assert words == "Let me look."
    assert list(reply.content) == [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"a": 1}},
    ]
    assert reply.stop_reason == "tool_use"
    assert reply.usage == Usage(input_tokens=7, cache_read_input_tokens=5, output_tokens=9)


def test_the_cache_is_marked_after_the_system_text_and_the_last_message(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [HELLO]

    spoken(model)

    sent = server.requests[0]
    assert sent["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert sent["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}
    assert not {"temperature", "tools", "thinking", "top_p"} & sent.keys()


@pytest.mark.parametrize("status", [408, 409, 500, 503, 529])
def test_a_passing_failure_before_the_first_word_is_tried_again(
    server: AnthropicServer, model: AnthropicModel, waits: list[float], status: int
) -> None:
    server.script = [Refusal(status, "overloaded_error"), Refusal(status, "overloaded_error"), HELLO]

    words, _ = spoken(model)

    assert words == "Hello Maya"
    assert waits == [0.5, 1.0]


def test_three_tries_are_enough(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [Refusal(529, "overloaded_error")] * 9

    _, error = failing(model)

    assert type(error) is ModelUnavailable
    assert len(server.requests) == 3


def test_an_overload_in_the_stream_before_the_first_word_is_tried_again(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [[START, OVERLOADED], HELLO]

    assert spoken(model)[0] == "Hello Maya"


def test_a_rate_limit_is_waited_for_when_that_is_short(
    server: AnthropicServer, model: AnthropicModel, waits: list[float]
) -> None:
    server.script = [Refusal(429, "rate_limit_error", retry_after="2"), HELLO]

    spoken(model)

    assert waits == [2.0]


@pytest.mark.parametrize("headers", [{"retry_after": "600"}, {}])
def test_a_long_or_endless_wait_is_left_to_the_student(
    server: AnthropicServer, model: AnthropicModel, waits: list[float], headers: dict[str, str]
) -> None:
    server.script = [Refusal(429, "rate_limit_error", **headers)]

    _, error = failing(model)

    assert type(error) is ModelUnavailable
    assert (waits, len(server.requests)) == ([], 1)


@pytest.mark.parametrize(
    ("refusal", "meaning"),
    [
        (Refusal(401, "authentication_error"), ModelPaused),
        (Refusal(402, "billing_error"), ModelPaused),
        (Refusal(403, "permission_error"), ModelPaused),
        (Refusal(404, "not_found_error"), ModelPaused),
        (Refusal(400, "invalid_request_error", "Your credit balance is too low to access the API."), ModelPaused),
        (Refusal(429, "rate_limit_error", "You have reached your monthly spend limit."), ModelPaused),
        (Refusal(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000"), PromptTooLong),
        (Refusal(413, "request_too_large"), PromptTooLong),
        (Refusal(400, "invalid_request_error", "messages.1: unexpected"), ModelRefused),
        (Refusal(422, "invalid_request_error"), ModelRefused),
    ],
)
def test_what_a_retry_would_not_mend_is_not_retried(
    server: AnthropicServer, model: AnthropicModel, refusal: Refusal, meaning: type[ModelError]
) -> None:
    server.script = [refusal]

    _, error = failing(model)

    assert type(error) is meaning
    assert len(server.requests) == 1


@pytest.mark.parametrize("broken", [[OVERLOADED], [Stall()], [Reset()], []])
def test_after_the_first_word_nothing_is_tried_again(
    server: AnthropicServer, model: AnthropicModel, broken: list[Any]
) -> None:
    server.script = [[START, *text("Hel", is_closed=False), *broken]]

    words, error = failing(model)

    assert (words, type(error)) == ("Hel", ModelInterrupted)
    assert len(server.requests) == 1


def test_a_clean_end_without_a_reason_is_no_answer(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [[START, *call("pin", '{"text": "half', is_closed=False)]]

    _, error = failing(model)

    assert type(error) is ModelUnavailable


def test_silence_before_the_first_word_is_not_waited_for_twice(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [[START, Stall()]]

    _, error = failing(model)

    assert (type(error), str(error)) == (ModelUnavailable, "The model did not answer in time.")
    assert len(server.requests) == 1


def test_a_call_whose_arguments_are_cut_off_is_dropped(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [[START, *text("Hm"), *call("pin", '{"text": "half', index=1), *end("max_tokens")]]

    _, reply = spoken(model)

    assert [block["type"] for block in reply.content] == ["text"]
    assert reply.stop_reason == "max_tokens"


def test_empty_text_is_dropped_because_the_api_would_refuse_it_back(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [[START, *text("\n"), *call("look", index=1), *end("tool_use")]]

    _, reply = spoken(model)

    assert [(block["type"], block["input"]) for block in reply.content] == [("tool_use", {})]


def test_a_server_that_is_not_there_is_unavailable(waits: list[float]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    model = AnthropicModel(api_key="test", base_url=f"http://127.0.0.1:{port}", sleep=waits.append)

    _, error = failing(model)
    model.close()

    assert (type(error), str(error)) == (ModelUnavailable, "The model cannot be reached at the moment.")
    assert len(waits) == 2


def test_an_error_is_logged_without_what_the_server_repeats(
    server: AnthropicServer, model: AnthropicModel, caplog: pytest.LogCaptureFixture
) -> None:
    server.script = [Refusal(400, "invalid_request_error", "messages.0: 'the diary of a student'")]

    _, error = failing(model)

    assert "diary" not in caplog.text + str(error)
    assert "400/invalid_request_error" in caplog.text


RESULT = {
    "type": "search_result",
    "source": "https://canvas.example/1",
    "title": "Lab report",
    "content": [{"type": "text", "text": "- Lab report ([open](https://canvas.example/1))"}],
    "citations": {"enabled": True},
}
CITATION = {
    "type": "search_result_location",
    "cited_text": "- Lab report",
    "source": "https://canvas.example/1",
    "title": "Lab report",
    "search_result_index": 0,
    "start_block_index": 0,
    "end_block_index": 1,
}


def cited(*words: str, index: int) -> list[dict[str, Any]]:
    *opened, closing_event = text(*words, index=index)
    delta = {"type": "citations_delta", "citation": CITATION}
    return [*opened, {"type": "content_block_delta", "index": index, "delta": delta}, closing_event]


def test_an_answer_that_cites_is_one_text_with_the_places_beside_it(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    said = [*text("Due:\n\n- ", index=0), *cited("the ", "lab report", index=1), *text("\n\nThat is all.", index=2)]
    server.script = [[START, *said, *end("end_turn")]]

    words, reply = spoken(model)

    assert list(reply.content) == [{"type": "text", "text": "Due:\n\n- the lab report\n\nThat is all."}]
    assert words == reply.content[0]["text"]
    (place,) = reply.cited[0]
    assert words[: place.at].endswith("the lab report")
    assert place.source == Source(title="Lab report", url="https://canvas.example/1")


def test_a_model_that_takes_no_citations_gets_results_as_text_from_then_on(
    server: AnthropicServer, model: AnthropicModel, waits: list[float]
) -> None:
    refusal = Refusal(400, "invalid_request_error", "messages.2.content.0: Input tag 'search_result' is not expected")
    server.script = [refusal, HELLO, HELLO]
    answered = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [RESULT]}]}

    for _ in range(2):
        ask(model, request(messages=[answered]))

    first, *later = [body["messages"][0]["content"][0]["content"][0]["type"] for body in server.requests]
    assert (first, later) == ("search_result", ["text", "text"])
    assert waits == []
