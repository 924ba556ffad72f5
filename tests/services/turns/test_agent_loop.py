"""The agent's loop: limits, breakers, stop reasons, and what the model is told when a call cannot run."""

import json
import re
from typing import Any

import pytest

from services.assistants.assistant import Assistant
from services.connections.connection import Health
from services.conversations.items import ApprovalItem, AssistantText, ToolLine
from services.conversations.turn_records import TurnStatus
from services.errors import ModelPaused, ModelRefused, PromptTooLong, ReconnectRequired, ServiceUnavailable
from services.llm.chat_model import ModelReply, Usage
from services.turns.tool_calls import STUDENT_TEXTS, TOO_MANY_WRITES
from services.turns.turn_limits import CALLS_IN_A_TURN, WRITES_IN_A_TURN
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


def results(maya: Room, request: int = -1) -> list[dict[str, object]]:
    """The tool results in a request's last message."""
    return [dict(b) for b in maya.model.requests[request].messages[-1]["content"] if b["type"] == "tool_result"]


def text_of(result: dict[str, object]) -> str:
    return str(result["content"][0]["text"])  # type: ignore[index]


def test_an_unknown_tool_is_answered_with_what_there_is(room: RoomMaker) -> None:
    maya = room(calls(("mail_send", {})), says("I cannot mail."))

    _, last = maya.ask("Mail it")

    assert last.status is TurnStatus.DONE
    (result,) = results(maya)
    assert result["is_error"] is True
    assert "board_read" in text_of(result)


def test_a_tool_of_an_account_that_is_not_connected_is_not_offered_and_does_not_run(
    room: RoomMaker, caplog: pytest.LogCaptureFixture
) -> None:
    maya = room(calls(("board_read", {})), says("Not connected."), is_connected=False)

    maya.ask("Look")

    assert "board_read" not in json.dumps(list(maya.model.requests[0].tools))
    assert "llm_called_disabled_tool" in caplog.text
    assert maya.board.contexts == []


def test_wrong_arguments_are_told_to_the_model(room: RoomMaker) -> None:
    maya = room(calls(("board_pin", {"text": 5, "color": "red"})), says("Sorry."))

    _, last = maya.ask("Pin")

    assert last.status is TurnStatus.DONE
    assert "text" in text_of(results(maya)[0])


def test_the_same_call_is_refused_from_the_third_time_on(room: RoomMaker) -> None:
    maya = room(*[calls(("board_read", {"topic": "x"}))] * 3, says("Enough."))

    maya.ask("Look")

    assert len(maya.board.contexts) == 2
    assert "before in this answer" in text_of(results(maya)[0])


def test_a_turn_takes_a_limited_number_of_steps(room: RoomMaker) -> None:
    """Against threat T23."""
    max_steps = Assistant(id="any", name="Any").max_steps
    steps = [calls(("board_read", {"topic": str(number)})) for number in range(max_steps + 5)]
    maya = room(*steps)

    _, last = maya.ask("Look for ever")

    assert last.status is TurnStatus.INTERRUPTED
    assert last.notice is not None
    assert last.notice.action == "continue"
    assert len(maya.model.requests) == max_steps


def test_fifty_calls_at_once_are_capped_and_all_answered(room: RoomMaker) -> None:
    maya = room(calls(*[("board_read", {"topic": str(number)}) for number in range(50)]), says("Puh."))

    maya.ask("Look everywhere")

    assert len(results(maya)) == 50
    assert len(maya.board.contexts) == CALLS_IN_A_TURN
    assert "Too many calls" in text_of(results(maya)[-1])


def test_a_turn_proposes_no_more_changes_than_a_student_can_read(room: RoomMaker) -> None:
    maya = room(calls(*[("board_pin", {"text": f"Note {number}"}) for number in range(12)]), says("Never."))

    _, waiting = maya.ask("Pin a dozen")

    assert waiting.status is TurnStatus.WAITING
    assert len([item for item in waiting.items if isinstance(item, ApprovalItem)]) == WRITES_IN_A_TURN
    told = [item.sentence for item in waiting.items if isinstance(item, ToolLine)]
    assert told == [STUDENT_TEXTS[TOO_MANY_WRITES]] * 2


def test_results_keep_the_order_of_their_calls(room: RoomMaker) -> None:
    wanted = [("board_read", {"topic": str(number)}) for number in range(8)]
    maya = room(calls(*wanted), says("Done."))

    maya.ask("Look")

    asked = [block["id"] for block in maya.model.requests[1].messages[-2]["content"]]
    assert [result["tool_use_id"] for result in results(maya)] == asked


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_an_answer_that_was_cut_runs_no_tool_and_says_so(room: RoomMaker, reason: str) -> None:
    maya = room(calls(("board_pin", {"text": "Half"}), text="I will", stop_reason=reason), says("go on"))

    conversation, last = maya.ask("Pin")

    assert last.status is TurnStatus.INTERRUPTED
    assert "cut off" in last.notice.sentence  # type: ignore[union-attr]
    assert not [item for item in maya.items(conversation) if isinstance(item, ApprovalItem | ToolLine)]
    assert maya.items(conversation)[1] == AssistantText(text="I will", seq=2)


def test_a_refusal_is_told_and_the_conversation_goes_on(room: RoomMaker) -> None:
    maya = room([ModelReply(content=(), stop_reason="refusal", usage=Usage())], says("Gladly."))

    conversation, refused = maya.ask("Something bad")
    _, answered = maya.ask("Something good", conversation)

    assert refused.status is TurnStatus.DONE
    assert refused.notice is not None
    assert answered.status is TurnStatus.DONE


def test_a_paused_turn_goes_on_by_itself(room: RoomMaker) -> None:
    maya = room(says("First half.", stop_reason="pause_turn"), says("Second half."))

    conversation, last = maya.ask("Go")

    assert last.status is TurnStatus.DONE
    assert [i.text for i in maya.items(conversation)[1:]] == ["First half.", "Second half."]


THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}


@pytest.mark.parametrize("content", [(), (THOUGHT,)], ids=["nothing", "a thought"])
@pytest.mark.parametrize("reason", ["end_turn", "tool_use"])
def test_an_empty_answer_is_not_shown_as_an_answer(room: RoomMaker, content: Any, reason: str) -> None:
    maya = room([ModelReply(content=content, stop_reason=reason, usage=Usage())])

    _, last = maya.ask("Hi")

    assert last.status is TurnStatus.INTERRUPTED
    assert last.notice is not None


def test_an_answer_whose_calls_were_not_whole_is_not_called_done(room: RoomMaker) -> None:
    maya = room(says("Let me look.", stop_reason="tool_use"))

    _, last = maya.ask("Hi")

    assert last.status is TurnStatus.INTERRUPTED


@pytest.mark.parametrize("id", ["toolu_1", "", "a b\0$.", "x" * 200])
def test_each_call_of_a_chat_has_an_id_of_its_own_however_a_gateway_numbers_them(room: RoomMaker, id: str) -> None:
    def looks(topic: str) -> list[Any]:
        call = {"type": "tool_use", "id": id, "name": "board_read", "input": {"topic": topic}}
        return [ModelReply(content=(call,), stop_reason="tool_use", usage=Usage())]

    maya = room(looks("1"), looks("2"), says("Done."), looks("3"), says("Done."))
    conversation, _ = maya.ask("Look")
    maya.ask("Again", conversation)

    ids = [item.call_id for item in maya.items(conversation) if isinstance(item, ToolLine)]
    assert len(set(ids)) == 3
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", id) for id in ids)


def test_a_conversation_that_is_too_long_and_not_summed_up_is_shortened_once_and_for_good(room: RoomMaker) -> None:
    refused, failed = PromptTooLong("Too long."), ModelRefused("No record of this.")
    maya = room(says("One."), says("Two."), refused, failed, says("Three."), says("Four."))
    conversation, _ = maya.ask("first " * 500)
    maya.ask("second", conversation)

    _, last = maya.ask("third", conversation)
    maya.ask("fourth", conversation)

    assert last.status is TurnStatus.DONE
    assert "first" in str(maya.model.requests[2].messages)
    assert "first" not in str(maya.model.requests[4].messages)
    assert "first" not in str(maya.model.requests[5].messages)
    assert len(maya.items(conversation)) == 8


def test_what_stays_too_long_fails_and_is_not_tried_for_ever(room: RoomMaker) -> None:
    maya = room(PromptTooLong("This conversation has become too long for the model."))

    _, last = maya.ask("x" * 1000)

    assert last.status is TurnStatus.FAILED
    assert last.notice is not None
    assert last.notice.action is None
    assert len(maya.model.requests) <= 2


@pytest.mark.parametrize(
    ("error", "action"),
    [(ModelPaused("The assistant is paused."), "retry"), (ModelRefused("The model refused this request."), None)],
)
def test_a_request_that_cannot_work_says_why(room: RoomMaker, error: Exception, action: str | None) -> None:
    maya = room(error)

    conversation, last = maya.ask("Hi")

    assert last.status is TurnStatus.FAILED
    assert last.notice is not None
    assert (last.notice.sentence, last.notice.action) == (str(error), action)
    assert maya.items(conversation)[-1] == last.notice


def test_a_failure_after_a_step_keeps_the_step_and_offers_continue(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), ModelPaused("The assistant is paused."), says("Done."))

    conversation, last = maya.ask("Look")
    maya.services.turns.resume(maya.maya, conversation)
    maya.watch(conversation)

    assert last.status is TurnStatus.INTERRUPTED
    assert len(maya.board.contexts) == 1
    assert [m["role"] for m in maya.model.requests[2].messages] == ["user", "assistant", "user"]


def test_a_service_that_is_down_or_gone_is_told_and_the_turn_goes_on(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), calls(("board_read", {"topic": "x"})), says("Sorry."))
    maya.board.failure = ServiceUnavailable("Board", "The board is down.")
    _, last = maya.ask("Look")

    assert last.status is TurnStatus.DONE
    assert "temporarily unavailable, try again" in text_of(results(maya, 1)[0])
    assert maya.services.connections.all(maya.maya.id)["board"].health is Health.UNREACHABLE


def test_a_grant_that_was_ended_shows_as_reconnect_after_one_failed_call(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Sorry."), says("Still sorry."))
    maya.board.failure = ReconnectRequired("Board", "The board ended your access.")
    maya.service.failure = ReconnectRequired("Board", "The board ended your access.")

    conversation, _ = maya.ask("Look")
    maya.ask("And now?", conversation)

    assert "reconnect your integration" in text_of(results(maya, 1)[0])
    assert maya.services.connections.all(maya.maya.id)["board"].health is Health.REVOKED
    assert "board_read" not in json.dumps(list(maya.model.requests[2].tools))
    assert "The board ended your access." in str(maya.model.requests[2].system)


def test_a_replayed_conversation_begins_with_the_same_bytes(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("One."), says("Two."))
    conversation, _ = maya.ask("Look")
    maya.ask("Again", conversation)

    first, second, third = (json.dumps([*r.system, *r.tools, *r.messages])[:-1] for r in maya.model.requests)

    assert second.startswith(first)
    assert third.startswith(second)


def test_a_turn_reads_the_connections_once(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), calls(("board_read", {"topic": "x"})), says("Done."))
    reads: list[str] = []
    find = maya.engine.find

    def counted(collection: str, *args: object, **more: object) -> object:
        reads.append(collection)
        return find(collection, *args, **more)  # type: ignore[arg-type]

    maya.engine.find = counted  # type: ignore[method-assign, assignment]
    maya.ask("Look")

    assert reads.count("connections") == 1
