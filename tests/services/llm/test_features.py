"""Features that not every model has: how they go out, and how their refusal is told apart."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from services.errors import FeatureRefused, ModelError, ModelRefused
from services.llm.anthropic_model import AnthropicModel
from services.llm.chat_model import ModelReply, ModelRequest
from tests.agent_fakes import ask
from tests.anthropic_server import START, AnthropicServer, Refusal, end, text

BETA = "mid-conversation-tool-changes-2026-07-01"
HELLO = [START, *text("Hello"), *end("end_turn")]


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    server = AnthropicServer()
    yield server
    server.stop()


@pytest.fixture
def model(server: AnthropicServer) -> Iterator[AnthropicModel]:
    with closing(AnthropicModel(api_key="test", base_url=server.url, sleep=lambda seconds: None)) as model:
        yield model


def request(**changes: Any) -> ModelRequest:
    message = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    fields = {"model": "claude-haiku-5-5", "system": [{"type": "text", "text": "Be kind."}], "tools": []}
    return ModelRequest(**{**fields, "messages": [message], **changes})


def failure(model: AnthropicModel, **changes: Any) -> ModelError:
    _, error = ask(model, request(**changes))
    assert isinstance(error, ModelError)
    return error


@pytest.mark.parametrize(
    "message",
    [
        "Unexpected value(s) `mid-conversation-tool-changes-2026-07-01` for the `anthropic-beta` header.",
        "tools.3.custom.defer_loading: Extra inputs are not permitted",
        "messages.1.content.0: Input tag 'tool_addition' found using 'type' does not match any of the expected tags",
        "messages.1.role: Input should be 'user' or 'assistant'",
    ],
)
def test_a_feature_that_is_refused_is_told_apart_from_other_refusals(
    server: AnthropicServer, model: AnthropicModel, message: str
) -> None:
    server.script = [Refusal(400, "invalid_request_error", message)] * 2

    error, plain = failure(model, betas=(BETA,)), failure(model)

    assert type(error) is FeatureRefused
    assert type(plain) is ModelRefused
    assert len(server.requests) == 2


def test_deferred_tools_and_system_messages_go_out_as_they_are_with_four_marks(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    server.script = [HELLO]
    tool = {"name": "look", "description": "Look.", "input_schema": {"type": "object"}}
    added = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "look"}}
    blocks = [{"type": "text", "text": "Shared."}, {"type": "text", "text": "Own."}]
    messages = [{"role": "user", "content": blocks[:1]}, {"role": "system", "content": [added]}]
    tools = [{**tool, "name": "find_tools"}, {**tool, "defer_loading": True}]

    ask(model, request(system=blocks, tools=tools, messages=messages, betas=("b",)))

    (sent,) = server.requests
    assert sent["tools"] == tools
    assert [[block.get("cache_control") is not None for block in part] for part in _blocks(sent)] == [
        [True] * 2,
        [True],
        [True],
    ]
    assert sent["messages"][1]["content"][0]["tool"] == added["tool"]


def _blocks(sent: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [sent["system"], *(message["content"] for message in sent["messages"])]


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_a_feature_that_is_refused_at_any_try_is_refused_and_not_out_of_reach(
    server: AnthropicServer, model: AnthropicModel, failures: int
) -> None:
    busy = Refusal(529, "overloaded_error", "Overloaded")
    refused = Refusal(400, "invalid_request_error", f"Unexpected value(s) `{BETA}` for the `anthropic-beta` header.")
    server.script = [*[busy] * failures, refused]

    assert type(failure(model, betas=(BETA,))) is FeatureRefused


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_an_effort_that_is_refused_at_the_last_try_is_left_out_in_one_more(
    server: AnthropicServer, model: AnthropicModel, failures: int
) -> None:
    busy = Refusal(529, "overloaded_error", "Overloaded")
    refused = Refusal(400, "invalid_request_error", "This model does not support the effort parameter.")
    server.script = [*[busy] * failures, refused, HELLO]

    _, reply = ask(model, request(effort="low"))

    assert isinstance(reply, ModelReply)
