"""Canvas's arithmetic of grades: groups with weights, lowest scores dropped, current and final totals, letters."""

from dataclasses import dataclass
from typing import Any

LETTERS = (
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


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Percentages, rounded to two places; None when nothing counts yet. `final` takes what is not graded as zero."""

    current: float | None
    final: float | None


def totals(groups: list[Row], assignments: list[Row], submissions: dict[int, Row]) -> Totals:
    """One student's totals; `submissions` by assignment id."""
    counted = [row for row in assignments if row["points_possible"] and not row["omit_from_final_grade"]]
    by_group: dict[int, list[tuple[float | None, float]]] = {group["id"]: [] for group in groups}
    for assignment in counted:
        submission = submissions.get(assignment["id"])
        if submission and submission["excused"]:
            continue
        by_group[assignment["group_id"]].append(
            (submission["score"] if submission else None, assignment["points_possible"])
        )
    return Totals(
        current=_weighted(
            groups, {key: [pair for pair in pairs if pair[0] is not None] for key, pairs in by_group.items()}
        ),
        final=_weighted(
            groups, {key: [(score or 0, points) for score, points in pairs] for key, pairs in by_group.items()}
        ),
    )


def letter(percentage: float | None) -> str | None:
    """The letter of Canvas's default grading scheme."""
    if percentage is None:
        return None
    return next((name for least, name in LETTERS if percentage >= least), "F")


def _weighted(groups: list[Row], by_group: dict[int, list[Any]]) -> float | None:
    total, weight = 0.0, 0.0
    for group in groups:
        kept = _kept(by_group[group["id"]], group["drop_lowest"])
        possible = sum(points for _, points in kept)
        if possible:
            total += group["group_weight"] * sum(score for score, _ in kept) / possible
            weight += group["group_weight"]
    return round(100 * total / weight, 2) if weight else None


def _kept(pairs: list[tuple[float, float]], drop_lowest: int) -> list[tuple[float, float]]:
    best_first = sorted(pairs, key=lambda pair: pair[0] / pair[1], reverse=True)
    return best_first[: max(1, len(best_first) - drop_lowest)]
