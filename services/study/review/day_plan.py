"""`DayPlan`: which cards a student is asked today, and in which order.

Not more than they want to do in a day; what was missed comes back over several days, the most urgent first; cards
that were made from the same words do not come on the same day; new ones are mixed with those that are due.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.runtime.clock import moment
from services.study.flashcard import Flashcard, Review
from services.study.review.exam_cap import ExamCap
from services.study.review.review_preferences import ReviewPreferences
from services.study.review.scheduler import REVIEW, is_learning, retrievability
from services.study.review.study_day import start_of_day, study_day

AHEAD = timedelta(minutes=20)
"""How much too early a card comes that is being learned, where nothing else is to be done."""
MISSED_DAYS = 4
"""A quarter of the missed reviews comes back in a day, of the rest a quarter on the next, and so on."""
FEWEST_MISSED, FEWEST_NEW = 20, 5
"""Missed reviews that come back in a day, and new cards that come on a day that is full."""
_NEAR_DAYS, _NEAR_WEIGHT = 14, 2.0
"""From so many days before its exam on a card is more urgent, on the last day by one and twice as much."""


@dataclass(frozen=True, kw_only=True)
class DayPlan:
    """cards: in the order in which they are asked. later: those due that come on another day. has_more: whether there
    are cards for who wants to go on.
    """

    cards: tuple[Flashcard, ...]
    later: int = 0
    has_more: bool = False


@dataclass(frozen=True, kw_only=True)
class _Done:
    """What was done today: reviews, of these the missed ones, and new cards; siblings by the card that was asked."""

    reviews: int
    missed: int
    new: int
    siblings: Mapping[str, str]

    @classmethod
    def of(cls, today: Iterable[Review], start: datetime) -> "_Done":
        firsts = {review.card_id: review for review in sorted(today, key=lambda review: review.at, reverse=True)}
        before = [review.before for review in firsts.values()]
        reviews = [stored for stored in before if stored["schedule"].get("state") == REVIEW]
        return cls(
            reviews=len(reviews),
            missed=sum(moment(stored["due_at"]) < start for stored in reviews if stored["due_at"]),
            new=sum(not stored["reviews"] for stored in before),
            siblings={review.sibling: review.card_id for review in firsts.values() if review.sibling},
        )


def plan_day(
    due: Sequence[Flashcard],
    new: Sequence[Flashcard],
    today: Sequence[Review],
    *,
    wanted: ReviewPreferences,
    cap: ExamCap,
    now: datetime,
    is_more: bool = False,
) -> DayPlan:
    """Plan a day. due: what is due until `AHEAD` from now. today: the log since the day began, without what was taken
    back. is_more: the student asked for more than today's portion.
    """
    start = start_of_day(study_day(now, cap.zone), cap.zone)
    done = _Done.of(today, start)
    waiting = [card for card in due if not is_learning(card) and _due_at(card) <= now]
    missed = sum(_due_at(card) < start for card in waiting)
    urgent = sorted(waiting, key=lambda card: _urgency(card, cap, now), reverse=True)
    portion = _portion(len(waiting) - missed + done.reviews - done.missed, missed + done.missed, wanted, cap, now)
    room = wanted.reviews_a_day if is_more else max(0, portion - done.reviews)
    asked = _without_siblings(urgent, done.siblings, room, cap, now)
    new_room = wanted.new_a_day - (0 if is_more else done.new)
    if portion >= wanted.reviews_a_day and not is_more:
        new_room = min(new_room, max(0, FEWEST_NEW - done.new))
    siblings = {**done.siblings, **{card.sibling: card.id for card in asked if card.sibling}}
    soonest = sorted(new, key=lambda card: _days_to_exam(card, cap, now))
    fresh = _without_siblings(soonest, siblings, new_room, cap, now)
    learning = sorted((card for card in due if is_learning(card)), key=_due_at)
    ready = [card for card in learning if _due_at(card) <= now]
    cards = (*ready, *_mixed(asked, fresh)) or tuple(learning)
    return DayPlan(
        cards=cards, later=len(waiting) - len(asked), has_more=len(waiting) > len(asked) or len(new) > len(fresh)
    )


def _portion(todays: int, missed: int, wanted: ReviewPreferences, cap: ExamCap, now: datetime) -> int:
    """Reviews of a day: those due today, and a share of the missed ones; larger where an exam is near."""
    day = study_day(now, cap.zone)
    nearest = min((max(1, (study_day(exam.at, cap.zone) - day).days) for exam in cap.exams), default=MISSED_DAYS)
    share = math.ceil(missed / min(MISSED_DAYS, nearest))
    return min(wanted.reviews_a_day, todays + min(missed, max(FEWEST_MISSED, share)))


def _urgency(card: Flashcard, cap: ExamCap, now: datetime) -> float:
    nearness = max(0.0, 1 - _days_to_exam(card, cap, now) / _NEAR_DAYS)
    return (1 - retrievability(card.schedule, now, cap.zone)) * (1 + _NEAR_WEIGHT * nearness)


def _days_to_exam(card: Flashcard, cap: ExamCap, now: datetime) -> float:
    exam = cap.exam_of(card)
    return math.inf if exam is None else (exam.at - now) / timedelta(days=1)


def _without_siblings(
    cards: Iterable[Flashcard], asked: Mapping[str, str], room: int, cap: ExamCap, now: datetime
) -> list[Flashcard]:
    """So many cards of which no sibling is asked today; on the eve of an exam siblings, too."""
    first = dict(asked)
    chosen: list[Flashcard] = []
    for card in cards:
        if len(chosen) >= room:
            break
        sibling = card.sibling
        is_alone = not sibling or first.setdefault(sibling, card.id) == card.id
        if is_alone or _days_to_exam(card, cap, now) < 2:
            chosen.append(card)
    return chosen


def _mixed(due: Sequence[Flashcard], new: Sequence[Flashcard]) -> list[Flashcard]:
    """Both in their order, the new ones spread evenly among the others."""
    places = [((number + 1) / (len(new) + 1), card) for number, card in enumerate(new)]
    places += [((number + 0.5) / (len(due) or 1), card) for number, card in enumerate(due)]
    return [card for _, card in sorted(places, key=lambda place: place[0])]


def _due_at(card: Flashcard) -> datetime:
    assert card.due_at is not None
    return card.due_at
