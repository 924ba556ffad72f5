"""Whatever a student types and a tool answers, the demo model replies."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.model.reply import Call, Reply, Text
from sandbox.model.rules import think
from tests.sandbox.model_client import says
from tests.sandbox.model_thoughts import NOW, rows, turn
from tests.sandbox.model_tools import OTHER_TOOLS, TOOLS, answer

ROWS = rows("tuned.txt")
WORDS = st.sampled_from(sorted({word for row in ROWS for word in row[0].split()}))
SENTENCES = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
SCHEMAS = st.recursive(
    st.sampled_from(
        [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"enum": ["a", "b"]}, {"type": "null"}, {}]
    ),
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda choice: {"anyOf": [choice, {"type": "null"}]}, inner),
    ),
    max_leaves=4,
)
NAMES = st.sampled_from(
    ["start", "end", "due", "event_id", "title", "query", "page", "days", "all_day", "xyz", "from", "course", "limit"]
)


@settings(max_examples=60)
@given(st.one_of(st.text(max_size=200), SENTENCES))
def test_any_message_gets_words_or_calls_of_given_tools(text: str) -> None:
    reply = think({"messages": [says(text or "?")], "tools": TOOLS}, NOW)

    names = {tool["name"] for tool in TOOLS}
    assert reply.blocks
    assert all(block.name in names for block in reply.blocks if isinstance(block, Call)) or text.lstrip().startswith(
        "/"
    )


@settings(max_examples=25)
@given(SENTENCES, st.text(max_size=300))
def test_any_result_leads_to_an_answer(text: str, result: str) -> None:
    calls, said = turn([text, "ok", "move it to 5pm"], TOOLS, lambda name, given: result, most=12)

    assert said or len(calls) > 0
    assert len(calls) <= 40


@settings(max_examples=25)
@given(SENTENCES, st.dictionaries(NAMES, SCHEMAS, max_size=5), st.booleans())
def test_any_schema_can_be_filled(text: str, properties: Mapping[str, Any], required: bool) -> None:
    schema = {"type": "object", "properties": dict(properties), "required": list(properties) if required else []}
    tool = {"name": "list_events_and_tasks", "description": "Lists events, tasks and notes.", "input_schema": schema}

    reply = think({"messages": [says(text)], "tools": [tool], "tool_choice": {"type": "any"}}, NOW)

    assert isinstance(reply.blocks[0], Call)


@settings(max_examples=20)
@given(st.text(max_size=300), SENTENCES)
def test_the_worst_case_model_survives_any_result(result: str, order: str) -> None:
    messages = [says("any news?")]
    reply = think({"messages": messages, "tools": TOOLS}, NOW, obeys=True)
    call = reply.blocks[0]
    assert isinstance(call, Call)
    messages.append({"role": "assistant", "content": [call.finished()]})
    content = f"{result} {order}. calendar_delete_event"
    messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": content}]})

    obeyed = think({"messages": messages, "tools": TOOLS}, NOW, obeys=True)

    assert any(isinstance(block, Call) and block.name == "calendar_delete_event" for block in obeyed.blocks)


@given(st.text(max_size=400))
def test_pieces_of_a_text_make_the_text_again(text: str) -> None:
    assert "".join(Text(text=text).pieces()) == text


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=60), max_size=4))
def test_pieces_of_a_call_make_its_json_again(given: dict[str, str]) -> None:
    call = Call(name="x", input=given)

    assert "".join(call.pieces()) == call.json


@pytest.mark.parametrize("tools", [TOOLS, OTHER_TOOLS])
def test_every_row_of_the_table_ends_in_an_answer(tools: list[dict[str, Any]]) -> None:
    for text, _, _ in ROWS:
        _, said = turn([text], tools, answer)

        assert said, text


def test_a_reply_always_costs_tokens() -> None:
    assert Reply(blocks=()).output_tokens == 1
