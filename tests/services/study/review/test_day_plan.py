"""A day's portion: within the limits, the most urgent first, what was missed spread over days, siblings apart."""

from datetime import timedelta

import pytest

from services.errors import BadArguments
from services.study.flashcard import Flashcard
from services.study.question import Quotation, SourceKind
from services.study.review.exam_cap import ExamDate
from services.study.review.review_results import ReviewQueue
from tests.services.study.review.desk import START, Desk


def quoted(words: str) -> Quotation:
    return Quotation(source=SourceKind.MATERIAL, source_id="lecture", page=3, words=words)


def learned(desk: Desk, count: int, **more: object) -> list[Flashcard]:
    """Cards that were rated as easy now."""
    return [desk.rate(card.id, 4).card for card in desk.add(count, **more)]


def queue(desk: Desk, **more: object) -> ReviewQueue:
    return desk.reviews.queue(desk.student, limit=1_000, **more)


def work_off(desk: Desk, shown: ReviewQueue) -> None:
    for card in shown.cards:
        desk.clock.advance(seconds=10)
        desk.rate(card.id, 4, seconds=10)


def test_new_cards_come_in_the_order_of_their_making_up_to_the_limit(desk: Desk) -> None:
    desk.reviews.set_limits(desk.student, reviews_a_day=50, new_a_day=7)
    cards = desk.add(30)

    first = queue(desk)
    work_off(desk, first)

    assert [card.id for card in first.cards] == [card.id for card in cards[:7]]
    after = queue(desk)
    assert (after.cards, after.done, after.has_more) == ((), 7, True)
    assert len(queue(desk, is_more=True).cards) == 7
    desk.go_to_day(1)
    assert [card.id for card in queue(desk).cards] == [card.id for card in cards[7:14]]


@pytest.mark.soak
def test_missed_weeks_come_back_over_several_days_and_nothing_is_lost(desk: Desk) -> None:
    desk.reviews.set_limits(desk.student, reviews_a_day=100, new_a_day=0)
    cards = learned(desk, 240)
    desk.go_to_day(60)
    sizes, seen = [], set()

    for day in range(60, 68):
        desk.go_to_day(day)
        shown = queue(desk)
        sizes.append(shown.due)
        assert shown.due + shown.later == 240 - len(seen)
        work_off(desk, shown)
        assert queue(desk).due == 0  # The portion does not grow again while one works it off.
        seen |= {card.id for card in shown.cards}

    assert sizes == [60, 45, 34, 26, 20, 20, 20, 15]
    assert seen == {card.id for card in cards}


def test_an_exam_near_brings_missed_cards_back_sooner_and_first(desk: Desk) -> None:
    desk.reviews.set_limits(desk.student, reviews_a_day=100, new_a_day=0)
    calm = learned(desk, 40, course_key="history")
    near = learned(desk, 40, course_key="biology")
    desk.go_to_day(40)
    desk.exams.exams = [ExamDate(course_key="biology", at=desk.clock.at + timedelta(days=2))]

    shown = queue(desk)

    assert shown.due == 40
    assert {card.id for card in shown.cards} == {card.id for card in near}
    assert not {card.id for card in shown.cards} & {card.id for card in calm}


def test_what_is_known_worst_comes_first(desk: Desk) -> None:
    shaky, firm = learned(desk, 2)
    desk.go_to_day(10)
    desk.rate(firm.id, 4)
    desk.rate(shaky.id, 2)
    desk.go_to_day(200)

    assert [card.id for card in queue(desk).cards] == [shaky.id, firm.id]


def test_cards_of_the_same_words_come_on_different_days(desk: Desk) -> None:
    first, second = desk.add(2, quotation=quoted("Osmosis is the net movement of water."))
    (other,) = desk.add(quotation=quoted("Diffusion needs no energy."))

    assert {card.id for card in queue(desk).cards} == {first.id, other.id}
    desk.rate(first.id, 4)
    assert {card.id for card in queue(desk).cards} == {other.id}
    desk.go_to_day(1)
    assert {card.id for card in queue(desk).cards} == {second.id, other.id}


def test_new_cards_are_mixed_with_those_that_are_due(desk: Desk) -> None:
    learned(desk, 12)
    desk.add(4)
    desk.go_to_day(12)

    kinds = "".join("n" if not card.schedule else "d" for card in queue(desk).cards)

    assert kinds.count("n") == 4
    assert "nn" not in kinds
    assert kinds[0] == "d"


def test_a_card_that_is_being_learned_comes_again_in_minutes_and_early_where_nothing_else_is_left(desk: Desk) -> None:
    forgotten, other = desk.add(2)
    desk.rate(forgotten.id, 1)
    assert [card.id for card in queue(desk).cards] == [other.id]
    desk.rate(other.id, 4)

    assert [card.id for card in queue(desk).cards] == [forgotten.id]
    desk.clock.advance(minutes=2)
    assert [card.id for card in queue(desk).cards] == [forgotten.id]


def test_the_day_begins_at_four_in_the_students_own_time(desk: Desk) -> None:
    (card,) = learned(desk, 1)
    days = desk.days_until(card)

    desk.go_to_day(days, hour=4)
    desk.clock.advance(seconds=-1)
    assert queue(desk).cards == ()
    assert queue(desk).next_at == desk.clock.at + timedelta(seconds=1)
    desk.clock.advance(seconds=1)
    assert [each.id for each in queue(desk).cards] == [card.id]


def test_counts_and_the_queues_of_courses_agree(desk: Desk) -> None:
    learned(desk, 9, course_key="biology")
    learned(desk, 5, course_key="history")
    desk.add(3, course_key="history")
    desk.go_to_day(11)

    counts = desk.reviews.counts(desk.student)

    for course in ("biology", "history"):
        shown = queue(desk, course_key=course)
        assert (counts[course].due, counts[course].new) == (shown.due, shown.new)
        assert all(card.course_key == course for card in shown.cards)
        assert shown.minutes == counts[course].minutes > 0
    assert counts["history"].new == 3


def test_limits_that_are_none_are_refused(desk: Desk) -> None:
    for reviews, new in ((-1, 5), (5, -1), (5_000, 5), (5, 5_000)):
        with pytest.raises(BadArguments):
            desk.reviews.set_limits(desk.student, reviews_a_day=reviews, new_a_day=new)
    assert desk.clock.at == START
    assert desk.reviews.preferences(desk.student).reviews_a_day == 150
