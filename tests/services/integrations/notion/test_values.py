"""Values of properties: what is written is what is read back, and what cannot be is refused."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.notion.computed_values import UNREAD
from services.integrations.notion.values import (
    has_values,
    new_value_text,
    parse_value,
    property_texts,
    writable_value,
)

CHICAGO = ZoneInfo("America/Chicago")


def written(kind: str, text: str, **more: Any) -> Any:
    return parse_value({"type": kind, kind: more}, text, zone=CHICAGO, field="values")[kind]


@pytest.mark.parametrize(
    ("kind", "text", "value", "words"),
    [
        ("number", "1,250.5", 1250.5, "1250.5"),
        ("number", "20%", 0.2, "0.2"),
        ("checkbox", "Done", True, "yes"),
        ("checkbox", "", False, "no"),
        ("url", "https://a.example/x", "https://a.example/x", "https://a.example/x"),
        ("select", "New one", {"name": "New one"}, "New one"),
        ("multi_select", "a, b,", [{"name": "a"}, {"name": "b"}], "a, b"),
        ("date", "2026-11-27", {"start": "2026-11-27", "end": None}, "Fri 27 Nov 2026"),
        (
            "date",
            "2026-07-01T17:00",
            {"start": "2026-07-01T17:00:00-05:00", "end": None},
            "Wed 1 Jul 2026, 5:00 PM CDT",
        ),
        ("date", "", None, ""),
    ],
)
def test_words_become_a_value_and_the_card_says_it_for_a_person(kind: str, text: str, value: Any, words: str) -> None:
    made = parse_value({"type": kind, kind: {}}, text, zone=CHICAGO, field="values")

    assert made == {kind: value}
    assert new_value_text(kind, made, text, CHICAGO) == words


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("date", "2026-13-40"),
        ("date", "27.11.2026"),
        ("number", "a lot"),
        ("number", "nan"),
        ("number", "-inf"),
        ("checkbox", "maybe"),
        ("url", "javascript:alert(1)"),
        ("select", "x" * 101),
        ("select", "one, two"),
        ("status", "Unheard of"),
        ("email", "x" * 2_001),
        ("formula", "1"),
        ("people", "Anne"),
    ],
)
def test_what_notion_would_not_take_is_refused_with_the_field(kind: str, text: str) -> None:
    with pytest.raises(BadArguments) as caught:
        written(kind, text)

    assert caught.value.field == "values"


def test_an_option_keeps_its_own_spelling() -> None:
    options = {"options": [{"name": "In Progress"}]}

    assert written("select", "in progress", **options) == {"name": "In Progress"}
    assert written("status", " IN PROGRESS ", **options) == {"name": "In Progress"}


@given(st.text(max_size=5_000))
def test_a_long_text_goes_in_pieces_that_notion_takes(text: str) -> None:
    runs = written("rich_text", text)

    assert "".join(run["text"]["content"] for run in runs) == text.strip()
    assert all(0 < len(run["text"]["content"]) <= 2_000 for run in runs)


def test_a_value_that_nobody_can_write_is_not_written_again() -> None:
    assert writable_value({"type": "formula", "formula": {"string": "x"}}) is None
    assert writable_value({"type": "select", "select": None}) == {"select": None}


@pytest.mark.parametrize(
    ("prop", "words"),
    [
        ({"type": "select", "select": {"name": "High"}}, "High"),
        ({"type": "status", "status": {"name": "In progress"}}, "In progress"),
        ({"type": "multi_select", "multi_select": [{"name": "a"}, {"name": "b"}]}, "a, b"),
        ({"type": "rich_text", "rich_text": [{"plain_text": "two "}, {"plain_text": "parts"}]}, "two parts"),
        ({"type": "checkbox", "checkbox": False}, "no"),
        ({"type": "number", "number": 12.5}, "12.5"),
        ({"type": "url", "url": "https://a.example"}, "https://a.example"),
        ({"type": "date", "date": {"start": "2026-11-27", "end": None}}, "Fri 27 Nov 2026"),
        (
            {"type": "date", "date": {"start": "2026-11-27T23:59:00.000-06:00", "end": None}},
            "Fri 27 Nov 2026, 11:59 PM CST",
        ),
        ({"type": "date", "date": {"start": "2026-11-27", "end": "2026-11-28"}}, "Fri 27 Nov 2026 – Sat 28 Nov 2026"),
    ],
)
def test_a_property_is_written_in_words(prop: dict[str, object], words: str) -> None:
    assert property_texts({"properties": {"P": prop}}, CHICAGO) == {"P": words}


@pytest.mark.parametrize(
    "prop",
    [
        {"type": "title", "title": [{"plain_text": "x"}]},
        {"type": "select", "select": None},
        {"type": "date", "date": None},
        {"type": "number", "number": None},
        {"type": "rich_text", "rich_text": []},
        {"type": "somethingnew"},
    ],
)
def test_what_is_empty_is_left_out(prop: dict[str, object]) -> None:
    assert property_texts({"properties": {"P": prop}}, CHICAGO) == {}


def test_an_undo_writes_text_with_its_style_its_links_and_its_mentions() -> None:
    style = {"bold": True, "italic": False, "color": "default"}
    link = {"content": "the lab", "link": {"url": "https://campus.example/lab"}}
    person = {"type": "user", "user": {"object": "user", "id": "u", "name": "Anne", "avatar_url": None}}
    now = {
        "type": "rich_text",
        "rich_text": [
            {"type": "text", "text": link, "annotations": style, "plain_text": "the lab", "href": link["link"]},
            {"type": "mention", "mention": person, "annotations": style, "plain_text": "@Anne", "href": None},
            {"type": "template_mention", "plain_text": "@Today"},
        ],
    }

    assert writable_value(now) == {
        "rich_text": [
            {"type": "text", "text": link, "annotations": style},
            {"type": "mention", "mention": {"type": "user", "user": {"id": "u"}}, "annotations": style},
            {"type": "text", "text": {"content": "@Today"}},
        ]
    }


def test_a_value_is_there_when_it_says_the_same_however_it_is_written() -> None:
    def text(*words: str) -> list[dict[str, object]]:
        return [{"type": "text", "text": {"content": part}, "plain_text": part, "annotations": {}} for part in words]

    there = {
        "Name": {"type": "title", "title": text("Lab", " 9")},
        "Due": {"type": "date", "date": {"start": "2026-12-04T23:00:00.000+00:00", "end": None, "time_zone": None}},
        "Who": {"type": "formula", "formula": {"type": "string", "string": "x"}},
    }

    assert has_values(there, {"Name": {"title": text("Lab 9")}})
    assert has_values(there, {"Due": {"date": {"start": "2026-12-04T17:00:00-06:00", "end": None}}})
    assert not has_values(there, {"Name": {"title": text("Lab 8")}})
    assert not has_values(there, {"Due": {"date": None}})
    assert not has_values(there, {"Who": {"formula": "x"}})
    assert not has_values(there, {"Gone": {"select": {"name": "x"}}})


def computed(kind: str, value: Any) -> str:
    return property_texts({"properties": {"Column": {"type": kind, kind: value}}}, CHICAGO).get("Column", "")


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("formula", {"type": "number", "number": 12}, "12"),
        ("formula", {"type": "number", "number": 0}, "0"),
        ("formula", {"type": "string", "string": "soon"}, "soon"),
        ("formula", {"type": "boolean", "boolean": False}, "no"),
        ("formula", {"type": "date", "date": {"start": "2027-01-22", "end": None}}, "Fri 22 Jan 2027"),
        ("formula", {"type": "string", "string": None}, ""),
        ("rollup", {"type": "number", "number": 41.5, "function": "sum"}, "41.5"),
        ("rollup", {"type": "date", "date": {"start": "2027-01-22"}, "function": "latest_date"}, "Fri 22 Jan 2027"),
        (
            "rollup",
            {
                "type": "array",
                "array": [
                    {"type": "title", "title": [{"plain_text": "Lab 5"}]},
                    {"type": "number", "number": 3},
                    {"type": "formula", "formula": {"type": "boolean", "boolean": True}},
                ],
                "function": "show_original",
            },
            "Lab 5, 3, yes",
        ),
        ("rollup", {"type": "incomplete", "incomplete": {}, "function": "sum"}, UNREAD),
        ("rollup", {"type": "unsupported", "unsupported": {}, "function": "x"}, UNREAD),
        ("relation", [{"id": "bbbb-1"}, {"id": "bbbb-2"}], "links to bbbb-1, bbbb-2"),
        ("relation", [], ""),
        ("unique_id", {"prefix": "HW", "number": 17}, "HW-17"),
        ("unique_id", {"prefix": None, "number": 17}, "17"),
        ("people", [{"object": "user", "id": "u1", "name": "Sam Ortega"}], "Sam Ortega"),
        ("people", [{"object": "user", "id": "u1"}], "somebody whose name Notion does not tell"),
        ("files", [{"name": "sheet6.pdf", "type": "external", "external": {"url": "https://x.example"}}], "sheet6.pdf"),
        ("created_time", "2027-01-10T10:00:00.000Z", "Sun 10 Jan 2027, 4:00 AM CST"),
        ("last_edited_by", {"object": "user", "id": "u1", "name": "Anne"}, "Anne"),
        ("verification", {"state": "verified", "verified_by": None, "date": None}, "verified"),
        ("place", {"lat": 1.0, "lon": 2.0, "name": "Halvorsen Hall"}, "Halvorsen Hall"),
        ("of_next_year", {"some": "thing"}, UNREAD),
        ("button", {}, ""),
    ],
)
def test_what_notion_works_out_is_told_or_said_to_be_unread(kind: str, value: Any, words: str) -> None:
    assert computed(kind, value) == words


def test_a_column_with_hundreds_of_people_says_how_many_more_there_are() -> None:
    people = [{"object": "user", "id": f"u{i}", "name": f"P{i}"} for i in range(100)]

    assert computed("people", people).endswith("P11, and 88 more")
