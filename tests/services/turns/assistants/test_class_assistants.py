"""Row I2 in the turn (T42): an exam window and the end of a membership hold at every door, and for running turns."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from services.assistants.assistant import DEFAULT_ASSISTANT
from services.assistants.class_assistant import ExamWindow
from services.classes.assistants.assistant_record import AssistantRecord
from services.conversations.items import AssistantText, NoticeItem
from services.conversations.turn_records import TurnStatus
from services.errors import AssistantClosed, ItemNotFound
from services.turns.assistants import assistant_guard
from tests.agent_fakes import Gate, calls, instructions, says
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store
ANNE = "anne@campus.example"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def klass(room: RoomMaker, clock: FakeClock) -> Callable[..., "Klass"]:
    return lambda *script, **more: Klass(
        room(*script, clock=clock, settings={"HOMEROOM_INSTRUCTORS": ANNE}, **more), clock
    )


class Klass:
    """A class of Anne's with a published assistant, and Maya in it."""

    def __init__(self, room: Room, clock: FakeClock) -> None:
        self.room, self.clock, self.services, self.maya = room, clock, room.services, room.maya
        self.classroom = self.services.classroom
        self.anne = self.services.students.sign_in(
            issuer="https://id.example", subject="anne", name="Anne", email=ANNE, is_email_verified=True
        )
        self.school_class = self.classroom.classes.create(self.anne, name="Biology 201")
        self.classroom.memberships.join(self.maya, self.school_class.join_code)
        made = self.classroom.assistants.create(self.anne, self.school_class.id, "Tutor", request_id="0123456789abcdef")
        self.record = self.publish(replace(made.draft, words="In this chat you are the tutor.", integrity="No phones."))

    def publish(self, draft: object) -> AssistantRecord:
        saved = self.classroom.assistants.save(self.anne, draft, seen=1)  # type: ignore[arg-type]
        return self.classroom.assistants.publish(self.anne, saved.id, seen=saved.draft_version)

    def set_window(self, mode: str, minutes: int = 60) -> None:
        now = self.clock()
        window = ExamWindow(
            id="w",
            begins_at=now,
            ends_at=now + timedelta(minutes=minutes),
            mode=mode,
            rules="One sheet of notes.",  # type: ignore[arg-type]
        )
        seen = self.classroom.assistants.get(self.anne, self.record.id).windows
        self.classroom.assistants.set_windows(self.anne, self.record.id, [window], seen=seen)

    def chat(self) -> str:
        return self.services.conversations.create(self.maya.id, assistant=self.record.id)

    def notices(self, conversation: str) -> list[str]:
        items = self.room.items(conversation)
        return [item.sentence for item in items if isinstance(item, NoticeItem)]


def test_a_member_is_answered_by_it_with_the_policy_in_its_words(klass: Callable[..., Klass]) -> None:
    it = klass(says("Hello."))

    it.room.ask("Hello", it.chat())

    told = instructions(it.room.model.requests[0])
    assert "you are the tutor" in told
    assert "How far you help" in told
    assert "No phones." in told


def test_while_it_is_closed_no_message_is_stored_and_the_student_reads_until_when(klass: Callable[..., Klass]) -> None:
    it = klass(says("Never said."))
    conversation = it.chat()
    it.set_window("closed")

    with pytest.raises(AssistantClosed) as refused:
        it.room.ask("Help me with question 3", conversation)
    with pytest.raises(AssistantClosed):
        it.services.turns.start_chat(it.maya, "Help", assistant=it.record.id)

    assert str(refused.value) == "Tutor is closed for an exam until Mon 23 Nov 2026, 10:00 AM CST."
    assert it.room.model.requests == []
    assert it.room.items(conversation) == []
    it.clock.advance(minutes=60)
    _, last = it.room.ask("And now?", conversation)
    assert last.status is TurnStatus.DONE


def test_an_answer_that_was_begun_before_ends_when_the_window_opens(
    klass: Callable[..., Klass], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assistant_guard, "LOOK_EVERY_S", 0.0)
    gate = Gate()
    reply = says("The answer is 42.")
    it = klass([*reply[:2], gate, *reply[2:]])
    conversation = it.chat()
    it.services.turns.start_turn(it.maya, conversation, "What is the answer?")
    assert gate.reached.wait(20)

    it.set_window("closed")
    gate.open()
    last = it.room.watch(conversation)

    assert last.status is TurnStatus.INTERRUPTED
    assert "42" not in str([item for item in last.items if isinstance(item, AssistantText)])
    assert it.notices(conversation) == ["Tutor is closed for an exam until Mon 23 Nov 2026, 10:00 AM CST."]


def test_between_two_steps_it_looks_anew(klass: Callable[..., Klass]) -> None:
    gate = Gate()
    it = klass([gate, *calls(("board_read", {}))], says("Never said."))
    conversation = it.chat()
    it.services.turns.start_turn(it.maya, conversation, "Look")
    assert gate.reached.wait(20)

    it.classroom.assistants.take_back(it.anne, it.record.id)
    gate.open()
    last = it.room.watch(conversation)

    assert len(it.room.model.requests) == 1
    assert last.status is TurnStatus.INTERRUPTED
    assert it.notices(conversation) == ["The assistant of this chat is not available to you any more."]


def test_during_a_window_for_rules_it_reads_the_question_and_the_rules_alone(klass: Callable[..., Klass]) -> None:
    it = klass(says("The mitochondrion is the powerhouse."), says("One sheet."), says("Welcome back."))
    conversation, _ = it.room.ask("What is a mitochondrion?", it.chat())
    it.set_window("rules")

    it.room.ask("May I use notes?", conversation)

    request = it.room.model.requests[1]
    told = instructions(request)
    assert request.tools in ((), [])
    assert "One sheet of notes." in told
    assert "No phones." in told
    assert "you are the tutor" not in told
    sent = str(request.messages)
    assert "May I use notes?" in sent
    assert "powerhouse" not in sent
    assert "mitochondrion" not in sent

    it.clock.advance(minutes=61)
    it.room.ask("And now?", conversation)
    after = it.room.model.requests[2]
    assert "board_read" in {tool["name"] for tool in after.tools}
    assert "you are the tutor" in instructions(after)
    assert "powerhouse" in str(after.messages)


def test_a_chat_whose_assistant_is_gone_goes_on_with_the_default_one_and_says_so_once(
    klass: Callable[..., Klass],
) -> None:
    it = klass(says("Hello."))
    conversation = it.chat()
    it.classroom.memberships.leave(it.maya, it.school_class.id)

    _, last = it.room.ask("Hello", conversation)
    _, second = it.room.ask("Again", conversation)

    assert (last.status, second.status) == (TurnStatus.DONE, TurnStatus.DONE)
    assert it.notices(conversation) == [
        "The assistant of this chat is not available to you any more. Homeroom answers from here on."
    ]
    assert it.services.conversations.get(it.maya.id, conversation).assistant == DEFAULT_ASSISTANT
    assert "you are the tutor" not in instructions(it.room.model.requests[0])


@pytest.mark.parametrize("through", [(), (DEFAULT_ASSISTANT,)])
def test_the_words_of_one_class_ask_no_assistant_of_another_whoever_is_asked_between(
    klass: Callable[..., Klass], through: tuple[str, ...]
) -> None:
    """Its instructor wrote them: they would spend what the other class pays for, and tell what it has to read."""
    other = "c_fedcba9876543210"
    asked = [calls(("ask_assistant", {"assistant": id, "question": "42?"})) for id in (*through, other)]
    it = klass(*asked, says("I cannot."), says("I cannot."))
    chemistry = it.classroom.classes.create(it.anne, name="Chemistry")
    it.classroom.memberships.join(it.maya, chemistry.join_code)
    assistants = it.classroom.assistants
    made = assistants.create(it.anne, chemistry.id, "Chemist", request_id="fedcba9876543210")
    assistants.publish(it.anne, made.id, seen=made.draft_version)

    it.room.ask("Ask the chemist", it.chat())

    assert len(it.room.model.requests) == len(asked) + 1 + len(through)
    assert "belongs to another class" in str(it.room.model.requests[len(asked)].messages)


def test_no_other_door_lets_a_closed_one_or_a_strangers_one_through(klass: Callable[..., Klass]) -> None:
    it = klass(calls(("ask_assistant", {"assistant": "c_0123456789abcdef", "question": "42?"})), says("No."))
    noah = it.room.sign_in("noah")
    call = it.services.gateway.call

    for act in (
        lambda: it.services.configs.config(noah, it.record.id),
        lambda: it.services.gateway.list_tools(noah.id, assistant=it.record.id),
        lambda: call(noah, "planner_list_tasks", {}, asked_by="x", assistant=it.record.id),
    ):
        with pytest.raises(ItemNotFound):
            act()

    it.set_window("closed")
    refused = call(it.maya, "planner_list_tasks", {}, asked_by="x", assistant=it.record.id)
    assert not refused.success
    assert "until Mon 23 Nov 2026, 10:00 AM CST" in str(refused.error)
    config = it.services.configs.config(it.maya, it.record.id)
    assert (config.can_respond, config.enabled_actions) == (False, ())
    assert config.identity["exam"] == "closed"
    assert "you are the tutor" not in config.system_words
    it.room.ask("Ask the tutor")
    assert "Tutor is closed for an exam" in str(it.room.model.requests[1].messages)
