"""Every field that may be empty can be emptied again.

Streamlit puts the value back that a field was drawn with, as soon as somebody takes it out: in the browser, and again
when the page reads it. So a field whose stored value may be none is drawn by `ui/optional_fields.py`. Which ones those
are is read from the code: a value that may be None by its own expression, the annotation it has, or the field of a
dataclass that it is.
"""

import ast
from collections.abc import Iterator, Mapping

import pytest
from streamlit.testing.v1 import AppTest

from tests.structure import ROOT

FIELDS = {"number_input": 3, "date_input": 1, "datetime_input": 1, "time_input": 1, "selectbox": 2}
"""Fields that spring back, and where their value stands among the arguments."""
VALUE_NAMES = ("value", "index")
SOURCES = sorted([*(ROOT / "pages").rglob("*.py"), *(ROOT / "ui").rglob("*.py")])


def optional_attributes() -> frozenset[str]:
    """Names of fields of the services' classes that may hold None."""
    classes = (
        node
        for path in (ROOT / "services").rglob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef)
    )
    return frozenset(
        field.target.id
        for made in classes
        for field in made.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and names_none(field.annotation)
    )


def names_none(annotation: ast.expr | None) -> bool:
    return annotation is not None and any(
        (isinstance(node, ast.Constant) and node.value is None) or (isinstance(node, ast.Name) and node.id == "Any")
        for node in ast.walk(annotation)
    )


class Reader:
    """What the values of one file's fields may be. optional: names of attributes that may be None."""

    def __init__(self, source: str, optional: frozenset[str]) -> None:
        self._optional = optional
        functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
        self._functions = {function.name: function for function in functions}

    def springing(self) -> Iterator[str]:
        """The fields whose stored value may be none, and that are drawn with it."""
        for function in self._functions.values():
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in FIELDS:
                    value = _value_of(call, FIELDS[call.func.attr])
                    if value is not None and not _is_none(value) and self._may_be_none(value, function):
                        yield f"{function.name}: {ast.unparse(value)}"

    def _may_be_none(self, value: ast.expr, function: ast.FunctionDef) -> bool:
        match value:
            case ast.Constant():
                return value.value is None
            case ast.IfExp():
                return self._may_be_none(value.body, function) or self._may_be_none(value.orelse, function)
            case ast.BoolOp(op=ast.Or()):
                return self._may_be_none(value.values[-1], function)
            case ast.Attribute():
                return value.attr in self._optional
            case ast.Call(func=ast.Name(id=name)) if name in self._functions:
                return names_none(self._functions[name].returns)
            case ast.Name():
                return any(self._may_be_none(each, function) for each in _assigned(value.id, function)) or any(
                    names_none(argument.annotation)
                    for argument in (*function.args.args, *function.args.kwonlyargs)
                    if argument.arg == value.id
                )
        return False


def _value_of(call: ast.Call, place: int) -> ast.expr | None:
    by_name: Mapping[str | None, ast.expr] = {keyword.arg: keyword.value for keyword in call.keywords}
    return next((by_name[name] for name in VALUE_NAMES if name in by_name), None) or next(iter(call.args[place:]), None)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _assigned(name: str, function: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets):
            yield node.value


def test_no_field_that_may_be_empty_is_drawn_with_the_value_that_it_springs_back_to() -> None:
    optional = optional_attributes()

    springing = [
        f"{path.relative_to(ROOT)}, {each}"
        for path in SOURCES
        for each in Reader(path.read_text(), optional).springing()
    ]

    assert springing == []


@pytest.mark.parametrize(
    "drawn",
    [
        "def draw(day: date | None):\n    st.date_input('Day', day, key='k')",
        "def draw(day):\n    last = day.date() if day else None\n    st.date_input('Day', last)",
        "def draw(budget):\n    left.number_input('Most', 0, 9, budget.limit)",
        "def draw(at):\n    st.selectbox('Kind', KINDS, index=KINDS.index(at) if at in KINDS else None)",
        "def draw(form):\n    st.time_input('At', value=_at(form))\ndef _at(form) -> time | None:\n    return form.at",
    ],
)
def test_the_law_above_sees_each_way_in_which_a_value_may_be_none(drawn: str) -> None:
    assert list(Reader(drawn, frozenset({"limit"})).springing())


def _form() -> None:
    from datetime import date, datetime, time

    import streamlit as st

    from ui.optional_fields import optional_choice, optional_date, optional_datetime, optional_number, optional_time

    with st.form("form"):
        st.session_state["now"] = (
            optional_number("Limit", 4.0, key="limit"),
            optional_date("Day", date(2026, 9, 14), key="day"),
            optional_datetime("Moment", datetime(2026, 9, 14, 9), key="moment"),
            optional_time("Time", time(9), key="time"),
            optional_choice("Kind", ["a", "b"], "b", key="kind", format_func=str.upper),
        )
        st.form_submit_button("Save")


def test_a_field_shows_what_is_stored_and_stays_empty_once_it_was_emptied() -> None:
    form = AppTest.from_function(_form, default_timeout=20).run()
    fields = [form.number_input[0], form.date_input[0], form.datetime_input[0], form.time_input[0], form.selectbox[0]]
    assert None not in form.session_state["now"]
    assert not any(getattr(field.proto, "default", None) for field in fields)
    for field in fields:
        field.set_value(None)
    form.button[0].click().run()

    assert form.session_state["now"] == (None,) * len(fields)
    form.button[0].click().run()
    assert form.session_state["now"] == (None,) * len(fields)
