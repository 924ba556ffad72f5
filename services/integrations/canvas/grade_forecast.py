"""Grade forecast: what-if scores, the score needed for a target, and the assumptions, as an answer in words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from services.i18n.english import count
from services.integrations.canvas.courses import Course
from services.integrations.canvas.gradebook import (
    HUNDRED,
    AssignmentGroup,
    Gradebook,
    GradebookEntry,
    current_scores,
    dropped_entries,
    grade_total,
    group_percent,
    rounded_percent,
)
from services.integrations.canvas.grading_scheme import percent_text

_STEP = 10
"""Steps per percent: answers are rounded up to a tenth, so that they are always enough."""
_MOST_NAMED = 6


class OpenWork(StrEnum):
    """Assumption about work that is neither graded nor asked about."""

    AVERAGE = "average"
    ZERO = "zero"
    FULL = "full"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, kw_only=True)
class WhatIfScores:
    """What-if percentages by entry id, also for graded entries. others: see `OpenWork`."""

    percents: Mapping[int, Fraction]
    others: OpenWork


def forecast_grade(book: Gradebook, what_if: WhatIfScores) -> Fraction | None:
    """Compute the course grade in percent with what-if scores; None when nothing would count."""
    return grade_total(book, supposed_scores(book, what_if))


def supposed_scores(book: Gradebook, what_if: WhatIfScores) -> dict[int, Fraction]:
    """Compute the score of every entry by id; missing work counts as zero unless it has a what-if score."""
    scores = current_scores(book)
    so_far = grade_total(book, scores)
    for group in book.groups:
        usual = group_percent(group, scores)
        for entry in group.entries:
            if entry.score is None and entry.possible > 0:
                share = _assumed(entry, what_if.others, usual if usual is not None else so_far)
                scores |= {} if share is None else {entry.id: entry.possible * share / HUNDRED}
    for entry in book.entries:
        if entry.id in what_if.percents:
            scores[entry.id] = entry.possible * what_if.percents[entry.id] / HUNDRED
    return scores


def needed_percent(
    book: Gradebook, on: Sequence[GradebookEntry], target: Fraction, what_if: WhatIfScores
) -> Fraction | None:
    """Find the least percentage, the same on each of these entries, that reaches the target; None above 100 %."""

    def reaches(tenths: int) -> bool:
        percents = {**what_if.percents, **{entry.id: Fraction(tenths, _STEP) for entry in on}}
        outcome = forecast_grade(book, WhatIfScores(percents=percents, others=what_if.others))
        return outcome is not None and rounded_percent(outcome) >= target

    low, high = 0, 100 * _STEP
    if not reaches(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return Fraction(low, _STEP)


def possible_range(book: Gradebook) -> tuple[Fraction | None, Fraction | None]:
    """Compute the lowest and highest total still possible: nothing, or everything, on all open work."""
    worst = WhatIfScores(percents={}, others=OpenWork.ZERO)
    best = {entry.id: HUNDRED for entry in book.open_entries}
    return forecast_grade(book, worst), forecast_grade(book, WhatIfScores(percents=best, others=OpenWork.FULL))


def share_of_grade(book: Gradebook, entry_id: int) -> Fraction:
    """Compute an entry's share of the whole course grade in percent, when nothing is dropped."""
    for weight, groups in book.periods:
        if any(entry.id == entry_id for group in groups for entry in group.entries):
            return weight / HUNDRED * share_of_grade(Gradebook(groups=groups, is_weighted=book.is_weighted), entry_id)
    group: AssignmentGroup | None = next((g for g in book.groups if any(e.id == entry_id for e in g.entries)), None)
    if group is None:
        return Fraction(0)
    counted = group.entries if book.is_weighted else book.entries
    possible = sum((entry.possible for entry in counted), Fraction(0))
    mine = next(entry.possible for entry in group.entries if entry.id == entry_id)
    return (group.weight if book.is_weighted else HUNDRED) * mine / possible if possible else Fraction(0)


def _assumed(entry: GradebookEntry, others: OpenWork, usual: Fraction | None) -> Fraction | None:
    if others is OpenWork.LEFT_OUT:
        return None
    if others is OpenWork.ZERO or entry.state == "missing":
        return Fraction(0)
    return HUNDRED if others is OpenWork.FULL else usual


_ASSUMED = {
    OpenWork.AVERAGE: "taken as the student's average so far in its group",
    OpenWork.ZERO: "taken as zero",
    OpenWork.FULL: "taken as full points",
    OpenWork.LEFT_OUT: "not counted",
}


@dataclass(frozen=True, kw_only=True)
class ForecastQuestion:
    """Question about a grade. target: how to say it, and the least percentage. on: the entries asked about.

    noun: what is graded, "the course" or "the grading period".
    """

    target: tuple[str, Fraction] | None
    on: tuple[GradebookEntry, ...]
    names_item: bool
    what_if: WhatIfScores
    noun: str = "the course"


@dataclass(frozen=True, kw_only=True)
class ForecastAnswer:
    """Answer to a `ForecastQuestion`, in words and as JSON."""

    headline: str
    lines: list[str]
    data: dict[str, Any]


def answer_forecast(book: Gradebook, question: ForecastQuestion, course: Course) -> ForecastAnswer:
    """Answer what the target needs, or what the what-if scores make, or how everything may still end."""
    if question.target is None:
        return _outcome(book, question, course)
    name, least = question.target
    percent = needed_percent(book, question.on, least, question.what_if) if question.on else None
    if not question.on:
        return _outcome(book, question, course, f"nothing is left to reach {name} with")
    if percent is None:
        return _out_of_reach(book, question, course)
    what = _listed_text(question)
    sure = f"{name} is safe: {what} could even stay at zero"
    headline = f"{_target_text(name, least)} needs {float(percent):g} % on {what}" if percent else sure
    with_it = _with_percent(question, percent)
    is_named = question.names_item and len(question.on) == 1
    lines = [_entry_line(entry, percent, is_named=is_named) for entry in question.on[:_MOST_NAMED]]
    return ForecastAnswer(
        headline=headline,
        lines=[*lines, f"- With that {question.noun} comes to {_with_letter(forecast_grade(book, with_it), course)}."],
        data={"target": name, "least": float(least), "needed_percent": float(percent), "is_reachable": True},
    )


def assumption_lines(book: Gradebook, question: ForecastQuestion, course: Course) -> list[str]:
    """List the assumptions behind the answer."""
    scores = supposed_scores(book, question.what_if)
    asked = {entry.id for entry in question.on} if question.target else set()
    rest = [e for e in book.open_entries if e.id not in asked and e.id not in question.what_if.percents]
    missing = [e for e in rest if e.state == "missing"]
    counts_missing = question.what_if.others is not OpenWork.LEFT_OUT
    rest = [e for e in rest if e.state != "missing"] if counts_missing else rest
    left_out = [entry for group in book.groups for entry in dropped_entries(group, scores)]
    letters = ", ".join(f"{name} from {float(least):g} %" for name, least in _passing_letters(course))
    scheme = "the course's own grading scheme" if course.scheme.is_own else "Canvas's default grading scheme"
    dropped = {entry.id for entry in left_out}
    named = {*question.on, *rest, *(missing if counts_missing else ())}
    others = [entry for entry in left_out if entry not in named]
    assumed = _ASSUMED[question.what_if.others]
    told = [
        f"- Other work without a grade ({_titles(rest, dropped)}): {assumed}." if rest else "",
        f"- Missing work counts as zero: {_titles(missing, dropped)}." if missing and counts_missing else "",
        f"- Dropped by the course's rules: {_titles(others)}." if others else "",
        f"- Letters are by {scheme}: {letters}.",
        "- Left out: extra credit and deductions for lateness that have not been entered in Canvas yet.",
    ]
    return [line for line in told if line]


def mismatch_note(book: Gradebook, course: Course, official: float | None) -> str:
    """Note that our arithmetic differs from Canvas's own current score; "" when it does not, or Canvas shows none."""
    ours = grade_total(book, current_scores(book))
    if course.hides_grades:
        return "Note: the instructor hides the total, so Canvas cannot confirm this; it comes from the visible scores."
    if official is None or ours is None or abs(rounded_percent(ours) - Fraction(str(official))) <= Fraction(1, 50):
        return ""
    return (
        f"Note: Canvas shows {official:g} % now, this arithmetic gives {percent_text(ours)}; a rule that Canvas "
        "does not show students is at work, so the forecast is only rough."
    )


def _outcome(book: Gradebook, question: ForecastQuestion, course: Course, because: str = "") -> ForecastAnswer:
    would, now = forecast_grade(book, question.what_if), grade_total(book, current_scores(book))
    lowest, highest = possible_range(book)
    supposed = [e for e in book.entries if e.id in question.what_if.percents]
    opening = f"with that {question.noun} comes to {_with_letter(would, course)}"
    if not supposed:
        opening = because or f"as things go {question.noun} comes to {_with_letter(would, course)}"
    lines = [_entry_line(e, question.what_if.percents[e.id]) for e in supposed[:_MOST_NAMED]]
    between = f"- Now: {_with_letter(now, course)}. Still possible: {percent_text(lowest)} to {percent_text(highest)}."
    data = {"outcome": _number(would), "letter": course.scheme.letter(would), "now": _number(now)}
    return ForecastAnswer(
        headline=opening, lines=[*lines, between], data={**data, "possible": [_number(lowest), _number(highest)]}
    )


def _out_of_reach(book: Gradebook, question: ForecastQuestion, course: Course) -> ForecastAnswer:
    assert question.target is not None
    name, least = question.target
    best = forecast_grade(book, _with_percent(question, HUNDRED))
    others_full = WhatIfScores(percents=_with_percent(question, HUNDRED).percents, others=OpenWork.FULL)
    highest = forecast_grade(book, others_full)
    lines = [] if question.names_item else [f"- Still open: {_titles(question.on)}."]
    if highest is not None and best is not None and highest > best:
        reached = " That would reach it." if rounded_percent(highest) >= least else ""
        lines.append(f"- Full marks on everything else that is open too: {_with_letter(highest, course)}.{reached}")
    lines.append("- What is missing or can be handed in again may still change this: ask the instructor.")
    out_of_reach = f"{_target_text(name, least)} is out of reach with {_items_text(question)}"
    return ForecastAnswer(
        headline=f"{out_of_reach}: full marks there bring {question.noun} to {_with_letter(best, course)}",
        lines=lines,
        data={
            "target": name,
            "least": float(least),
            "needed_percent": None,
            "is_reachable": False,
            "best": _number(best),
        },
    )


def _with_percent(question: ForecastQuestion, percent: Fraction) -> WhatIfScores:
    percents = {**question.what_if.percents, **{entry.id: percent for entry in question.on}}
    return WhatIfScores(percents=percents, others=question.what_if.others)


def _listed_text(question: ForecastQuestion) -> str:
    """What is asked about, where a line for each item follows."""
    is_list = question.names_item and len(question.on) > 1
    return f"each of the {len(question.on)} items listed here" if is_list else _items_text(question)


def _items_text(question: ForecastQuestion) -> str:
    if not question.names_item:
        return f"everything that is still open ({count(len(question.on), 'item')})"
    return f"“{question.on[0].title}”" if len(question.on) == 1 else f"each of {_titles(question.on)}"


def _titles(entries: Sequence[GradebookEntry], dropped: Collection[int] = ()) -> str:
    named = ", ".join(
        f"“{entry.title}”{' (dropped by the course’s rules)' if entry.id in dropped else ''}"
        for entry in entries[:_MOST_NAMED]
    )
    return f"{named} and {len(entries) - _MOST_NAMED} more" if len(entries) > _MOST_NAMED else named


def _entry_line(entry: GradebookEntry, percent: Fraction, *, is_named: bool = False) -> str:
    """Line of an entry; without its title where the headline has named it."""
    points = f"{float(entry.possible * percent / HUNDRED):.4g} of {float(entry.possible):g} points"
    opening = f"That is {points}" if is_named else f"**{entry.title}** — {float(percent):g} % — {points}"
    return f"- {opening} — [open]({entry.url}) (id: {entry.id})"


def _target_text(name: str, least: Fraction) -> str:
    return name if name.endswith("%") else f"{name} ({float(least):g} % or more)"


def _with_letter(percent: Fraction | None, course: Course) -> str:
    letter = course.scheme.letter(percent)
    return f"{percent_text(percent)} ({letter})" if letter else percent_text(percent)


def _passing_letters(course: Course) -> Sequence[tuple[str, Fraction]]:
    return [letter for letter in course.scheme.letters if letter[1] > 0]


def _number(percent: Fraction | None) -> float | None:
    return None if percent is None else float(rounded_percent(percent))
