"""Who may have written the fields of Canvas: declared where they are read, so that what is not is not told."""

from typing import Any

import pytest

from services.integrations.canvas import client as client_module
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.fields import read_planner
from services.runtime.clock import utc_now
from services.safety.field_log import field_log
from services.safety.provenance import Provenance


def test_a_field_that_is_not_declared_is_not_told(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told = call("canvas_get_syllabus", course="biology").data["syllabus"]
    declared = {name: by for name, by in client_module.COURSES.items() if name != "syllabus_body"}
    monkeypatch.setattr(client_module, "COURSES", declared)

    untold = call("canvas_get_syllabus", course="biology").data["syllabus"]

    assert "Canvas has no syllabus text" not in told
    assert "Canvas has no syllabus text" in untold


@pytest.mark.parametrize(
    ("kind", "writer"),
    [
        ("assignment", Provenance.SCHOOL),
        ("quiz", Provenance.SCHOOL),
        ("planner_note", Provenance.STUDENT),
        ("announcement", Provenance.OTHERS),
        ("calendar_event", Provenance.OTHERS),
        ("discussion_topic", Provenance.OTHERS),
        ("wiki_page", Provenance.OTHERS),
        ("something_new", Provenance.OTHERS),
    ],
)
def test_an_item_of_the_planner_is_whose_its_kind_says(kind: str, writer: Provenance) -> None:
    with field_log() as log:
        read_planner({"plannable_type": kind, "plannable": {"title": "https://a.example/"}})

    assert log.writers == {writer, Provenance.SERVICE}


def test_comments_are_others_and_instructions_are_the_schools(client: CanvasClient) -> None:
    with field_log() as instructions:
        row = next(row for row in client.assignments(course_id(client)) if row.get("description"))
    with field_log() as comments:
        found = client.graded_submissions(course_id(client), utc_now().replace(year=2020))

    assert row["name"]
    assert Provenance.OTHERS not in instructions.writers
    assert any(submission["submission_comments"] for submission in found)
    assert Provenance.OTHERS in comments.writers


def course_id(client: CanvasClient) -> int:
    return next(course["id"] for course in client.courses() if "BIOL" in course.get("name", ""))
