"""Deferred tools, references, additions and removals: as the API takes them, refuses them and counts them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_type_hints

import anthropic
import pytest
from anthropic.types import beta

from sandbox.model import request_schema as shapes
from sandbox.model.prompt_cache import PromptCache
from sandbox.model.tool_changes import BY_REFERENCE
from sandbox.state import State
from tests.campus_server import CampusServer
from tests.sandbox.model_client import MODEL, claude, says

NOW = datetime(2026, 11, 21, 16, 42, tzinfo=UTC)
MARK = {"cache_control": {"type": "ephemeral"}}
SEARCH: dict[str, Any] = {
    "name": "find_tools",
    "description": "Find tools that are not loaded.",
    "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}},
}
EVENTS: dict[str, Any] = {
    "name": "calendar_list_events",
    "description": "List the events in the student's calendar.",
    "input_schema": {"type": "object", "properties": {}},
    "defer_loading": True,
}
GRADES: dict[str, Any] = {
    **EVENTS,
    "name": "canvas_get_grades",
    "description": "List the student's grades in Canvas. " + "All of them. " * 60,
}
HI: dict[str, Any] = {"role": "user", "content": "hi"}
ASKED = "What events are in my calendar tomorrow?"
OK: dict[str, Any] = {"role": "assistant", "content": "ok"}


def change(kind: str, *names: str) -> dict[str, Any]:
    blocks = [{"type": kind, "tool": {"type": "tool_reference", "name": name}} for name in names]
    return {"role": "system", "content": blocks}


ADD, REMOVE = change("tool_addition", EVENTS["name"]), change("tool_removal", EVENTS["name"])


def found(*names: str) -> list[dict[str, Any]]:
    """A search and its result."""
    called = {"type": "tool_use", "id": "toolu_s", "name": "find_tools", "input": {"query": ASKED}}
    content = [{"type": "tool_reference", "tool_name": name} for name in names]
    result = {"type": "tool_result", "tool_use_id": "toolu_s", "content": content}
    return [{"role": "assistant", "content": [called]}, {"role": "user", "content": [result]}]


def send(campus: CampusServer, *messages: Any, betas: tuple[str, ...] = (BY_REFERENCE,), **more: Any) -> Any:
    with claude(campus) as client:
        return client.beta.messages.create(
            model=MODEL, max_tokens=500, messages=messages, tools=[SEARCH, EVENTS, GRADES], betas=list(betas), **more
        )


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ((change("tool_addition", "x"),), "first message must use"),
        ((HI, OK, ADD), "messages.2: a system message must immediately follow a user message"),
        ((HI, ADD, HI), "messages.1: a system message must immediately follow a user message"),
        ((HI, ADD, HI, OK, HI), "messages.1: a system message"),
        ((HI, change("tool_addition", "nobody")), "Tool reference 'nobody' not found in available tools"),
        ((HI, change("tool_removal", "nobody")), "Tool reference 'nobody' not found in available tools"),
        ((HI, *found("nobody")), "Tool reference 'nobody' not found in available tools"),
        ((HI, change("tool_addition", "find_tools")), "'find_tools' is already available"),
        ((HI, ADD, OK, HI, ADD), "is already available"),
        ((HI, *found(EVENTS["name"]), ADD), "is already available"),
        ((HI, REMOVE), "is not available at this point"),
        ((HI, {**ADD, "clear_at": "never"}), "messages.1.clear_at: Extra inputs are not permitted"),
        ((HI, {"role": "system", "content": [{"type": "tool_addition"}]}), "tool_addition.tool: Field required"),
        ((HI, {"role": "system", "content": [{"type": "tool_addition", "tool": EVENTS}]}), "should be a tool_refer"),
        (({"role": "user", "content": ADD["content"]},), "Input tag 'tool_addition'"),
    ],
)
def test_changes_that_the_api_would_not_take_are_refused(campus: CampusServer, messages: Any, words: str) -> None:
    with pytest.raises(anthropic.BadRequestError) as raised:
        send(campus, *messages)

    assert words in raised.value.message


def test_a_change_needs_its_beta_and_a_beta_must_be_known(campus: CampusServer) -> None:
    with pytest.raises(anthropic.BadRequestError, match="Input tag 'tool_addition'"):
        send(campus, HI, ADD, betas=())
    with pytest.raises(anthropic.BadRequestError, match="Unexpected value"):
        send(campus, HI, betas=("better-answers-2031-01-01",))


def test_words_in_a_system_message_need_no_beta(campus: CampusServer) -> None:
    assert send(campus, HI, {"role": "system", "content": "The student is in a hurry."}, betas=()).content


def test_a_removed_tool_can_be_offered_again(campus: CampusServer) -> None:
    assert send(campus, HI, ADD, OK, HI, REMOVE, OK, HI, ADD).stop_reason == "end_turn"


def test_told_to_the_campus_betas_are_refused_like_by_an_older_model(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="no_betas", times=0)

    with pytest.raises(anthropic.BadRequestError, match="Unexpected value"):
        send(campus, HI, ADD)
    assert send(campus, HI, betas=()).content


def calls_of(message: Any) -> list[tuple[str, Any]]:
    return [(block.name, block.input) for block in message.content if block.type == "tool_use"]


def test_a_tool_that_is_not_loaded_is_searched_for_and_then_called(campus: CampusServer) -> None:
    asked = says(ASKED)

    first = calls_of(send(campus, asked))
    then = calls_of(send(campus, asked, *found(EVENTS["name"])))
    added = calls_of(send(campus, asked, ADD))

    assert first == [("find_tools", {"query": ASKED})]
    assert [name for name, _ in then] == [EVENTS["name"]] == [name for name, _ in added]


def test_what_the_search_does_not_find_or_a_removal_took_is_done_without(campus: CampusServer) -> None:
    asked = says(ASKED)
    searched = send(campus, asked, *found(GRADES["name"]))
    removed = send(campus, HI, ADD, OK, asked, REMOVE)

    assert calls_of(searched) == [("find_tools", {"query": EVENTS["name"]})]
    assert calls_of(removed) == []


def test_a_tool_that_the_instructions_do_not_list_is_not_looked_for(campus: CampusServer) -> None:
    asked = says(ASKED)

    assert calls_of(send(campus, asked, system="You may use canvas_get_grades.")) == []


def test_a_definition_is_counted_where_it_is_added_and_keeps_the_prefix(tmp_path: Path) -> None:
    cache = PromptCache(State(tmp_path / "cache.sqlite"))
    system = [{"type": "text", "text": "You are a helpful assistant of a student. " * 150, **MARK}]

    def meet(*messages: Any, tools: Any = (SEARCH, EVENTS, GRADES)) -> dict[str, int]:
        body = {"model": MODEL, "system": system, "tools": list(tools), "messages": list(messages)}
        return cache.meet(body, key="k", now=NOW)

    def marked(message: dict[str, Any]) -> dict[str, Any]:
        blocks = message["content"]
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        return {**message, "content": [*blocks[:-1], {**blocks[-1], **MARK}]}

    plain = [{**message, "content": [{"type": "text", "text": message["content"]}]} for message in (HI, OK)]
    add = change("tool_addition", GRADES["name"])
    first = meet(marked(plain[0]))
    second = meet(*plain, plain[0], marked(add))
    third = meet(*plain, plain[0], add, plain[1], marked(plain[0]))
    declared_more = meet(
        *plain, plain[0], add, marked(plain[1]), tools=(SEARCH, EVENTS, GRADES, {**EVENTS, "name": "e"})
    )

    assert second["cache_read_input_tokens"] == sum(first.values())
    assert second["cache_creation_input_tokens"] > len(GRADES["description"]) // 4
    assert third["cache_read_input_tokens"] == sum(second.values())
    assert declared_more["cache_read_input_tokens"] >= sum(second.values())


def test_the_shapes_are_those_of_the_sdk() -> None:
    params = {
        "tool_addition": beta.BetaRequestToolAdditionBlockParam,
        "tool_removal": beta.BetaRequestToolRemovalBlockParam,
    }
    for kind, param in params.items():
        required, optional = shapes.BLOCKS[kind]
        assert {"type", *required, *optional} == set(get_type_hints(param))
    assert set(get_type_hints(beta.BetaToolChangeToolReferenceParam)) == {"type", "name"}
    assert BY_REFERENCE in shapes.BETAS
