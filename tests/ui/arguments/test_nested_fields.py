"""Whatever has parts of its own is edited part by part: no student meets JSON."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.integrations.notion.tools import NOTION_TOOLS

TOOLS = {tool.name: tool for tool in NOTION_TOOLS if tool.preview}
PLAN = {
    "title": "Plan",
    "sessions": [
        {"day": "2026-12-10", "what": "Chapters 12 and 13", "minutes": 60},
        {"day": "2026-12-11", "what": "Old exam"},
    ],
}
TRACKER = {"title": "Tracker", "items": [{"name": "HW 6", "due": "2026-11-27"}, {"name": "HW 7"}]}
ENTRIES = {
    "database": "Tracker",
    "entries": [{"name": "Lab 11", "values": {"Course": "CS 101", "Due": "2026-12-04"}}, {"name": "Lab 12"}],
}


def _form(schema, values):
    import streamlit as st

    from ui.arguments import form as argument_form

    with st.form("form"):
        st.session_state["edited"] = argument_form.draw_form(schema, values, key="form")
        st.form_submit_button("Send", key="send")


def _drawn(tool: str, values: Mapping[str, Any]) -> AppTest:
    return AppTest.from_function(_form, default_timeout=10, args=(TOOLS[tool].schema, values)).run()


def _edited(form: AppTest) -> Any:
    form.button(key="send").click().run()
    assert not form.exception
    return form.session_state["edited"]


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_what_nobody_touched_stays_and_no_write_asks_for_json(tool: Any) -> None:
    assert tool.examples
    for example in tool.examples:
        form = _drawn(tool.name, example.arguments)

        assert _edited(form) == example.arguments
        assert not [field.label for field in [*form.text_area, *form.text_input] if "JSON" in field.label]


def test_each_part_of_each_thing_has_a_field_of_its_kind() -> None:
    form = _drawn("notion_create_study_plan", PLAN)

    form.date_input(key="form-sessions-0-day").set_value(date(2026, 12, 12))
    form.number_input(key="form-sessions-1-minutes").set_value(90)
    form.text_input(key="form-sessions-1-what").set_value("Two old exams")

    assert _edited(form) == {
        "title": "Plan",
        "sessions": [
            {"day": "2026-12-12", "what": "Chapters 12 and 13", "minutes": 60},
            {"day": "2026-12-11", "what": "Two old exams", "minutes": 90},
        ],
    }


def test_a_thing_is_removed_and_the_others_keep_what_was_typed() -> None:
    form = _drawn("notion_create_study_plan", PLAN)
    form.text_input(key="form-sessions-1-what").set_value("Two old exams")

    form.button(key="form-sessions:remove-0").click().run()

    assert _edited(form)["sessions"] == [{"day": "2026-12-11", "what": "Two old exams"}]


def test_a_thing_is_added_with_the_fields_of_the_others_and_counts_once_something_stands_in_it() -> None:
    form = _drawn("notion_create_tracker", TRACKER)

    form.button(key="form-items:add").click().run()
    assert _edited(form) == TRACKER
    form.text_input(key="form-items-2-name").set_value("HW 8")
    form.date_input(key="form-items-2-due").set_value(date(2026, 12, 4))

    assert _edited(form)["items"] == [*TRACKER["items"], {"name": "HW 8", "due": "2026-12-04"}]


def test_what_a_thing_lacks_is_told_beside_it_and_sent_for_the_tool_to_refuse() -> None:
    form = _drawn("notion_create_tracker", TRACKER)

    form.text_input(key="form-items-0-name").set_value("")

    assert _edited(form)["items"][0]["name"] == ""
    assert [element.value for element in form.markdown if "Fill in “Name”" in element.value]


def test_an_entry_has_a_field_for_each_column_that_another_entry_fills() -> None:
    form = _drawn("notion_add_entries", ENTRIES)

    form.text_input(key="form-entries-1-values-0").set_value("CS 102")

    assert _edited(form)["entries"] == [ENTRIES["entries"][0], {"name": "Lab 12", "values": {"Course": "CS 102"}}]


def test_a_map_has_a_field_for_each_name_and_takes_others() -> None:
    given = {"entry": "HW 6", "changes": {"Status": "Done", "Due": "2026-12-04"}}
    form = _drawn("notion_update_entry", given)

    form.text_input(key="form-changes-0").set_value("")
    form.button(key="form-changes:remove-1").click().run()
    form.button(key="form-changes:add").click().run()
    form.text_input(key="form-changes-2-name").set_value("Course")
    form.text_input(key="form-changes-2-value").set_value("CS 101")

    assert _edited(form)["changes"] == {"Status": "", "Course": "CS 101"}


TEXT = {"type": "string"}
MAP = {"type": "object", "additionalProperties": TEXT}
MAYBE = {"anyOf": [TEXT, {"type": "null"}]}
PARTS = {"type": "array", "items": {"type": "object", "properties": {"a": MAYBE, "b": TEXT, "m": MAP}}}


def _of(prop: Any, value: Any) -> AppTest:
    schema = {"properties": {"x": prop}}
    return AppTest.from_function(_form, default_timeout=10, args=(schema, {"x": value})).run()


@pytest.mark.parametrize(
    ("prop", "value"),
    [
        (PARTS, [{"a": None, "b": "x"}, {}, {"m": 5}]),
        (PARTS, [{"b": "x"}] * 400),
        (MAP, {"a": "", "": "2", "b": None}),
        (MAYBE, None),
        ({"enum": ["a", "b"]}, "c"),
        (True, "a"),
        ({"type": "array", "items": {"type": "object", "properties": {"a": True}, "required": None}}, [{"a": 1}]),
        ({"type": "array", "items": {"type": "string", "maxLength": "90"}}, ["a"]),
        ({"type": "array", "items": TEXT}, ["2026-11-21T19:45", "soon", ""]),
    ],
)
def test_whatever_was_proposed_comes_back_from_a_form_that_nobody_touched(prop: Any, value: Any) -> None:
    assert _edited(_of(prop, value)) == {"x": value}


def test_moments_are_picked_one_by_one_added_and_removed() -> None:
    form = _of({"type": "array", "items": TEXT}, ["2026-11-21T19:45", "2026-11-22T19:45"])

    form.button(key="form-x:remove-0").click().run()
    form.button(key="form-x:add").click().run()
    assert _edited(form) == {"x": ["2026-11-22T19:45"]}
    form.datetime_input(key="form-x-2").set_value(datetime(2026, 11, 23, 8, 15))

    assert _edited(form) == {"x": ["2026-11-22T19:45", "2026-11-23T08:15"]}


def test_a_name_that_stands_twice_in_a_map_is_told_and_sent_for_the_tool_to_refuse() -> None:
    form = _of(MAP, {"a": "1"})
    form.button(key="form-x:add").click().run()
    form.text_input(key="form-x-1-name").set_value("a")
    form.text_input(key="form-x-1-value").set_value("2")

    assert _edited(form) == {"x": [["a", "1"], ["a", "2"]]}
    assert [element.value for element in form.markdown if "“a” stands here twice" in element.value]
