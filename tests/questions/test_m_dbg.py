import pytest

from tests.questions.judging import problems
from tests.questions.table import questions, today


@pytest.mark.parametrize(
    "question", questions("everyday", "planner", "notes", "calendar", "more", "typed", "again"), ids=lambda q: q.ask
)
def test_q(classroom, question):
    asked = question.on(today(), f"{classroom.server.url}/web")
    outcome = classroom.ask(asked)
    found = problems(classroom, asked, outcome)
    classroom.undo(asked, outcome)
    assert not found, [*found, outcome.answer[:600]]
