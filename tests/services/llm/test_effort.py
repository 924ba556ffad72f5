"""Quick and Thorough: what a chat has chosen decides its model and its thought, from the next message on."""

from contextlib import closing
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

import pytest

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.errors import BadArguments, ItemNotFound
from services.llm.anthropic_model import AnthropicModel
from services.llm.capabilities import capabilities_of
from services.llm.chat_model import ModelRequest
from services.llm.effort import EFFORTS, effort_of, with_effort
from services.prompt.loading_strategy import Strategy
from services.turns.turn_limits import max_steps_of
from tests.agent_fakes import WAIT_S, FakeModel, ask, calls, says
from tests.anthropic_server import START, AnthropicServer, Refusal, end, text
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store

THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}


def thinks(words: str) -> list[Any]:
    *spoken, reply = says(words)
    return [*spoken, replace(reply, content=(THOUGHT, *reply.content))]


def models(model: FakeModel) -> list[str]:
    return [request.model for request in model.requests]


def test_a_chat_is_answered_by_the_model_of_its_choice_from_the_next_message_on(room: RoomMaker) -> None:
    maya = room(says("Hello."))
    chats, settings = maya.services.conversations, maya.services.settings
    conversation, _ = maya.ask("Hi")
    chats.set_effort(maya.maya.id, conversation, "thorough")
    maya.ask("Plan my term", conversation)
    chats.set_effort(maya.maya.id, conversation, None)
    maya.ask("Thanks", conversation)
    fresh = chats.create(maya.maya.id, effort="thorough")
    maya.ask("Hi", fresh)

    quick, thorough = settings.model_quick, settings.model_thorough
    assert models(maya.model) == [quick, thorough, quick, thorough]
    assert [request.effort for request in maya.model.requests] == ["medium", "high", "medium", "high"]
    assert [request.thinks for request in maya.model.requests] == [False, True, False, True]
    assert chats.get(maya.maya.id, fresh).effort == "thorough"


def test_what_an_assistant_does_by_itself_counts_until_the_student_chooses(room: RoomMaker) -> None:
    maya = room(says("Hello."))
    registry = maya.services.assistants
    registry.save(replace(registry.get(DEFAULT_ASSISTANT), model="thorough"))

    conversation, _ = maya.ask("Hi")
    maya.services.conversations.set_effort(maya.maya.id, conversation, "quick")
    maya.ask("Hi", conversation)

    assert models(maya.model) == [maya.services.settings.model_thorough, maya.services.settings.model_quick]


def test_only_the_two_choices_and_only_for_ones_own_chats(room: RoomMaker) -> None:
    maya = room()
    chats, leo = maya.services.conversations, maya.sign_in("leo")
    conversation = chats.create(maya.maya.id)

    with pytest.raises(BadArguments):
        chats.set_effort(maya.maya.id, conversation, "enormous")  # type: ignore[arg-type]
    with pytest.raises(ItemNotFound):
        chats.set_effort(leo.id, conversation, "thorough")
    assert chats.get(maya.maya.id, conversation).effort is None
    assert [effort.id for effort in EFFORTS] == ["quick", "thorough"]


def test_a_turn_keeps_the_effort_it_began_with_through_its_approval(room: RoomMaker) -> None:
    maya = room(calls(("board_pin", {"text": "Lab on Friday"})), says("Pinned."))
    conversation = maya.services.conversations.create(maya.maya.id, effort="thorough")
    maya.ask("Pin it", conversation)
    (approval,) = maya.services.approvals.for_conversation(maya.maya.id, conversation).values()
    maya.services.conversations.set_effort(maya.maya.id, conversation, "quick")

    maya.services.turns.decide(maya.maya, approval.id, "approve")
    maya.watch(conversation)

    assert models(maya.model) == [maya.services.settings.model_thorough] * 2


def test_thoughts_stay_with_their_model_and_come_back_with_it(room: RoomMaker) -> None:
    """The API drops or refuses what another model thought, and what was thought behind another beginning."""
    maya = room(thinks("One."), thinks("Two."), thinks("Three."), says("Four."), loading="auto")
    chats = maya.services.conversations
    conversation = chats.create(maya.maya.id)
    for effort in ("quick", "thorough", "quick", "thorough"):
        chats.set_effort(maya.maya.id, conversation, effort)  # type: ignore[arg-type]
        maya.ask("Go on", conversation)

    first, second, third, fourth = maya.model.requests
    assert [str(request.messages).count("'thinking': 'Hm.'") for request in maya.model.requests] == [0, 0, 1, 1]
    assert (first.system, first.tools) == (third.system, third.tools)
    assert (second.system, second.tools) == (fourth.system, fourth.tools)
    assert third.messages[: len(first.messages)] == first.messages


def test_coming_back_to_a_model_keeps_the_way_its_tools_were_loaded(room: RoomMaker) -> None:
    maya = room(says("Hello."), loading="auto")
    chats = maya.services.conversations
    conversation, _ = maya.ask("Hi")
    chats.set_effort(maya.maya.id, conversation, "thorough")
    maya.ask("Hi", conversation)
    few = replace(maya.services.assistants.get("research"), categories=("notes",), id="few")
    maya.services.assistants.save(replace(few, version=""))
    chats.switch_assistant(maya.maya.id, conversation, maya.services.assistants.get("few"))
    chats.set_effort(maya.maya.id, conversation, "quick")
    maya.ask("Hi", conversation)

    plans = [m.meta["plan"]["strategy"] for m in chats.messages(maya.maya.id, conversation) if "plan" in m.meta]
    assert plans == [Strategy.APPEND] * 3


def test_each_request_is_counted_for_the_model_that_answered_it(room: RoomMaker) -> None:
    maya = room(says("Hello."))
    noted: SimpleQueue[Any] = SimpleQueue()
    maya.services.accounting.record_request = noted.put  # type: ignore[method-assign]
    conversation, _ = maya.ask("Hi")
    maya.services.conversations.set_effort(maya.maya.id, conversation, "thorough")
    maya.ask("Hi", conversation)

    settings = maya.services.settings
    counted = [noted.get(timeout=WAIT_S).model for _ in range(2)]
    assert counted == [settings.model_quick, settings.model_thorough]


def test_another_way_keeps_the_choice(room: RoomMaker) -> None:
    maya = room(says("Hello."))
    conversation = maya.services.conversations.create(maya.maya.id, effort="thorough")
    maya.ask("Hi", conversation)

    branch = maya.services.chats.branches.ask_instead(maya.maya, conversation, 1, "Hello")
    maya.watch(branch)

    assert maya.services.conversations.get(maya.maya.id, branch).effort == "thorough"


def test_more_steps_only_where_more_was_asked_for() -> None:
    plain, slow = Assistant(id="a", name="A", max_steps=12), Assistant(id="b", name="B", model="thorough", max_steps=30)

    assert [max_steps_of(effort_of(chosen, plain), plain) for chosen in (None, "quick", "thorough")] == [12, 12, 24]
    assert [max_steps_of(effort_of(chosen, slow), slow) for chosen in (None, "quick", "thorough")] == [30, 30, 30]


@pytest.mark.parametrize(
    ("model", "window", "effort", "is_thinking"),
    [
        ("claude-haiku-5-5", 1_000_000, "high", True),
        ("claude-sonnet-5-5-20260930", 1_000_000, "high", True),
        ("claude-sonnet-4-6", 1_000_000, "high", True),
        ("claude-sonnet-4-5", 200_000, "", False),
        ("somebody-elses-model", 200_000, "", False),
    ],
)
def test_a_model_is_told_only_what_it_takes(model: str, window: int, effort: str, is_thinking: bool) -> None:
    asked = with_effort(ModelRequest(model=model, system=(), tools=(), messages=()), "thorough")

    assert (asked.effort, asked.thinks) == (effort, is_thinking)
    assert capabilities_of(model).window == window
    assert asked.max_tokens <= capabilities_of(model).most_output


def test_a_gateway_that_knows_no_effort_is_asked_once_and_then_without() -> None:
    server, waits = AnthropicServer(), list[float]()
    hello = [START, *text("Hello"), *end("end_turn")]
    refused = "output_config: Extra inputs are not permitted"
    server.script = [Refusal(400, "invalid_request_error", refused), hello, hello]
    said = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    system = [{"type": "text", "text": "Be kind."}]
    plain = ModelRequest(model="claude-sonnet-5-5", system=system, tools=(), messages=[said])
    with closing(AnthropicModel(api_key="test", base_url=server.url, idle_s=0.5, sleep=waits.append)) as model:
        for _ in range(2):
            ask(model, with_effort(plain, "thorough"))
    server.stop()

    sent = server.requests
    assert (sent[0]["output_config"], sent[0]["thinking"]) == ({"effort": "high"}, {"type": "adaptive"})
    assert [{"output_config", "thinking"} & body.keys() for body in sent[1:]] == [set(), set()]
    assert waits == []
