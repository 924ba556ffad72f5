"""What kind of work something is, how long it takes, what comes first, and when to do it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.integrations.canvas.assignment_kinds import AssignmentKind, estimated_minutes, kind_of, rough_hours
from services.integrations.canvas.assignments import Assignment, from_assignment
from services.integrations.canvas.fields import COURSES
from services.integrations.canvas.tools.priorities import rank_by_urgency
from services.safety.field_log import read_fields

CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 23, 15, 0, tzinfo=UTC)


def work(
    id: int, days: float | None = None, kind: AssignmentKind = AssignmentKind.HOMEWORK, **more: object
) -> Assignment:
    due_at = None if days is None else NOW + timedelta(days=days)
    fields = {"course_id": 1, "course": "Bio", "title": f"W{id}", "url": "https://c", "points": 20.0, **more}
    return Assignment(id=id, due_at=due_at, kind=kind, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "types", "kind"),
    [
        ("Midterm 2", ["on_paper"], AssignmentKind.EXAM),
        ("Final Exam", ["on_paper"], AssignmentKind.EXAM),
        ("Exam III (final)", ["online_quiz"], AssignmentKind.EXAM),
        ("Examen parcial", [], AssignmentKind.EXAM),
        ("Unit test", [], AssignmentKind.EXAM),
        ("Quiz 5 (chapters 11–12)", ["online_quiz"], AssignmentKind.QUIZ),
        ("Chapter 11: Personality", ["online_quiz"], AssignmentKind.QUIZ),
        ("Recitation quiz 6 (ratio test)", ["on_paper"], AssignmentKind.QUIZ),
        ("WeBWorK 12: Ratio and root tests", ["external_tool"], AssignmentKind.HOMEWORK),
        ("WeBWorK 9: Series, integral test", ["external_tool"], AssignmentKind.HOMEWORK),
        ("Forum: who gets to say “we”?", ["discussion_topic"], AssignmentKind.DISCUSSION),
        ("Essay 3: Researched argument", ["online_upload"], AssignmentKind.ESSAY),
        ("Ensayo 1", [], AssignmentKind.ESSAY),
        ("Research paper (8–10 pages)", ["online_upload"], AssignmentKind.ESSAY),
        ("Lab Report 6: Mitosis", ["online_upload"], AssignmentKind.LAB),
        ("Final project: code and demo", ["online_url"], AssignmentKind.PROJECT),
        ("Final: reflection", ["online_upload"], AssignmentKind.EXAM),
        ("Peer review 3 (two letters)", ["online_upload"], AssignmentKind.PEER_REVIEW),
        ("Practice exams with solutions", ["none"], AssignmentKind.OTHER),
        ("Problem Set 8", ["online_upload"], AssignmentKind.HOMEWORK),
        ("Collaborate on maps", [], AssignmentKind.HOMEWORK),
    ],
)
def test_a_kind_follows_how_it_is_taken_then_its_words(title: str, types: list[str], kind: AssignmentKind) -> None:
    assert kind_of(title, types) is kind


def test_every_kind_has_an_estimate_and_small_things_take_half() -> None:
    assert all(estimated_minutes(kind, 100) > 0 for kind in AssignmentKind)
    assert estimated_minutes(AssignmentKind.HOMEWORK, 5) * 2 == estimated_minutes(AssignmentKind.HOMEWORK, 6)
    assert estimated_minutes(AssignmentKind.HOMEWORK, 0) == estimated_minutes(AssignmentKind.HOMEWORK, None) == 120


@pytest.mark.parametrize(
    ("title", "points", "minutes"),
    [
        ("Essay 4: topic and addressee", 10, 120),
        ("Research paper: outline", 20, 120),
        ("Essay 4: complete draft", 50, 120),
        ("Project proposal", 40, 120),
        ("Ensayo 2: borrador", 50, 120),
        ("Research paper (8–10 pages)", 100, 300),
        ("Essay 2: The topic of exile", 100, 300),
        ("Drafting a constitution: essay", 100, 300),
        ("Final project", None, 360),
        ("Essay on one page", 15, 120),
        ("Essay 1: outline", 5, 60),
    ],
)
def test_a_step_towards_a_paper_is_not_taken_for_the_paper(title: str, points: float | None, minutes: int) -> None:
    assert estimated_minutes(kind_of(title), points, title=title) == minutes


def test_a_quiz_takes_as_long_as_canvas_allows_and_an_exam_still_needs_studying() -> None:
    assert work(1, 1, AssignmentKind.QUIZ, time_limit=15).effort == "about 15 minutes (its time limit)"
    assert work(1, 1, AssignmentKind.QUIZ).minutes == work(1, 1, AssignmentKind.QUIZ, time_limit=0).minutes == 60
    assert work(1, 1, AssignmentKind.QUIZ, time_limit=10_080).minutes == 360
    assert work(1, 1, AssignmentKind.EXAM, time_limit=90).minutes == 360


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (45, "about 45 minutes"),
        (60, "about 1 hour"),
        (90, "about 1½ hours"),
        (150, "about 2½ hours"),
        (2070, "about 34½ hours"),
    ],
)
def test_lengths_are_rough_on_purpose(minutes: int, words: str) -> None:
    assert rough_hours(minutes) == words


def test_what_is_worth_more_soon_and_missing_comes_first() -> None:
    items = [(work(1, 10), 2.0), (work(2, 1), 2.0), (work(3, 10), 30.0), (work(4, -3, is_missing=True), 2.0)]

    assert [ranked.item.id for ranked in rank_by_urgency(items, NOW)] == [4, 3, 2, 1]


def test_long_work_is_nearer_than_its_due_date_says() -> None:
    items = [(work(1, 3), 5.0), (work(2, 3, AssignmentKind.PROJECT, points=100.0), 5.0)]

    assert [ranked.item.id for ranked in rank_by_urgency(items, NOW)] == [2, 1]


def test_without_weights_the_earliest_due_comes_first() -> None:
    items = [(work(id, days), None) for id, days in ((1, 5), (2, 1), (3, 9))]

    assert [ranked.item.id for ranked in rank_by_urgency(items, NOW)] == [2, 1, 3]


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        ({"is_quiz_lti_assignment": True}, AssignmentKind.QUIZ),
        ({"is_quiz_assignment": True}, AssignmentKind.QUIZ),
        ({"is_quiz_assignment": False, "is_quiz_lti_assignment": False}, AssignmentKind.HOMEWORK),
        ({"is_quiz_lti_assignment": None}, AssignmentKind.HOMEWORK),
        ({}, AssignmentKind.HOMEWORK),
    ],
)
def test_a_new_quiz_is_a_quiz_though_it_is_taken_in_an_external_tool(
    facts: dict[str, object], kind: AssignmentKind
) -> None:
    row = {"id": 5501, "course_id": 1, "name": "Chapter 4 check", "submission_types": ["external_tool"], **facts}

    read = from_assignment(read_fields(row, COURSES), course="Bio", origin="https://c.example", now=NOW)

    assert read.kind is kind
    assert read.minutes == (60 if kind is AssignmentKind.QUIZ else 120)
