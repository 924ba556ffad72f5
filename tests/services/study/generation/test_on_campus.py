"""Quizzes of the demo campus: real pages, real HTTP, the demo model (H1)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.errors import BadArguments, ConsentRequired
from services.study.generation.quotation_check import find_quotation
from services.study.question import SourceKind
from services.study.quiz import Quiz, QuizRequest, QuizState, SourceChoice
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

CELL_BIOLOGY = "canvas-4201"
CHAT = "The endoplasmic reticulum is a network of membranes in which proteins fold and lipids are made."
QUESTIONS = "1. Which enzyme comes first?\na) helicase\nb) ligase\nc) primase\n2. Which comes last?\na) ligase\nb) none"


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


def make(home: CampusRoom, *sources: SourceChoice, **request: Any) -> Quiz:
    asked = home.services.study.quizzes.make(home.maya, QuizRequest(sources=sources, **request))
    while home.services.quiz_making.run_once():
        """Until nothing is left."""
    return home.services.study.quizzes.quiz(home.maya, asked.id)


@pytest.mark.soak
def test_a_topic_alone_is_looked_up_in_the_course(home: CampusRoom) -> None:
    material(home, "Lecture 6")

    quiz = make(home, course_key=CELL_BIOLOGY, topic="osmosis", count=2)

    questions = home.services.study.quizzes.questions(home.maya, quiz.id)
    assert quiz.state is QuizState.READY
    assert any("osmosis" in question.quotation.words.lower() for question in questions)


def test_notes_in_notion_and_chats_are_sources_too(home: CampusRoom) -> None:
    home.connect("notion")
    found = home.services.gateway.call(home.maya, "notion_search", {"query": "cell cycle"}, asked_by="test").data
    note = SourceChoice(kind=SourceKind.NOTE, id=found["results"][0]["id"])
    chat = home.services.conversations.create(home.maya.id)
    said = [{"type": "text", "text": CHAT}]
    home.services.conversations.append_message(home.maya.id, chat, role="user", content=said, meta={})

    from_note = make(home, note, count=2)
    from_chat = make(home, SourceChoice(kind=SourceKind.CHAT, id=chat), count=1)

    assert (from_note.state, from_chat.state) == (QuizState.READY, QuizState.READY)
    (question,) = home.services.study.quizzes.questions(home.maya, from_chat.id)
    assert question.quotation.words in CHAT
    assert question.quotation.url.endswith(f"/?c={chat}")
    home.services.connections.consents.withdraw(home.maya.id, "notion")
    without = make(home, note, count=2)
    assert (without.state, without.question_ids) == (QuizState.FAILED, ())


def test_the_quiz_that_is_open_in_canvas_is_told_with_its_time(home: CampusRoom) -> None:
    pasted = SourceChoice(kind=SourceKind.TEXT, text=f"Quiz 5 (chapters 11-12)\n{QUESTIONS}")
    request = QuizRequest(sources=(pasted,), course_key=CELL_BIOLOGY)

    with pytest.raises(BadArguments, match=r"“Quiz 5 .chapters 11–12.” is open for a grade now") as refused:
        home.services.study.quizzes.estimate(home.maya, request)

    assert "You can practise with it from" in refused.value.next_step
    elsewhere = QuizRequest(sources=(pasted,))
    with pytest.raises(BadArguments):
        home.services.study.quizzes.estimate(home.maya, elsewhere)


def test_nothing_of_an_account_is_sent_without_the_consent_to_it(home: CampusRoom) -> None:
    lecture = material(home, "Lecture 23")
    home.services.connections.consents.withdraw(home.maya.id, "canvas")

    with pytest.raises(ConsentRequired):
        home.services.study.quizzes.estimate(
            home.maya, QuizRequest(sources=(SourceChoice(kind=SourceKind.MATERIAL, id=lecture),))
        )
    quiz = make(home, SourceChoice(kind=SourceKind.MATERIAL, id=lecture), count=2)

    assert quiz.state is QuizState.FAILED
    assert "not agreed" in quiz.trouble
    assert home.model_requests() == []
