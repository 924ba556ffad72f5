"""FSRS as the `fsrs` package computes it (figures of its own test suite), on the student's calendar days."""

from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.study.flashcard import ReviewRating
from services.study.review.scheduler import (
    LEARNING,
    REVIEW,
    SCHEDULER,
    Schedule,
    days_since,
    due_of,
    rated,
    retrievability,
)
from services.study.review.study_day import start_of_day, study_day

AGAIN, HARD, GOOD, EASY = ReviewRating
BEGIN = datetime(2022, 11, 29, 12, 30, tzinfo=UTC)
NEW_YORK = ZoneInfo("America/New_York")
UTC_ZONE = ZoneInfo("UTC")
SUMMER_AND_WINTER = datetime(2026, 3, 1), datetime(2026, 12, 1)


def reviewed(*steps: tuple[ReviewRating, float], zone: ZoneInfo = UTC_ZONE, begin: datetime = BEGIN) -> list[Schedule]:
    """Schedules after ratings, each with the days since the one before."""
    schedule: Schedule = {}
    schedules, at = [], begin
    for number, (rating, days) in enumerate(steps):
        at += timedelta(days=days)
        schedule = rated(schedule, rating, at, zone, card_id="card", reviews=number)
        schedules.append(schedule)
    return schedules


def test_a_card_remembers_which_version_of_the_package_made_its_schedule() -> None:
    assert f"fsrs-{version('fsrs')}" == SCHEDULER


def test_intervals_are_those_of_the_package() -> None:
    ratings = (GOOD,) * 6 + (AGAIN, AGAIN) + (GOOD,) * 5
    intervals = (0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21)
    waits = (0, *(days or 0.01 for days in intervals))

    schedules = reviewed(*zip(ratings, waits, strict=False))

    # At a retention of nine tenths the interval is the stability.
    found = [round(s["stability"]) if s["state"] == REVIEW else 0 for s in schedules]
    assert tuple(found) == intervals


def test_stability_and_difficulty_are_those_of_the_package() -> None:
    last = reviewed((AGAIN, 0), (GOOD, 0), (GOOD, 1), (GOOD, 3), (GOOD, 8), (GOOD, 21))[-1]

    assert last["stability"] == pytest.approx(53.62691, abs=1e-4)
    assert last["difficulty"] == pytest.approx(6.3574867, abs=1e-4)


def test_learning_takes_minutes_and_a_second_hard_of_a_day_takes_nothing_away() -> None:
    first, second = reviewed((GOOD, 0), (HARD, 0.01))

    assert first["state"] == LEARNING
    assert due_of(first) == BEGIN + timedelta(minutes=10)
    assert second["stability"] >= first["stability"]


def test_a_review_the_next_morning_is_one_of_the_next_day() -> None:
    evening = datetime(2026, 10, 5, 22, 0, tzinfo=NEW_YORK)
    (learned,) = reviewed((EASY, 0), zone=NEW_YORK, begin=evening)

    for hour, days in ((23, 0), (27, 0), (28, 1), (33, 1), (53, 2)):
        assert days_since(learned, evening + timedelta(hours=hour - 22), NEW_YORK) == days
    next_morning = rated(learned, GOOD, evening + timedelta(hours=11), NEW_YORK, card_id="card", reviews=1)
    a_day_later = rated(learned, GOOD, evening + timedelta(hours=24), NEW_YORK, card_id="card", reviews=1)
    assert next_morning["stability"] == a_day_later["stability"]


@given(
    at=st.datetimes(datetime(2026, 3, 1), datetime(2026, 12, 1), timezones=st.just(UTC)),
    rating=st.sampled_from(ReviewRating),
)
def test_a_learned_card_is_due_when_a_day_of_the_student_begins(at: datetime, rating: ReviewRating) -> None:
    for schedule in reviewed((EASY, 0), (rating, 9), zone=NEW_YORK, begin=at):
        due = due_of(schedule)
        if schedule["state"] == REVIEW:
            assert due == start_of_day(study_day(due, NEW_YORK), NEW_YORK)
            assert due.astimezone(NEW_YORK).hour == 4
            assert study_day(due, NEW_YORK) > study_day(at, NEW_YORK)


def test_a_long_interval_varies_from_card_to_card_but_not_from_question_to_question() -> None:
    schedule = reviewed((EASY, 0), (GOOD, 8), (GOOD, 40))[-1]
    at = BEGIN + timedelta(days=150)

    found = {
        card: {rated(schedule, GOOD, at, UTC_ZONE, card_id=card, reviews=3)["due"] for _ in range(3)}
        for card in map(str, range(40))
    }

    assert all(len(due) == 1 for due in found.values())
    days = sorted({(datetime.fromisoformat(min(due)) - at).days for due in found.values()})
    assert len(days) > 10
    stability = rated(schedule, GOOD, at, UTC_ZONE, card_id="0", reviews=3)["stability"]
    assert 0.9 * stability < days[0] < days[-1] < 1.1 * stability


def test_what_is_known_fades_day_by_day() -> None:
    (schedule,) = reviewed((EASY, 0))

    known = [retrievability(schedule, BEGIN + timedelta(days=days), UTC_ZONE) for days in (0, 1, 8, 30, 300)]

    assert known[0] == 1.0
    assert known == sorted(known, reverse=True)
    assert known[2] == pytest.approx(0.9, abs=0.01)
    assert retrievability({}, BEGIN, UTC_ZONE) == 0.0
