"""Canvas's arithmetic of a course grade, exact to the last fraction: weights, dropped scores, points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import NamedTuple

HUNDRED = Fraction(100)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing that counts towards the grade. score: in points, None while it is not graded.

    state: "graded", "missing" (past due, nothing handed in), "waiting" (handed in or past, no grade yet) or "ahead".
    """

    id: int
    title: str
    url: str
    possible: Fraction
    score: Fraction | None
    state: str


@dataclass(frozen=True, kw_only=True)
class Group:
    """An assignment group. weight: percent of the course grade where the course weighs its groups."""

    id: int
    name: str
    weight: Fraction
    entries: tuple[Entry, ...]
    drop_lowest: int = 0
    drop_highest: int = 0
    never_drop: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Gradebook:
    """What counts in one course for one student.

    periods: weight (percent of the course) and groups of each grading period, where the course weighs its periods.
    """

    groups: tuple[Group, ...]
    is_weighted: bool
    periods: tuple[tuple[Fraction, tuple[Group, ...]], ...] = ()

    @property
    def entries(self) -> list[Entry]:
        return [entry for group in self.groups for entry in group.entries]

    @property
    def open_entries(self) -> list[Entry]:
        """What has no grade yet and could still change the total."""
        return [entry for entry in self.entries if entry.score is None and entry.possible > 0]


class Counted(NamedTuple):
    """A score that takes part in a group."""

    id: int
    score: Fraction
    possible: Fraction


Scores = Mapping[int, Fraction]


def rounded(percent: Fraction) -> Fraction:
    """Two places, halves up, as Canvas stores a score."""
    exactly = Decimal(percent.numerator) / Decimal(percent.denominator)
    return Fraction(exactly.quantize(Decimal("0.01"), ROUND_HALF_UP))


def current_scores(book: Gradebook) -> dict[int, Fraction]:
    """What is graded so far, by id."""
    return {entry.id: entry.score for entry in book.entries if entry.score is not None}


def total(book: Gradebook, scores: Scores) -> Fraction | None:
    """The course grade in percent that these scores give; None when nothing counts. Scores not given are left out.

    As lib/grade_calculator.rb of https://github.com/instructure/canvas-lms counts: weights that come to less than 100
    are scaled up, more than 100 are extra credit.
    """
    if book.periods:
        return _over_periods(book, scores)
    sums = [(group.weight, *points(group, scores)) for group in book.groups]
    if not book.is_weighted:
        possible = sum((possible for _, _, possible in sums), Fraction(0))
        return HUNDRED * sum((score for _, score, _ in sums), Fraction(0)) / possible if possible else None
    relevant = [group_sum for group_sum in sums if group_sum[2] > 0]
    weight = sum((weight for weight, _, _ in relevant), Fraction(0))
    if not weight:
        return None
    percent = sum((weight * score / possible for weight, score, possible in relevant), Fraction(0))
    return percent * HUNDRED / weight if weight < HUNDRED else percent


def _over_periods(book: Gradebook, scores: Scores) -> Fraction | None:
    """Weighted periods: each one's own total as Canvas stores it, the weights scaled up where some have none yet."""
    totals = [
        (weight, total(Gradebook(groups=groups, is_weighted=book.is_weighted), scores))
        for weight, groups in book.periods
    ]
    known = [(weight, rounded(percent)) for weight, percent in totals if percent is not None]
    whole = sum((weight for weight, _ in known), Fraction(0))
    if not whole:
        return None
    sum_of_all = sum((weight * percent for weight, percent in known), Fraction(0))
    return sum_of_all / whole if whole < HUNDRED else sum_of_all / HUNDRED


def points(group: Group, scores: Scores) -> tuple[Fraction, Fraction]:
    """The points that a group has and could have, after dropping."""
    counted = kept(group, scores)
    return sum((scored.score for scored in counted), Fraction(0)), sum(
        (scored.possible for scored in counted), Fraction(0)
    )


def percent(group: Group, scores: Scores) -> Fraction | None:
    """A group's own percentage, None when nothing counts in it."""
    score, possible = points(group, scores)
    return HUNDRED * score / possible if possible else None


def kept(group: Group, scores: Scores) -> list[Counted]:
    """The scores of a group that count after its rules for dropping, as Canvas applies them.

    What is dropped is whatever changes the group's percentage most, which need not be the lowest percentages:
    The method is that of D. and J. Kane, "Dropping Lowest Grades", which Canvas follows too.
    """
    counted = [Counted(e.id, scores[e.id], e.possible) for e in group.entries if e.id in scores]
    fixed = [scored for scored in counted if scored.id in group.never_drop]
    free = [scored for scored in counted if scored.id not in group.never_drop]
    if not free:
        return fixed
    lowest = min(group.drop_lowest, len(free) - 1)
    highest = group.drop_highest if lowest + group.drop_highest < len(free) else 0
    best = _chosen(free, fixed, len(free) - lowest, sign=1)
    return [*fixed, *_chosen(best, fixed, len(best) - highest, sign=-1)]


def dropped(group: Group, scores: Scores) -> list[Entry]:
    """The entries of a group that its rules leave out."""
    ids = {scored.id for scored in kept(group, scores)}
    return [entry for entry in group.entries if entry.id in scores and entry.id not in ids]


def _chosen(free: Sequence[Counted], fixed: Sequence[Counted], keep: int, *, sign: int) -> list[Counted]:
    """The `keep` scores that, with the fixed ones, make the highest (sign 1) or lowest (-1) percentage.

    Each round keeps the scores that lie furthest above (below) the ratio found so far; exact, so it ends.
    """
    if keep >= len(free):
        return list(free)
    if not any(scored.possible for scored in (*free, *fixed)):
        return sorted(free, key=lambda scored: (-sign * scored.score, scored.id))[:keep]
    chosen = list(free[:keep])
    ratio = _ratio([*fixed, *chosen])
    while ratio is not None:
        q = ratio
        better = sorted(free, key=lambda scored: (-sign * (scored.score - q * scored.possible), scored.id))[:keep]
        found = _ratio([*fixed, *better])
        if found is not None and sign * (found - q) <= 0:
            return chosen
        chosen, ratio = better, found
    return chosen


def _ratio(counted: Sequence[Counted]) -> Fraction | None:
    possible = sum((scored.possible for scored in counted), Fraction(0))
    return sum((scored.score for scored in counted), Fraction(0)) / possible if possible else None
