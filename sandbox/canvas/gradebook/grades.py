"""Canvas's arithmetic of grades: groups with weights, lowest scores dropped, current and final totals, letters."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

SCHEME = (
    (94, "A"),
    (90, "A-"),
    (87, "B+"),
    (84, "B"),
    (80, "B-"),
    (77, "C+"),
    (74, "C"),
    (70, "C-"),
    (67, "D+"),
    (64, "D"),
    (61, "D-"),
)
Row = dict[str, Any]
Pair = tuple[Any, float, int]


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Percentages, rounded to two places; None when nothing counts yet. `final` takes what is not graded as zero."""

    current: float | None
    final: float | None


def totals(groups: list[Row], assignments: list[Row], submissions: dict[int, Row]) -> Totals:
    """One student's totals; `submissions` by assignment id."""
    counted = [row for row in assignments if row["points_possible"] and not row["omit_from_final_grade"]]
    by_group: dict[int, list[Pair]] = {group["id"]: [] for group in groups}
    for assignment in counted:
        submission = submissions.get(assignment["id"])
        if submission and submission["excused"]:
            continue
        score = submission["score"] if submission else None
        by_group[assignment["group_id"]].append((score, assignment["points_possible"], assignment["id"]))
    graded = {key: [pair for pair in pairs if pair[0] is not None] for key, pairs in by_group.items()}
    zeroed = {key: [(pair[0] or 0, *pair[1:]) for pair in pairs] for key, pairs in by_group.items()}
    return Totals(current=_weighted(groups, graded), final=_weighted(groups, zeroed))


def over_periods(parts: list[tuple[float, Totals]]) -> Totals:
    """A course's totals from those of its weighted grading periods, as lib/grade_calculator.rb of canvas-lms adds."""

    def added(scores: list[tuple[float, float | None]]) -> float | None:
        known = [(weight, score) for weight, score in scores if score is not None]
        whole = sum(weight for weight, _ in known)
        return round(sum(weight * score for weight, score in known) / min(whole, 100), 2) if whole else None

    return Totals(
        current=added([(weight, total.current) for weight, total in parts]),
        final=added([(weight, total.final or 0.0) for weight, total in parts]),
    )


def letter(percentage: float | None, scheme: Sequence[Sequence[Any]] = ()) -> str | None:
    """The letter of a course's own grading scheme (least percentage, name), or of Canvas's default one."""
    if percentage is None:
        return None
    return next((name for least, name in scheme or SCHEME if percentage >= least), "F")


def _weighted(groups: list[Row], by_group: dict[int, list[Any]]) -> float | None:
    total, weight = 0.0, 0.0
    for group in groups:
        kept = _kept(by_group[group["id"]], group)
        possible = sum(points for _, points, _ in kept)
        if possible:
            total += group["group_weight"] * sum(score for score, _, _ in kept) / possible
            weight += group["group_weight"]
    return round(100 * total / min(weight, 100), 2) if weight else None


def _kept(pairs: list[Pair], group: Row) -> list[Pair]:
    """What is left after the group's rules; those to drop are whichever change the group's percentage most."""
    never = group.get("never_drop", [])
    fixed, free = [pair for pair in pairs if pair[2] in never], [pair for pair in pairs if pair[2] not in never]
    lowest = min(group["drop_lowest"], max(0, len(free) - 1))
    highest = group.get("drop_highest", 0)
    highest = 0 if lowest + highest >= len(free) else highest
    free = _chosen(free, fixed, len(free) - lowest, best=True)
    return fixed + _chosen(free, fixed, len(free) - highest, best=False)


def _chosen(free: list[Pair], fixed: list[Pair], keep: int, *, best: bool) -> list[Pair]:
    if keep >= len(free):
        return free

    def percentage(some: Sequence[Pair]) -> float:
        kept = [*fixed, *some]
        return sum(score for score, _, _ in kept) / sum(points for _, points, _ in kept)

    return list((max if best else min)(combinations(free, keep), key=percentage))
