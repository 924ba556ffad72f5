"""Whatever stands in a form and whatever is typed into it: the page stands, and what cannot be read is explained."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from services.i18n import locale_scope
from ui.arguments import fields as argument_labels

FIELDS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "day": {"type": "string", "format": "date"},
    "clock": {"type": "string", "format": "time"},
    "whole": {"type": "integer"},
    "amount": {"type": "number"},
    "switch": {"type": "boolean"},
    "choice": {"enum": ["a", "b"], "type": "string"},
    "minutes": {"type": "array", "items": {"type": "integer"}},
    "amounts": {"type": "array", "items": {"type": "number"}},
    "switches": {"type": "array", "items": {"type": "boolean"}},
    "days": {"type": "array", "items": {"type": "string", "format": "date"}},
    "words": {"type": "array", "items": {"type": "string"}},
    "picks": {"type": "array", "items": {"enum": ["MO", "TU", "WE"], "type": "string"}},
    "parts": {"type": "array", "items": {"type": "object"}},
    "anything": {"type": "array"},
    "object": {"type": "object"},
    "either": {"type": ["integer", "null"]},
    "untyped": {},
}
SCHEMA = {"properties": FIELDS}
TYPED = some.one_of(
    some.text(alphabet="-+0123456789.,eE:T_[]{}\"' ²٣∞nanif", max_size=24),
    some.text(max_size=24),
    some.sampled_from(["--5", "1e999", "2026-13-40", "2026-02-30T25:61", "24:60", "nan", "\x00"]),
)
VALUES = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(-(10**20), 10**20),
    some.floats(),
    TYPED,
    some.dates().map(str),
    some.datetimes().map(lambda moment: moment.isoformat(timespec="minutes")),
    some.lists(some.one_of(TYPED, some.integers(), some.lists(some.integers(), max_size=1)), max_size=3),
    some.dictionaries(some.text(max_size=3), some.integers(), max_size=2),
)


def _form(schema, values):
    import streamlit as st

    from ui.arguments import form as argument_form

    st.session_state["edited"] = argument_form.draw_form(schema, values, key="form")


def _form_to_send(schema, values):
    """As cards have it: lists of days bring buttons that only a form that is sent can hold."""
    import streamlit as st

    from ui.arguments import form as argument_form

    with st.form("edit"):
        st.session_state["edited"] = argument_form.draw_form(schema, values, key="form")
        st.form_submit_button("Send")


def _drawn(values: dict[str, Any]) -> AppTest:
    return AppTest.from_function(_form, default_timeout=20, args=(SCHEMA, values)).run()


def _typing(text: str, form: AppTest) -> AppTest:
    for field in [*form.text_input, *form.text_area]:
        field.set_value(text)
    return form.run()


@settings(max_examples=6)
@given(some.dictionaries(some.sampled_from(list(FIELDS)), VALUES), TYPED)
def test_the_form_stands_whatever_was_proposed_and_whatever_is_typed(values: dict[str, Any], typed: str) -> None:
    form = AppTest.from_function(_form_to_send, default_timeout=20, args=(SCHEMA, values)).run()
    assert not form.exception
    shown = form.session_state["edited"]
    typed_in = _typing(typed, form)

    assert not typed_in.exception
    kept = {name: value for name, value in values.items() if value is not None and name not in ("choice", "switch")}
    assert repr({name: value for name, value in shown.items() if name in kept}) == repr(kept)


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("minutes", "9" * 5000, "is not a whole number"),
        ("object", "[" * 20000, "must be written as JSON"),
        ("minutes", "--5", "“--5” is not a whole number"),
        ("minutes", "30, soon", "“soon” is not a whole number"),
        ("amounts", "nan", "“nan” is not a number"),
        ("switches", "maybe", "“maybe” is neither yes nor no"),
        ("parts", "[{]", "must be written as JSON"),
        ("object", "name: 1", "must be written as JSON"),
        ("days", "2026-13-40", "not a day"),
    ],
)
def test_what_cannot_be_read_is_explained_under_its_field_and_goes_on_as_typed(
    field: str, typed: str, sentence: str
) -> None:
    form = _drawn({})
    places = [*form.text_input, *form.text_area]

    next(place for place in places if place.key == f"form-{field}").set_value(typed).run()

    (told,) = [element.value for element in form.markdown if element.value.startswith(":red[")]
    assert sentence in told
    assert form.session_state["edited"][field] == typed


@pytest.mark.parametrize(
    ("field", "proposed", "typed"),
    [
        ("whole", 10**20, "x"),
        ("amount", "soon", "later"),
        ("day", "2026-13-40", "2026-13-41"),
        ("clock", "24:60", "25:60"),
    ],
)
def test_what_no_widget_can_hold_is_edited_as_text(field: str, proposed: Any, typed: str) -> None:
    form = _drawn({field: proposed})

    form.text_input(key=f"form-{field}").set_value(typed).run()

    assert [element for element in form.markdown if element.value.startswith(":red[")]
    assert form.session_state["edited"][field] == typed


@pytest.mark.parametrize(
    ("field", "typed", "read"),
    [
        ("minutes", " 10, -5 ,", [10, -5]),
        ("amounts", "1.5, 2", [1.5, 2.0]),
        ("words", "10, b", ["10", "b"]),
        ("switches", "yes, false", [True, False]),
        ("parts", '[{"a": 1}]', [{"a": 1}]),
        ("object", '{"a": null}', {"a": None}),
    ],
)
def test_what_can_be_read_goes_on_as_what_it_means(field: str, typed: str, read: Any) -> None:
    form = _drawn({})
    places = [*form.text_input, *form.text_area]

    next(place for place in places if place.key == f"form-{field}").set_value(typed).run()

    assert form.session_state["edited"] == {field: read}


def test_a_list_of_sentences_is_written_line_by_line_so_that_commas_stay_in_them() -> None:
    form = _drawn({"words": ["Smith, John", "b"]})

    assert form.session_state["edited"] == {"words": ["Smith, John", "b"]}
    form.text_area(key="form-words").set_value("Smith, John\n\n c, d ").run()
    assert form.session_state["edited"] == {"words": ["Smith, John", "c, d"]}


def test_no_number_and_no_day_is_refused_by_its_field_which_says_nothing_of_it() -> None:
    bounded = {"properties": {"whole": {"type": "integer", "minimum": 5, "maximum": 60}, "day": FIELDS["day"]}}
    form = AppTest.from_function(_form, default_timeout=20, args=(bounded, {"whole": 10, "day": "2026-11-27"})).run()

    form.date_input[0].set_value(date(1026, 11, 27))
    form.number_input[0].set_value(90).run()

    assert (form.number_input[0].min, form.number_input[0].max) == (None, None)
    assert form.session_state["edited"] == {"whole": 90, "day": "1026-11-27"}


@pytest.mark.parametrize(("value", "is_picked"), [(["WE", "MO"], True), (["MO", "MO"], False), (["someday"], False)])
def test_a_list_of_words_that_are_all_known_is_picked_and_not_typed(value: list[str], is_picked: bool) -> None:
    form = _drawn({"picks": value})

    assert [field.value for field in form.multiselect if field.label == "Picks" and field.value] == [value] * is_picked
    assert form.session_state["edited"]["picks"] == value


@pytest.mark.parametrize(
    ("language", "label", "item", "day"),
    [("en", "Start times", "Start", "Monday"), ("es", "Inicios", "Inicio", "Lunes")],
)
def test_a_list_its_parts_and_the_days_of_a_week_are_called_as_people_call_them(
    language: str, label: str, item: str, day: str
) -> None:
    with locale_scope(language):
        assert argument_labels.field_label("starts") == label
        assert argument_labels.item_label("starts") == item
        assert argument_labels.choice_label("MO") == day


def test_what_is_no_code_and_no_name_of_ours_stays_as_it_is() -> None:
    assert argument_labels.choice_label("MOVE") == "MOVE"
    assert argument_labels.item_label("address") == "Address"
    assert argument_labels.field_label("due_date") == "Due date"


def test_whatever_stands_in_an_optional_field_can_be_taken_out_and_is_left_out_then() -> None:
    form = _drawn({"whole": 5, "amount": 1.5, "day": "2026-09-14", "clock": "09:00", "choice": "b"})
    fields = [*form.number_input, *form.date_input, *form.time_input, *form.selectbox]
    for field in [field for field in fields if field.value is not None]:
        field.set_value(None)
    form.run()

    assert form.session_state["edited"] == {}
