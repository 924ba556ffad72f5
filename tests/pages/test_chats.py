"""Chats in the sidebar, on their own page and behind their menu."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from services.conversations.ratings import Rating
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor


@pytest.fixture
def maya(make_visitor: Callable[..., Visitor]) -> Visitor:
    return make_visitor(model=FakeModel(says("The library closes at nine.")))


PICKER = "assistant-picker-homeroom"


def say(maya: Visitor, *texts: str) -> str:
    """A conversation as it is stored after these questions."""
    services = maya.room.services
    chat, _ = maya.room.ask(texts[0])
    for text in texts[1:]:
        services.turns.start_turn(maya.student, chat, text)
        maya.room.watch(chat)
    return chat


def choose(maya: Visitor, menu: str, option: str) -> None:
    """Press a menu button by its key, and one of its options."""
    (found,) = [button for button in maya.page.get("menu_button") if button.key == menu]
    found.set_value(option)
    maya.page.run()


def press(maya: Visitor, key: str) -> None:
    next(button for button in maya.page.button if button.key == key).click().run()


def test_a_chat_is_found_from_the_sidebar_by_a_word_of_its_answer(maya: Visitor) -> None:
    say(maya, "Where can I study?")
    page = maya.opens()

    page.sidebar.text_input[0].set_value("libr").run()

    assert any("**Where can I study?**" in label and "**library**" in label for label in maya.labels)
    page.sidebar.text_input[0].set_value("zeppelin").run()
    assert "Nothing was found" in maya.words


def test_without_a_chat_there_is_nothing_to_search(maya: Visitor) -> None:
    assert not maya.opens().sidebar.text_input


def test_a_long_chat_opens_at_its_end_and_shows_more_on_demand(maya: Visitor) -> None:
    conversations = maya.room.services.conversations
    chat = conversations.create(maya.student.id)
    for number in range(100):
        role = "assistant" if number % 2 else "user"
        conversations.append_message(
            maya.student.id, chat, role=role, content=[{"type": "text", "text": f"word{number}."}], meta={}
        )
    maya.opens(c=chat)
    assert "word70." in maya.words
    assert "word69." not in maya.words

    maya.presses("Show earlier")
    maya.presses("Show earlier")

    assert "word0." in maya.words
    assert "Show earlier" not in maya.labels


def test_all_chats_are_listed_page_by_page(maya: Visitor) -> None:
    store = maya.room.services.store.for_student(maya.student.id)
    for number in range(45):
        at = f"2026-11-01T00:00:{number:02d}+00:00"
        store.insert(
            "conversations", {"id": f"c{number}", "title": f"Chat {number}", "updated_at": at, "is_empty": False}
        )
    maya.opens("chats")

    shown = [label for label in maya.labels if label.startswith("Chat ")]

    assert len(shown) == 20
    assert shown[0].startswith("Chat 44 ")
    assert "45 chats" in maya.words


def test_a_deleted_chat_can_be_had_back_with_one_press(maya: Visitor) -> None:
    chat = say(maya, "Where can I study?")
    maya.opens(c=chat)

    choose(maya, f"chat-menu-{chat}", "Delete")
    assert "“Where can I study?” is deleted." in maya.words
    assert maya.page.title[0].value == "Good morning, Maya."
    maya.presses("Undo")

    assert "The library closes at nine." in maya.words
    assert "is deleted" not in maya.words


def test_a_chat_that_is_back_or_gone_for_good_is_not_called_deleted(maya: Visitor, clock: FakeClock) -> None:
    chat = say(maya, "Where can I study?")
    maya.opens("chats")
    choose(maya, f"chat-menu-{chat}", "Delete")
    assert "“Where can I study?” is deleted." in maya.words

    maya.presses("Put back")
    assert "is deleted" not in maya.words
    choose(maya, f"chat-menu-{chat}", "Delete")
    clock.advance(minutes=10)
    maya.page.run()

    assert "is deleted" not in maya.words


def test_a_rated_answer_says_so(maya: Visitor) -> None:
    chat = say(maya, "Where can I study?")
    maya.opens(c=chat)

    press(maya, f"rate-good-{chat}-2")

    assert any("Rated good" in label for label in maya.labels)
    assert maya.room.items(chat)[-1].rating == Rating(is_good=True)
    press(maya, f"rate-good-{chat}-2")
    assert maya.room.items(chat)[-1].rating is None


def test_earlier_answers_keep_their_thumbs_in_a_menu(maya: Visitor) -> None:
    chat = say(maya, "Where can I study?", "And on Sunday?")
    maya.opens(c=chat)

    choose(maya, f"answer-{chat}-2", "Good answer")

    assert any("Rated good" in button.label for button in maya.page.get("menu_button"))


def test_a_chat_keeps_how_thorough_its_answers_are(maya: Visitor) -> None:
    maya.opens()
    assert any(popover.proto.popover.label == "Homeroom · Quick" for popover in maya.page.get("popover"))
    maya.page.session_state[PICKER] = True
    maya.page.run()
    maya.page.segmented_control(key="effort-new").set_value("thorough").run()
    maya.asks("Where can I study?")
    (chat,) = (chat.id for chat in maya.room.services.conversations.list(maya.student.id, None))

    maya.page.session_state[PICKER] = True
    maya.page.run()
    assert maya.page.segmented_control(key=f"effort-{chat}").value == "thorough"
    assert maya.room.services.conversations.get(maya.student.id, chat).effort == "thorough"
    assert "Thinks longer" in maya.words
    maya.page.query_params.clear()
    maya.page.run()
    maya.page.session_state[PICKER] = True
    assert maya.page.run().segmented_control(key="effort-new").value == "quick"


def test_a_diagram_is_drawn_between_the_words_and_can_be_read(make_visitor: Callable[..., Visitor]) -> None:
    drawing = 'graph TD\nA[Sun] -->|feeds| B[Leaf]\nclick A href "https://evil.example"'
    answer = f"Look:\n\n```mermaid\n{drawing}\n```\n\nAll."
    maya = make_visitor(model=FakeModel(says(answer), says(answer.replace("click", "%% click"))))
    maya.opens(c=say(maya, "Draw it"))
    assert "```text\ngraph TD" in maya.words
    maya.asks("Again")

    assert 'n0["Sun"]' in maya.words
    assert "Sun → Leaf (feeds)" in maya.words
    assert any(code.value.startswith("graph TD") for code in maya.page.code)


def test_the_references_of_a_chat_can_be_copied(maya: Visitor) -> None:
    chat = say(maya, "When is it due?")
    conversations = maya.room.services.conversations
    answer = conversations.messages(maya.student.id, chat)[-1]
    cited = [{"block": 0, "at": 3, "title": "Essay 4", "url": "https://canvas.invalid/assignments/4"}]
    conversations.replace_message(maya.student.id, chat, replace(answer, meta={**answer.meta, "cited": cited}))
    maya.opens(c=chat)

    choose(maya, f"answer-{chat}-{answer.seq}", "References of this chat")

    assert [code.value for code in maya.page.code] == [
        "*Essay 4.* (n.d.). canvas.invalid. https://canvas.invalid/assignments/4"
    ]
    assert "Check each entry before you hand it in" in maya.words


def test_an_answer_without_sources_offers_no_references(maya: Visitor) -> None:
    chat = say(maya, "Thanks!")
    maya.opens(c=chat)

    (menu,) = [button for button in maya.page.get("menu_button") if button.key.startswith(f"answer-{chat}")]
    assert not any("References" in option for option in menu.options)


def test_an_answer_can_be_had_again_and_the_first_one_is_one_press_away(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(says("At nine."), says("At ten.")))
    chat = say(maya, "When does it close?")
    maya.opens(c=chat)

    choose(maya, f"answer-{chat}-2", "Answer again")
    assert "At ten." in maya.words
    assert "At nine." not in maya.words
    assert "2 of 2" in maya.words
    maya.presses("Version before")

    assert "At nine." in maya.words


def test_each_question_has_a_pencil_that_opens_its_words(maya: Visitor) -> None:
    chat = say(maya, "When does it close?", "And on Sunday?")
    maya.opens(c=chat)
    pencils = [button.key for button in maya.page.button if button.label == "Change my question"]
    assert [key.rpartition("-")[2] for key in pencils] == ["1", "3"]

    press(maya, pencils[0])

    assert [area.value for area in maya.page.text_area] == ["When does it close?"]
