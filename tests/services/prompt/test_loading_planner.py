"""Loading plans: which strategy, what is kept, what a search finds, and what older models and conversations get."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bench.plans import root_tools
from services.discovery.relevance.tool_ranker import ToolRanker
from services.discovery.tool_search import FIND, MOST_FOUND, find_tools, rank_tools
from services.errors import FeatureRefused, ModelUnavailable, PromptTooLong, ToolUnavailable
from services.llm.messages import StoredMessage, result_block, text_block
from services.prompt.loading_strategy import FEW_TOKENS, MANY_TOKENS, Strategies, Strategy
from services.prompt.prompt_prefix import KEPT, PromptStore
from services.prompt.request_messages import api_messages, tool_change, tool_reference, with_changes, without_changes
from services.storage.documents import Documents
from services.storage.store import Store
from services.tools.tool import Tool
from tests.agent_fakes import calls, instructions, loaded_tools, says
from tests.fakes import FollowedClock
from tests.rooms import Room, RoomMaker, eventually

NEW, OLD = "claude-haiku-5-5", "claude-sonnet-4-5"
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}


@pytest.mark.parametrize(
    ("wanted", "model", "tokens", "before", "chosen"),
    [
        ("auto", NEW, FEW_TOKENS, None, Strategy.FROZEN),
        ("auto", NEW, FEW_TOKENS + 1, None, Strategy.APPEND),
        ("auto", NEW, FEW_TOKENS, Strategy.APPEND, Strategy.APPEND),
        ("auto", NEW, 0, Strategy.APPEND, Strategy.FROZEN),
        ("auto", "claude-opus-5-5", 15_000, None, Strategy.APPEND),
        ("auto", "claude-sonnet-5", 15_000, None, Strategy.FROZEN),
        ("auto", OLD, MANY_TOKENS, None, Strategy.FROZEN),
        ("auto", OLD, MANY_TOKENS + 1, None, Strategy.PER_MESSAGE),
        ("frozen", NEW, 15_000, None, Strategy.FROZEN),
        ("per_message", NEW, 15_000, None, Strategy.PER_MESSAGE),
        ("append", NEW, 200, None, Strategy.APPEND),
    ],
)
def test_the_strategy_goes_by_model_and_size_of_the_tools_unless_the_operator_chose(
    wanted: str, model: str, tokens: int, before: Strategy | None, chosen: Strategy
) -> None:
    assert Strategies(wanted).choose(model, tokens, before) is chosen


def test_a_model_that_refused_is_remembered_and_others_are_not() -> None:
    strategies = Strategies()

    strategies.refuse(NEW)

    assert strategies.choose(NEW, 15_000) is Strategy.FROZEN
    assert strategies.choose("claude-sonnet-5-5", 15_000) is Strategy.APPEND


def test_what_is_kept_lives_as_long_as_it_is_used_and_once_for_all(
    engine: Documents, engine_clock: FollowedClock
) -> None:
    store, now = Store(engine), [datetime(2026, 11, 21, tzinfo=UTC)]
    engine_clock.follows = lambda: now[0]
    kept = [PromptStore(store, lambda: now[0]) for _ in range(2)]

    id = kept[0].keep(["words"])
    assert kept[1].keep(["words"]) == id
    assert len(store.shared.find("prompts", {})) == 1
    now[0] += KEPT - timedelta(days=1)
    assert kept[0].get(id) == ["words"]
    now[0] += KEPT - timedelta(days=1)
    assert PromptStore(store, lambda: now[0]).get(id) == ["words"]
    now[0] += KEPT + timedelta(days=1)
    assert PromptStore(store, lambda: now[0]).get(id) is None


def test_a_search_finds_by_words_by_names_and_by_what_they_are_about(tmp_path: Path) -> None:
    tools = root_tools(tmp_path)

    def names(query: str, contexts: tuple[str, ...] = ()) -> list[str]:
        chances = ToolRanker().chances(query, (), tools, contexts)
        return [tool.name for tool in rank_tools(tools, query, contexts, chances)]

    assert names("grades so far")[0] == "canvas_get_grades"
    assert names("calendar_delete_event planner_list_tasks") == ["calendar_delete_event", "planner_list_tasks"]
    assert "reminders_create" in names("remind me tomorrow", ("calendar",))
    assert names("xyzzy") == []
    assert len(names("list the student's things in the calendar and the notes")) <= MOST_FOUND


def stored(role: Any, *blocks: Any, **meta: Any) -> StoredMessage:
    return StoredMessage(seq=1, role=role, content=blocks, meta=meta)


def test_a_system_message_whose_question_got_no_answer_moves_behind_the_next_one() -> None:
    told = stored("system", tool_change("tool_addition", "a"))
    asked, answered = stored("user", text_block("Hi")), stored("assistant", text_block("Hello"))

    assert [m["role"] for m in api_messages([asked, told, asked])] == ["user", "system"]
    assert [m["role"] for m in api_messages([asked, told, answered, asked])] == ["user", "system", "assistant", "user"]


def test_what_a_shortened_conversation_lost_is_not_removed_and_unknown_tools_are_not_named() -> None:
    sent = [
        {"role": "user", "content": [text_block("Hi")]},
        {"role": "system", "content": [tool_change("tool_removal", "a"), tool_change("tool_addition", "gone")]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": FIND, "input": {}}]},
        {"role": "user", "content": [result_block("1", "", blocks=[tool_reference("gone")])]},
        {"role": "system", "content": [tool_change("tool_addition", "a"), tool_change("tool_addition", "a")]},
    ]

    cleaned = with_changes(sent, {"a"})

    assert [m["role"] for m in cleaned] == ["user", "assistant", "user", "system"]
    assert cleaned[2]["content"][0]["content"][0]["type"] == "text"
    assert cleaned[-1]["content"] == [tool_change("tool_addition", "a")]


def test_without_the_features_instructions_become_context_and_found_tools_a_sentence() -> None:
    sent = [
        {"role": "user", "content": [result_block("1", "", blocks=[tool_reference("a"), tool_reference("b")])]},
        {"role": "system", "content": [text_block("The board is gone."), tool_change("tool_addition", "a")]},
    ]

    (message,) = without_changes(sent)

    assert message["content"][0]["content"] == [text_block("Found: a, b.")]
    assert message["content"][1] == text_block("<context>The board is gone.</context>")


def appending(room: RoomMaker, *script: Any) -> Room:
    return room(*script, loading="append")


def test_a_conversation_that_becomes_too_long_gets_back_the_tools_that_it_needs(room: RoomMaker) -> None:
    maya = appending(room, says("One."), says("Two."), PromptTooLong("Too long."), says("A record."), says("Three."))
    conversation, _ = maya.ask("What is on my board? Find it in my notes. " * 30)
    maya.ask("Hi", conversation)
    maya.ask("Search my notes for the lab", conversation)

    first, _, refused, _, last = maya.model.requests
    assert "board_read" in loaded_tools(first) & loaded_tools(refused) & loaded_tools(last)
    assert len(last.messages) < len(refused.messages)


def test_stop_and_retry_and_another_process_keep_what_was_added(room: RoomMaker) -> None:
    maya = appending(room, ModelUnavailable("Busy."), calls(("board_read", {})), says("Here."), says("Fine."))
    conversation, _ = maya.ask("Search my notes for the lab")
    maya.services.turns.retry(maya.maya, conversation)
    maya.watch(conversation)
    maya.replica().ask("Thanks", conversation)

    first, second, third, last = maya.model.requests
    assert first.messages == second.messages
    assert third.messages[: len(second.messages)] == second.messages
    assert last.messages[: len(third.messages)] == third.messages
    assert (last.system, last.tools) == (first.system, first.tools)


def test_an_older_conversation_keeps_the_tools_that_it_has_used(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Here."))
    conversation, _ = maya.ask("Look")
    maya.loading = "append"
    later = maya.replica()

    later.ask("And again", conversation)

    assert "board_read" in loaded_tools(maya.model.requests[-1])


def test_a_refused_feature_is_not_tried_again_and_the_thoughts_of_before_stay_behind(room: RoomMaker) -> None:
    def thinks(request: Any) -> list[Any]:
        (*words, reply) = says("Here.")
        return [*words, type(reply)(content=(THOUGHT, *reply.content), stop_reason="end_turn", usage=reply.usage)]

    maya = appending(room, thinks, thinks, FeatureRefused("No."), says("All the same."), says("Yes."))
    conversation, _ = maya.ask("Hi")
    maya.ask("Hi again", conversation)
    _, last = maya.ask("Search my notes for the lab", conversation)
    maya.ask("Thanks", conversation)

    requests = maya.model.requests
    assert last.notice is None
    assert [bool(request.betas) for request in requests] == [True, True, True, False, False]
    assert [str(request.messages).count("'thinking': 'Hm.'") for request in requests] == [0, 1, 2, 0, 0]
    assert "board_read" in loaded_tools(requests[-1])
    assert FIND not in loaded_tools(requests[-1])


def test_per_message_only_the_tools_of_its_contexts_and_none_without(room: RoomMaker) -> None:
    maya = room(says("Hello."), calls(("board_read", {})), says("Here."), says("Bye."), loading="per_message")
    conversation, _ = maya.ask("Hi")
    maya.ask("Search my notes for the lab", conversation)
    maya.ask("Thanks, bye", conversation)

    hello, search, _, bye = maya.model.requests
    assert loaded_tools(hello) == set() == loaded_tools(bye)
    assert "board_read" in loaded_tools(search)
    assert "planner_create_task" not in loaded_tools(search)
    assert {block["type"] for message in bye.messages for block in message["content"]} == {"text"}


def test_per_message_what_it_misses_is_searched_out_for_it_alone(room: RoomMaker) -> None:
    asked, used = calls((FIND, {"query": "planner_list_tasks"})), calls(("planner_list_tasks", {}))
    again = calls((FIND, {"query": "planner_list_tasks"}))
    maya = room(asked, used, says("Nothing."), again, says("Still nothing."), loading="per_message")
    noted: list[Any] = []
    maya.services.accounting.record_request = noted.append  # type: ignore[method-assign]

    conversation, _ = maya.ask("Search my notes for the lab")
    _, last = maya.ask("Search my notes for the essay", conversation)

    before, after, _, anew, found = (loaded_tools(request) for request in maya.model.requests)
    assert {FIND, "board_read"} <= before
    assert "planner_list_tasks" not in before | anew
    assert "planner_list_tasks" in after & found
    assert last.notice is None
    eventually(lambda: len(noted) == 5)
    assert [facts.found for facts in noted] == [(), ("planner_list_tasks",), (), (), ("planner_list_tasks",)]
    assert FIND in str(maya.model.requests[0].system)
    assert not any("tool_reference" in str(request.messages) for request in maya.model.requests)


def test_per_message_thoughts_stay_with_the_tools_that_led_to_them(room: RoomMaker) -> None:
    def thinks(request: Any) -> list[Any]:
        (*words, reply) = calls((FIND, {"query": "planner_list_tasks"}))
        return [*words, type(reply)(content=(THOUGHT, *reply.content), stop_reason="tool_use", usage=reply.usage)]

    maya = room(thinks, says("Nothing."), loading="per_message")
    maya.ask("Search my notes for the lab")

    assert "'thinking': 'Hm.'" not in str(maya.model.requests[-1].messages)


@pytest.mark.parametrize("loading", ["append", "per_message"])
def test_a_message_brings_what_stands_in_for_what_the_student_lacks(room: RoomMaker, loading: str) -> None:
    maya = room(says("Yes."), loading=loading)
    conversation, _ = maya.ask("Remind me to read chapter 7 by Friday")
    maya.ask("¿Qué tengo que entregar esta semana?", conversation)

    remind, due = maya.model.requests
    assert "planner_create_task" in loaded_tools(remind)
    assert "planner_list_tasks" in loaded_tools(due)


def test_with_all_tools_in_front_a_change_is_told_in_the_context(room: RoomMaker) -> None:
    maya = room(says("Hello."), is_connected=False)
    conversation, _ = maya.ask("Hi")
    maya.connect()
    maya.ask("Hi", conversation)

    first, last = maya.model.requests
    assert "board_read" not in loaded_tools(first)
    assert "board_read" in loaded_tools(last)
    assert "board_read" in instructions(last)


def test_every_request_of_a_turn_is_counted_with_its_plan(room: RoomMaker) -> None:
    maya = appending(room, calls((FIND, {"query": "board_read"})), calls(("board_read", {})), says("Here."))
    noted: list[Any] = []
    maya.services.accounting.record_request = noted.append  # type: ignore[method-assign]

    maya.ask("Hi")
    eventually(lambda: len(noted) == 3)

    assert [facts.is_first for facts in noted] == [True, False, False]
    assert [facts.called for facts in noted] == [(FIND,), ("board_read",), ()]
    assert [facts.found for facts in noted] == [(), ("board_read",), ()]
    assert [facts.loaded for facts in noted] == [(), ("board_read",), ("board_read",)]
    assert [facts.searched for facts in noted] == [(), ("board_read",), ("board_read",)]
    assert {facts.strategy for facts in noted} == {"append"}
    assert noted[0].tools_tokens < noted[1].tools_tokens < noted[1].all_tools_tokens
    assert noted[0].offered == len(maya.services.agent.get_user_tools(maya.maya.id))


def test_the_search_is_nobodys_tool_but_the_models(room: RoomMaker) -> None:
    maya = appending(room, says("Hello."))

    tools: list[Tool] = list(maya.services.root_tools.tools())

    assert find_tools.name not in {tool.name for tool in tools}
    with pytest.raises(ToolUnavailable):
        maya.services.gateway.call(maya.maya, FIND, {"query": "notes"}, asked_by="tests")
