"""Ratings count once each, in the order in which they come, and can be taken back."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from services.errors import BadArguments, ItemNotFound
from services.study.flashcard import FlashcardState
from tests.services.study.review.desk import Desk

pytestmark = pytest.mark.any_store


def test_a_rating_changes_the_card_and_stands_in_its_log(stored_desk: Desk) -> None:
    (card,) = stored_desk.add()

    rated = stored_desk.rate(card.id, 4, "one")

    stored = stored_desk.card(card.id)
    assert stored == rated.card
    assert stored.reviews == 1
    assert stored_desk.days_until(stored) > 1
    assert [(review.id, int(review.rating)) for review in stored_desk.log(card.id)] == [("one", 4)]


def test_the_same_rating_sent_again_counts_once(stored_desk: Desk) -> None:
    (card,) = stored_desk.add()
    stored_desk.rate(card.id, 3, "one")
    stored_desk.rate(card.id, 3, "two")

    for review_id in ("one", "two", "one"):
        again = stored_desk.rate(card.id, 3, review_id)
        assert again.card.reviews == 2

    assert len(stored_desk.log(card.id)) == 2


@pytest.mark.each_store
def test_the_same_rating_sent_by_many_at_once_counts_once(stored_desk: Desk) -> None:
    (card,) = stored_desk.add()
    begin = threading.Barrier(6)

    def send(number: int) -> int:
        begin.wait()
        return stored_desk.rate(card.id, 3, f"review {number % 2}").card.reviews

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(send, range(6)))

    assert stored_desk.card(card.id).reviews == 2
    assert sorted(review.id for review in stored_desk.log(card.id)) == ["review 0", "review 1"]


def test_ratings_of_two_tabs_at_once_all_count_one_after_the_other(stored_desk: Desk) -> None:
    (card,) = stored_desk.add()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: stored_desk.rate(card.id, 3, f"review {number}"), range(8)))

    log = stored_desk.log(card.id)
    assert stored_desk.card(card.id).reviews == len(log) == 8
    assert [review.before["reviews"] for review in log] == list(range(8))


def test_an_undo_brings_back_what_was_step_by_step(stored_desk: Desk) -> None:
    (card,) = stored_desk.add()
    states = [stored_desk.card(card.id)]
    for rating in (3, 3, 1, 2):
        stored_desk.clock.at += timedelta(minutes=11)
        states.append(stored_desk.rate(card.id, rating).card)

    for before in reversed(states[:-1]):
        undone = stored_desk.reviews.undo(stored_desk.student).card
        assert (undone.schedule, undone.due_at, undone.reviews, undone.lapses) == (
            before.schedule,
            before.due_at,
            before.reviews,
            before.lapses,
        )

    assert stored_desk.log(card.id) == []
    with pytest.raises(ItemNotFound):
        stored_desk.reviews.undo(stored_desk.student)


def test_an_undo_sent_twice_takes_back_one_rating(stored_desk: Desk) -> None:
    first, second = stored_desk.add(2)
    stored_desk.rate(first.id, 3, "one")
    stored_desk.clock.at += timedelta(seconds=5)
    stored_desk.rate(second.id, 3, "two")

    for _ in range(2):
        undone = stored_desk.reviews.undo(stored_desk.student, "two")
        assert undone.undo == "one"

    assert stored_desk.card(first.id).reviews == 1
    assert stored_desk.card(second.id).reviews == 0
    assert stored_desk.rate(second.id, 3, "two").card.reviews == 0  # Sent late: it was taken back.


def test_a_rating_is_taken_back_though_another_tab_rated_the_card_since(stored_desk: Desk) -> None:
    desk = stored_desk
    (card, other) = desk.add(2)
    for card_id, rating, review_id in ((card.id, 4, "mine"), (other.id, 4, "alone")):
        desk.rate(card_id, rating, review_id)
    desk.go_to_day(1)
    desk.clock.at -= timedelta(hours=3)
    desk.rate(card.id, 3, "theirs")

    undone = desk.reviews.undo(desk.student, "mine").card

    assert [review.id for review in desk.log(card.id)] == ["theirs"]
    assert undone.reviews == 1
    assert undone.schedule["state"] == 1  # As if "theirs" had been its first rating.
    desk.reviews.undo(desk.student, "theirs")
    assert desk.card(card.id).schedule == {}
    assert desk.card(other.id).reviews == 1


def test_a_rating_kept_offline_counts_for_the_time_when_it_was_given(desk: Desk) -> None:
    (card,) = desk.add()
    desk.go_to_day(3)

    rated = desk.rate(card.id, 4, ago=timedelta(days=2))

    assert rated.review.at == desk.clock.at - timedelta(days=2)
    (logged,) = desk.log(card.id)
    assert logged.at == rated.review.at


def test_what_cannot_be_rated_is_told(desk: Desk) -> None:
    (draft,) = desk.deck.add_drafts(desk.student, [desk.deck.new_card(front="Front", back="Back")])
    (first, second) = desk.add(2)
    desk.rate(first.id, 3, "one")

    with pytest.raises(BadArguments):
        desk.rate(draft.id)
    with pytest.raises(BadArguments):
        desk.rate(second.id, 3, "one")
    with pytest.raises(ItemNotFound):
        desk.rate("gone")


def test_a_suspended_card_is_not_asked_and_loses_no_rating(desk: Desk) -> None:
    (card,) = desk.add()
    desk.deck.suspend(desk.student, [card.id])

    assert desk.reviews.queue(desk.student).cards == ()
    assert desk.rate(card.id).card.state is FlashcardState.SUSPENDED
    assert len(desk.log(card.id)) == 1
