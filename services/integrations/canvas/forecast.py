"""What a grade would become: supposed scores, what is needed for a target, and what is assumed about the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from services.integrations.canvas.grading import (
    HUNDRED,
    Entry,
    Gradebook,
    Group,
    current_scores,
    percent,
    rounded,
    total,
)

_STEP = 10
"""Answers are given to a tenth of a percent, upwards, so that what is said is always enough."""


class Others(StrEnum):
    """What is assumed about work that is neither graded nor asked about."""

    AVERAGE = "average"
    ZERO = "zero"
    FULL = "full"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, kw_only=True)
class Supposition:
    """percents: supposed percentages by entry id, graded ones included. others: see `Others`."""

    percents: Mapping[int, Fraction]
    others: Others


def forecast(book: Gradebook, supposition: Supposition) -> Fraction | None:
    """The course grade in percent under a supposition; None when nothing would count."""
    return total(book, supposed_scores(book, supposition))


def supposed_scores(book: Gradebook, supposition: Supposition) -> dict[int, Fraction]:
    """The score of every entry under a supposition, by id; what is missing counts as nothing unless it is supposed."""
    scores = current_scores(book)
    so_far = total(book, scores)
    for group in book.groups:
        usual = percent(group, scores)
        for entry in group.entries:
            if entry.score is None and entry.possible > 0:
                share = _assumed(entry, supposition.others, usual if usual is not None else so_far)
                scores |= {} if share is None else {entry.id: entry.possible * share / HUNDRED}
    for entry in book.entries:
        if entry.id in supposition.percents:
            scores[entry.id] = entry.possible * supposition.percents[entry.id] / HUNDRED
    return scores


def needed(book: Gradebook, on: Sequence[Entry], target: Fraction, supposition: Supposition) -> Fraction | None:
    """The least percentage on these entries, the same on each, that reaches the target; None when 100 % does not."""

    def reaches(tenths: int) -> bool:
        percents = {**supposition.percents, **{entry.id: Fraction(tenths, _STEP) for entry in on}}
        outcome = forecast(book, Supposition(percents=percents, others=supposition.others))
        return outcome is not None and rounded(outcome) >= target

    low, high = 0, 100 * _STEP
    if not reaches(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return Fraction(low, _STEP)


def span(book: Gradebook) -> tuple[Fraction | None, Fraction | None]:
    """The lowest and the highest total that are still possible: nothing, or everything, on all that is open."""
    worst = Supposition(percents={}, others=Others.ZERO)
    best = {entry.id: HUNDRED for entry in book.open_entries}
    return forecast(book, worst), forecast(book, Supposition(percents=best, others=Others.FULL))


def share_of_grade(book: Gradebook, entry_id: int) -> Fraction:
    """How many percent of the whole course grade one entry is worth, when nothing is dropped."""
    for weight, groups in book.periods:
        if any(entry.id == entry_id for group in groups for entry in group.entries):
            return weight / HUNDRED * share_of_grade(Gradebook(groups=groups, is_weighted=book.is_weighted), entry_id)
    group: Group | None = next((g for g in book.groups if any(e.id == entry_id for e in g.entries)), None)
    if group is None:
        return Fraction(0)
    counted = group.entries if book.is_weighted else book.entries
    possible = sum((entry.possible for entry in counted), Fraction(0))
    mine = next(entry.possible for entry in group.entries if entry.id == entry_id)
    return (group.weight if book.is_weighted else HUNDRED) * mine / possible if possible else Fraction(0)


def _assumed(entry: Entry, others: Others, usual: Fraction | None) -> Fraction | None:
    if others is Others.LEFT_OUT:
        return None
    if others is Others.ZERO or entry.state == "missing":
        return Fraction(0)
    return HUNDRED if others is Others.FULL else usual
