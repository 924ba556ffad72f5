"""Tool profiles: what each tool of a request does and is about, by its name, description and parameters."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.text import Token, fold, stems, tokens
from sandbox.model.rules.tools.abilities import abilities, ability_of
from sandbox.model.rules.tools.schema import Action, Param, Role, read_params

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
IN_NAME, IN_FIRST, IN_REST = 1.0, 0.5, 0.12


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A tool as the rules see it. objects: what it is about, at most 1 each. words: stems for finer differences.
    weights: the same with those of its parameters, the name's heaviest.
    ability: what it is for when that must be asked for; empty for most. known_for: the same, or one that such a
    tool has besides."""

    name: str
    description: str
    action: Action
    objects: Mapping[str, float]
    words: frozenset[str]
    weights: Mapping[str, float]
    params: Sequence[Param]
    services: frozenset[str]
    ability: str = ""
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
    choices = " ".join(str(choice).replace("_", " ") for param in params for choice in param.choices)
    known_for = ability_of(fold(_words_of(definition["name"])))
    ability = known_for if known_for and abilities()[known_for].is_only else ""
    action = abilities()[ability].action if ability else _action(name_words, tokens(first), params)
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
        weights={
            **dict.fromkeys(stems(f"{rest} {spoken} {choices}"), 1.0),
            **dict.fromkeys(stems(first), 2.0),
            **dict.fromkeys((token.stem for token in name_words), 3.0),
        },
        params=params,
        services=frozenset(
            service
            for service in ("canvas", "google", "notion", "planner")
            if re.search(rf"\b{service}\b", fold(_words_of(definition["name"]) + " " + first))
        ),
        ability=ability,
        known_for=known_for,
    )


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
        for entity, weight in found.items():
            weights[entity] = max(weights.get(entity, 0.0), weight * scale)
    strongest = max(weights.values(), default=0.0)
    return {entity: weight / strongest for entity, weight in weights.items() if weight > 0.1} if strongest else {}


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


def _words_of(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")


def _split(description: str) -> tuple[str, str]:
    first, _, rest = description.strip().partition(". ")
    return first, rest
