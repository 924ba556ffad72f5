"""The deck: cards are added once, looked over, edited, listed page by page and dropped with all that is theirs."""

from dataclasses import replace

import pytest

from services.errors import BadArguments, ItemNotFound, TooLarge
from services.identity.students import Student
from services.study.flashcard import Flashcard, FlashcardPicture, FlashcardState
from services.study.question import Quotation, SourceKind
from services.study.review import deck as limits
from services.study.review.scheduler import SCHEDULER
from tests.services.study.review.desk import Desk

pytestmark = pytest.mark.any_store

PICTURE = FlashcardPicture(name="cell.png", media_type="image/png", data="iVBORw0KGgo=")


def ids(cards: object) -> list[str]:
    return [card.id for card in cards]


def test_a_card_comes_back_as_it_was_added(stored_desk: Desk) -> None:
    quotation = Quotation(source=SourceKind.MATERIAL, source_id="m", page=3, place="Slide 3", url="/x", words="Words")
    (card,) = stored_desk.add(
        course_key="biology", topic="Cells", quotation=quotation, tags=("one", "two"), pictures=(PICTURE,)
    )

    stored = stored_desk.card(card.id)

    assert replace(stored, pictures=()) == replace(card, pictures=())
    assert [(picture.name, picture.data, picture.size) for picture in stored.pictures] == [("cell.png", "", 12)]
    assert [picture.data for picture in stored_desk.deck.pictures(stored_desk.student, card.id)] == [PICTURE.data]


def test_cards_that_are_there_already_stay_as_they_are(stored_desk: Desk) -> None:
    cards = stored_desk.add(3)
    stored_desk.rate(cards[0].id)
    (new,) = [stored_desk.deck.new_card(front="New", back="New")]

    added = stored_desk.deck.add(stored_desk.student, [*(replace(card, front="Other") for card in cards), new, new])

    assert ids(added) == [new.id]
    assert stored_desk.card(cards[0].id).front == "Front 1"
    assert stored_desk.card(cards[0].id).reviews == 1


@pytest.mark.each_store
def test_pages_lead_through_all_cards_once(stored_desk: Desk) -> None:
    cards = stored_desk.add(23, course_key="biology")
    stored_desk.add(4, course_key="history")
    seen: list[str] = []
    after = ""

    while True:
        page = stored_desk.deck.cards(stored_desk.student, "biology", limit=10, after=after)
        seen += ids(page.cards)
        after = page.after
        if not after:
            break

    assert seen == ids(reversed(cards))
    assert stored_desk.deck.course_keys(stored_desk.student) == ["biology", "history"]


def test_cards_are_found_by_words_topic_and_state(desk: Desk) -> None:
    def add(front: str, **more: object) -> Flashcard:
        desk.clock.advance(seconds=1)
        return desk.deck.add(desk.student, [desk.deck.new_card(front=front, back="Back", **more)])[0]

    osmosis, mitosis = add("What is Osmosis?", topic="Cells"), add("What is mitosis?", topic="Division")
    draft = desk.deck.add_drafts(desk.student, [desk.deck.new_card(front="A draft of osmosis", back="Back")])[0]

    def found(**wanted: object) -> list[str]:
        return ids(desk.deck.cards(desk.student, **wanted).cards)

    assert found(query="OSMOSIS what") == [osmosis.id]
    assert found(query="osmosis") == [draft.id, osmosis.id]
    assert found(topic="Division") == [mitosis.id]
    assert found(state=FlashcardState.DRAFT) == [draft.id]
    assert found(query="nothing like it") == []


def test_drafts_are_kept_or_dropped_before_they_are_asked(desk: Desk) -> None:
    drafts = desk.deck.add_drafts(desk.student, [desk.deck.new_card(front=f"{n}", back="Back") for n in range(3)])
    assert desk.reviews.queue(desk.student).cards == ()

    assert desk.deck.keep(desk.student, ids(drafts[:2])) == 2
    desk.deck.drop(desk.student, [drafts[2].id])

    assert sorted(ids(desk.reviews.queue(desk.student).cards)) == sorted(ids(drafts[:2]))
    assert desk.deck.keep(desk.student, ids(drafts)) == 0
    with pytest.raises(ItemNotFound):
        desk.card(drafts[2].id)


def test_an_edit_keeps_the_schedule_and_a_dropped_card_leaves_nothing(stored_desk: Desk) -> None:
    desk = stored_desk
    (card, other) = desk.add(2, pictures=(PICTURE,))
    desk.rate(card.id, 4)
    before = desk.card(card.id)

    edited = desk.deck.edit(desk.student, card.id, front=" Better ", tags=("new", "new", " "))
    assert (edited.front, edited.back, edited.tags) == ("Better", card.back, ("new",))
    assert (edited.schedule, edited.due_at, edited.reviews) == (before.schedule, before.due_at, 1)
    desk.deck.drop(desk.student, [card.id, "gone"])

    mine = desk.store.for_student(desk.student.id)
    left = {
        row.get("card_id", row["id"])
        for name in ("study_cards", "study_pictures", "study_reviews")
        for row in mine.find(name, {})
    }
    assert left == {other.id}


def test_what_is_no_card_is_refused_and_nothing_of_its_batch_is_added(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = desk.deck.new_card(front="Front", back="Back")
    large = replace(PICTURE, data="A" * (limits.MOST_PICTURE_BYTES + 1))
    for wrong in ({"front": "  "}, {"back": ""}, {"back": "x" * (limits.LONGEST_SIDE + 1)}):
        with pytest.raises(BadArguments):
            desk.deck.add(desk.student, [good, replace(good, id="other", **wrong)])
    with pytest.raises(TooLarge):
        desk.deck.add(desk.student, [good, replace(good, id="other", pictures=(large,))])
    monkeypatch.setattr(limits, "MOST_CARDS", 1)
    with pytest.raises(TooLarge):
        desk.deck.add(desk.student, [good, replace(good, id="other")])

    assert desk.deck.count(desk.student) == 0


def test_nobody_sees_or_changes_anothers_cards(desk: Desk) -> None:
    (card,) = desk.add(pictures=(PICTURE,))
    diego = Student(id="diego", name="Diego", email="diego@example.edu")

    assert desk.deck.cards(diego).cards == ()
    assert desk.deck.pictures(diego, card.id) == ()
    desk.deck.drop(diego, [card.id])
    with pytest.raises(ItemNotFound):
        desk.deck.edit(diego, card.id, front="Mine")
    with pytest.raises(ItemNotFound):
        desk.reviews.rate(diego, card.id, 3, review_id="one")
    assert desk.card(card.id).front == "Front 1"


def test_a_card_of_an_earlier_scheduler_is_counted_anew_from_its_log(desk: Desk) -> None:
    (card,) = desk.add()
    for day, rating in enumerate((3, 3, 4, 1, 3)):
        desk.go_to_day(3 * day)
        desk.rate(card.id, rating)
    right = desk.card(card.id)
    stale = {"scheduler": "fsrs-5", "schedule": {**right.schedule, "stability": 77.0, "difficulty": 1.0}}
    desk.repository.update(desk.student.id, right, stale)
    desk.go_to_day(20)

    after = desk.rate(card.id, 3).card

    assert after.scheduler == SCHEDULER
    assert after.schedule == desk.schedule_by(desk.log(card.id))
    assert after.reviews == 6


def test_a_schedule_that_came_from_elsewhere_is_the_beginning(desk: Desk) -> None:
    learned = desk.rate(desk.add()[0].id, 4).card
    imported = desk.deck.new_card(
        id="imported", front="Front", back="Back", schedule=learned.schedule, scheduler="anki", reviews=9, lapses=2
    )
    desk.deck.add(desk.student, [imported])
    assert desk.card("imported").due_at == learned.due_at
    desk.go_to_day(12)

    first = desk.rate("imported", 3, "one").card
    undone = desk.reviews.undo(desk.student, "one").card

    assert first.schedule["stability"] > learned.schedule["stability"]
    assert (undone.schedule, undone.reviews, undone.lapses) == (learned.schedule, 9, 2)
