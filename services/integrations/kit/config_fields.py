"""Validation of the settings that an extension declares, how their values are read, and their lines for `.env`."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from services.errors import SettingsError
from services.integrations.base import ConfigField
from services.settings import web_address

_LINE_LENGTH = 100
_SEPARATOR = re.compile(r",?\s+|,(?=https?:)|,$")
_ON, _OFF = ("1", "true", "yes"), ("0", "false", "no")


def missing_variables(fields: Sequence[ConfigField], environment: Mapping[str, str]) -> list[str]:
    """Required variables that are not set; an extension with none of its variables set is switched off.

    Raises `SettingsError` for a value that does not fit, and for a variable that is missing while others are set that
    need it: every other variable needs a required one.
    """
    given = {field.env: environment[field.env] for field in fields if environment.get(field.env)}
    for field in fields:
        if field.env in given:
            _check_value(field, given[field.env])
        elif beside := sorted(given if field.required else _dependents(field.env, fields, given)):
            step = f"Set it ({field.description.rstrip('.')}), or clear {', '.join(beside)}."
            raise SettingsError(field.env, f"is missing beside {', '.join(beside)}.", next_step=step)
    return [field.env for field in fields if field.required and field.env not in given]


def env_lines(fields: Sequence[ConfigField]) -> Iterator[str]:
    """Lines for a `.env` file: each variable without a value, under a comment that describes it."""
    for field in fields:
        notes = ["required" if field.required else "optional", *(["secret"] if field.is_secret else [])]
        choice = f" One of: {', '.join(field.options)}." if field.options else ""
        yield from (
            f"# {line}" for line in textwrap.wrap(f"{field.description}{choice} ({', '.join(notes)})", _LINE_LENGTH)
        )
        yield f"{field.env}="


def parse_switch(value: str) -> bool:
    """Read a "switch"."""
    return value.lower() in _ON


def parse_addresses(value: str) -> tuple[str, ...]:
    """Read "addresses", each once; a comma separates only before a space or another address."""
    return tuple(dict.fromkeys(word for word in _SEPARATOR.split(value) if word))


def _dependents(name: str, fields: Sequence[ConfigField], given: Mapping[str, str]) -> list[str]:
    return [field.env for field in fields if field.env in given and name in field.needs]


def _check_value(field: ConfigField, value: str) -> None:
    problem = None
    if field.options and value not in field.options:
        problem = f"is not one of {', '.join(field.options)}."
    elif field.kind == "address" and web_address(value) is None:
        problem = "is not an http(s) address."
    elif field.kind == "addresses" and not all(web_address(word) for word in parse_addresses(value)):
        problem = "holds something that is not an http(s) address."
    elif field.kind == "switch" and value.lower() not in (*_ON, *_OFF):
        problem = "is neither 1 nor 0."
    elif field.kind == "number" and not value.isdecimal():
        problem = "is not a whole number."
    if problem:
        raise SettingsError(field.env, problem, next_step=f"Set it like this: {field.description}")
