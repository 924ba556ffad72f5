"""The chat page: what it shows of a conversation, and that nothing in it can dress up as something else."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from services.errors import ModelUnavailable, ServiceUnavailable
from tests.agent_fakes import FakeModel, Gate, calls, says
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor
from ui.chat import live_component, live_transcript
from ui.chat.live_component import MISSES

HOSTILE = (
    "**bold** <b>html</b> :red[red] :material/home: [click](https://evil.example) ![x](https://evil.example/a.png)"
)


def test_with_nothing_connected_it_points_to_connections(maya: Visitor) -> None:
    page = maya.opens()

    assert page.title[0].value == "Good morning, Maya."
    assert "Connect an account first" in maya.words


def test_a_question_and_its_answer_stand_below_each_other(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(says("All is well.")))
    maya.opens()

    page = maya.asks("How is it going?")

    assert [(message.name, message.markdown[0].value) for message in page.chat_message] == [
        ("user", "How is it going?"),
        ("assistant", "All is well."),
    ]


def test_an_answer_that_is_whole_stands_as_a_reload_would_show_it(make_visitor: Callable[..., Visitor]) -> None:
    text = "See [the board][1] and <b>all</b> is **well**.\n\n[1]: https://evil.example"
    maya = make_visitor(model=FakeModel(calls(("board_read", {})), says(text)))
    maya.room.connect()
    maya.opens()
    maya.asks("What is on the board?")
    live = (maya.words, maya.labels, [expander.label for expander in maya.page.expander])

    maya.page.run()

    assert live == (maya.words, maya.labels, [expander.label for expander in maya.page.expander])
    assert "Stop" not in maya.labels


def test_a_step_that_failed_shows_its_sentence_and_next_step_without_a_click(
    make_visitor: Callable[..., Visitor],
) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_read", {})), says("Sorry.")))
    maya.room.connect()
    maya.room.board.failure = ServiceUnavailable("Board", "The board is down.", next_step="Try again later.")
    maya.opens()

    page = maya.asks("What is on the board?")

    step = page.status[0]
    assert (step.state, step.proto.expanded) == ("error", True)
    assert "The board is down." in step.text[0].value


def test_a_card_shows_every_field_as_literal_text(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_pin", {"text": HOSTILE})), says("Done.")))
    maya.room.connect()
    maya.opens()

    page = maya.asks("Pin it")

    assert HOSTILE in [text.value for text in page.text]
    assert not any(HOSTILE in element.value for element in [*page.markdown, *page.caption])
    assert {"Approve", "Edit", "Decline"} <= set(maya.labels)
    assert maya.room.board.notes == {}


def test_an_approved_action_is_done_and_can_be_undone(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_pin", {"text": "Buy milk"})), says("Pinned it.")))
    maya.room.connect()
    maya.opens()
    maya.asks("Pin it")

    maya.presses("Approve")
    assert list(maya.room.board.notes.values()) == ["Buy milk"]
    assert "Pinned it." in maya.words
    maya.presses("Undo")

    assert maya.room.board.notes == {}
    assert "Undone" in maya.words


def test_an_action_is_done_as_it_was_edited(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_pin", {"text": "Buy milk"})), says("Pinned it.")))
    maya.room.connect()
    maya.opens()
    maya.asks("Pin it")
    maya.presses("Edit")

    maya.page.text_input[0].set_value("Buy bread")
    maya.presses("Approve with these changes")

    assert list(maya.room.board.notes.values()) == ["Buy bread"]


def test_an_edit_that_does_not_fit_is_told_under_its_field_until_it_fits_and_the_form_stays_open(
    make_visitor: Callable[..., Visitor],
) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_pin", {"text": "Buy milk"})), says("Pinned it.")))
    maya.room.connect()
    maya.opens()
    maya.asks("Pin it")
    maya.presses("Edit")

    maya.page.text_input[0].set_value("x")
    maya.presses("Approve with these changes")

    assert ":red[Give at least 2 characters.]" in maya.words
    assert maya.page.text_input[0].value == "x"
    assert maya.room.board.notes == {}
    maya.page.text_input[0].set_value("Buy bread")
    maya.presses("Approve with these changes")
    assert ":red[" not in maya.words
    assert list(maya.room.board.notes.values()) == ["Buy bread"]


def test_a_long_text_on_a_card_can_be_read_whole(make_visitor: Callable[..., Visitor]) -> None:
    note = " ".join(f"word{number}" for number in range(200))
    maya = make_visitor(model=FakeModel(calls(("board_pin", {"text": note})), says("Done.")))
    maya.room.connect()
    maya.opens()

    maya.asks("Pin it")

    shown = [text.value for text in maya.page.text]
    assert note in shown
    assert any(text.startswith("word0 ") and text.endswith(" …") for text in shown)
    assert f"Show all {len(note):,} characters" in [expander.label for expander in maya.page.expander]


def test_a_card_that_waited_too_long_says_so_and_offers_nothing(
    make_visitor: Callable[..., Visitor], clock: FakeClock
) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_pin", {"text": "Buy milk"})), says("Pinned it.")))
    maya.room.connect()
    maya.opens()
    maya.asks("Pin it")

    clock.advance(days=31)
    maya.page.run()

    assert "Expired, nothing was changed" in maya.words
    assert "Approve" not in maya.labels


def test_a_card_whose_time_is_past_says_so_and_can_be_changed_or_declined(
    make_visitor: Callable[..., Visitor], clock: FakeClock
) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_pin", {"text": "Buy milk"})), says("Pinned it.")))
    maya.room.board.begins_at = clock() + timedelta(hours=2)
    maya.room.connect()
    maya.opens()
    maya.asks("Pin it")
    before = maya.words

    clock.advance(hours=3)
    maya.page.run()

    assert "Waits for you until " in before
    assert "The time of this is past, so it cannot be approved as it is." in maya.words
    buttons = {
        button.label: button.disabled for button in maya.page.button if button.label in ("Approve", "Edit", "Decline")
    }
    assert buttons == {"Approve": True, "Edit": False, "Decline": False}


def test_a_question_that_another_tab_was_first_with_comes_back_and_says_why(
    make_visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    maya = make_visitor(model=FakeModel(says("Hello."), [gate, *says("Done.")]))
    maya.opens()
    maya.asks("Hello")
    maya.room.services.turns.start_turn(maya.student, maya.page.query_params["c"], "From the other tab")
    # Following would hold this run up until the gate is open.
    monkeypatch.setattr(live_transcript, "follow_turn", lambda *_: None)

    page = maya.asks("And me?")
    gate.open()

    assert "Another tab or device was first" in page.info[0].value
    assert page.chat_input[0].proto.value == "And me?"


def test_a_model_that_is_down_keeps_the_question_and_offers_retry(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(ModelUnavailable("The model is overloaded."), says("Here I am.")))
    maya.opens()

    page = maya.asks("Are you there?")
    assert "The model is overloaded." in page.info[0].value
    maya.presses("Retry")

    assert "Here I am." in maya.words
    assert "Retry" not in maya.labels


@pytest.mark.parametrize("words", ["[click](https://evil.example/x)", "![x](https://evil.example/x.png)"])
def test_an_address_of_the_models_own_making_is_no_link(make_visitor: Callable[..., Visitor], words: str) -> None:
    maya = make_visitor(model=FakeModel(says(words)))
    maya.opens()

    page = maya.asks("Say something")

    assert "](https://evil.example" not in page.chat_message[1].markdown[0].value


def test_an_unknown_chat_is_told_and_a_new_one_begins(maya: Visitor) -> None:
    page = maya.opens(c="no-such-chat")

    assert "This chat is not here any more." in page.info[0].value
    assert page.title[0].value == "Good morning, Maya."


def test_another_students_chat_is_unknown(maya: Visitor) -> None:
    diego = maya.room.sign_in("diego")
    theirs = maya.room.services.conversations.create(diego.id)
    maya.room.services.turns.start_turn(diego, theirs, "periwinkle")
    list(maya.room.services.turns.follow(diego, theirs))

    maya.opens(c=theirs)

    assert "periwinkle" not in maya.words
    assert "This chat is not here any more." in maya.words


def test_a_connection_that_has_come_loose_is_told_next_to_the_composer(maya: Visitor) -> None:
    maya.room.connect()
    maya.room.services.store.for_student(maya.student.id).compare_and_set(
        "connections", "board", {}, {"health": "revoked"}
    )

    page = maya.opens()

    assert [link.label for link in page.get("page_link") if "Board needs to be reconnected" in link.label]


def test_why_an_answer_had_its_tools_opens_under_it(maya: Visitor) -> None:
    """Closed, there are no words in it; nothing is read for it from the store."""
    store = maya.room.services.conversations
    chat = store.create(maya.student.id)
    plan = {"strategy": "append", "contexts": [["notes", 0.95]], "loaded": ["board_read"], "offered": 2}
    store.append_message(maya.student.id, chat, role="user", content=[{"type": "text", "text": "My notes?"}], meta={})
    store.append_message(
        maya.student.id, chat, role="assistant", content=[{"type": "text", "text": "None."}], meta={"plan": plan}
    )
    page = maya.opens(c=chat)
    assert "could be used" not in maya.words

    page.session_state[f"why-{chat}-2"] = True
    page.run()

    assert "1 of 2 tools could be used: Reading the board." in maya.words


def test_an_answer_that_no_browser_follows_is_drawn_by_the_page(
    make_visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_component, "GRACE_S", 0.08)
    gate = Gate()
    maya = make_visitor(model=FakeModel([gate, *says("Here I am.")]))
    maya.page.session_state[MISSES] = 0
    maya.opens()
    threading.Timer(0.5, gate.open).start()

    page = maya.asks("Hello?")

    assert "Here I am." in maya.words
    assert page.session_state[MISSES] == 1
