"""Disclosure control: numbers of students and sums over them as they may be published, so that nobody is made out.

A number of fewer than `LEAST_GROUP` students is suppressed. Any other gets two-sided geometric noise (Ghosh and others:
"Universally utility-maximizing privacy mechanisms", 2009) and is rounded: whether one student more is in it changes how
likely each published number is by at most the factor `MOST_RATIO`. As every number has noise of its own, none is found
by subtracting two others, so that no second one must be suppressed with a first.
"""

import math
from collections.abc import Callable, Collection
from fractions import Fraction

LEAST_GROUP = 5
ROUNDED_TO = 5
MOST_RATIO = Fraction(5, 3)
"""e to the epsilon of differential privacy, for one number: epsilon is about 0.51, the standard deviation 2.7."""
_LADDER = (1, 2, 5)

Draw = Callable[[], float]
"""Random number, at least 0 and below 1."""


def published_count(students: int, draw: Draw) -> int:
    """Number of students as it is published, a multiple of 5; 0 is suppressed."""
    if students < LEAST_GROUP:
        return 0
    return rounded_count(students + geometric_noise(draw))


def rounded_count(number: int) -> int:
    """Nearest multiple of `ROUNDED_TO`, and never fewer than the least group."""
    return max(LEAST_GROUP, ROUNDED_TO * ((number + ROUNDED_TO // 2) // ROUNDED_TO))


def geometric_noise(draw: Draw) -> int:
    """Difference of two geometric numbers: each n has a probability in proportion to `MOST_RATIO` ** -abs(n)."""
    return _geometric(draw) - _geometric(draw)


def published_sum(amounts: Collection[int], draw: Draw) -> int:
    """Sum of one amount for each student as it is published; 0 is suppressed.

    It is suppressed for fewer than five students who have an amount, and where one of them has more than half of it.
    It is rounded to a step (1, 2, 5, 10, 20 …) that is at least the largest amount, up or down by chance: whatever one
    student did is lost in it.
    """
    given = [amount for amount in amounts if amount > 0]
    if len(given) < LEAST_GROUP or 2 * max(given) > sum(given):
        return 0
    step = rounding_step(max(given))
    return step * int(sum(given) / step + draw())


def rounding_step(largest: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … that is not below `largest`."""
    scale: int = 10 ** (len(str(largest)) - 1)
    return next(step * scale for step in (*_LADDER, 10) if step * scale >= largest)


def _geometric(draw: Draw) -> int:
    """n with the probability (1 - q) * q ** n, of q = 1 / `MOST_RATIO`."""
    return int(math.log1p(-draw()) / -math.log(MOST_RATIO))
