"""Schemas of servers: shown without what nobody can see, and checked without being led astray."""

import socket
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.safety.text import plain
from services.tools.mcp.schemas import UnusableSchema, check_arguments, clean_schema

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_a_draft_7_schema_loses_its_address_and_keeps_its_words() -> None:
    schema = {**of(a={"type": "string", "description": "A"}), "$schema": "http://json-schema.org/draft-07/schema#"}

    assert clean_schema(schema, limit=100) == of(a={"type": "string", "description": "A"})


@given(VALUES)
def test_any_schema_is_cleaned_or_refused_and_then_shows_nothing_unseen(schema: Any) -> None:
    try:
        shown = clean_schema({"type": "object", "properties": schema}, limit=50)
    except UnusableSchema:
        return

    assert plain(str(shown)) == str(shown)


@given(VALUES, VALUES)
def test_any_arguments_are_taken_as_they_are_or_refused(schema: Any, value: Any) -> None:
    try:
        shown = clean_schema(of(a=schema), limit=50)
        checked = check_arguments(shown, {"a": value})
    except (UnusableSchema, BadArguments):
        return

    assert checked == {"a": value}


def test_what_is_wrong_is_said_without_repeating_the_value() -> None:
    schema = {**of(a={"type": "string"}, b={"enum": ["x", "y"]}), "required": ["a"], "additionalProperties": False}

    for arguments, words in [
        ({}, "a is missing"),
        ({"a": 1}, "a: does not fit type string"),
        ({"a": "x", "b": "canary"}, r"b: does not fit enum \['x', 'y'\]"),
        ({"a": "x", "c": 1}, "c is not an argument"),
    ]:
        with pytest.raises(BadArguments, match=words) as caught:
            check_arguments(schema, arguments)
        assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "schema",
    [
        of(a={"type": "string", "pattern": "^(a+)+$"}),
        {"type": "object", "patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
        {"type": "object", "properties": {"a": {"propertyNames": {"pattern": "^(a+)+$"}}}},
    ],
)
def test_a_servers_regular_expressions_never_run_here(schema: dict[str, Any]) -> None:
    started = time.monotonic()

    check_arguments(schema, {"a": "a" * 60 + "!", "a" * 60 + "!": 1})

    assert time.monotonic() - started < 1


def test_a_schema_that_never_ends_is_not_followed() -> None:
    doubling = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)}
    bomb = {**of(a={"$ref": "#/$defs/d0"}), "$defs": {**doubling, "d60": {}}}
    circle = {**of(a={"$ref": "#/$defs/me"}), "$defs": {"me": {"$ref": "#/$defs/me"}}}
    started = time.monotonic()

    for schema in (bomb, circle):
        with pytest.raises(BadArguments, match="schema is broken"):
            check_arguments(clean_schema(schema, limit=100), {"a": 1})

    assert time.monotonic() - started < 3


def test_a_reference_is_never_fetched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/schema.json"

        with pytest.raises(BadArguments, match="schema is broken"):
            check_arguments(of(a={"$ref": address}), {"a": 1})
        with pytest.raises(UnusableSchema, match="another address"):
            clean_schema(of(a={"$ref": address}), limit=100)
        with pytest.raises(TimeoutError):
            listener.accept()
