from zoneinfo import ZoneInfo

import pytest

from services.integrations.notion.values import property_texts

CHICAGO = ZoneInfo("America/Chicago")


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
        {"type": "people", "people": [{"id": "1"}]},
        {"type": "rich_text", "rich_text": []},
        {"type": "somethingnew"},
    ],
)
def test_what_is_empty_or_made_of_parts_is_left_out(prop: dict[str, object]) -> None:
    assert property_texts({"properties": {"P": prop}}, CHICAGO) == {}
