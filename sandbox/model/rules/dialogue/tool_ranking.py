"""Tool ranking: what a clause is about once the conversation is considered, and the tool that serves it best."""

import math
import re
from collections.abc import Mapping, Set

from sandbox.model.rules.dialogue.references import by_ordinal
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.lexicon import SERVICES
from sandbox.model.rules.language.text import fold, stems, word_set
from sandbox.model.rules.language.translation import in_english
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.slots.title_words import telling_stems
from sandbox.model.rules.tools.abilities import asked_for
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Param, Role
from sandbox.model.rules.understanding import memory
from sandbox.model.rules.understanding.intent import Intent

WORTH_CALLING, LEAST_ALIKE, FEW_ADDED, SHORTEST, PLAINLY = 0.34, 15.0, 3, 3, 12.5
DUE_DATES = "due_dates"
MADE = ("event", "note", "task")
UNFINISHED = ("unsubmitted", "overdue", "submitted")
WRITES_DOWN = re.compile(r"^(?:write|jot|note|escrib|anot|apunt|save|guard)")
WHERE_IS = re.compile(
    r"\b(?:where|what\s+(?:room|building|time)|when)(?:'?s|\s+is|\s+does|\s+do)?\b.{0,30}\b(?:class|lecture|lab|section"
    r"|seminar|recitation)\b(?!.*\b(?:report|due|sheet|homework|submit|notes?|\d)\b)"
    r"|\b(?:donde|en\s+que\s+(?:aula|sala|salon)|a\s+que\s+hora|cuando)\s+(?:es|esta|queda|tengo|empieza|termina|acaba)\b"
    r".{0,20}\b(?:clase|laboratorio|seminario)\b"
)
TO_DO = re.compile(r"\b(?:tengo que|hay que|tenemos que|i (?:have|need|must|ought) to|i should|to remember)\b")

# How well a tool's verb serves what the student wants.
FITS: Mapping[Action, Mapping[Action, float]] = {
    Action.READ: {Action.READ: 1.0, Action.SEARCH: 0.92, Action.OPEN: 0.9},
    Action.SEARCH: {Action.SEARCH: 1.1, Action.READ: 0.95, Action.OPEN: 0.8},
    Action.OPEN: {Action.OPEN: 1.1, Action.READ: 0.9, Action.SEARCH: 0.8},
    Action.CREATE: {Action.CREATE: 1.0, Action.APPEND: 0.75},
    Action.APPEND: {Action.APPEND: 1.0, Action.CREATE: 0.6},
    Action.CHANGE: {Action.CHANGE: 1.0, Action.APPEND: 0.4},
    Action.DELETE: {Action.DELETE: 1.0},
}
PLURALS = word_set(
    """
    assignments quizzes exams essays labs papers deadlines tests projects readings entregas tareas examenes trabajos
    """
)
LEAST_SHARED = 0.55
"""A tool must be about one of the wanted things in the main, not in passing."""


def best_tool(state: RequestState, intent: Intent) -> tuple[Profile | None, float]:
    """The tool that fits a clause best and how well; worth calling from about a third on."""
    special = special_tool(state, intent.text)
    if special is not None:
        return _namesake(state, special, intent.text), 1.0
    objects = wanted_objects(state, intent)
    scores = {tool.name: score(tool, intent, objects) for tool in state.tools.values() if not tool.ability}
    best = max(scores, key=lambda name: scores[name], default=None)
    if objects.get("assignment", 0.0) >= 0.6 and (feed := _feed_of_due_dates(state)):
        return feed, 1.0
    return (None, 0.0) if best is None else (state.tools[best], scores[best])


def _namesake(state: RequestState, special: Profile, text: str) -> Profile:
    # "Forget the reminder": where a tool that deletes has the very word in its name, that is meant.
    said = {*stems(text), *stems(in_english(text))}
    alike = [tool for tool in state.tools.values() if special.action is tool.action is Action.DELETE]
    return max([special, *alike], key=lambda tool: sum(tool.weights[word] == 3 for word in said & tool.weights.keys()))


def likely_tool(state: RequestState, intent: Intent, *, instead: Profile | None = None) -> Profile | None:
    """Of the tools that the application has added for this message, the one whose own words are most like it.
    instead: the one that is not loaded and would be taken otherwise, which only a plainly likelier one replaces."""
    tools = [state.tools[name] for name in state.added[0] if name in state.tools]
    tools = [tool for tool in tools if not (tool.action.is_write and intent.is_question)]
    said = {*stems(intent.text), *stems(in_english(intent.text))}
    shared = {tool.name: _shared_words(state, tool, said) for tool in tools}
    likely = max(tools, key=lambda tool: shared[tool.name] + _suits(tool, intent), default=None)
    is_special = instead is not None and instead is special_tool(state, intent.text)
    if likely is None or len(intent.tokens) < SHORTEST or (is_special and shared[likely.name] < PLAINLY):
        return None
    # Who asks for what only a service that is not connected knows is told so, and not what is nearly the same.
    wanted = [name for name, weight in intent.objects.items() if weight >= 0.9] if intent.is_question else []
    if instead is None and wanted and all(likely.objects.get(name, 0.0) < LEAST_SHARED for name in wanted):
        return None
    is_alike = shared[likely.name] + _suits(likely, intent) >= LEAST_ALIKE + 10 * (instead is not None)
    return likely if is_alike or len(tools) <= FEW_ADDED else None


def _shared_words(state: RequestState, tool: Profile, said: Set[str]) -> float:
    # A word that few tools use tells most.
    rare = {word: sum(word in other.weights for other in state.tools.values()) for word in said & tool.weights.keys()}
    return sum(tool.weights[word] * math.log(1 + len(state.tools) / count) for word, count in rare.items())


def _suits(tool: Profile, intent: Intent) -> float:
    # A statement ("chapter 7 is done") asks for nothing that could be read.
    is_said = not (intent.has_order or intent.is_question or "?" in intent.text)
    fit = 0.0 if is_said and not tool.action.is_write else FITS[intent.action].get(tool.action, 0.0)
    return 10 * _cosine(intent.objects, tool.objects) + 6 * fit


def special_tool(state: RequestState, text: str) -> Profile | None:
    """The tool with the speciality that the text asks for."""
    special = {tool.known_for: tool for tool in state.tools.values() if tool.known_for}
    return next((special[name] for name in asked_for(text) if name in special), None)


def _feed_of_due_dates(state: RequestState) -> Profile | None:
    # Without the courses themselves a calendar feed may have their due dates, when the application says so.
    general = [tool for tool in state.tools.values() if not tool.ability]
    if any(tool.objects.get("assignment", 0.0) >= 0.9 for tool in general):
        return None
    is_there = DUE_DATES in state.conversation.system
    return next(
        (tool for tool in general if is_there and any(DUE_DATES in param.choices for param in tool.params)), None
    )


def wanted_objects(state: RequestState, intent: Intent) -> dict[str, float]:
    """Subjects of a clause with their weights, with what its verb, its hour or the conversation implies."""
    objects = _with_service(_sharpened(intent.objects), intent)
    if intent.action is Action.CREATE:
        return _to_create(state, intent, objects)
    # "Where is my calculus class", "¿a qué hora es el laboratorio?": the calendar has rooms and hours.
    asks_where = intent.action in (Action.READ, Action.SEARCH) and WHERE_IS.search(fold(intent.text))
    if _asks_for_a_day(intent, objects) or _asks_for_classes(intent) or asks_where:
        return {"event": 0.8}
    enough = 0.6 if intent.action in (Action.CHANGE, Action.DELETE) else 0.5
    if max(objects.values(), default=0.0) >= enough:
        return objects
    if intent.action in (Action.CHANGE, Action.DELETE):
        return _to_change(state, intent, objects)
    if intent.action is Action.APPEND:
        return {**objects, "note": 0.8} if intent.is_pronoun else objects
    return _to_look(intent, objects)


def is_own_business(intent: Intent) -> bool:
    """Whether a question that sounds like one about the world is about the student's own things."""
    if intent.has_own and intent.when.is_said and not intent.objects.get("web"):
        return True
    is_theirs = intent.has_own or intent.when.is_said or bool(intent.services) or intent.course is not None
    asks_details = intent.aspects.get("detail", 0) >= 0.7
    return (is_theirs and intent.strength >= 0.75) or (asks_details and intent.strength >= 0.6)


def is_serious(state: RequestState, intent: Intent, best: Profile) -> bool:
    """Whether the clause asks or orders; a single weak hint ("late", "paper") in other talk does not count."""
    if best.ability or best in (special_tool(state, intent.text), _feed_of_due_dates(state)):
        return True
    if best.action.is_write:
        changes = intent.action in (Action.CHANGE, Action.DELETE)
        return intent.has_order or changes or intent.when.has_time or intent.when.shift is not None
    objects = wanted_objects(state, intent)
    met = max((weight for name, weight in objects.items() if best.objects.get(name, 0) > 0.3), default=0.0)
    asks = intent.has_own or intent.is_question or intent.when.is_said or intent.has_order
    return met >= 0.6 or (met >= 0.4 and asks)


def _asks_for_a_day(intent: Intent, objects: Mapping[str, float]) -> bool:
    # "What do I have on tomorrow" is no look into the notes, though "what do I have on osmosis" is one.
    is_only_note = max(objects, key=lambda name: objects[name], default="") == "note"
    says_notes = bool(intent.services) or any(lexicon.is_about_notes(token) for token in intent.tokens)
    is_look = intent.action is Action.READ and intent.when.is_said and intent.when.has_day
    if is_look and intent.is_question and max(objects.values(), default=0.0) < 0.3:
        # "What's on today", "¿qué hay el lunes?": nothing but a day is asked for.
        return not says_notes and not telling_stems(intent) and not intent.is_about_the_world
    return is_look and is_only_note and not says_notes and not telling_stems(intent)


def _asks_for_classes(intent: Intent) -> bool:
    # "What classes do I have on Monday" is about that day, not about which courses there are.
    is_look = intent.action is Action.READ and intent.when.has_day and not set(intent.aspects) - {"past", "upcoming"}
    return (
        is_look
        and any(token.word in ("class", "classes", "clase", "clases") for token in intent.tokens)
        and intent.course is None
    )


def _to_look(intent: Intent, objects: dict[str, float]) -> dict[str, float]:
    asks = intent.action is Action.READ or intent.verb in ("where", "donde")
    if asks and max(intent.aspects.get(name, 0.0) for name in UNFINISHED) >= 0.8:
        return {**objects, "assignment": 0.7}
    if asks and intent.when.is_said and intent.has_own and (intent.is_question or intent.has_order):
        return {**objects, "event": 0.65}
    is_asked = intent.is_question or intent.has_order
    is_theirs = intent.has_own or (intent.when.is_said and intent.is_question)
    if asks and is_asked and intent.course and is_theirs and max(objects.values(), default=0.0) < 0.5:
        # "Do I have anything in chemistry?"
        return {"assignment": 0.7}
    if intent.action in (Action.SEARCH, Action.OPEN) and not objects and len(intent.tokens) <= 8:
        return {"note": 0.6}
    return objects


def _to_change(state: RequestState, intent: Intent, objects: dict[str, float]) -> dict[str, float]:
    entity = memory.latest_entity(state.conversation, state.tools, state.now, objects)
    if entity is not None and (intent.is_pronoun or not objects):
        return {**entity.objects, **objects} or {"event": 0.6}
    return {**objects, "event": 0.6}


def _to_create(state: RequestState, intent: Intent, objects: Mapping[str, float]) -> dict[str, float]:
    # Only some things can be made; "finish my history reading" says what an event is for, not what it is.
    made = {name: weight for name, weight in objects.items() if name in MADE}
    if intent.when.minutes and intent.when.has_time and not intent.services and not WRITES_DOWN.match(intent.verb):
        # "Put 2 hours to finish the outline tomorrow at 6" blocks the time, whatever it is for.
        made = {"event": 0.8}
    others = {name: weight * 0.3 for name, weight in objects.items() if name not in MADE}
    if max(made.values(), default=0.0) >= 0.5:
        return {**others, **made}
    if WRITES_DOWN.match(intent.verb):
        is_task = bool(TO_DO.search(fold(intent.text))) and ":" not in intent.text
        if is_task or not intent.when.has_time:
            return {**made, "task" if is_task else "note": 0.8}
    if intent.when.is_said or intent.when.minutes or _means_a_slot(state, intent):
        return {**others, **made, "event": 0.8}
    return dict(objects)


def _means_a_slot(state: RequestState, intent: Intent) -> bool:
    # "book the first one", "book it", after a look into the calendar.
    last = memory.last_read(state.conversation, state.tools)
    if last is None or not any(last[0].objects.get(name, 0) > 0.8 for name in ("event", "free")):
        return False
    listed = memory.last_list(state.conversation, state.tools, state.now)
    return intent.is_pronoun or by_ordinal(intent, listed) is not None


def _with_service(objects: Mapping[str, float], intent: Intent) -> dict[str, float]:
    # "My Canvas to-do list" is what Canvas has, whatever lists there are elsewhere.
    kept = dict(objects)
    for _, entities in (SERVICES[name] for name in intent.services):
        if not any(objects.get(entity, 0) >= 0.6 for entity in entities):
            kept[entities[0]] = 0.8
    return kept


def _sharpened(objects: Mapping[str, float]) -> dict[str, float]:
    # "What score did I get on the quiz": the quiz only says on what, when something else is asked about it.
    asked = max((weight for name, weight in objects.items() if name != "assignment"), default=0.0)
    is_only_named = objects.get("assignment", 0.0) < 0.75 and asked >= 0.6
    return {name: weight * (0.5 if name == "assignment" and is_only_named else 1) for name, weight in objects.items()}


def score(profile: Profile, intent: Intent, objects: Mapping[str, float] | None = None) -> float:
    """Score of a tool for an intent; 0 when it does something else. Above about 0.35 it is worth calling."""
    fit = FITS[intent.action].get(profile.action, 0.0)
    wanted = intent.objects if objects is None else objects
    if not fit or not wanted:
        return 0.0
    alike = _cosine(wanted, profile.objects)
    shared_most = max(
        (min(1.0, weight / 0.6) * profile.objects.get(entity, 0.0) for entity, weight in wanted.items()), default=0.0
    )
    if shared_most < LEAST_SHARED or _is_elsewhere(wanted, profile, intent):
        return 0.0
    shared = len(profile.words & {token.stem for token in intent.tokens if token.word not in lexicon.function_words()})
    return (
        alike
        * fit
        * _service_factor(profile, intent)
        * (1 + min(0.24, 0.08 * shared))
        * _aspect_factor(profile, intent)
    )


def _is_elsewhere(wanted: Mapping[str, float], profile: Profile, intent: Intent) -> bool:
    # Who asks for the web is not served by a calendar, unless that was asked for as plainly.
    web = wanted.get("web", 0.0)
    shared = max(
        (weight for name, weight in wanted.items() if name != "web" and profile.objects.get(name, 0) > 0.5), default=0.0
    )
    return web >= 0.6 and profile.objects.get("web", 0.0) < 0.3 and (shared < web or not intent.has_own)


def _service_factor(profile: Profile, intent: Intent) -> float:
    if not intent.services:
        return 1.0
    return 1.3 if intent.services & profile.services else 0.6


def _aspect_factor(profile: Profile, intent: Intent) -> float:
    wants_detail = intent.aspects.get("detail", 0)
    if max(intent.aspects.get("all", 0), intent.aspects.get("upcoming", 0)) > 0.8 and any(
        token.word in PLURALS for token in intent.tokens
    ):
        wants_detail = 0.0
    is_detail = profile.action is Action.OPEN and bool(_things(profile))
    if is_detail and "assignment" in profile.objects:
        return 0.8 + 0.6 * wants_detail
    return 1 - 0.25 * wants_detail if wants_detail else 1.0


def _things(profile: Profile) -> list[Param]:
    return [param for param in profile.params if param.required and param.role in (Role.ID, Role.REFERENCE, Role.NAME)]


def _cosine(first: Mapping[str, float], other: Mapping[str, float]) -> float:
    dot = sum(weight * other.get(entity, 0.0) for entity, weight in first.items())
    size = math.sqrt(sum(w * w for w in first.values())) * math.sqrt(sum(w * w for w in other.values()))
    return dot / size if size else 0.0
