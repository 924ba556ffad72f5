"""Gradebook of a course and Canvas's grade calculation, exact in fractions: weights, dropped scores, points."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from services.integrations.canvas.payloads import (
    Row,
    canvas_link,
    exact_number,
    id_of,
    integers_of,
    object_of,
    objects_of,
    read_rows,
    read_time,
    safe_line,
)

HUNDRED = Fraction(100)
Scores = Mapping[int, Fraction]


@dataclass(frozen=True, kw_only=True)
class GradebookEntry:
    """Assignment that counts towards the grade. score: in points, None while it is not graded.

    state: "graded", "missing" (past due, nothing handed in), "waiting" (handed in or past, no grade yet) or "ahead".
    """

    id: int
    title: str
    url: str
    possible: Fraction
    score: Fraction | None
    state: str


@dataclass(frozen=True, kw_only=True)
class AssignmentGroup:
    """Assignment group. weight: percent of the course grade where the course weighs its groups."""

    id: int
    name: str
    weight: Fraction
    entries: tuple[GradebookEntry, ...]
    drop_lowest: int = 0
    drop_highest: int = 0
    never_drop: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Gradebook:
    """Gradebook of one student: all that counts in a course.

    periods: weight (percent of the course) and groups of each grading period, where the course weighs its periods.
    """

    groups: tuple[AssignmentGroup, ...]
    is_weighted: bool
    periods: tuple[tuple[Fraction, tuple[AssignmentGroup, ...]], ...] = ()

    @property
    def entries(self) -> list[GradebookEntry]:
        return [entry for group in self.groups for entry in group.entries]

    @property
    def open_entries(self) -> list[GradebookEntry]:
        """Entries without a grade that could still change the total."""
        return [entry for entry in self.entries if entry.score is None and entry.possible > 0]


class CountedScore(NamedTuple):
    """Score that counts in a group."""

    id: int
    score: Fraction
    possible: Fraction


def rounded_percent(percent: Fraction) -> Fraction:
    """Round to two places, halves up, as Canvas stores a score."""
    exactly = Decimal(percent.numerator) / Decimal(percent.denominator)
    return Fraction(exactly.quantize(Decimal("0.01"), ROUND_HALF_UP))


def current_scores(book: Gradebook) -> dict[int, Fraction]:
    """Scores that are graded so far, by id."""
    return {entry.id: entry.score for entry in book.entries if entry.score is not None}


def grade_total(book: Gradebook, scores: Scores) -> Fraction | None:
    """Compute the course grade in percent from these scores; None when nothing counts. Other scores are left out.

    As lib/grade_calculator.rb of https://github.com/instructure/canvas-lms counts: weights that come to less than 100
    are scaled up, more than 100 are extra credit.
    """
    if book.periods:
        return _over_periods(book, scores)
    sums = [(group.weight, *group_points(group, scores)) for group in book.groups]
    if not book.is_weighted:
        possible = _sum(possible for _, _, possible in sums)
        return HUNDRED * _sum(score for _, score, _ in sums) / possible if possible else None
    relevant = [group_sum for group_sum in sums if group_sum[2] > 0]
    weight = _sum(weight for weight, _, _ in relevant)
    if not weight:
        return None
    percent = _sum(weight * score / possible for weight, score, possible in relevant)
    return percent * HUNDRED / weight if weight < HUNDRED else percent


def _over_periods(book: Gradebook, scores: Scores) -> Fraction | None:
    """Sum weighted periods: each one's total as Canvas stores it, weights scaled up where some have none yet."""
    totals = [
        (weight, grade_total(Gradebook(groups=groups, is_weighted=book.is_weighted), scores))
        for weight, groups in book.periods
    ]
    known = [(weight, rounded_percent(percent)) for weight, percent in totals if percent is not None]
    whole = _sum(weight for weight, _ in known)
    if not whole:
        return None
    sum_of_all = _sum(weight * percent for weight, percent in known)
    return sum_of_all / whole if whole < HUNDRED else sum_of_all / HUNDRED


def group_points(group: AssignmentGroup, scores: Scores) -> tuple[Fraction, Fraction]:
    """Sum the points of a group, scored and possible, after dropping."""
    counted = counted_scores(group, scores)
    return _sum(scored.score for scored in counted), _sum(scored.possible for scored in counted)


def group_percent(group: AssignmentGroup, scores: Scores) -> Fraction | None:
    """Compute a group's own percentage, None when nothing counts in it."""
    score, possible = group_points(group, scores)
    return HUNDRED * score / possible if possible else None


def counted_scores(group: AssignmentGroup, scores: Scores) -> list[CountedScore]:
    """Select the scores of a group that count after its drop rules, as Canvas applies them.

    What is dropped is whatever changes the group's percentage most, which need not be the lowest percentages: the
    method is that of D. and J. Kane, "Dropping Lowest Grades", which Canvas follows too.
    """
    counted = [CountedScore(e.id, scores[e.id], e.possible) for e in group.entries if e.id in scores]
    fixed = [scored for scored in counted if scored.id in group.never_drop]
    free = [scored for scored in counted if scored.id not in group.never_drop]
    if not free:
        return fixed
    lowest = min(group.drop_lowest, len(free) - 1)
    highest = group.drop_highest if lowest + group.drop_highest < len(free) else 0
    best = _chosen(free, fixed, len(free) - lowest, sign=1)
    return [*fixed, *_chosen(best, fixed, len(best) - highest, sign=-1)]


def dropped_entries(group: AssignmentGroup, scores: Scores) -> list[GradebookEntry]:
    """List the entries of a group that its rules drop."""
    ids = {scored.id for scored in counted_scores(group, scores)}
    return [entry for entry in group.entries if entry.id in scores and entry.id not in ids]


def _chosen(free: Sequence[CountedScore], fixed: Sequence[CountedScore], keep: int, *, sign: int) -> list[CountedScore]:
    """Choose the `keep` scores that, with the fixed ones, make the highest (sign 1) or lowest (-1) percentage.

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


def _sum(numbers: Iterable[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0))


def _ratio(counted: Sequence[CountedScore]) -> Fraction | None:
    possible = _sum(scored.possible for scored in counted)
    return _sum(scored.score for scored in counted) / possible if possible else None


def read_gradebook(
    rows: Sequence[dict[str, Any]], *, is_weighted: bool, origin: str, now: datetime
) -> tuple[Gradebook, str]:
    """Read assignment groups, with a note on bad rows.

    https://developerdocs.instructure.com/services/canvas/resources/assignment_groups
    """
    notes: list[str] = []

    def group(row: Row) -> AssignmentGroup:
        assignments = objects_of(row.get("assignments"))
        entries, note = read_rows(assignments, lambda assignment: _entry(assignment, origin=origin, now=now))
        notes.append(note)
        return _group(row, tuple(entries))

    groups, note = read_rows(rows, group)
    return Gradebook(groups=tuple(groups), is_weighted=is_weighted), "\n".join(filter(None, [note, *notes]))


def _group(row: Row, entries: tuple[GradebookEntry, ...]) -> AssignmentGroup:
    rules = object_of(row.get("rules"))
    return AssignmentGroup(
        id=id_of(row.get("id")),
        name=safe_line(row.get("name")) or "(no name)",
        weight=exact_number(row.get("group_weight")) or Fraction(0),
        entries=entries,
        drop_lowest=int(rules.get("drop_lowest") or 0),
        drop_highest=int(rules.get("drop_highest") or 0),
        never_drop=frozenset(integers_of(rules.get("never_drop"))),
    )


def _entry(row: Row, *, origin: str, now: datetime) -> GradebookEntry | None:
    """Read an entry; None for what never counts: excused, left out of the grade, or not graded at all."""
    submission = object_of(row.get("submission"))
    if submission.get("excused") or row.get("omit_from_final_grade") or row.get("grading_type") == "not_graded":
        return None
    is_pending = submission.get("workflow_state") == "pending_review"
    score = None if is_pending else exact_number(submission.get("score"))
    return GradebookEntry(
        id=id_of(row.get("id")),
        title=safe_line(row.get("name")) or "(untitled)",
        url=canvas_link(row.get("html_url"), origin),
        possible=max(Fraction(0), exact_number(row.get("points_possible")) or Fraction(0)),
        score=score,
        state="graded" if score is not None else _open_state(row, submission, now),
    )


def _open_state(row: Row, submission: Row, now: datetime) -> str:
    if submission.get("missing"):
        return "missing"
    due_at, _ = read_time(row.get("due_at"))
    return "waiting" if submission.get("submitted_at") or (due_at is not None and due_at < now) else "ahead"
