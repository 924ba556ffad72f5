"""What a proposed action is about: two proposals of one tool with the same target stand for the same thing."""

import json
from collections.abc import Mapping
from typing import Any

_THING = ("event_id", "task", "entry")
"""Arguments that name what is changed; whatever else is said of it, it is the same thing."""
_NAMES = ("title", "name", "subject", "assignment", "summary")


def target_of(arguments: Mapping[str, Any]) -> str:
    """By what it changes, else by the name of what it makes (and where); by everything when it has neither.

    So what only adds, such as a paragraph to a page, is the same only when it adds the same.
    """
    given = {name: _normal(value) for name, value in arguments.items() if value not in (None, "", [])}
    thing = {name: given[name] for name in _THING if name in given}
    if thing:
        return _written(thing)
    if any(name in given for name in _NAMES):
        return _written({name: value for name, value in given.items() if name in _NAMES or name.endswith("_id")})
    return _written(given)


def _normal(value: Any) -> Any:
    return " ".join(value.casefold().split()) if isinstance(value, str) else value


def _written(chosen: Mapping[str, Any]) -> str:
    return json.dumps(chosen, sort_keys=True, ensure_ascii=False, default=str)
