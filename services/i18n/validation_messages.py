"""Validation messages for a person, in place of pydantic's own, which name types of Python."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from services.i18n import gettext

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MOST_SENTENCES = 20
_OBJECTS = ("dict_type", "model_type", "dataclass_type", "mapping_type")
_OBJECT = re.compile(r"\{[^{}]*\}")
_CHOICE = re.compile(r"str|int|float|bool|(constrained|function)-.*|[a-z]+\[.*")
"""What pydantic adds to a place for each type that is allowed there."""


def describe_errors(error: ValidationError, model: type[BaseModel], whole: str) -> tuple[str, str]:
    """Describe the first errors in sentences, each behind its place; also returns the first place."""
    places = errors_by_place(error, model, whole)
    return first_sentences(places), next(iter(places))


def errors_by_place(
    error: ValidationError, model: type[BaseModel], whole: str, *, with_given: bool = False
) -> dict[str, list[str]]:
    """The messages for each place with an error.

    whole: name of the top. with_given: each message ends with the number or the kind of value that was given; words
    are never repeated, as they may be a student's.
    """
    fields = {field.alias or name: field.description or "" for name, field in model.model_fields.items()}
    places: dict[str, list[str]] = {}
    for problem in error.errors(include_url=False):
        given = _given(problem) if with_given else ""
        words = _words(problem, fields, model)
        told = f"{words.removesuffix('.')}, not {given}." if given else words
        places.setdefault(_place(problem["loc"]) or whole, []).append(told)
    return places


def _given(problem: "ErrorDetails") -> str:
    """What was given, for the model: a number, or the kind of anything else; "" where it does not matter."""
    kind, value = problem["type"], problem.get("input")
    if kind in ("missing", "extra_forbidden", "value_error", "assertion_error", "string_pattern_mismatch"):
        return ""
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, str):
        is_of_kind = kind.startswith(("string", "literal", "enum", "too_"))
        return "" if is_of_kind else "empty text" if not value else "text"
    return "" if kind.startswith("too_") else "a list" if isinstance(value, list | tuple) else "an object"


def first_sentences(places: Mapping[str, Sequence[str]]) -> str:
    """The first messages as sentences, each behind its place."""
    return " ".join(f"{place}: {words}" for place, words in list(sentence_by_place(places).items())[:MOST_SENTENCES])


def sentence_by_place(places: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """One sentence for each place, joined where several types are allowed there."""
    return {place: " / ".join(dict.fromkeys(words)) for place, words in places.items()}


def _place(location: tuple[int | str, ...]) -> str:
    parts = [str(part) for part in location]
    if len(parts) > 1 and _CHOICE.fullmatch(parts[-1]):
        parts.pop()
    return ".".join(parts[:4])[:80]


def _words(problem: "ErrorDetails", fields: Mapping[str, str], model: type[BaseModel]) -> str:
    kind, facts = problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown(fields if len(problem["loc"]) == 1 else _fields_at(model, problem["loc"][:-1]))
    if kind == "string_pattern_mismatch":
        return " ".join((gettext("It is not written as it has to be."), fields.get(str(problem["loc"][0]), ""))).strip()
    if kind in ("value_error", "assertion_error"):
        return f"{facts['error']}".rstrip(".") + "."
    if (
        kind in _OBJECTS
        and len(problem["loc"]) == 1
        and (like := _OBJECT.search(fields.get(str(problem["loc"][0]), "")))
    ):
        return gettext("Give an object, like {example}.", example=like[0])
    if say_it := _EXACT.get(kind):
        return say_it(facts)
    family = kind.partition("_")[0]
    return _FAMILIES[family]() if family in _FAMILIES else f"{problem['msg']}."


def _unknown(names: Collection[str]) -> str:
    if not names:
        return gettext("There is no such field, so leave it out.")
    return gettext("There is no such field. The fields are: {names}.", names=", ".join(names))


def _fields_at(model: type[BaseModel], location: Sequence[int | str]) -> Collection[str]:
    """Names of the fields of an object inside the arguments; none where they cannot be told."""
    schema = model.model_json_schema()
    found: Any = schema
    for part in location:
        found = found.get("items") if isinstance(part, int) else (found.get("properties") or {}).get(part)
        if not isinstance(found, dict):
            return ()
        parts = [found, *found.get("anyOf", ())]
        names = [str(inner["$ref"]).rpartition("/")[2] for inner in parts if "$ref" in inner]
        lists = [inner for inner in parts if "items" in inner]
        found = schema.get("$defs", {}).get(names[0], {}) if names else lists[0] if lists else found
    return tuple(found.get("properties") or ())


def _at_least_characters(facts: Mapping[str, Any]) -> str:
    least = facts["min_length"]
    return gettext("It may not be empty.") if least == 1 else gettext("Give at least {n} characters.", n=least)


def _at_least_items(facts: Mapping[str, Any]) -> str:
    least = facts["min_length"]
    return gettext("It may not be empty.") if least == 1 else gettext("Give at least {n} items.", n=least)


_EXACT: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "missing": lambda _: gettext("It is missing."),
    "string_too_short": _at_least_characters,
    "string_too_long": lambda facts: gettext("Give at most {n} characters.", n=facts["max_length"]),
    "too_short": _at_least_items,
    "too_long": lambda facts: gettext("Give at most {n} items.", n=facts["max_length"]),
    "greater_than_equal": lambda facts: gettext("Give {n} or more.", n=facts["ge"]),
    "greater_than": lambda facts: gettext("Give more than {n}.", n=facts["gt"]),
    "less_than_equal": lambda facts: gettext("Give {n} or less.", n=facts["le"]),
    "less_than": lambda facts: gettext("Give less than {n}.", n=facts["lt"]),
    "literal_error": lambda facts: gettext("Give one of these: {names}.", names=_listed(facts["expected"])),
    "enum": lambda facts: gettext("Give one of these: {names}.", names=_listed(facts["expected"])),
}
_FAMILIES: Mapping[str, Callable[[], str]] = {
    "string": lambda: gettext("Give text."),
    "int": lambda: gettext("Give a whole number."),
    "float": lambda: gettext("Give a number."),
    "finite": lambda: gettext("Give a number."),
    "bool": lambda: gettext("Give true or false."),
    "list": lambda: gettext("Give a list."),
    "tuple": lambda: gettext("Give a list."),
    "set": lambda: gettext("Give a list."),
    "dict": lambda: gettext("Give an object with fields."),
    "model": lambda: gettext("Give an object with fields."),
    "dataclass": lambda: gettext("Give an object with fields."),
    "mapping": lambda: gettext("Give an object with fields."),
    "date": lambda: gettext("Give a day, like 2026-11-27."),
    "time": lambda: gettext("Give a time of day, like 09:30."),
    "datetime": lambda: gettext("Give a day and a time, like 2026-11-27T15:00."),
}


def _listed(expected: str) -> str:
    """Pydantic's "'a', 'b' or 'c'" as "a, b, c"."""
    return ", ".join(choice.strip("'") for choice in expected.replace(" or ", ", ").split(", "))
