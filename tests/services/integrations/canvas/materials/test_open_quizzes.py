"""Which quizzes are open for a student in Canvas now (H7)."""

from datetime import timedelta
from typing import Any

import pytest

from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.materials.open_quizzes import is_open, open_quizzes
from services.runtime.clock import stamp, utc_now

NOW = utc_now()


def at(**ahead: float) -> str:
    return stamp(NOW + timedelta(**ahead))


def row(**changes: Any) -> dict[str, Any]:
    """An assignment as Canvas lists it: a quiz that is due in two days."""
    return {
        "id": 5,
        "course_id": 1,
        "name": "Unit check",
        "html_url": "https://canvas.example/courses/1/assignments/5",
        "submission_types": ["online_quiz"],
        "quiz_id": 9,
        "published": True,
        "due_at": at(days=2),
        "lock_at": None,
        "unlock_at": None,
        "submission": {"workflow_state": "unsubmitted", "submitted_at": None, "score": None},
        **changes,
    }


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        pytest.param({}, True, id="due ahead"),
        pytest.param({"due_at": None}, True, id="without a date"),
        pytest.param({"due_at": at(days=-1), "lock_at": at(days=1)}, True, id="late, and still taken"),
        pytest.param({"quiz_id": None, "submission_types": ["external_tool"]}, True, id="of another maker"),
        pytest.param(
            {"quiz_id": None, "submission_types": ["online_upload"], "name": "Quiz 3"}, True, id="by its name"
        ),
        pytest.param({"due_at": at(days=-1)}, False, id="past due"),
        pytest.param({"due_at": at(days=-2), "lock_at": at(days=-1)}, False, id="closed"),
        pytest.param({"unlock_at": at(days=1)}, False, id="not open yet"),
        pytest.param({"locked_for_user": True, "lock_info": {"asset_string": "x"}}, False, id="locked"),
        pytest.param({"published": False}, False, id="a draft"),
        pytest.param({"submission": {"workflow_state": "graded", "score": 8.0}}, False, id="graded"),
        pytest.param({"submission": {"submitted_at": at(days=-1)}}, False, id="handed in"),
        pytest.param({"quiz_id": None, "submission_types": ["on_paper"], "name": "Quiz 3"}, False, id="on paper"),
        pytest.param({"quiz_id": None, "submission_types": ["online_upload"], "name": "Essay"}, False, id="an essay"),
    ],
)
def test_what_can_be_taken_for_a_grade_now_is_open(changes: dict[str, Any], is_told: bool) -> None:
    assert is_open(row(**changes), "https://canvas.example", NOW) is is_told


def test_those_of_a_course_and_of_all_courses_are_listed_with_their_text(client: CanvasClient) -> None:
    (quiz,) = open_quizzes(client, "canvas-4201")
    assert quiz.title == "Quiz 5 (chapters 11–12)"
    assert "one attempt" in quiz.text
    assert quiz.material_id == "canvas-4201.assignment-4201023"
    assert quiz.closes_at is not None
    assert quiz.closes_at > utc_now()

    everywhere = [each.title for each in open_quizzes(client, "")]
    assert quiz.title in everywhere
    assert len(everywhere) > 1
    assert open_quizzes(client, "shelf-abc") == open_quizzes(client, "")


def test_a_course_that_is_closed_to_the_student_has_none(client: CanvasClient) -> None:
    assert open_quizzes(client, "canvas-999999") == []
