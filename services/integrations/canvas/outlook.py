"""Telling a forecast in words: what is needed or would come out, and every assumption behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from services.i18n.english import count
from services.integrations.canvas.courses import Course
from services.integrations.canvas.forecast import Others, Supposition, forecast, needed, span, supposed_scores
from services.integrations.canvas.grading import HUNDRED, Entry, Gradebook, current_scores, dropped, rounded, total
from services.integrations.canvas.grading_scheme import shown

_ASSUMED = {
    Others.AVERAGE: "as the student's average in its group so far",
    Others.ZERO: "with nothing",
    Others.FULL: "with all of the points",
    Others.LEFT_OUT: "left out",
}
_MOST_NAMED = 6


@dataclass(frozen=True, kw_only=True)
class Question:
    """target: how to say it, and the least percentage. on: what it is asked of, or all that is open.

    noun: what is graded, "the course" or "the grading period".
    """

    target: tuple[str, Fraction] | None
    on: tuple[Entry, ...]
    names_item: bool
    supposition: Supposition
    noun: str = "the course"


@dataclass(frozen=True, kw_only=True)
class Told:
    headline: str
    lines: list[str]
    data: dict[str, Any]


def answer(book: Gradebook, question: Question, course: Course) -> Told:
    """What is needed for the target, or what the supposed scores make, or how everything may still end."""
    if question.target is None:
        return _outcome(book, question, course)
    name, least = question.target
    percent = needed(book, question.on, least, question.supposition) if question.on else None
    if not question.on:
        return _outcome(book, question, course, f"nothing is left to reach {name} with")
    what = _named(question)
    if percent is None:
        return _out_of_reach(book, question, course)
    sure = f"{name} is safe: {what} could even stay at zero"
    headline = f"you need {float(percent):g} % on {what} for {_told(name, least)}" if percent else sure
    with_it = _with(question, percent)
    lines = [_entry_line(entry, percent) for entry in question.on[:_MOST_NAMED]]
    return Told(
        headline=headline,
        lines=[*lines, f"- With that {question.noun} comes to {_with_letter(forecast(book, with_it), course)}."],
        data={"target": name, "least": float(least), "needed_percent": float(percent), "is_reachable": True},
    )


def assumptions(book: Gradebook, question: Question, course: Course) -> list[str]:
    """A line for each thing that the answer takes for granted."""
    scores = supposed_scores(book, question.supposition)
    asked = {entry.id for entry in question.on} if question.target else set()
    rest = [e for e in book.open_entries if e.id not in asked and e.id not in question.supposition.percents]
    missing = [e for e in rest if e.state == "missing"]
    rest = [e for e in rest if e.state != "missing"] if question.supposition.others is not Others.LEFT_OUT else rest
    left_out = [entry.title for group in book.groups for entry in dropped(group, scores)]
    scheme = "the course's own grading scheme" if course.scheme.is_own else "Canvas's default grading scheme"
    told = [
        f"- Assumed: {count(len(rest), 'other open item')}, {_ASSUMED[question.supposition.others]}." if rest else "",
        f"- Assumed: zero for what is missing ({_titles(missing)})."
        if missing and question.supposition.others is not Others.LEFT_OUT
        else "",
        f"- Dropped by the course's rules: {', '.join(left_out[:_MOST_NAMED])}." if left_out else "",
        f"- Letters are by {scheme}: {', '.join(f'{name} from {float(least):g} %' for name, least in _top(course))}.",
        "- Work that gives extra credit, or late penalties still to come, are not foreseen.",
    ]
    return [line for line in told if line]


def check(book: Gradebook, course: Course, official: float | None) -> str:
    """A note when our arithmetic does not come to Canvas's own current score, "" when it does or there is none."""
    ours = total(book, current_scores(book))
    if course.hides_grades:
        return "Note: the instructor hides the total, so Canvas cannot confirm this; it comes from the visible scores."
    if official is None or ours is None or abs(rounded(ours) - Fraction(str(official))) <= Fraction(1, 50):
        return ""
    return (
        f"Note: Canvas shows {official:g} % now, this arithmetic gives {shown(ours)}; a rule that Canvas does not "
        "tell students about is at work, so take the forecast as rough."
    )


def _outcome(book: Gradebook, question: Question, course: Course, because: str = "") -> Told:
    would, now = forecast(book, question.supposition), total(book, current_scores(book))
    lowest, highest = span(book)
    supposed = [e for e in book.entries if e.id in question.supposition.percents]
    opening = f"with that {question.noun} comes to {_with_letter(would, course)}"
    if not supposed:
        opening = because or f"as things go {question.noun} comes to {_with_letter(would, course)}"
    lines = [_entry_line(e, question.supposition.percents[e.id]) for e in supposed[:_MOST_NAMED]]
    between = f"- Now: {_with_letter(now, course)}. Still possible: {shown(lowest)} to {shown(highest)}."
    data = {"outcome": _number(would), "letter": course.scheme.letter(would), "now": _number(now)}
    return Told(
        headline=opening, lines=[*lines, between], data={**data, "possible": [_number(lowest), _number(highest)]}
    )


def _out_of_reach(book: Gradebook, question: Question, course: Course) -> Told:
    assert question.target is not None
    name, least = question.target
    best = forecast(book, _with(question, HUNDRED))
    others_full = Supposition(percents=_with(question, HUNDRED).percents, others=Others.FULL)
    highest = forecast(book, others_full)
    lines = [f"- Full marks on {_named(question)} bring {question.noun} to {_with_letter(best, course)}."]
    if highest is not None and best is not None and highest > best:
        reached = " That would reach it." if rounded(highest) >= least else ""
        lines.append(f"- Full marks on everything else that is open too: {_with_letter(highest, course)}.{reached}")
    lines.append("- What is missing or can be handed in again may still change this: ask the instructor.")
    return Told(
        headline=f"{_told(name, least)} is out of reach with {_named(question)}, but {_letter_at(best, course)} is not",
        lines=lines,
        data={
            "target": name,
            "least": float(least),
            "needed_percent": None,
            "is_reachable": False,
            "best": _number(best),
        },
    )


def _with(question: Question, percent: Fraction) -> Supposition:
    percents = {**question.supposition.percents, **{entry.id: percent for entry in question.on}}
    return Supposition(percents=percents, others=question.supposition.others)


def _named(question: Question) -> str:
    if not question.names_item:
        return f"everything that is still open ({count(len(question.on), 'item')})"
    return f"“{question.on[0].title}”" if len(question.on) == 1 else f"each of {_titles(question.on)}"


def _titles(entries: Sequence[Entry]) -> str:
    named = ", ".join(f"“{entry.title}”" for entry in entries[:_MOST_NAMED])
    return f"{named} and {len(entries) - _MOST_NAMED} more" if len(entries) > _MOST_NAMED else named


def _entry_line(entry: Entry, percent: Fraction) -> str:
    points = f"{float(entry.possible * percent / HUNDRED):.4g} of {float(entry.possible):g} points"
    return f"- **{entry.title}** — {float(percent):g} % — {points} — [open]({entry.url}) (id: {entry.id})"


def _told(name: str, least: Fraction) -> str:
    return name if name.endswith("%") else f"{name} ({float(least):g} % or more)"


def _with_letter(percent: Fraction | None, course: Course) -> str:
    letter = course.scheme.letter(percent)
    return f"{shown(percent)} ({letter})" if letter else shown(percent)


def _letter_at(percent: Fraction | None, course: Course) -> str:
    return f"{course.scheme.letter(percent)} ({shown(percent)})"


def _top(course: Course) -> Sequence[tuple[str, Fraction]]:
    return [letter for letter in course.scheme.letters if letter[1] > 0]


def _number(percent: Fraction | None) -> float | None:
    return None if percent is None else float(rounded(percent))
