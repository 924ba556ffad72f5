"""Answers as JSON by a schema: on the wire, at the demo model over HTTP, and where a gateway takes no schema."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from anthropic.lib._parse._transform import transform_schema

from services.errors import FeatureRefused, ModelRefused
from services.llm.anthropic_model import AnthropicModel, parameters
from services.llm.chat_model import ModelReply, ModelRequest, Usage
from services.llm.structured_output import StructuredOutput, json_objects
from services.study.generation.drafts import card_schema, question_schema
from services.study.question import QuestionKind
from tests.anthropic_server import START, AnthropicServer, Refusal, end, text
from tests.campus_server import CampusServer

SCHEMA = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"type": "string"}}},
    "required": ["items"],
    "additionalProperties": False,
}
HELLO = [START, *text('{"items": []}'), *end("end_turn")]


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


def replied(said: str) -> ModelReply:
    return ModelReply(content=({"type": "text", "text": said},), stop_reason="end_turn", usage=Usage())


def test_a_schema_stands_beside_the_effort() -> None:
    sent = parameters(request(output_schema=SCHEMA, effort="low"))

    assert sent["output_config"] == {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}}
    assert "output_config" not in parameters(request())


@pytest.mark.parametrize(
    ("refusal", "effort"),
    [
        (Refusal(400, "invalid_request_error", "output_config.format: Extra inputs are not permitted"), "low"),
        (Refusal(400, "invalid_request_error", "This model does not support structured outputs."), "low"),
        (Refusal(400, "invalid_request_error", "output_config: Extra inputs are not permitted"), ""),
        (Refusal(422, "invalid_request_error", "json_schema is not known here"), ""),
    ],
)
def test_a_gateway_that_takes_no_schema_is_asked_in_words_from_then_on(
    server: AnthropicServer, model: AnthropicModel, refusal: Refusal, effort: str
) -> None:
    server.script = [refusal, HELLO, HELLO]
    output = StructuredOutput(model)

    for _ in range(2):
        output.ask(request(effort=effort), SCHEMA)

    assert ["format" in sent.get("output_config", {}) for sent in server.requests] == [True, False, False]
    assert all('"additionalProperties": false' in str(sent["system"][-1]["text"]) for sent in server.requests[1:])


def test_of_both_that_are_refused_under_one_name_each_is_left_out(
    server: AnthropicServer, model: AnthropicModel
) -> None:
    refusal = Refusal(400, "invalid_request_error", "output_config: Extra inputs are not permitted")
    server.script = [refusal, refusal, HELLO]

    StructuredOutput(model).ask(request(effort="low"), SCHEMA)

    assert [sorted(sent.get("output_config", {})) for sent in server.requests] == [["effort", "format"], ["format"], []]


def test_another_refusal_stays_one(server: AnthropicServer, model: AnthropicModel) -> None:
    server.script = [Refusal(400, "invalid_request_error", "messages: too strange")]

    with pytest.raises(ModelRefused) as refused:
        StructuredOutput(model).ask(request(), SCHEMA)

    assert not isinstance(refused.value, FeatureRefused)


def test_the_demo_model_takes_our_schemas_and_can_be_one_that_takes_none(campus: CampusServer) -> None:
    with closing(AnthropicModel(api_key="demo", base_url=f"{campus.url}/anthropic")) as model:
        for schema in (question_schema(tuple(QuestionKind)), card_schema(), SCHEMA):
            assert model.stream(request(output_schema=schema), lambda _: True).stop_reason == "end_turn"

        campus.fault(service="anthropic", fault="no_output_schema", times=0)
        with pytest.raises(FeatureRefused):
            model.stream(request(output_schema=SCHEMA), lambda _: True)
        assert StructuredOutput(model).ask(request(), SCHEMA).stop_reason == "end_turn"


@pytest.mark.parametrize("schema", [question_schema(tuple(QuestionKind)), card_schema()], ids=["questions", "cards"])
def test_our_schemas_hold_nothing_that_the_sdk_would_have_to_change(schema: Any) -> None:
    assert transform_schema(schema) == schema


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ('{"items": [{"a": 1}, {"a": 2}]}', 2),
        ('```json\n{"items": [{"a": 1}]}\n```', 1),
        ('Here you are: {"items": [{"a": 1}]} and that is all.', 1),
        ('{"items": [{"a": 1}, {"a": "cut', 1),
        ('{"items": [{"a": 1}, 7, "x", null, [2], {"a": 3}]}', 2),
        ('{"items": []}', 0),
        ('{"items": {"a": 1}}', 0),
        ('{"other": [{"a": 1}]}', 0),
        ('{"items": [' + "[" * 100_000, 0),
        ("items", 0),
        ("", 0),
    ],
)
def test_whole_objects_are_read_from_whatever_came(said: str, count: int) -> None:
    assert len(json_objects(replied(said), "items")) == count
