"""No interval runs past the exam that a card is for; after it a card goes on as its schedule says."""

from datetime import datetime, timedelta

import pytest

from services.study.flashcard import Flashcard
from services.study.question import Quotation, SourceKind
from services.study.review.exam_cap import ExamDate
from services.study.review.scheduler import due_of
from services.study.review.study_day import start_of_day, study_day
from tests.services.study.review.desk import START, Desk

BIOLOGY = "canvas:101"


def exam_on(desk: Desk, day: int, *, course: str = BIOLOGY, materials: tuple[str, ...] = ()) -> ExamDate:
    """An exam at nine in the morning of that day."""
    at = start_of_day(study_day(START, desk.zone) + timedelta(days=day), desk.zone) + timedelta(hours=5)
    return ExamDate(course_key=course, at=at, material_ids=materials)


def learn(desk: Desk, card: Flashcard, *, easy_times: int = 3) -> Flashcard:
    """Rate a card as easy on the first day and each time it is due; its interval is then months long."""
    for _ in range(easy_times):
        due = desk.card(card.id).due_at
        desk.clock.at = max(desk.clock.at, due or desk.clock.at) + timedelta(minutes=1)
        desk.rate(card.id, 4)
    return desk.card(card.id)


@pytest.mark.parametrize("rating", [1, 2, 3, 4])
@pytest.mark.parametrize("days", [1, 2, 3, 5, 9, 20, 60])
def test_no_button_leads_past_the_exam(desk: Desk, rating: int, days: int) -> None:
    cards = desk.add(12, course_key=BIOLOGY)
    desk.exams.exams = [exam_on(desk, days)]

    for card in cards:
        after = desk.rate(card.id, rating).card
        assert after.due_at is not None
        if days > 1:
            assert after.due_at < start_of_day(study_day(desk.exams.exams[0].at, desk.zone), desk.zone)


def test_a_card_comes_once_more_before_the_exam_and_then_goes_on(desk: Desk) -> None:
    (card,) = desk.add(course_key=BIOLOGY)
    desk.exams.exams = [exam_on(desk, 20)]
    before = desk.rate(card.id, 4).card
    desk.clock.at = before.due_at
    capped = desk.rate(card.id, 4).card
    assert capped.due_at < exam_on(desk, 20).at < due_of(capped.schedule)

    desk.clock.at = capped.due_at
    last = desk.rate(card.id, 3).card

    assert last.due_at == due_of(last.schedule) > exam_on(desk, 20).at
    desk.reviews.queue(desk.student)
    assert desk.card(card.id).due_at == last.due_at


def test_last_reviews_are_spread_over_the_days_before_the_exam(desk: Desk) -> None:
    cards = desk.add(32, course_key=BIOLOGY)
    desk.reviews.set_limits(desk.student, reviews_a_day=8, new_a_day=200)
    desk.exams.exams = [exam_on(desk, 30)]
    desk.reviews.queue(desk.student)
    for card in cards:
        desk.rate(card.id, 4)
    desk.go_to_day(9)
    for card in cards:
        desk.rate(card.id, 4)

    days = [desk.days_until(desk.card(card.id)) for card in cards]

    assert set(days) <= set(range(15, 21))
    assert max(days.count(day) for day in set(days)) <= 12


def test_an_exam_that_is_set_moved_or_removed_moves_the_cards_with_it(desk: Desk) -> None:
    (card, other) = (*desk.add(course_key=BIOLOGY), *desk.add(course_key="canvas:202"))
    far, away = (learn(desk, each).due_at for each in (card, other))
    today = (study_day(desk.clock.at, desk.zone) - study_day(START, desk.zone)).days

    def due_with(*exams: ExamDate) -> datetime:
        desk.exams.exams = list(exams)
        desk.reviews.counts(desk.student)
        return desk.card(card.id).due_at

    soon, later = exam_on(desk, today + 10), exam_on(desk, today + 30)
    assert far > later.at
    assert due_with(soon) < soon.at
    assert soon.at < due_with(later) < later.at
    assert due_with(soon, later) < soon.at
    assert due_with() == far
    assert due_with(soon) < soon.at
    desk.clock.at = soon.at + timedelta(hours=1)
    assert due_with(soon) == far
    assert desk.card(other.id).due_at == away


def test_not_for_this_exam_is_exempt(desk: Desk) -> None:
    (card,) = desk.add(course_key=BIOLOGY)
    far = learn(desk, card).due_at
    desk.exams.exams = [exam_on(desk, (desk.clock.at - START).days + 10)]
    desk.reviews.queue(desk.student)
    assert desk.card(card.id).due_at < desk.exams.exams[0].at

    assert desk.deck.set_for_exam(desk.student, card.id, is_for_exam=False).due_at == far
    assert desk.reviews.has_exam(desk.student, desk.card(card.id))
    assert desk.deck.set_for_exam(desk.student, card.id, is_for_exam=True).due_at < desk.exams.exams[0].at


def test_an_exam_of_some_materials_is_for_their_cards_and_those_made_by_hand(desk: Desk) -> None:
    def quoted(material: str) -> Quotation:
        return Quotation(source=SourceKind.MATERIAL, source_id=material, page=1, words=f"Words of {material}")

    (covered,) = desk.add(course_key=BIOLOGY, quotation=quoted("lecture-1"))
    (uncovered,) = desk.add(course_key=BIOLOGY, quotation=quoted("lecture-9"))
    (by_hand,) = desk.add(course_key=BIOLOGY)
    desk.exams.exams = [exam_on(desk, 4, materials=("lecture-1", "lecture-2"))]

    due = {card.id: desk.rate(card.id, 4).card.due_at for card in (covered, uncovered, by_hand)}

    exam = desk.exams.exams[0].at
    assert due[covered.id] < exam
    assert due[by_hand.id] < exam
    assert due[uncovered.id] > exam


def test_the_buttons_say_what_a_rating_does(desk: Desk) -> None:
    cards = desk.add(8, course_key=BIOLOGY)
    desk.exams.exams = [exam_on(desk, 6)]

    for number, card in enumerate(cards):
        told = desk.reviews.queue(desk.student, limit=20).intervals[card.id]
        rating = number % 4 + 1
        after = desk.rate(card.id, rating).card
        days = desk.days_until(after)
        assert told[rating] == (timedelta(days=days) if days else after.due_at - desk.clock.at)
