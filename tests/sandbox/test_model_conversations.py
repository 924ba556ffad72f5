"""Turns that build on one another: look-ups, follow-ups, questions, answers, trouble."""

from typing import Any

import pytest

from services.integrations.planner.tools import PLANNER_TOOLS
from tests.campus_server import CampusServer
from tests.sandbox.model_client import play
from tests.sandbox.model_thoughts import turn
from tests.sandbox.model_tools import TOOLS, answer

BIO = "pop a 2h study block for bio into my calendar on Friday at 3"


def test_a_created_event_is_moved_stretched_and_cancelled_by_its_pronoun(campus: CampusServer) -> None:
    played = play(campus, answer, TOOLS, BIO, "move it to 4pm", "make it 90 minutes", "cancel that session")

    assert played.calls[1:] == [
        ("calendar_update_event", {"event_id": "ev-new", "start": "2026-11-27T16:00"}),
        ("calendar_update_event", {"event_id": "ev-new", "duration_minutes": 90}),
        ("calendar_delete_event", {"event_id": "ev-new"}),
    ]


def test_a_task_is_given_another_hour_and_nothing_else(campus: CampusServer) -> None:
    def planner(name: str, given: dict[str, Any]) -> str:
        line = "**Call mom** — due Sun 22 Nov 2026, 5:00 PM CST (id: t1)"
        return f"1 open task (Homeroom planner, as of 9:00 AM).\n- {line}" if name == "planner_list_tasks" else line

    tools = [tool.definition() for tool in PLANNER_TOOLS]

    played = play(campus, planner, tools, "Add a task: call mom tomorrow at 5pm", "make it 7pm")

    assert played.calls[-1][0] == "planner_edit_task"
    assert played.calls[-1][1].items() >= {"task": "t1", "due_time": "19:00"}.items()
    assert "title" not in played.calls[-1][1]


@pytest.mark.parametrize("said", ["Continue", "continue please", "go on"])
def test_a_finished_answer_has_no_more_to_come(campus: CampusServer, said: str) -> None:
    played = play(campus, answer, TOOLS, "what's due tomorrow?", said)

    assert len(played.calls) == 1
    assert "demo model" not in played.answer


def test_a_follow_up_repeats_the_last_look_with_what_is_new(campus: CampusServer) -> None:
    played = play(campus, answer, TOOLS, "what's due tomorrow?", "and next week?", "what about chem?")

    assert [call[1] for call in played.calls] == [
        {"window": "range", "start": "2026-11-22", "end": "2026-11-22"},
        {"window": "range", "start": "2026-11-23", "end": "2026-11-29"},
        {"window": "range", "start": "2026-11-23", "end": "2026-11-29", "course": "chem"},
    ]


def test_an_existing_event_is_looked_up_before_it_is_changed(campus: CampusServer) -> None:
    played = play(campus, answer, TOOLS, "Cancel my dentist appointment next Tuesday")

    assert played.steps == [
        [("calendar_list_events", {"start": "2026-11-24", "end": "2026-11-24"})],
        [("calendar_delete_event", {"event_id": "ev-dentist"})],
        [],
    ]


def test_two_questions_are_looked_up_at_once(campus: CampusServer) -> None:
    played = play(campus, answer, TOOLS, "what's due and when am I free tomorrow?")

    assert [name for name, _ in played.steps[0]] == ["canvas_list_assignments", "calendar_find_free_time"]
    assert "Lab report 6" in played.answer
    assert "12:00 PM – 2:00 PM" in played.answer


def test_deadlines_are_read_before_they_go_into_the_calendar() -> None:
    calls, said = turn(["Add all my assignment deadlines to my calendar."], TOOLS, answer)

    assert [name for name, _ in calls] == ["canvas_list_assignments", *["calendar_create_event"] * 3]
    assert calls[2][1] == {"title": "Essay 2", "start": "2026-11-25T16:30", "end": "2026-11-25T17:00"}
    assert said.count("Done.") == 3


@pytest.mark.parametrize(
    ("first", "question", "reply", "expected"),
    [
        (
            "schedule a study session for bio on friday",
            "What time should it start?",
            "3pm for 2 hours",
            (
                "calendar_create_event",
                {"title": "Study session for bio", "start": "2026-11-27T15:00", "duration_minutes": 120},
            ),
        ),
        (
            "write this to notion: Plants turn light into sugar",
            "Under which page should it go?",
            "under Biology notes",
            (
                "notion_create_page",
                {
                    "parent": "pg-bio",
                    "title": "Plants turn light into sugar",
                    "content": "Plants turn light into sugar",
                },
            ),
        ),
        (
            "add to my biology notes",
            "What should I write in it?",
            "the mitochondria is the powerhouse",
            ("notion_append_to_page", {"page": "pg-bio", "content": "the mitochondria is the powerhouse"}),
        ),
    ],
)
def test_what_is_missing_is_asked_for_and_the_answer_completes_it(
    first: str, question: str, reply: str, expected: tuple[str, dict[str, Any]]
) -> None:
    calls, asked = turn([first], TOOLS, answer)
    assert all(name == "notion_search" for name, _ in calls)
    assert asked.endswith(question)

    calls, _ = turn([first, reply], TOOLS, answer)

    assert calls[-1] == expected


def test_an_offered_gap_is_taken_with_a_yes_and_left_with_a_no() -> None:
    asked = "Do I have time for coffee with Sam on Friday?"
    _, offer = turn([asked], TOOLS, answer)
    taken, _ = turn([asked, "yes, do that"], TOOLS, answer)
    left, _ = turn([asked, "no thanks"], TOOLS, answer)

    assert "Shall I put “Coffee with Sam” into your calendar" in offer
    assert taken == [
        ("calendar_create_event", {"title": "Coffee with Sam", "start": "2026-11-22T12:00", "duration_minutes": 60})
    ]
    assert left == []


def test_a_listed_gap_can_be_booked_by_its_number() -> None:
    calls, _ = turn(["when am I free tomorrow?", "book the first one for bio review"], TOOLS, answer)

    assert calls == [
        ("calendar_create_event", {"title": "Bio review", "start": "2026-11-22T12:00", "end": "2026-11-22T13:00"})
    ]


def test_a_page_that_was_read_is_what_it_means() -> None:
    calls, _ = turn(["open my page on cell respiration", "add to it: pyruvate comes first"], TOOLS, answer)

    assert calls == [("notion_append_to_page", {"page": "pg-respiration", "content": "pyruvate comes first"})]


def test_the_last_answer_can_be_saved() -> None:
    calls, _ = turn(["how am I doing in calc?", "save that as a page called Grades under Fall courses"], TOOLS, answer)

    assert calls[-1][0] == "notion_create_page"
    assert calls[-1][1]["title"] == "Grades"
    assert "Calculus I" in calls[-1][1]["content"]


def test_a_done_write_is_not_done_again_by_thanks_or_again() -> None:
    for text in ("ok thanks", "great", "again", "perfect, thank you"):
        calls, _ = turn([BIO, text], TOOLS, answer)

        assert calls == [], text
