"""What is open for a grade is no source, in whatever text it stands (H7, T37)."""

from datetime import timedelta

import pytest

from services.errors import BadArguments
from services.identity.students import Student
from services.study.generation.open_quizzes import OpenQuiz, looks_like_quiz, without_open_quizzes
from services.study.generation.source_passage import SourcePassage
from services.study.question import SourceKind
from tests.fakes import FakeClock

MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
NOW = FakeClock()()
QUIZ = OpenQuiz(
    title="Quiz 5 (chapters 11–12)",
    text="Choose the best answer. Which enzyme unwinds the double helix in front of the replication fork, and why?",
    material_id="canvas-1.assignment-5",
    closes_at=NOW + timedelta(days=2),
)
QUESTIONS = "1. Which enzyme comes first?\na) helicase\nb) ligase\nc) primase\n2. Which comes last?\na) ligase\nb) none"
COPIED = "I found this: which enzyme unwinds the double helix in FRONT of the replication fork — and why? Help me."


def passage(text: str, kind: SourceKind = SourceKind.TEXT, **more: str) -> SourcePassage:
    return SourcePassage(source=kind, text=text, **more)  # type: ignore[arg-type]


def left(*passages: SourcePassage, quizzes: tuple[OpenQuiz, ...] = (QUIZ,)) -> list[SourcePassage]:
    return without_open_quizzes(passages, quizzes, MAYA, NOW)


@pytest.mark.parametrize("kind", [SourceKind.TEXT, SourceKind.CHAT, SourceKind.NOTE], ids=lambda kind: kind.value)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(COPIED, id="its words"),
        pytest.param(f"Quiz 5\n{QUESTIONS}", id="its name and questions"),
        pytest.param(f"quiz 5, chapters 11\n\n{QUESTIONS}", id="its name in small letters"),
        pytest.param(f"Question 1 1 pts\n{QUESTIONS}", id="as Canvas shows questions"),
        pytest.param(f"Pregunta 1 (2 puntos)\n{QUESTIONS}", id="in Spanish"),
    ],
)
def test_a_text_that_holds_an_open_quiz_is_refused_calmly(text: str, kind: SourceKind) -> None:
    with pytest.raises(BadArguments) as refused:
        left(passage("Notes of my own about the cell."), passage(text, kind))

    assert str(refused.value) == "“Quiz 5 (chapters 11–12)” is open for a grade now, so no questions are made from it."
    assert "Wed 25 Nov" in refused.value.next_step
    assert "cheat" not in str(refused.value).lower()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("For Quiz 5 I have to know chapters 11 and 12: the enzymes of replication.", id="notes for it"),
        pytest.param(QUESTIONS, id="questions of another one"),
        pytest.param("Which enzyme unwinds the double helix? Helicase does.", id="a few of its words"),
    ],
)
def test_notes_about_its_subject_are_a_source(text: str) -> None:
    assert left(passage(text))


def test_without_an_open_quiz_everything_is_a_source() -> None:
    assert left(passage(f"Quiz 5\n{QUESTIONS}"), quizzes=())


def test_pages_of_a_material_are_left_out_alone() -> None:
    page = passage("Helicase unwinds the helix.", SourceKind.MATERIAL, source_id="canvas-1.file-7")
    copy = passage(COPIED, SourceKind.MATERIAL, source_id="canvas-1.file-8")
    own = passage("Ten questions.", SourceKind.MATERIAL, source_id="canvas-1.assignment-5")

    assert left(page, copy, own) == [page]
    with pytest.raises(BadArguments):
        left(copy, own)


def test_where_no_end_is_set_it_becomes_possible_with_handing_in() -> None:
    undated = OpenQuiz(title="Quiz 5", text=QUIZ.text)

    with pytest.raises(BadArguments) as refused:
        left(passage(COPIED), quizzes=(undated,))

    assert "once you have handed it in" in refused.value.next_step


def test_a_list_without_options_has_not_the_form_of_a_quiz() -> None:
    assert looks_like_quiz(QUESTIONS)
    assert not looks_like_quiz("1. Prophase\n2. Metaphase\n3. Anaphase\nWhich comes last?")
