"""Checks arguments against a schema that a server wrote, without being led astray by it."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from services.errors import BadArguments

STEPS = 5_000
"""Keywords that one check may look at: references can make a small schema take longer than the world lasts."""

_PATTERNS = ("pattern", "patternProperties")


def check(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, when they fit; raises `BadArguments`.

    Patterns are left to the server: its regular expressions could keep this whole process busy.
    """
    steps = iter(range(STEPS))
    kind = extend(Draft202012Validator, {name: partial(_counted, steps, rule) for name, rule in _RULES.items()})
    validator: Validator = kind(_without_patterns(schema), registry=Registry())
    try:
        problem = next(validator.iter_errors(dict(arguments)), None)
    except (Unresolvable, RecursionError, _TooComplex):
        raise BadArguments("The arguments cannot be checked: the tool's schema is broken.") from None
    if problem is not None:
        field = ".".join(str(part) for part in problem.absolute_path) or "arguments"
        raise BadArguments(f"{field}: {_words(problem)}", field=field)
    return dict(arguments)


class _TooComplex(Exception):
    pass


_RULES = {name: rule for name, rule in Draft202012Validator.VALIDATORS.items() if name not in _PATTERNS}


def _counted(steps: Iterator[int], rule: Any, validator: Any, value: Any, instance: Any, schema: Any) -> Any:
    if next(steps, None) is None:
        raise _TooComplex
    return rule(validator, value, instance, schema)


def _words(problem: ValidationError) -> str:
    """What to mend, without repeating the value."""
    rule, wanted = problem.validator, problem.validator_value
    if rule == "required" and isinstance(problem.instance, Mapping):
        missing = [name for name in wanted if name not in problem.instance]
        return f"{', '.join(map(str, missing[:5]))} is missing"
    if rule == "additionalProperties" and isinstance(problem.instance, Mapping):
        known = problem.schema.get("properties", {}) if isinstance(problem.schema, Mapping) else {}
        unknown = [name for name in problem.instance if name not in known]
        return f"{', '.join(unknown[:5])[:100]} is not an argument of this tool"
    return f"does not fit {rule} {str(wanted)[:200]}"


def _without_patterns(part: Any) -> Any:
    if isinstance(part, Mapping):
        is_open = "patternProperties" in part
        hidden = (*_PATTERNS, *(("additionalProperties", "unevaluatedProperties") if is_open else ()))
        return {name: _without_patterns(value) for name, value in part.items() if name not in hidden}
    return [_without_patterns(value) for value in part] if isinstance(part, list) else part
