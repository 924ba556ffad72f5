"""The settings that an extension declares: checked at start, named when they are wrong, listed for `.env`."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from services.errors import SettingsError
from services.integrations.base import ConfigField
from services.settings import web_address

LINE = 100


def missing(fields: Sequence[ConfigField], environment: Mapping[str, str]) -> list[str]:
    """The required variables that are not set. None of an extension's own set means that it is not wanted here.

    Raises `SettingsError` for a value that does not fit, and for a required one that is missing beside others.
    """
    given = {field.env: environment[field.env] for field in fields if environment.get(field.env)}
    for field in fields:
        if field.env in given:
            _check(field, given[field.env])
    lacking = [field for field in fields if field.required and field.env not in given]
    if lacking and given:
        step = f"Set it ({lacking[0].description.rstrip('.')}), or clear {', '.join(sorted(given))}."
        raise SettingsError(lacking[0].env, f"is missing beside {', '.join(sorted(given))}.", next_step=step)
    return [field.env for field in lacking]


def env_lines(fields: Sequence[ConfigField]) -> Iterator[str]:
    """Lines for a `.env` file: what each variable is, and the variable with nothing in it."""
    for field in fields:
        notes = ["required" if field.required else "optional", *(["secret"] if field.is_secret else [])]
        choice = f" One of: {', '.join(field.options)}." if field.options else ""
        yield from (f"# {line}" for line in textwrap.wrap(f"{field.description}{choice} ({', '.join(notes)})", LINE))
        yield f"{field.env}="


def _check(field: ConfigField, value: str) -> None:
    problem = None
    if field.options and value not in field.options:
        problem = f"is not one of {', '.join(field.options)}."
    elif field.kind == "address" and web_address(value) is None:
        problem = "is not an http(s) address."
    elif field.kind == "number" and not value.isdecimal():
        problem = "is not a whole number."
    if problem:
        raise SettingsError(field.env, problem, next_step=f"Set it like this: {field.description}")
