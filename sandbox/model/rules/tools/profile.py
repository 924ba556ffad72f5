"""What each tool of a request is for, told by its name, description and parameters, and how well it fits an intent."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sandbox.model.rules.dialogue.intent import Intent
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.text import Token, fold, tokens, word_set
from sandbox.model.rules.tools.abilities import abilities, ability_of
from sandbox.model.rules.tools.actions import Action
from sandbox.model.rules.tools.schema import Param, Role, read_params

# The verbs that names and descriptions of tools use, in the order in which they are looked for.
TOOL_VERBS: tuple[tuple[Action, str], ...] = (
    (Action.DELETE, "delete remove cancel erase trash drop unschedule discard"),
    (Action.APPEND, "append extend"),
    (Action.CHANGE, "update change edit modify move reschedule rename patch set adjust alter"),
    (Action.CREATE, "create add new insert schedule book make write save post log put compose remember remind note"),
    (Action.SEARCH, "search find query lookup locate"),
    (Action.OPEN, "read open fetch get retrieve view show details detail"),
    (Action.READ, "list check see look overview summary upcoming browse report tell"),
)
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
IN_NAME, IN_FIRST, IN_REST = 1.0, 0.5, 0.12


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A tool as the rules see it. objects: what it is about, at most 1 each. words: stems for finer differences.

    specialty: what it is for when that must be asked for; empty for most. known_for: the same, or one that such a
    tool has besides.
    """

    name: str
    description: str
    action: Action
    objects: Mapping[str, float]
    words: frozenset[str]
    params: Sequence[Param]
    services: frozenset[str]
    definition: Mapping[str, Any]
    specialty: str = ""
    known_for: str = ""

    @property
    def required_ids(self) -> list[Param]:
        """The ids or references without which it cannot be called."""
        return [param for param in self.params if param.required and param.role in (Role.ID, Role.REFERENCE)]

    def param(self, *roles: Role) -> Param | None:
        """The first parameter of one of these roles."""
        return next((param for param in self.params if param.role in roles), None)


def read_tool(definition: Mapping[str, Any]) -> Profile:
    """Understand one tool definition; the same one is understood once."""
    known = {key: definition[key] for key in ("name", "description", "input_schema") if key in definition}
    return _read_tool(json.dumps(known))


@lru_cache(maxsize=512)
def _read_tool(written: str) -> Profile:
    definition = json.loads(written)
    name_words = tokens(_words_of(definition["name"]))
    description = str(definition.get("description", ""))
    first, rest = _split(description)
    params = read_params(definition["input_schema"])
    spoken = " ".join(f"{_words_of(param.name)} {param.description}" for param in params)
    known_for = ability_of(fold(_words_of(definition["name"])))
    specialty = known_for if known_for and abilities()[known_for].is_only else ""
    action = abilities()[specialty].action if specialty else _action(name_words, tokens(first), params)
    return Profile(
        name=definition["name"],
        description=description,
        action=action,
        objects=_objects(name_words, tokens(first), tokens(f"{rest} {spoken}")),
        words=frozenset(
            token.stem
            for token in [*name_words, *tokens(first), *tokens(rest)]
            if token.word not in lexicon.function_words()
        ),
        params=params,
        services=frozenset(
            service
            for service in ("canvas", "google", "notion", "planner")
            if re.search(rf"\b{service}\b", fold(_words_of(definition["name"]) + " " + first))
        ),
        definition=definition,
        specialty=specialty,
        known_for=known_for,
    )


def score(profile: Profile, intent: Intent, objects: Mapping[str, float] | None = None) -> float:
    """How well a tool fits; 0 when it does something else. Above about 0.35 it is worth calling."""
    fit = FITS[intent.action].get(profile.action, 0.0)
    wanted = intent.objects if objects is None else objects
    if not fit or not wanted:
        return 0.0
    alike = _cosine(wanted, profile.objects)
    shared_most = max(
        (min(1.0, weight / 0.6) * profile.objects.get(thing, 0.0) for thing, weight in wanted.items()), default=0.0
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


def _action(name: Sequence[Token], first: Sequence[Token], params: Sequence[Param]) -> Action:
    words = [token.word for token in name]
    for action, verbs in TOOL_VERBS:
        if any(word in verbs.split() for word in words):
            return _refined(action, words, first)
    for token in first[:3]:
        for action, verbs in TOOL_VERBS:
            if any(token.word in (verb, verb + "s", verb + "es") for verb in verbs.split()):
                return action
    return (
        Action.OPEN
        if any(param.required and param.role in (Role.ID, Role.REFERENCE) for param in params)
        else Action.READ
    )


def _refined(action: Action, words: Sequence[str], first: Sequence[Token]) -> Action:
    # "find_free_time" lists, it does not look for one thing; "add_to_page" appends.
    if action is Action.SEARCH and {"free", "time", "slots", "gaps"} & set(words):
        return Action.READ
    if action is Action.CREATE and words[:1] == ["add"] and "to" in words:
        return Action.APPEND
    if (
        action in (Action.CREATE, Action.CHANGE)
        and first
        and first[0].word in ("list", "show", "get", "lists", "shows")
    ):
        return Action.READ
    return action


def _objects(name: Sequence[Token], first: Sequence[Token], rest: Sequence[Token]) -> dict[str, float]:
    lists = lexicon.objects()
    named = lists.weights(_without_verbs(name))
    told = lists.weights(_without_verbs(_without_warnings(first)))
    hinted = lists.weights(_without_warnings(rest))
    weights: dict[str, float] = {}
    scale_first = IN_FIRST if named else 1.0
    for found, scale in ((named, IN_NAME), (told, scale_first), (hinted, IN_REST)):
        for thing, weight in found.items():
            weights[thing] = max(weights.get(thing, 0.0), weight * scale)
    strongest = max(weights.values(), default=0.0)
    return {thing: weight / strongest for thing, weight in weights.items() if weight > 0.1} if strongest else {}


def _without_verbs(words: Sequence[Token]) -> list[Token]:
    # "read" is no reading list and "open" no opening, when it is what the tool does.
    verbs = {verb for action, listed in TOOL_VERBS if not action.is_write for verb in listed.split()}
    return [token for token in words if token.word not in verbs]


def _without_warnings(words: Sequence[Token]) -> Sequence[Token]:
    # What stands after "do not use" or "not for" is what the tool is not about.
    for at, token in enumerate(words):
        if token.word == "not" and at + 1 < len(words):
            return words[:at]
    return words


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    dot = sum(weight * other.get(thing, 0.0) for thing, weight in one.items())
    size = math.sqrt(sum(w * w for w in one.values())) * math.sqrt(sum(w * w for w in other.values()))
    return dot / size if size else 0.0


def _words_of(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")


def _split(description: str) -> tuple[str, str]:
    first, _, rest = description.strip().partition(". ")
    return first, rest
