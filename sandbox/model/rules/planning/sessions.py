"""Study sessions at good times: how many, of which days, and before what they have to be over."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sandbox.model.reply import Call
from sandbox.model.rules.dates.vocabulary import NUMBER, number
from sandbox.model.rules.dialogue.references import by_words
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold, stems, word_set
from sandbox.model.rules.planning.goals import Goal, Preparation
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.slots.named_slots import said_slot
from sandbox.model.rules.slots.slot_context import SlotContext
from sandbox.model.rules.slots.slot_filling import fill
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.memory import Entity, entity_of

HOW_MANY = re.compile(
    rf"\b(?P<n>{NUMBER}|some|varias)\s+(?:\w+\s+){{0,3}}?(?:sessions|blocks|times|sesiones|bloques)\b"
)
VAGUE = ("some", "varias", "a", "an", "un", "una")
EACH_DAY = pattern(
    "(every|each|cada|tod[oa]s l[oa]s) (single )?(day|evening|night|morning|afternoon|dia|tarde|noche|manana)s?"
)
EXAM = pattern(
    "(?P<midterm>midterms?|(examen )?parcial(es)?)|(?P<final>finals?( exam)?|examen final)|(?P<quiz>quiz(zes)?)"
    " | exams?|tests?|examen(es)?"
)
WORK = pattern(
    """
    essays?|papers?|reports?|projects?|homework|hw|psets?|webwork|labs?|presentation|assignments?|ensayos?|informes?
    reportes?|proyectos?|tareas?|deberes|trabajo|presentacion|entrega | problem sets?
    (work on|finish|trabajar en|terminar) (the|my|el|la|mi)
    """
)
WHICH = re.compile(r"\b(?:lab|essay|report|project|homework|hw|pset|set|ensayo|informe|proyecto|tarea)\s+#?(?P<n>\d+)")
PERHAPS = pattern("ideally | prefer~ | if possible | best | idealmente | preferible~ | si (es )?pued~")
HOURS = {"morning": ("08:00", "12:00"), "afternoon": ("12:00", "18:00"), "evening": ("17:00", "22:00")}
CODE = re.compile(r"\b[A-Z]{2,5} ?\d{2,4}[A-Z]?\b")
OF_NO_SUBJECT = word_set(
    """
    study studying time session sessions prep prepare review for my the next upcoming exam exams test tests final finals
    midterm midterms quiz quizzes estudiar estudio repasar repaso tiempo sesion sesiones de para el la mi mis proximo
    proxima examen examenes parcial prueba
    """
)
"""A title of these words alone names no exam."""
USUAL, MOST, MOST_SUGGESTED = 3, 20, 10
A_FEW_DAYS, A_WEEK, FOUR_WEEKS = 6, 7, 28


@dataclass(frozen=True, kw_only=True)
class Target:
    """Target of the sessions, when courses tell: they end before it is due. says: that nothing such is to come."""

    entity: Entity | None = None
    is_exam: bool = False
    says: str = ""

    @property
    def last_day(self) -> date | None:
        """The day before it is due."""
        return self.entity.start.date() - timedelta(days=1) if self.entity and self.entity.start else None


def prepare_sessions(state: RequestState, goal: Goal, steps: Sequence[Step]) -> Preparation | None:
    """The looks at what the sessions are for and at good times; None once the goal has its starts."""
    source = state.special("suggest_times")
    if source is None:
        return None
    listing, asks = _list_of_work(state, goal)
    listed = [step for step in steps if listing and step.name == listing.name]
    if listing is not None and not listed:
        return Preparation(calls=[Call(name=listing.name, input=asks)])
    used = frozenset(step.id for step in steps if step in listed or step.name == source.name)
    if listed and listed[-1].is_error:
        return Preparation(failed=listed[-1], used=used)
    target = _target(state, goal, listing, listed[-1]) if listing and listed else Target()
    if target.says:
        return Preparation(says=target.says, used=used)
    wanted = _looks(state, goal, source, target)
    made = [step for asked in wanted for step in steps if step.name == source.name and step.input == asked]
    if len(made) < len(wanted):
        return Preparation(calls=[Call(name=source.name, input=asked) for asked in wanted])
    if failed := next((step for step in made if step.is_error), None):
        return Preparation(failed=failed, used=used)
    says = _choose(state, goal, source, made, target)
    goal.missing = [param for param in goal.missing if param.name not in goal.arguments]
    return Preparation(says=says, used=used)


def fewer_than_asked(state: RequestState, goal: Goal, done: Step) -> str:
    """Remark that not all sessions that were asked for found a place; empty when they did."""
    planned, asked = len(done.input.get("starts") or ()), _asked_for(goal)
    is_fewer = goal.profile.ability == "study_sessions" and asked is not None and planned < asked
    if not is_fewer or done.is_changed or done.is_error or "declined" in done.result:
        return ""
    return state.say("fewer").format(n=planned, asked=asked)


def _asked_for(goal: Goal) -> int | None:
    found = HOW_MANY.search(fold(goal.intent.text))
    return None if found is None or found["n"] in VAGUE else max(1, int(number(found["n"])))


def _list_of_work(state: RequestState, goal: Goal) -> tuple[Profile | None, dict[str, Any]]:
    """The list that tells when what the sessions are for is due, and what it is asked with."""
    folded = fold(goal.intent.text)
    is_of_course = goal.intent.objects.get("assignment", 0) >= 0.6 or goal.intent.course is not None
    is_work = WORK.search(folded) is not None or (EXAM.search(folded) is not None and is_of_course)
    source = state.listing() if is_work else None
    if source is None:
        return None, {}
    # The days are those of the sessions; what they are for may be later.
    when = {param.name for param in source.params if param.role in (Role.START, Role.END)}
    filled = fill(source, goal.intent, SlotContext(now=state.now)).arguments
    coming = {param.name: "upcoming" for param in source.params if "upcoming" in param.choices}
    return source, {name: value for name, value in filled.items() if name not in when} | coming


def _target(state: RequestState, goal: Goal, listing: Profile, step: Step) -> Target:
    entities = [entity_of(item, listing, state.now) for item in step.items]
    coming = sorted((entity for entity in entities if entity.start and entity.start > state.now), key=_start)
    named, which = EXAM.search(fold(goal.intent.text)), WHICH.search(fold(goal.intent.text))
    if named is not None:
        kind = next((name for name, said in named.groupdict().items() if said), "")
        exams = [entity for entity in coming if kind in fold(entity.title)]
        return Target(entity=exams[0], is_exam=True) if exams else Target(says=state.say("no_coming"))
    if which:
        coming = [entity for entity in coming if which["n"] in stems(entity.title)]
        if not coming and "kind" in step.input:
            return Target(says=state.say("no_coming"))
    chosen = by_words(goal.intent, coming)
    kinds = {param.name for param in listing.params if param.role is Role.CHOICE and "upcoming" not in param.choices}
    first_of_kind = coming[0] if coming and kinds & set(step.input) else None
    return Target(entity=chosen.entity or min(chosen.others, key=_start, default=first_of_kind))


def _start(entity: Entity) -> datetime:
    assert entity.start is not None
    return entity.start


def _days(state: RequestState, goal: Goal, target: Target) -> tuple[date, date]:
    """The first and the last day on which there may be a session."""
    when, today = goal.intent.when, state.now.date()
    first = max(today, when.start.date()) if when.has_day and when.start else today
    if (when.has_day or when.is_deadline) and when.end is not None:
        last = when.end.date()
    elif EACH_DAY.search(fold(goal.intent.text)):
        last = target.last_day or first + timedelta(days=A_WEEK - 1)
    else:
        last = first + timedelta(days=max(A_FEW_DAYS, 2 * (_asked_for(goal) or USUAL) - 2))
    if target.last_day is not None and not when.has_day:
        last = min(last, target.last_day)
    return first, max(first, min(last, first + timedelta(days=FOUR_WEEKS)))


def _count(state: RequestState, goal: Goal, target: Target) -> int:
    first, last = _days(state, goal, target)
    each = (last - first).days + 1 if EACH_DAY.search(fold(goal.intent.text)) else None
    return min(MOST, _asked_for(goal) or each or (USUAL if last > first else 1))


def _looks(state: RequestState, goal: Goal, source: Profile, target: Target) -> list[dict[str, Any]]:
    """What good times are asked for with: week by week where one look would not tell of enough."""
    (first, last), count = _days(state, goal, target), _count(state, goal, target)
    filled = fill(source, goal.intent, SlotContext(now=state.now)).arguments
    given = {"prefer": filled["prefer"]} if "prefer" in filled else {}
    given |= {"minutes": goal.intent.when.minutes or 60, "how_many": min(MOST_SUGGESTED, 2 * count), **_hours(goal)}
    given = {name: value for name, value in given.items() if any(param.name == name for param in source.params)}
    if target.entity is None and not goal.intent.when.is_said and count <= USUAL:
        return [given]
    step = A_WEEK if 2 * count > MOST_SUGGESTED else 10 * A_WEEK
    starts = [first + timedelta(days=days) for days in range(0, (last - first).days + 1, step)]
    return [
        {**given, "start": start.isoformat(), "end": min(last, start + timedelta(days=step - 1)).isoformat()}
        for start in starts
    ]


def _hours(goal: Goal) -> dict[str, str]:
    part = said_slot("prefer", goal.intent.text)
    if part is None or PERHAPS.search(fold(goal.intent.text)):
        return {}
    return dict(zip(("day_start", "day_end"), HOURS[part], strict=True))


def _choose(state: RequestState, goal: Goal, source: Profile, steps: Sequence[Step], target: Target) -> str:
    """Fill in the starts, one a day as long as there are days; words when there is no good time at all."""
    count, length = _count(state, goal, target), timedelta(minutes=goal.intent.when.minutes or 60)
    items = [item for step in steps for item in step.items]
    starts = [entity.start for item in items if (entity := entity_of(item, source, state.now)).start]
    by_day = {start.date(): start for start in reversed(starts)}
    in_order = sorted(by_day.values(), key=starts.index)
    others = [] if EACH_DAY.search(fold(goal.intent.text)) else [start for start in starts if start not in in_order]
    chosen: list[datetime] = []
    for start in [*in_order, *others]:
        if len(chosen) < count and all(abs(start - other) >= length for other in chosen):
            chosen.append(start)
    if not chosen:
        return state.say("no_room")
    goal.arguments["starts"] = [f"{start:%Y-%m-%dT%H:%M}" for start in sorted(chosen)]
    _name(state, goal, target)
    return ""


def _name(state: RequestState, goal: Goal, target: Target) -> None:
    """Call the sessions after what they are for, where only the list of work names it."""
    entity = target.entity
    is_nameless = set(re.findall(r"\w+", fold(str(goal.arguments.get("title", ""))))) <= OF_NO_SUBJECT
    if entity is None or goal.intent.quoted or (target.is_exam and not is_nameless):
        return
    code = CODE.search(entity.line.replace(entity.title, ""))
    title = f"{entity.title} ({code.group()})" if code else entity.title
    goal.arguments["title"] = state.say("study_for" if target.is_exam else "work_on").format(title=title)
