"""Disclosure control: no group of fewer than five, and no number that one student more or less would give away."""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from services.classes.figures.disclosure import (
    LEAST_GROUP,
    MOST_RATIO,
    geometric_noise,
    published_count,
    published_sum,
    rounded_count,
    rounding_step,
)

MOST_NOISE = 60
_ENDLESS = 1 / (1 - 1 / MOST_RATIO)
"""Sum of a geometric row that begins with 1."""


@given(st.integers(0, LEAST_GROUP - 1), st.floats(0, 1, exclude_max=True))
def test_fewer_than_five_are_told_in_no_number(students: int, chance: float) -> None:
    assert published_count(students, lambda: chance) == 0


@given(st.integers(LEAST_GROUP, 2_000), st.randoms(use_true_random=False))
def test_a_number_is_a_multiple_of_five_near_the_true_one(students: int, chance: random.Random) -> None:
    told = published_count(students, chance.random)

    assert told >= LEAST_GROUP
    assert told % 5 == 0
    assert abs(told - students) < 80


@given(st.integers(LEAST_GROUP, 60))
def test_one_student_more_changes_the_odds_of_no_number_by_more_than_the_ratio(students: int) -> None:
    before, after = _odds(students), _odds(students + 1)

    assert set(before) & set(after)
    for told in before.keys() | after.keys():
        if min(abs(told - students), abs(told - students - 1)) < MOST_NOISE - 10:
            assert before[told] <= MOST_RATIO * after[told]
            assert after[told] <= MOST_RATIO * before[told]


def test_the_noise_is_drawn_by_the_odds_that_this_is_proved_for() -> None:
    chance = random.Random(20)
    drawn = Counter(geometric_noise(chance.random) for _ in range(40_000))

    ratios = [drawn[n] / drawn[n + 1] for n in range(4)] + [drawn[-n] / drawn[-n - 1] for n in range(4)]
    assert all(abs(ratio / float(MOST_RATIO) - 1) < 0.15 for ratio in ratios)


@given(st.lists(st.integers(0, 10_000_000), max_size=LEAST_GROUP - 1), st.floats(0, 1, exclude_max=True))
def test_no_sum_of_fewer_than_five_is_told(amounts: list[int], chance: float) -> None:
    assert published_sum([*amounts, 0, 0, 0], lambda: chance) == 0


@given(st.lists(st.integers(1, 10_000_000), min_size=5, max_size=60), st.floats(0, 1, exclude_max=True))
def test_what_any_student_did_is_lost_in_the_rounding_of_a_sum(amounts: list[int], chance: float) -> None:
    told = published_sum(amounts, lambda: chance)

    step = rounding_step(max(amounts))
    assert told == 0 or (told % step == 0 and abs(told - sum(amounts)) <= step and step >= max(amounts))
    assert told > 0 or 2 * max(amounts) > sum(amounts) or sum(amounts) < step


def test_the_steps_of_sums_are_round_numbers() -> None:
    assert [rounding_step(n) for n in (1, 2, 3, 5, 6, 10, 11, 20, 21, 50, 51, 99, 100)] == [
        1, 2, 5, 5, 10, 10, 20, 20, 50, 50, 100, 100, 100,
    ]  # fmt: skip
    assert all(first <= second for first, second in pairwise(rounding_step(n) for n in range(1, 3_000)))


def _odds(students: int) -> Mapping[int, Fraction]:
    """How likely each published number is, from the odds of the noise: exact, apart from far away from `students`."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for amount, sign in product(range(MOST_NOISE + 1), (1, -1)):
        if amount or sign == 1:
            found[rounded_count(students + sign * amount)] += 1 / MOST_RATIO**amount
    # All that lies further below counts as five.
    found[LEAST_GROUP] += _ENDLESS / MOST_RATIO ** (MOST_NOISE + 1)
    return found
