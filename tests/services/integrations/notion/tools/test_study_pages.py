"""Study notes and study plans: pages with a form of their own, under a place that fits."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.errors import BadArguments, ItemNotFound
from services.i18n import formats, locale_scope
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import search, text_of
from tests.tool_calls import ToolCalls

NOTES = {
    "title": "BIOL 201: Mitosis",
    "summary": "One cell becomes two.",
    "key_points": ["Metaphase: in a line\nin the middle"],
    "terms": [{"term": "Spindle", "meaning": "Fibres that pull"}],
    "questions": ["Why a checkpoint?"],
}


def plan_from(day: int, **more: Any) -> dict[str, Any]:
    first, second = (datetime.now(UTC).date() + timedelta(days=n) for n in (day, day + 1))
    sessions = [
        {"day": str(second), "what": "Chapter 13", "minutes": 90},
        {"day": str(first), "what": "Chapter 12"},
        {"day": str(second), "what": "Problems", "minutes": 30},
    ]
    return {"title": "Plan for the final", "goal": "Ready by then", "sessions": sessions, **more}


def test_study_notes_have_a_part_for_each_thing_that_was_given(maya: ToolCalls) -> None:
    result = maya.run("notion_create_study_notes", NOTES, operation_id="op")

    assert text_of(maya, result.data["page"]["id"]).splitlines() == [
        "## Summary",
        "One cell becomes two.",
        "## Key points",
        "- Metaphase: in a line in the middle",
        "## Terms",
        "- **Spindle**: Fibres that pull",
        "## Test yourself",
        "- [ ] Why a checkpoint?",
    ]


def test_the_card_shows_the_whole_page_and_a_place_that_fits_its_title(maya: ToolCalls) -> None:
    shown = {row.label: row.value for row in maya.preview("notion_create_study_notes", NOTES)}

    chosen = "under the page “BIOL 201 Cell Biology” (chosen by Homeroom, because no place was named)"
    assert shown["Where"] == chosen
    assert "## Key points" in shown["Content"]


def test_the_chosen_place_is_the_same_from_card_to_repeat(maya: ToolCalls) -> None:
    rows = maya.preview("notion_create_study_notes", NOTES)
    facts: dict[str, Any] = {"operation_id": "op", "approved_rows": rows, "began_at": datetime.now(UTC)}
    maya.run("notion_create_study_notes", NOTES, **facts)

    maya.run("notion_create_study_notes", NOTES, **facts, is_repeat=True)

    assert [page["title"] for page in search(maya, "BIOL 201: Mitosis")] == [NOTES["title"]]


def test_notes_without_anything_in_them_are_refused(maya: ToolCalls) -> None:
    with pytest.raises(BadArguments, match="summary, points, terms or questions"):
        maya.preview("notion_create_study_notes", {"title": "Empty"})


def test_a_study_plan_has_a_part_for_each_day_in_order_and_the_time_in_all(maya: ToolCalls) -> None:
    result = maya.run("notion_create_study_plan", plan_from(3), operation_id="op")

    head, time, first, *rest = text_of(maya, result.data["page"]["id"]).splitlines()
    assert head == "**Goal:** Ready by then"
    assert time == "**Time:** 2 hours 45 minutes on 2 days"
    assert first.startswith("## ")
    assert rest[0] == "- [ ] Chapter 12 (45 minutes)"
    assert rest[2:] == ["- [ ] Chapter 13 (1 hour 30 minutes)", "- [ ] Problems (30 minutes)"]


def test_a_plan_with_a_day_that_is_over_is_refused(maya: ToolCalls) -> None:
    with pytest.raises(BadArguments, match=r"over already: \w+ \d+"):
        maya.preview("notion_create_study_plan", plan_from(-2))


@pytest.mark.parametrize("tool", ["notion_create_study_notes", "notion_create_study_plan"])
def test_undo_puts_the_page_into_the_trash(maya: ToolCalls, tool: str) -> None:
    wish = NOTES if tool.endswith("notes") else plan_from(3)
    result = maya.run(tool, wish, operation_id="op")

    maya.undo(tool, result)

    assert search(maya, str(wish["title"])) == []


def test_when_no_page_is_shared_it_says_how_to_share_one(campus: CampusServer, maya: ToolCalls) -> None:
    body = {"object": "list", "results": [], "has_more": False, "next_cursor": None}
    campus.fault(service="notion", path="/v1/search", fault="status", status=200, body=body)

    with pytest.raises(ItemNotFound, match="No page in Notion is shared") as caught:
        maya.preview("notion_create_study_notes", NOTES)

    assert "•••" in caught.value.next_step


def test_what_is_written_for_a_student_who_reads_spanish_is_spanish_and_the_card_shows_the_same(
    maya: ToolCalls,
) -> None:
    wish = plan_from(3)
    with locale_scope("es-MX"):
        notes = maya.run("notion_create_study_notes", NOTES, operation_id="op")
        shown = {row.label: row.value for row in maya.preview("notion_create_study_plan", wish)}
        plan = maya.run("notion_create_study_plan", wish, operation_id="op2")
        first = f"## {formats.day(datetime.now(UTC).date() + timedelta(days=3))}"

    headings = [line for line in text_of(maya, notes.data["page"]["id"]).splitlines() if line.startswith("#")]
    assert headings == ["## Resumen", "## Puntos clave", "## Términos", "## Ponte a prueba"]
    lines = text_of(maya, plan.data["page"]["id"]).splitlines()
    assert lines[:3] == ["**Meta:** Ready by then", "**Tiempo:** 2 horas 45 minutos en 2 días", first]
    assert "- [ ] Chapter 12 (45 minutos)" in lines
    assert [line for line in shown["Content"].splitlines() if line] == lines


def test_a_page_has_headings_in_the_language_of_its_words_whatever_the_settings_say(maya: ToolCalls) -> None:
    notes = maya.run("notion_create_study_notes", {**NOTES, "language": "es"}, operation_id="op")
    plan = maya.run("notion_create_study_plan", plan_from(3, language="es"), operation_id="op2")
    shown = {row.label: row.value for row in maya.preview("notion_create_study_notes", {**NOTES, "language": "es"})}

    headings = [line for line in text_of(maya, notes.data["page"]["id"]).splitlines() if line.startswith("#")]
    assert headings == ["## Resumen", "## Puntos clave", "## Términos", "## Ponte a prueba"]
    assert "**Meta:** Ready by then" in text_of(maya, plan.data["page"]["id"])
    assert notes.output.startswith("Created")
    assert "## Resumen" in shown["Content"]
    with locale_scope("es-MX"):
        english = {
            row.label: row.value for row in maya.preview("notion_create_study_notes", {**NOTES, "language": "en"})
        }
    assert any("## Summary" in str(value) for value in english.values())
