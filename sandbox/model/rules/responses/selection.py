"""Selection of lines from a long result: classes of a day, latest grades, the one worth most or due first."""

import re
from collections.abc import Sequence
from datetime import datetime

from sandbox.model.rules.dialogue.rephrasing import IS_DONE
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.memory import entity_of, last_read
from sandbox.model.rules.understanding.tool_results import Item

MOST_GRADES, LATEST = 10, 3
A_CLASS = re.compile(r"\b(?:lecture|lab|section|recitation|seminar|class|clase|laboratorio|seminario)\b", re.IGNORECASE)
CODE_FIRST = re.compile(r"^[A-Z]{2,5} ?\d{3}\b(?!.*\b(?:meeting|office hours|study|exam|midterm|final|project)\b)")
ASKS_FOR_CLASSES = re.compile(r"\b(?:class(?:es)?|lectures?|clases?)\b(?!\s+(?:notes?|project|average|mean))")
GOES_ON = re.compile(r"^\W*(?:and|what\s+about|how\s+about|y)\b(?!.*\b(?:due|free|libre))")
NEXT_ONE = re.compile(
    r"\b(?:what|when|whats|what'?s|cual|cuando|que|when'?s)\b.{0,15}\b(?:next|proxim[oa]|siguiente)\s+"
    r"(?:deadline|assignment|due\s+date|exam|test|quiz|midterm|final|essay|entrega|tarea|examen|parcial|ensayo)\W*$"
)
LATEST_ONE = re.compile(r"\b(?:latest|last|newest|most recent|ultimo)\s+(?:announcement|anuncio)\b")
THE_NEXT = re.compile(r"\b(?:next|first|proxim[oa]|siguiente|primer[oa]?)\s+(?:class|lecture|clase)\b")
EXTREME = re.compile(
    r"\b(?:(?P<low>worst|lowest|weakest|peor)|best|highest|strongest|mejor)\s+(?:class|course|grade|subject|curso|clase|materia|nota)\b"
    r"|\b(?:clase|curso|materia|nota)\s+(?:mas\s+baja|mas\s+bajo)\b|\b(?:going|doing|voy)\s+(?:(?P<bad>worst|peor)|best|mejor)\b"
)
PERCENT = re.compile(r"— (?P<n>\d+(?:\.\d+)?) %")
IS_GRADED = re.compile(r"\bgraded: ")
IS_MISSING = re.compile(r"— missing\b")


def classes_of(
    profile: Profile | None, items: Sequence[Item], intent: Intent, now: datetime, before: str = ""
) -> list[Item] | None:
    """The classes among a day's events; None when something else is asked for.
    before: the message before this one, whose question "and Thursday?" goes on with."""
    asked = fold(before) if GOES_ON.match(fold(intent.text)) else fold(intent.text)
    is_calendar = profile is not None and profile.objects.get("event", 0) >= 0.9 > profile.objects.get("free", 0)
    if not is_calendar or intent.course is not None or not ASKS_FOR_CLASSES.search(asked):
        return None
    entities = [item for item in items if not item.is_remark]
    classes = [item for item in entities if A_CLASS.search(item.title) or CODE_FIRST.search(item.title)]
    if not THE_NEXT.search(fold(intent.text)):
        return classes
    return [item for item in classes if (start := entity_of(item, profile, now).start) and start > now][:1]


def next_one(profile: Profile | None, items: Sequence[Item], intent: Intent) -> list[Item]:
    """The next thing due, the latest announcement or the course that is named; empty when all are asked for."""
    about, asked = profile.objects if profile else {}, fold(intent.text)
    entities = [item for item in items if not item.is_remark and not IS_DONE.search(item.line)]
    if about.get("course", 0) >= 0.9 and (number := re.search(r"\b[a-z]{2,5} ?(\d{3})\b", asked)):
        return [item for item in entities if number[1] in item.title]
    is_next = about.get("assignment", 0) >= 0.9 and NEXT_ONE.search(asked)
    return entities[:1] if is_next or (about.get("announcement", 0) >= 0.9 and LATEST_ONE.search(asked)) else []


def extreme_course(profile: Profile | None, items: Sequence[Item], intent: Intent) -> list[Item]:
    """The course with the lowest or highest grade, for whoever asks for one; empty for everybody else."""
    asked = EXTREME.search(fold(intent.text))
    known = [(float(found["n"]), item) for item in items if (found := PERCENT.search(item.line))]
    if profile is None or profile.objects.get("grade", 0) < 0.9 or not asked or len(known) < 2:
        return []
    return [(min if asked["low"] or asked["bad"] else max)(known, key=lambda pair: pair[0])[1]]


def few_grades(profile: Profile | None, items: Sequence[Item]) -> list[Item]:
    """Of a whole gradebook the groups, what is missing and what was graded last; empty when there are few anyway."""
    is_grades = profile is not None and profile.objects.get("grade", 0) >= 0.9
    graded = [item for item in items if IS_GRADED.search(item.line)]
    if not is_grades or len(items) <= MOST_GRADES or len(graded) <= LATEST:
        return []
    groups = [item for item in items if item.title.startswith("Group: ")]
    return [*groups, *(item for item in items if IS_MISSING.search(item.line)), *graded[-LATEST:]]


OF_THEM = r"(?:one|ones|of\s+(?:those|these|them|it)|de\s+(?:es[oa]s|est[oa]s|ell[oa]s)|es)\b"
ASKS = re.compile(rf"^\W*(?:(?:and|so|ok|y)\W+)*(?:which|what|cual(?:es)?)\b.{{0,12}}\b{OF_THEM}")
MOST = pattern("(worth|counts?|weighs?|vale|cuenta|pesa|points?|puntos) .. (most|more|mas) | (biggest|mayor)")
LEAST = pattern("(worth|counts?|vale|cuenta|points?|puntos) .. (least|less|menos) | (smallest|menor)")
FIRST = re.compile(r"\b(?:first|soonest|earliest|next|primero|antes|proxim[oa])\b")
LAST = re.compile(r"\b(?:last|latest|ultim[oa])\b")
POINTS = re.compile(r"— (?P<n>\d+(?:\.\d+)?) points\b")


def compared(state: RequestState) -> str:
    """The one of the last list that is meant, with its line; empty when something else is asked, or none is known."""
    folded = fold(state.conversation.now.said)
    last = last_read(state.conversation, state.tools)
    if last is None or not ASKS.search(folded):
        return ""
    profile, step = last
    is_last, is_most = LAST.search(folded), MOST.search(folded)
    if is_most or LEAST.search(folded):
        valued = [(float(points["n"]), item) for item in step.items if (points := POINTS.search(item.line))]
        best = (max if is_most else min)((value for value, _ in valued), default=0.0)
        told = state.say("most_points" if is_most else "fewest_points").format(points=f"{best:g}")
    else:
        starts = [(entity_of(item, profile, state.now).start, item) for item in step.items]
        valued = [(start.timestamp(), item) for start, item in starts if start and (is_last or FIRST.search(folded))]
        best = (max if is_last else min)((value for value, _ in valued), default=0.0)
        told = state.say("last_of_them" if is_last else "first_of_them")
    lines = [f"- {state.translated_line(item.line)}" for value, item in valued if value == best]
    return "\n\n".join([told, "\n".join(lines)]) if lines else ""
