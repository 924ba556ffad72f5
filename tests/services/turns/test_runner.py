"""Turns: started once, followed from anywhere, stopped at once, gone on with after a crash."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from services.conversations.items import AssistantText, NoticeItem, ToolLine, UserMessage
from services.conversations.turn_records import TurnStatus
from services.errors import BadArguments, ItemNotFound, ModelInterrupted, ModelUnavailable, SignInRequired, TurnBusy
from tests.agent_fakes import WAIT_S, Gate, calls, says
from tests.fakes import FakeClock
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store


def test_a_message_is_answered_and_stored(room: RoomMaker) -> None:
    maya = room(says("Hello Maya, good morning."))

    conversation, last = maya.ask("Hi")

    assert last.status is TurnStatus.DONE
    assert last.items == [AssistantText(text="Hello Maya, good morning.", seq=2)]
    assert maya.items(conversation) == [UserMessage(text="Hi", seq=1), *last.items]
    assert maya.services.turns.current(maya.maya.id, conversation) is None


def test_tools_are_called_and_their_results_go_back_to_the_model(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {"topic": ""}), text="Let me look."), says("Nothing there."))

    conversation, last = maya.ask("What is on the board?")

    assert [type(item) for item in last.items] == [AssistantText, ToolLine, AssistantText]
    line = last.items[1]
    assert isinstance(line, ToolLine)
    assert (line.label, line.success, line.sources[0].title) == ("Reading the board", True, "Board")
    asked_again = maya.model.requests[1].messages
    assert asked_again[-1]["content"][0]["content"][0]["text"].startswith("0 notes (Board).")
    assert [type(i) for i in maya.items(conversation)] == [UserMessage, AssistantText, ToolLine, AssistantText]


def test_a_second_message_waits_until_the_first_is_answered(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *says("Done.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "One")

    with pytest.raises(TurnBusy):
        maya.services.turns.start_turn(maya.maya, conversation, "Two")

    gate.open()
    maya.watch(conversation)
    assert [i.text for i in maya.items(conversation) if isinstance(i, UserMessage)] == ["One"]


def test_a_turn_that_ends_while_a_page_looks_is_drawn_once(room: RoomMaker) -> None:
    maya = room(ModelUnavailable("The model is busy."))
    conversation, last = maya.ask("Hi")

    before = maya.services.conversations.view(maya.maya.id, conversation, followed=last.turn_id)

    assert before == [UserMessage(text="Hi", seq=1)]
    assert [type(item) for item in maya.watch(conversation).items] == [NoticeItem]


@pytest.mark.each_store
def test_a_double_send_runs_once(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *says("Done.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    together = threading.Barrier(4)

    def send(replica: object) -> bool:
        together.wait(WAIT_S)
        try:
            replica.services.turns.start_turn(maya.maya, conversation, "Hi")  # type: ignore[attr-defined]
        except TurnBusy:
            return False
        return True

    replicas = [maya, maya, maya.replica(), maya.replica()]
    with ThreadPoolExecutor(4) as pool:
        started = list(pool.map(send, replicas))
    gate.open()
    maya.watch(conversation)

    assert started.count(True) == 1
    assert len(maya.model.requests) == 1
    assert len([i for i in maya.items(conversation) if isinstance(i, UserMessage)]) == 1


def test_a_turn_goes_on_without_anybody_looking_and_is_followed_again(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([*says("One two three")[:2], gate, *says("One two three")[2:]])
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Count")
    first_page = maya.services.turns.follow(maya.maya, conversation)
    next(first_page)
    first_page.close()
    assert gate.reached.wait(WAIT_S)

    shown = next(maya.services.turns.follow(maya.maya, conversation))
    gate.open()
    last = maya.watch(conversation)

    assert shown.items == [AssistantText(text="One two")]
    assert last.items == [AssistantText(text="One two three", seq=2)]
    assert len(maya.model.requests) == 1


def test_of_a_running_turn_the_stored_view_shows_only_the_question(room: RoomMaker) -> None:
    gate = Gate()
    maya = room(calls(("board_read", {}), text="Looking."), [gate, *says("Done.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Look")
    assert gate.reached.wait(WAIT_S)

    stored, running = maya.items(conversation), maya.services.turns.current(maya.maya.id, conversation)
    gate.open()
    maya.watch(conversation)

    assert stored == [UserMessage(text="Look", seq=1)]
    assert running is not None
    assert [type(item) for item in running.items] == [AssistantText, ToolLine]


def test_stop_returns_at_once_and_keeps_what_was_said(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([*says("One two three")[:2], gate, *says("One two three")[2:]], says("Next."))
    conversation = maya.services.conversations.create(maya.maya.id)
    turn_id = maya.services.turns.start_turn(maya.maya, conversation, "Count")
    assert gate.reached.wait(WAIT_S)

    maya.services.turns.stop(maya.maya, turn_id)
    stopped = maya.items(conversation)
    _, after = maya.ask("And now?", conversation)
    gate.open()

    assert stopped[:2] == [UserMessage(text="Count", seq=1), AssistantText(text="One two", seq=2)]
    assert stopped[2:] == [NoticeItem(sentence="You stopped this answer.")]
    assert after.items == [AssistantText(text="Next.", seq=4)]


def test_a_stopped_worker_says_nothing_any_more(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *calls(("board_read", {}), text="Late words")], says("Never asked."))
    conversation = maya.services.conversations.create(maya.maya.id)
    turn_id = maya.services.turns.start_turn(maya.maya, conversation, "Look")
    assert gate.reached.wait(WAIT_S)
    maya.services.turns.stop(maya.maya, turn_id)

    gate.open()
    maya.services.turns.drain(WAIT_S)

    assert maya.items(conversation) == [
        UserMessage(text="Look", seq=1),
        NoticeItem(sentence="You stopped this answer."),
    ]
    assert maya.board.contexts == []


@pytest.mark.each_store
def test_a_turn_is_stopped_from_another_replica(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([*says("One two")[:1], gate, *says("One two")[1:]])
    conversation = maya.services.conversations.create(maya.maya.id)
    turn_id = maya.services.turns.start_turn(maya.maya, conversation, "Count")
    assert gate.reached.wait(WAIT_S)
    elsewhere = maya.replica()

    elsewhere.services.turns.stop(maya.maya, turn_id)
    gate.open()
    last = maya.watch(conversation)

    assert last.status is TurnStatus.STOPPED
    assert elsewhere.services.turns.current(maya.maya.id, conversation) is None
    assert isinstance(elsewhere.items(conversation)[-1], NoticeItem)


@pytest.mark.each_store
def test_another_replica_follows_a_turn_to_its_end(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *says("All done.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Go")
    views = maya.replica().services.turns.follow(maya.maya, conversation)

    first = next(views)
    gate.open()
    *_, last = views

    assert first.status is TurnStatus.RUNNING
    assert (last.status, last.items) == (TurnStatus.DONE, [AssistantText(text="All done.", seq=2)])


def test_a_failure_before_the_first_word_offers_retry_and_keeps_the_question(room: RoomMaker) -> None:
    maya = room(ModelUnavailable("The model is overloaded at the moment."), says("Here."))

    conversation, failed = maya.ask("Hi")
    maya.services.turns.retry(maya.maya, conversation)
    answered = maya.watch(conversation)

    assert failed.status is TurnStatus.FAILED
    assert failed.notice is not None
    assert failed.notice.action == "retry"
    assert answered.status is TurnStatus.DONE
    assert maya.items(conversation) == [UserMessage(text="Hi", seq=1), AssistantText(text="Here.", seq=2)]


def test_an_answer_that_breaks_off_keeps_its_words_and_offers_continue(room: RoomMaker) -> None:
    maya = room([*says("One two three")[:2], ModelInterrupted("The answer broke off.")], says("three"))

    conversation, broken = maya.ask("Count")
    maya.services.turns.resume(maya.maya, conversation)
    maya.watch(conversation)

    assert broken.status is TurnStatus.INTERRUPTED
    assert broken.notice is not None
    assert broken.notice.action == "continue"
    texts = [i.text for i in maya.items(conversation) if isinstance(i, UserMessage | AssistantText)]
    assert texts == ["Count", "One two", "three"]
    assert [m["role"] for m in maya.model.requests[1].messages] == ["user", "assistant", "user"]


@pytest.mark.parametrize("hours", [0, 10])
def test_a_retry_the_next_morning_tells_the_model_what_day_it_is(room: RoomMaker, hours: int) -> None:
    clock = FakeClock(datetime(2026, 11, 24, 5, 50, tzinfo=UTC))
    maya = room(ModelUnavailable("The model is overloaded at the moment."), says("Here."), clock=clock)

    conversation, _ = maya.ask("What is due tomorrow?")
    asked_at = maya.services.conversations.get(maya.maya.id, conversation).updated_at
    clock.advance(hours=hours)
    maya.services.turns.retry(maya.maya, conversation)
    # An open page elsewhere goes by it.
    assert (maya.services.conversations.get(maya.maya.id, conversation).updated_at > asked_at) is (hours > 0)
    maya.watch(conversation)

    told = str(maya.model.requests[1].messages)
    assert "Monday 23 November 2026, 23:50" in told
    assert ("Tuesday 24 November 2026, 09:50" in told) is (hours > 0)
    assert [item for item in maya.items(conversation) if isinstance(item, UserMessage)] == [
        UserMessage(text="What is due tomorrow?", seq=1)
    ]


def test_retry_and_continue_do_nothing_to_a_finished_turn(room: RoomMaker) -> None:
    maya = room()
    conversation, _ = maya.ask("Hi")

    for again in (maya.services.turns.retry, maya.services.turns.resume):
        with pytest.raises(Exception, match="nothing to go on with"):
            again(maya.maya, conversation)

    assert len(maya.model.requests) == 1


def test_a_disabled_student_starts_nothing(room: RoomMaker) -> None:
    maya = room()
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.students.disable(maya.maya.id)

    with pytest.raises(SignInRequired):
        maya.services.turns.start_turn(maya.maya, conversation, "Hi")

    assert maya.model.requests == []


def test_another_students_conversation_does_not_exist(room: RoomMaker) -> None:
    maya = room()
    conversation, _ = maya.ask("My secret")
    diego = maya.sign_in("diego")

    with pytest.raises(ItemNotFound):
        maya.services.turns.start_turn(diego, conversation, "Hi")

    assert maya.services.conversations.view(diego.id, conversation) == []
    assert maya.services.turns.current(diego.id, conversation) is None
    assert list(maya.services.turns.follow(diego, conversation)) == []


@pytest.mark.parametrize("text", ["", "   \n", "x" * 50_001])
def test_an_empty_or_endless_message_is_refused(room: RoomMaker, text: str) -> None:
    maya = room()
    conversation = maya.services.conversations.create(maya.maya.id)

    with pytest.raises(BadArguments):
        maya.services.turns.start_turn(maya.maya, conversation, text)


def test_a_conversation_is_named_after_its_first_message(room: RoomMaker) -> None:
    maya = room()
    conversation, _ = maya.ask("What is due   this week\nin biology and chemistry, and what should I do first of all?")
    maya.ask("Something else", conversation)

    (listed,) = maya.services.conversations.list(maya.maya.id, 10)

    assert listed.title == "What is due this week in biology and chemistry, and what…"
