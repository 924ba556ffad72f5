"""Scheduler: when a card comes again, by FSRS as the `fsrs` package computes it.

What we add: days are the student's calendar days, not spans of 24 hours, or a review tomorrow morning would count as
one of tonight; a card becomes due when a day begins; and the variation of long intervals is the same each time it is
asked for, so that a button says what happens when it is pressed.
"""

import hashlib
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from services.study.flashcard import Flashcard, Review, ReviewRating
from services.study.review.study_day import start_of_day, study_day

if TYPE_CHECKING:
    from fsrs import Scheduler as FsrsScheduler

SCHEDULER = "fsrs-6.3.2"
"""Version of the package: 6.3.2 treats a second "hard" of a day otherwise than 6.3.1 did."""
RETENTION = 0.9
"""Share of cards that are still known when they come due."""
LEARNING, REVIEW, RELEARNING = 1, 2, 3
"""States of the package, under "state" of a schedule."""
_VARIATION = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, float("inf"), 0.05))
"""From which to which day of an interval, and which share of it a card may come earlier or later; as in the package."""

Schedule = Mapping[str, Any]


def rated(
    schedule: Schedule, rating: ReviewRating, at: datetime, zone: ZoneInfo, *, card_id: str, reviews: int
) -> Schedule:
    """The schedule after a rating; an empty one is that of a new card. reviews: how many ratings it has had."""
    return _rated(schedule, rating, at, zone, days=days_since(schedule, at, zone), seed=f"{card_id}:{reviews}")


def replayed(start: Schedule, log: Sequence[Review], zone: ZoneInfo, *, reviews: int = 0) -> Schedule:
    """The schedule that a card has after these reviews of it, in their order. reviews: it has had before `start`."""
    schedule = start
    for number, review in enumerate(log, reviews):
        seed = f"{review.card_id}:{number}"
        schedule = _rated(schedule, review.rating, review.at, zone, days=review.days, seed=seed)
    return schedule


def days_since(schedule: Schedule, at: datetime, zone: ZoneInfo) -> int | None:
    """Calendar days of the student since the last review; None for a new card."""
    last = schedule.get("last_review")
    if not last:
        return None
    return max(0, (study_day(at, zone) - study_day(datetime.fromisoformat(last), zone)).days)


def due_of(schedule: Schedule) -> datetime:
    """When a card is due by its schedule alone."""
    return datetime.fromisoformat(schedule["due"])


def is_learning(card: Flashcard) -> bool:
    """Whether it comes again within minutes, as it is new or was forgotten."""
    return card.schedule.get("state") in (LEARNING, RELEARNING)


def retrievability(schedule: Schedule, at: datetime, zone: ZoneInfo) -> float:
    """Probability, from 0 to 1, that the card is known at this moment; 0 for a new one."""
    days, stability = days_since(schedule, at, zone), schedule.get("stability")
    if days is None or not stability:
        return 0.0
    decay, factor = _curve()
    return float((1 + factor * days / stability) ** decay)


def is_lapse(schedule: Schedule, rating: ReviewRating) -> bool:
    """Whether this rating says that a card which had been learned was forgotten."""
    return rating is ReviewRating.AGAIN and schedule.get("state") == REVIEW


def _rated(
    schedule: Schedule, rating: ReviewRating, at: datetime, zone: ZoneInfo, *, days: int | None, seed: str
) -> Schedule:
    from fsrs import Card as FsrsCard
    from fsrs import Rating as FsrsRating

    at = at.astimezone(UTC)
    card = FsrsCard.from_dict(schedule) if schedule else FsrsCard(card_id=number_of(seed.rpartition(":")[0]), due=at)  # type: ignore[arg-type]
    if days is not None:
        # The package counts spans of 24 hours.
        card.last_review = at - timedelta(days=days)
    after, _ = _scheduler().review_card(card, FsrsRating(int(rating)), at)
    result: dict[str, Any] = dict(after.to_dict())
    if result["state"] == REVIEW:
        interval = _varied((after.due - at).days, seed)
        result["due"] = start_of_day(study_day(at, zone) + timedelta(days=interval), zone).isoformat()
    return result


@cache
def _scheduler() -> "FsrsScheduler":
    from fsrs import Scheduler as FsrsScheduler

    return FsrsScheduler(desired_retention=RETENTION, enable_fuzzing=False)


@cache
def _curve() -> tuple[float, float]:
    """Exponent and factor of the forgetting curve."""
    decay = -_scheduler().parameters[20]
    return decay, 0.9 ** (1 / decay) - 1


def _varied(days: int, seed: str) -> int:
    """An interval a little shorter or longer, so that cards which were learned together do not stay together."""
    if days < _VARIATION[0][0]:
        return days
    delta = 1 + sum(share * max(min(days, end) - start, 0.0) for start, end, share in _VARIATION)
    return random.Random(number_of(seed)).randint(max(2, round(days - delta)), round(days + delta))


def number_of(seed: str) -> int:
    """A number that is the same for the same text, else as good as random."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6])
