"""Two students over every live route: nothing of Maya's answer ever reaches Diego, and nothing of his changes it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

import httpx2
import pytest

from services.conversations.items import AssistantText, UserMessage
from tests.agent_fakes import FakeModel, Gate, says
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom

CANARY = "periwinkle"
KEY = "the-key-of-mayas-message"


@dataclass(frozen=True)
class Case:
    """ask: the request, as one of the two, who may name Maya's conversation. diego_gets, maya_gets: the status."""

    ask: Callable[[LiveBrowser, str], httpx2.Response]
    diego_gets: int
    maya_gets: int


MATRIX = {
    ("POST", "/live/messages"): [
        Case(lambda who, _: who.send("Hello", key="another-random-key"), 202, 202),
        Case(lambda who, _: who.send("Hello", key=KEY), 202, 202),
    ],
    ("POST", "/live/{conversation_id}/messages"): [
        Case(lambda who, chat: who.send("Go on", chat, key="another-random-key"), 404, 409),
        Case(lambda who, chat: who.send("Go on", chat, key=KEY), 404, 409),
    ],
    ("POST", "/live/{conversation_id}/stop"): [Case(lambda who, chat: who.stop(chat), 204, 204)],
    ("GET", "/live/{conversation_id}"): [
        Case(lambda who, chat: who.follow(chat), 204, 200),
        Case(lambda who, chat: who.follow(chat, **{"last-event-id": "1"}), 204, 200),
    ],
}
CASES = [
    pytest.param(case, id=f"{route[0]} {route[1]} {n}") for route in MATRIX for n, case in enumerate(MATRIX[route])
]


class RunningAnswer:
    """Maya's answer, which has told the canary and waits before its last word; other answers say "Hello."."""

    def __init__(self, room: ApiRoom, gate: Gate) -> None:
        self.room, self.gate = room, gate
        self.maya = LiveBrowser(room.client, room.services)
        self.diego = LiveBrowser(room.client, room.services, "diego")
        self.chat: str = self.maya.send("Name a colour", key=KEY).json()["conversation_id"]
        gate.reached.wait(5)


@pytest.fixture
def running(make_api: Callable[..., ApiRoom]) -> RunningAnswer:
    gate = Gate()
    before, after = says(f"{CANARY} is")[:-1], says(f"{CANARY} is blue")
    return RunningAnswer(make_api(model=FakeModel([*before, gate, *after[len(before) :]], says("Hello."))), gate)


@pytest.mark.parametrize("case", CASES)
def test_nothing_of_mayas_reaches_diego(running: RunningAnswer, case: Case) -> None:
    answer = case.ask(running.diego, running.chat)

    assert answer.status_code == case.diego_gets
    told = f"{answer.text} {answer.headers}"
    assert not [secret for secret in (CANARY, running.room.maya.student.id, "Maya", running.chat) if secret in told]
    running.gate.open()
    assert running.room.room.watch(running.chat).status.value == "done"
    items = running.room.room.items(running.chat)
    assert [type(item) for item in items] == [UserMessage, AssistantText]


@pytest.mark.parametrize("case", CASES)
def test_the_same_request_does_something_for_maya(running: RunningAnswer, case: Case) -> None:
    threading.Timer(0.3, running.gate.open).start()

    answer = case.ask(running.maya, running.chat)

    assert answer.status_code == case.maya_gets
    assert (CANARY in answer.text) == (case.maya_gets == 200)
    running.gate.open()
    running.room.room.watch(running.chat)
