"""What common questions cost outside: few requests, none for each course without need, and none when asked again."""

from pathlib import Path

import pytest

from bench.questions import COURSES, QUESTIONS
from bench.tools import costs_of


@pytest.mark.soak
@pytest.mark.soak
def test_twenty_common_questions_cost_few_requests_and_nothing_when_asked_again(tmp_path: Path) -> None:
    costs = costs_of(tmp_path, rounds=1)

    assert len(costs) == len(QUESTIONS) == 20
    assert [(cost.question.text, cost.requests) for cost in costs if cost.requests > cost.question.most] == []
    assert [cost.question.text for cost in costs if cost.requests > COURSES] == [
        question.text for question in QUESTIONS if question.by_course
    ]
    assert [cost.question.text for cost in costs if cost.again] == []
    assert all(cost.ratio > 0 for cost in costs)
