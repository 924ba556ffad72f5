"""Quizzes of the demo campus: real pages, real HTTP, the demo model (H1)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.study.generation.quotation_check import find_quotation
from services.study.question import SourceKind
from services.study.quiz import QuizRequest, QuizState, SourceChoice
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

CELL_BIOLOGY = "canvas-4201"


@pytest.fixture
def home(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas")
    yield room
    room.close()


def material(home: CampusRoom, title: str) -> str:
    listed = home.services.materials.materials(home.maya, CELL_BIOLOGY).materials
    return next(each.material.id for each in listed if each.material.title.startswith(title))


def test_a_quiz_from_a_lecture_quotes_its_pages(home: CampusRoom) -> None:
    lecture = material(home, "Lecture 23")
    source = SourceChoice(kind=SourceKind.MATERIAL, id=lecture, title="Lecture 23")
    quizzes = home.services.study.quizzes

    asked = quizzes.make(home.maya, QuizRequest(course_key=CELL_BIOLOGY, sources=(source,), count=6), key="k1")
    assert asked.state is QuizState.QUEUED
    assert quizzes.make(home.maya, QuizRequest(course_key=CELL_BIOLOGY, sources=(source,)), key="k1").id == asked.id
    while home.services.quiz_making.run_once():
        pass

    quiz, questions = quizzes.quiz(home.maya, asked.id), quizzes.questions(home.maya, asked.id)
    assert (quiz.state, len(questions), quiz.trouble) == (QuizState.READY, 6, "")
    pages = {page.number: page for page in home.services.materials.pages(home.maya, lecture).pages}
    for question in questions:
        page = pages[question.quotation.page]
        assert find_quotation(question.quotation.words, f"{page.text}\n\n{page.notes}")
        assert question.quotation.source_id == lecture
        assert f"page={page.number}" in question.quotation.url
    assert len({question.kind for question in questions}) >= 3
    (request,) = home.model_requests()[-1:]
    assert "tools" not in request["body"]
    assert request["body"]["output_config"]["format"]["type"] == "json_schema"
