"""What is wrong with the outcome of a question; nothing when it is right."""

import re
from typing import Any

from tests.questions.classroom import Classroom, Outcome
from tests.questions.table import Question

FOR_THE_MODEL = re.compile(r"\bthe student\b(?! (?:union|center|health))|\b(?:ask|tell) them which\b", re.IGNORECASE)
"""What the application says to the model, which nobody else should read."""
OTHERS = re.compile(r"“[^”]*”|«[^»]*»|^\s*>.*$|\*\*.*?\*\*", re.MULTILINE)
"""What somebody else wrote, as an answer quotes it."""
MOST_ITEMS = 26
"""The list of twenty-five and, at most, one line that says how many more there are."""


def problems(classroom: Classroom, question: Question, outcome: Outcome) -> list[str]:
    """Each in words that name what was expected and what came."""
    found = []
    tools = tuple(name for name, _ in outcome.calls)
    if tools != question.tools:
        found.append(f"tools {tools} instead of {question.tools}")
    elif question.arguments and not _fits(dict(outcome.calls[-1][1]), question.arguments):
        found.append(f"arguments {dict(outcome.calls[-1][1])} lack {question.arguments}")
    answer = outcome.answer.lower()
    found += [f"no “{fact}” in the answer" for fact in (*question.facts, question.says) if fact.lower() not in answer]
    found += [f"said to a student: {said.group()}" for said in FOR_THE_MODEL.finditer(OTHERS.sub("", outcome.answer))]
    found += _dumped(outcome)
    found += [] if question.says else outcome.failed
    return found + _outside(classroom, question, outcome)


def _fits(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return isinstance(given, dict) and all(_fits(given.get(name), value) for name, value in wanted.items())
    if isinstance(wanted, str) and isinstance(given, str):
        return given.lower() == wanted.lower()
    return bool(given == wanted)


def _dumped(outcome: Outcome) -> list[str]:
    items = [line for line in outcome.answer.splitlines() if line.startswith("- ")]
    return [f"{len(items)} items in the answer"] if len(items) > MOST_ITEMS * max(1, len(outcome.calls)) else []


def _outside(classroom: Classroom, question: Question, outcome: Outcome) -> list[str]:
    rows = {row.label: row.value for card in outcome.cards for row in card.rows}
    found = [f"card {rows} lacks {question.card}"] if not _fits(rows, question.card) else []
    for service, title in question.made.items():
        if not classroom.titles(question, service, title):
            found.append(f"“{title}” is not at {service}")
    for service, title in question.gone.items():
        if classroom.titles(question, service, title):
            found.append(f"“{title}” is still at {service}")
    return found
