"""A form gives back exactly what was proposed, apart from what the student changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.errors import BadArguments
from services.integrations.calendar import TOOLS as CALENDAR_TOOLS
from ui.arguments.form import errors_by_argument

SCHEMAS = {tool.name: tool.schema for tool in CALENDAR_TOOLS}
CREATED = {"title": "Study", "start": "2026-11-27T15:00", "duration_minutes": 120}
MOVED = {"event_id": "abc123", "start": "2026-11-27T15:00"}


def _form(schema, values, refusal=None):
    import streamlit as st

    from ui.arguments import form as argument_form

    st.session_state["edited"] = argument_form.draw_form(schema, values, key="form", refusal=refusal)


def _whole_form(schema, values):
    import streamlit as st

    from ui.arguments import form as argument_form

    with st.form("form"):
        st.session_state["edited"] = argument_form.draw_form(schema, values, key="form")
        st.form_submit_button("Send")


def _drawn(tool: str, values: Mapping[str, Any]) -> AppTest:
    return AppTest.from_function(_form, default_timeout=10, args=(SCHEMAS[tool], values)).run()


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        ("calendar_create_event", CREATED),
        ("calendar_update_event", MOVED),
        *((tool.name, example.arguments) for tool in CALENDAR_TOOLS for example in tool.examples if tool.preview),
    ],
)
def test_what_nobody_touched_stays_as_it_was_proposed(tool: str, values: Mapping[str, Any]) -> None:
    form = AppTest.from_function(_whole_form, default_timeout=10, args=(SCHEMAS[tool], values)).run()

    assert form.session_state["edited"] == values


def test_an_id_cannot_be_edited() -> None:
    form = _drawn("calendar_update_event", MOVED)

    assert not [field for field in form.text_input if "id" in field.label.lower().split()]


def test_a_moment_is_picked_not_typed_and_comes_back_as_the_tool_wants_it() -> None:
    form = _drawn("calendar_create_event", CREATED)

    form.datetime_input(key="form-start").set_value(datetime(2026, 11, 28, 9, 30)).run()

    assert form.session_state["edited"] == {**CREATED, "start": "2026-11-28T09:30"}


def test_an_optional_field_is_added_when_filled_and_left_out_when_emptied() -> None:
    form = _drawn("calendar_create_event", {**CREATED, "location": "Library"})

    form.text_input(key="form-location").set_value("")
    form.text_input(key="form-description").set_value("Bring notes").run()

    assert form.session_state["edited"] == {**CREATED, "description": "Bring notes"}


def test_an_emptied_list_means_none_of_them() -> None:
    form = _drawn("calendar_create_event", CREATED)

    form.text_input(key="form-reminders_minutes").set_value("").run()

    assert form.session_state["edited"] == {**CREATED, "reminders_minutes": []}


def test_an_emptied_required_field_is_sent_empty_so_that_it_is_refused() -> None:
    form = _drawn("calendar_create_event", CREATED)

    form.text_input(key="form-title").set_value("").run()

    assert form.session_state["edited"]["title"] == ""


def test_what_a_tool_refused_is_told_under_each_field_until_that_is_mended() -> None:
    create = next(tool for tool in CALENDAR_TOOLS if tool.name == "calendar_create_event")
    given = {**CREATED, "title": "", "duration_minutes": 99999}
    with pytest.raises(BadArguments) as error:
        create.validate(given)

    form = AppTest.from_function(
        _form, default_timeout=10, args=(create.schema, CREATED, errors_by_argument(given, error.value))
    )
    form.run()
    form.text_input(key="form-title").set_value("")
    form.number_input(key="form-duration_minutes").set_value(99999).run()
    assert _in_red(form) == ["It may not be empty.", "Give 20160 or less."]
    form.text_input(key="form-title").set_value("Study more").run()

    assert _in_red(form) == ["Give 20160 or less."]


def _in_red(form: AppTest) -> list[str]:
    return [
        element.value.removeprefix(":red[").removesuffix("]")
        for element in form.markdown
        if element.value.startswith(":red[")
    ]


NESTED = {
    "properties": {"step": {"type": "object"}, "steps": {"type": "array", "items": {"type": "object"}}},
    "required": ["step"],
}


def test_what_has_unknown_parts_is_written_as_json() -> None:
    form = AppTest.from_function(_form, default_timeout=10, args=(NESTED, {})).run()

    form.text_area(key="form-step").set_value('{"title": "Read"}')
    form.text_area(key="form-steps").set_value('[{"title": "Read"}, {"title": "Write"}]').run()

    assert form.session_state["edited"] == {
        "step": {"title": "Read"},
        "steps": [{"title": "Read"}, {"title": "Write"}],
    }


def test_what_is_no_json_goes_on_as_it_was_written_for_the_tool_to_refuse() -> None:
    form = AppTest.from_function(_form, default_timeout=10, args=(NESTED, {})).run()

    form.text_area(key="form-step").set_value("{title").run()

    assert form.session_state["edited"] == {"step": "{title"}
