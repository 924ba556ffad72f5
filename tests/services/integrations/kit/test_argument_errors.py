"""All that is wrong with the arguments of a call stands in one error, so that one repeat sets it right."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.errors import BadArguments, NameUnknown
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.tools.failures import failed_result
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

PAST, NOWHERE = "2020-01-01", "Zebra crossing"
ITEM = {"name": "Lab 9", "due": "soon"}
WRONG: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("planner_create_task", {"title": "A", "due_time": "17:00", "depends_on": ["No such"]}, ("due_date", "“No such”")),
    ("planner_create_task", {"title": "A", "due_date": PAST, "depends_on": ["Nil", "Nix"]}, ("2020", "“Nil”", "“Nix”")),
    ("planner_edit_task", {"task": "Nil", "due_date": PAST, "depends_on": ["Nix"]}, ("task: ", "2020", "“Nix”")),
    ("planner_edit_task", {"task": "Nil", "due_time": "17:00", "no_due_date": True}, ("task: ", "no_due_date")),
    ("notion_create_tracker", {"parent": NOWHERE, "items": [ITEM]}, ("parent: ", "“Lab 9”, Due “soon”")),
    (
        "notion_create_tracker",
        {"columns": {"Due": "date", "Course": "text"}, "parent": NOWHERE},
        ("a column “Due” already", "a column “Course” already", "parent: "),
    ),
    (
        "notion_create_tracker",
        {"items": [{**ITEM, "link": "x", "more": {"Prio": "1"}}, {**ITEM, "name": "Lab 10"}]},
        ("“Lab 9”, Due", "“Lab 9”, Link “x”", "“Prio”", "“Lab 10”, Due"),
    ),
    (
        "notion_add_entries",
        {"database": "Assignment tracker", "entries": [{"name": "X", "values": {"Due": "soon", "Prio": "1"}}]},
        ("Due “soon”", "Prio “1”"),
    ),
    (
        "notion_update_entry",
        {"database": "Assignment tracker", "entry": NOWHERE, "changes": {"Due": "soon", "Prio": "1"}},
        ("entry: ", "Due “soon”", "Prio “1”"),
    ),
    (
        "notion_query_database",
        {
            "database": "Assignment tracker",
            "status": "gone",
            "due_from": "2026-12-01",
            "due_until": "2026-11-01",
            "where": {"Prio": "1", "Due": "soon"},
        },
        ("status: ", "due_until", "Prio “1”"),
    ),
    (
        "notion_create_study_plan",
        {"title": "P", "parent": NOWHERE, "sessions": [{"day": PAST, "what": "x"}]},
        ("2020", "parent: "),
    ),
    ("canvas_list_assignments", {"course": NOWHERE, "window": "range"}, ("course: ", "start")),
    (
        "canvas_propose_study_plan",
        {"start": PAST, "day_start": "22:00", "day_end": "08:00", "course": NOWHERE},
        ("start", "day_end", "course: "),
    ),
    (
        "canvas_forecast_grade",
        {"course": "bio", "target": "Z+", "item": NOWHERE, "scores": {"unicorn": 50, "griffin": 50}},
        ("target", "item: ", "unicorn", "griffin"),
    ),
    (
        "calendar_create_event",
        {"title": "X", "start": "when", "end": "2026-12-01T10:00", "duration_minutes": 5, "calendar": NOWHERE},
        ("start: ", "duration_minutes", "calendar: "),
    ),
    (
        "calendar_create_study_sessions",
        {"title": "X", "starts": ["when", "2020-01-01T10:00"], "calendar": NOWHERE},
        ("“when”", "2020", "calendar: "),
    ),
    ("calendar_list_events", {"start": "when", "days": 3, "end": PAST, "calendar": NOWHERE}, ("start: ", "calendar: ")),
    (
        "calendar_find_free_time",
        {"start": "when", "day_start": "late", "day_end": "x"},
        ("start: ", "day_start", "day_end"),
    ),
    ("mail_draft", {"subject": "s", "body": "b", "to": ["maya"], "cc": ["nil"]}, ("to", "cc")),
    ("github_api", {"action": "get_issue", "repo": "x"}, ("repo", "issue_number")),
    ("bibliography_entry", {"doi": "x", "isbn": "y"}, ("url, doi and isbn",)),
]


@pytest.fixture
def room(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas", "google_calendar", "notion")
    yield room
    room.close()


def test_every_tool_tells_all_that_is_wrong_at_once(room: CampusRoom) -> None:
    silent = {}
    for tool, arguments, told in WRONG:
        result = room.services.gateway.call(room.maya, tool, arguments, asked_by="a test")
        if missing := [words for words in told if words not in (result.error or "")]:
            silent[tool, str(arguments)] = (missing, result.error or result.output)

    assert not silent


def test_each_sentence_names_its_argument() -> None:
    errors = ArgumentErrorCollector()
    errors.add(BadArguments("Two are the same.", field="choices"))
    errors.add(NameUnknown("task: none is called that.", field="task", next_step="Ask."))

    with pytest.raises(BadArguments) as caught:
        errors.raise_found()

    assert failed_result(caught.value).error == (
        "Two are the same. (argument: choices) task: none is called that. Ask."
    )


def test_the_same_sentence_is_told_once() -> None:
    errors = ArgumentErrorCollector()
    for _ in range(2):
        errors.add(BadArguments("The end is before the start.", field="end"))

    with pytest.raises(BadArguments) as caught:
        errors.raise_found()

    assert str(caught.value) == "The end is before the start."


def test_nothing_wrong_raises_nothing() -> None:
    errors = ArgumentErrorCollector()

    assert errors.read(int, "7") == 7
    errors.raise_found()
