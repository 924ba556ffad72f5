"""What goes out to Anki or as a table comes back as it was: words, tags, schedule, log, suspension and pictures."""

import base64
from datetime import timedelta
from pathlib import Path

import pytest

from services.files.upload import Upload
from services.study.exchange.card_exchange import CardExchange
from services.study.flashcard import Flashcard, FlashcardPicture, FlashcardState
from tests.fakes import FakeDocuments
from tests.services.study.exchange.anki_files import new_collection, new_package, notes_of, picture
from tests.services.study.review.desk import Desk


@pytest.fixture
def desk() -> Desk:
    desk = Desk(FakeDocuments())
    desk.add(1, topic="Osmosis", tags=("exam 1", "a_b"), course_key="c1")
    desk.add(3, course_key="c1")
    _, learning, reviewed, lapsed = (card.id for card in desk.deck.cards(desk.student).cards)
    desk.rate(learning, 3)
    for rating in (4, 3):
        desk.rate(reviewed, rating)
        desk.clock.at += timedelta(days=9)
    for rating in (4, 1):
        desk.rate(lapsed, rating)
        desk.clock.at += timedelta(minutes=1)
    desk.deck.suspend(desk.student, [reviewed])
    return desk


def exchange_of(desk: Desk) -> CardExchange:
    return CardExchange(desk.deck, lambda student: {"c1": "Biology: cells", "c2": "Maths"})


def read_file(desk: Desk, content: bytes, name: str = "deck.apkg"):  # type: ignore[no-untyped-def]
    return exchange_of(desk).read_package(desk.student, Upload(name=name, content=content))


def _told(card: Flashcard) -> tuple[object, ...]:
    schedule = {
        name: value[:19] if name == "last_review" or (name == "due" and card.schedule["state"] != 2) else value
        for name, value in card.schedule.items()
        if name != "card_id"
    }
    due = card.due_at.replace(microsecond=0) if card.due_at else None
    return card.front, card.back, card.topic, card.tags, card.state, schedule, due, card.reviews, card.lapses


def test_a_package_read_by_another_account_has_all_that_was_known_of_its_cards(desk: Desk) -> None:
    other = Desk(FakeDocuments())
    other.clock.at = desk.clock.at

    package = read_file(desk, exchange_of(desk).export_anki(desk.student))
    exchange_of(other).import_cards(other.student, package)

    mine = {card.id: _told(card) for card in desk.deck.cards(desk.student).cards}
    assert {card.id: _told(card) for card in other.deck.cards(other.student).cards} == mine
    for id in mine:
        logs = [[(int(each.rating), each.days) for each in place.log(id)] for place in (desk, other)]
        assert logs[0] == logs[1]


@pytest.mark.parametrize(
    "side", ["[a](https://x.example)", "# Title\n\ntext", "```py\nx = 1\n```", "a ![](p.png)", "> q"]
)
def test_our_own_package_and_table_read_back_change_nothing(side: str) -> None:
    desk = Desk(FakeDocuments())
    image = FlashcardPicture(name="p.png", media_type="image/png", data=base64.b64encode(picture()).decode())
    desk.deck.add(desk.student, [desk.deck.new_card(front=side, back=side, pictures=(image,))])
    exchange = exchange_of(desk)

    package = read_file(desk, exchange.export_anki(desk.student))
    table = read_file(desk, exchange.export_csv(desk.student), "cards.csv")

    for read in (package, table):
        preview = exchange.preview(desk.student, read)
        assert (preview.new, preview.changed, preview.known) == (0, 0, 1)


def test_a_changed_row_of_our_own_table_changes_its_card(desk: Desk) -> None:
    exchange = exchange_of(desk)
    written = exchange.export_csv(desk.student).replace(b"Front 2", b"Front, better")

    preview = exchange.import_cards(desk.student, read_file(desk, written, "cards.csv"))

    assert (preview.new, preview.changed, preview.known) == (0, 1, 3)


def test_an_id_column_of_others_only_counts_their_lines(desk: Desk) -> None:
    first, second = (read_file(desk, f"id,front,back\n1,{n},a\n".encode(), "cards.csv").cards[0] for n in ("x", "y"))

    assert first.guid != second.guid


def test_a_course_is_one_deck_in_anki(desk: Desk) -> None:
    _, _, decks = notes_of(exchange_of(desk).export_anki(desk.student))

    assert len(decks - {1}) == 1


def test_a_relearned_card_of_anki_comes_when_it_would_there(tmp_path: Path) -> None:
    desk = Desk(FakeDocuments())
    due = int(desk.clock.at.timestamp()) + 600
    relearning = {"type": 3, "queue": 1, "due": due, "ivl": 5, "reps": 7, "lapses": 1, "data": '{"s": 4.5, "d": 7}'}
    package = read_file(desk, new_package(new_collection(tmp_path, [("g", "Q", "A")], relearning)))

    exchange_of(desk).import_cards(desk.student, package)

    (card,) = desk.deck.cards(desk.student).cards
    assert (card.due_at, card.schedule["stability"]) == (desk.clock.at + timedelta(minutes=10), 4.5)
    assert desk.rate(card.id, 3).card.schedule["state"] == 2


def test_a_rating_of_here_is_taken_back_without_those_of_anki(desk: Desk) -> None:
    other = Desk(FakeDocuments())
    other.clock.at = desk.clock.at
    exchange_of(other).import_cards(other.student, read_file(desk, exchange_of(desk).export_anki(desk.student)))
    card = next(
        card for card in other.deck.cards(other.student).cards if card.reviews and card.state is FlashcardState.KEPT
    )
    other.clock.at += timedelta(days=1)

    other.rate(card.id, 3)
    other.reviews.undo(other.student)

    assert _told(other.card(card.id)) == _told(card)
