"""Study as a page: what one practises, from nothing connected to a deck of two thousand cards."""

import time
from collections.abc import Callable, Iterable

import pytest

from services.study.flashcard import Flashcard, FlashcardState
from services.study.quiz import QuizState
from services.study.store.quiz_repository import QuizRepository
from tests.pages.conftest import Visitor
from tests.services.study.quiz_samples import CHOICE, store_quiz
from ui.flash_message import KEY as OUTCOME

MOST_S = 0.3
"""Of the server's time for a page; a test beside others may take three times as long."""


def has_cards(maya: Visitor, fronts: Iterable[str], **more: object) -> list[Flashcard]:
    deck = maya.room.services.study.cards
    return deck.add(maya.student, [deck.new_card(front=front, back=f"About {front}.", **more) for front in fronts])


def picks(maya: Visitor, view: str) -> None:
    """Open a view by its address, as a reload does."""
    maya.page.query_params["view"] = view
    maya.opens("study")


def test_with_nothing_connected_one_begins_with_a_text_of_ones_own(maya: Visitor) -> None:
    maya.opens("study")
    assert "Nothing to practise yet" in maya.words

    maya.presses("Make a quiz")

    assert maya.page.get("button_group")[-1].options or maya.page.text_area
    assert "Course material" not in str(maya.page)


def test_due_cards_are_counted_with_their_time_and_one_button_begins(maya: Visitor) -> None:
    has_cards(maya, ["Osmosis", "Diffusion", "Turgor"])
    maya.opens("study")

    (button,) = [button for button in maya.page.button if button.key == "study-review"]
    assert button.label.startswith("Review 3 cards · about ")
    button.click().run()

    assert "review" in maya.page.query_params


def test_with_nothing_due_the_page_says_when_the_next_cards_come(maya: Visitor) -> None:
    (card,) = has_cards(maya, ["Osmosis"])
    reviews = maya.room.services.study.reviews
    reviews.rate(maya.student, card.id, 4, review_id="r1")

    maya.opens("study")

    assert "Nothing to review now" in maya.words
    assert "Done for today. The next cards come in " in maya.words


def test_drafts_stand_first_and_are_kept_changed_or_dropped_one_by_one_or_all(maya: Visitor) -> None:
    deck = maya.room.services.study.cards
    first, second, third, *_ = has_cards(maya, "ABCDE", state=FlashcardState.DRAFT)
    picks(maya, "cards")
    assert "Keep all 5 cards" in maya.labels

    maya.page.button(key=f"card-keep-{first.id}").click().run()
    maya.page.button(key=f"card-drop-{second.id}").click().run()
    maya.page.button(key=f"card-edit-{third.id}").click().run()
    maya.page.text_area[0].set_value("A better question")
    maya.presses("Save the card")
    maya.presses("Keep all 3 cards")

    assert deck.count(maya.student, state=FlashcardState.KEPT) == 4
    assert deck.card(maya.student, third.id).front == "A better question"
    assert "Look these over" not in maya.words


def test_cards_that_are_written_are_told_in_place_of_their_writing_and_lead_to_the_review(maya: Visitor) -> None:
    drafts = has_cards(maya, "AB", state=FlashcardState.DRAFT)
    quizzes = QuizRepository(maya.room.services.store)
    store_quiz(maya.room.services.store, maya.student.id, (CHOICE,), product="cards", state=QuizState.WRITING)
    maya.page.session_state[OUTCOME] = "Your cards are being written."
    picks(maya, "cards")
    before = [message.value for message in maya.page.success]
    record = quizzes.quiz(maya.student.id, "quiz-1")
    assert record is not None
    quizzes.change(maya.student.id, record, {"state": QuizState.READY})
    maya.page.session_state[OUTCOME] = "Your cards are being written."
    maya.page.run()
    ready = [message.value for message in maya.page.success]
    maya.presses(f"Keep all {len(drafts)} cards")

    assert before == ["Your cards are being written."]
    assert ready == ["1 card is ready. Look it over, then it can be reviewed."]
    assert [label for label in maya.labels if label.startswith("Review 2 cards")]


def test_dropping_all_drafts_asks_first(maya: Visitor) -> None:
    deck = maya.room.services.study.cards
    has_cards(maya, "AB", state=FlashcardState.DRAFT)
    picks(maya, "cards")

    maya.presses("Drop them all")
    assert "It cannot be brought back" in maya.words or "They cannot be brought back" in maya.words
    assert deck.count(maya.student) == 2
    maya.page.button(key="drafts-drop-yes").click().run()

    assert deck.count(maya.student) == 0


def test_a_card_is_written_by_hand_and_paused_and_left_out_of_the_exam(maya: Visitor) -> None:
    deck = maya.room.services.study.cards
    picks(maya, "cards")
    maya.presses("Write a card")
    maya.page.text_area[0].set_value("Area of a circle")
    maya.page.text_area[1].set_value("$\\pi r^2$")
    maya.page.run()
    maya.presses("Save the card")
    (card,) = deck.cards(maya.student).cards

    for choice in ("Not for this exam", "Pause"):
        (menu,) = [button for button in maya.page.get("menu_button") if button.key == f"card-menu-{card.id}"]
        menu.click(choice).run()

    card = deck.card(maya.student, card.id)
    assert (card.is_for_exam, card.state) == (False, FlashcardState.SUSPENDED)
    assert "not for this exam" in maya.words


@pytest.mark.parametrize("count", [200, pytest.param(2_000, marks=pytest.mark.soak)])
def test_many_cards_are_leafed_through_and_no_page_reads_them_all(maya: Visitor, count: int) -> None:
    has_cards(maya, [f"Card {number}" for number in range(count)])
    picks(maya, "cards")
    assert f"1–20 of {count:,}" in maya.words

    started = time.process_time()
    maya.page.button(key="cards-older").click().run()
    drawn_s = time.process_time() - started

    assert f"21–40 of {count:,}" in maya.words
    assert maya.words.count("About Card") == 20
    assert drawn_s < 3 * MOST_S


def test_a_card_that_was_brought_in_neither_fetches_nor_links_anything(maya: Visitor) -> None:
    has_cards(maya, ["![](https://evil.example/a.png) [here](https://evil.example) <img src=x onerror=alert(1)>"])

    picks(maya, "cards")

    assert "](https://evil.example" not in maya.words
    assert "<img" not in maya.words.replace("\\<img", "")


def test_nobody_sees_the_cards_of_another(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor()
    has_cards(maya, ["Secret front"])
    diego = Visitor(maya.room, "diego")

    picks(diego, "cards")

    assert "Secret front" not in diego.words
    assert "No cards yet" in diego.words


def test_daily_limits_are_saved_at_once(maya: Visitor) -> None:
    has_cards(maya, ["Osmosis"])
    maya.opens("study")

    maya.page.number_input[1].set_value(5).run()

    wanted = maya.room.services.study.reviews.preferences(maya.student)
    assert (wanted.reviews_a_day, wanted.new_a_day) == (150, 5)


def test_a_note_of_ones_understanding_is_added_changed_and_deleted(maya: Visitor) -> None:
    maya.opens("study")
    maya.presses("Add a note")
    maya.page.text_input[-1].set_value("Cells")
    maya.page.text_area[0].set_value("I mix up mitosis and meiosis.")
    maya.presses("Save")
    assert "**Cells** — I mix up mitosis and meiosis." in maya.words

    (menu,) = [button for button in maya.page.get("menu_button") if button.key.startswith("note-menu")]
    menu.click("Edit").run()
    maya.page.text_area[0].set_value("I know mitosis now.")
    maya.presses("Save")
    assert "I know mitosis now." in maya.words

    (menu,) = [button for button in maya.page.get("menu_button") if button.key.startswith("note-menu")]
    menu.click("Delete").run()
    assert maya.room.services.study.notes.all(maya.student) == []
