"""Fewer lines of a long result: the classes of a day for whoever asks for classes, the latest of many grades."""

import re
from collections.abc import Sequence
from datetime import datetime

from sandbox.model.rules.dialogue.intent import Intent
from sandbox.model.rules.dialogue.memory import thing_of
from sandbox.model.rules.dialogue.rephrasing import IS_DONE
from sandbox.model.rules.dialogue.tool_results import Item
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.tools.profile import Profile

MOST_GRADES, LATEST = 10, 3
A_CLASS = re.compile(r"\b(?:lecture|lab|section|recitation|seminar|class|clase|laboratorio|seminario)\b", re.IGNORECASE)
CODE_FIRST = re.compile(r"^[A-Z]{2,5} ?\d{3}\b(?!.*\b(?:meeting|office hours|study|exam|midterm|final|project)\b)")
ASKS_FOR_CLASSES = re.compile(r"\b(?:class(?:es)?|lectures?|clases?)\b(?!\s+(?:notes?|project|average|mean))")
GOES_ON = re.compile(r"^\W*(?:and|what\s+about|how\s+about|y)\b(?!.*\b(?:due|free|libre))")
NEXT_ONE = re.compile(
    r"\b(?:what|when|whats|what'?s|cual|cuando|que|when'?s)\b.{0,15}\b(?:next|proxim[oa]|siguiente)\s+"
    r"(?:deadline|assignment|due\s+date|exam|test|quiz|midterm|final|essay|entrega|tarea|examen|parcial|ensayo)\W*$"
)
THE_NEXT = re.compile(r"\b(?:next|first|proxim[oa]|siguiente|primer[oa]?)\s+(?:class|lecture|clase)\b")
EXTREME = re.compile(
    r"\b(?:(?P<low>worst|lowest|weakest|peor)|best|highest|strongest|mejor)\s+(?:class|course|grade|subject|curso|clase|materia|nota)\b"
    r"|\b(?:clase|curso|materia|nota)\s+(?:mas\s+baja|mas\s+bajo)\b"
)
PERCENT = re.compile(r"— (?P<n>\d+(?:\.\d+)?) %")
IS_GRADED = re.compile(r"\bgraded: ")
IS_MISSING = re.compile(r"— missing\b")


def classes_of(
    profile: Profile | None, items: Sequence[Item], intent: Intent, now: datetime, before: str = ""
) -> list[Item] | None:
    """The classes among a day's events; None when something else is asked for.

    before: the message before this one, whose question "and Thursday?" goes on with.
    """
    asked = fold(before) if GOES_ON.match(fold(intent.text)) else fold(intent.text)
    is_calendar = profile is not None and profile.objects.get("event", 0) >= 0.9 > profile.objects.get("free", 0)
    if not is_calendar or intent.course is not None or not ASKS_FOR_CLASSES.search(asked):
        return None
    things = [item for item in items if not item.is_remark]
    classes = [item for item in things if A_CLASS.search(item.title) or CODE_FIRST.search(item.title)]
    if not THE_NEXT.search(fold(intent.text)):
        return classes
    return [item for item in classes if (start := thing_of(item, profile, now).start) and start > now][:1]


def next_one(profile: Profile | None, items: Sequence[Item], intent: Intent) -> list[Item]:
    """The first open item of what is due, for whoever asks for the next one; empty for everybody else."""
    is_due = profile is not None and profile.objects.get("assignment", 0) >= 0.9
    if not is_due or not NEXT_ONE.search(fold(intent.text)):
        return []
    return [item for item in items if not item.is_remark and not IS_DONE.search(item.line)][:1]


def extreme_course(profile: Profile | None, items: Sequence[Item], intent: Intent) -> list[Item]:
    """The course with the lowest or highest grade, for whoever asks for one; empty for everybody else."""
    asked = EXTREME.search(fold(intent.text))
    known = [(float(found["n"]), item) for item in items if (found := PERCENT.search(item.line))]
    if profile is None or profile.objects.get("grade", 0) < 0.9 or not asked or len(known) < 2:
        return []
    return [(min if asked["low"] else max)(known, key=lambda pair: pair[0])[1]]


def few_grades(profile: Profile | None, items: Sequence[Item]) -> list[Item]:
    """Of a whole gradebook the groups, what is missing and what was graded last; empty when there are few anyway."""
    is_grades = profile is not None and profile.objects.get("grade", 0) >= 0.9
    graded = [item for item in items if IS_GRADED.search(item.line)]
    if not is_grades or len(items) <= MOST_GRADES or len(graded) <= LATEST:
        return []
    groups = [item for item in items if item.title.startswith("Group: ")]
    return [*groups, *(item for item in items if IS_MISSING.search(item.line)), *graded[-LATEST:]]
