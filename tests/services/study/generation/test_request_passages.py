"""What questions are made from: pages of a student's own materials, as they may be read now (H1, H7)."""

from pathlib import Path

import pytest

from services.errors import BadArguments, ConsentRequired, ItemNotFound, PermissionMissing
from services.study.generation.request_passages import RequestPassages
from services.study.generation.source_passage import LONGEST_PASSAGE
from services.study.generation.writing_round import about, window_of, windows_of
from services.study.question import SourceKind
from services.study.quiz import QuizRequest, SourceChoice
from tests.fakes import FakeDocuments
from tests.services.materials.school import BIOLOGY, LibraryRoom
from tests.services.study.generation.desk import FakeOpenQuizzes

LECTURE = f"{BIOLOGY}.lecture-1"


class Desk(LibraryRoom):
    """A student of the school with a reader of passages. refused: ids of materials whose account the model may not
    read.
    """

    refused: tuple[str, ...] = ()

    @property
    def passages(self) -> RequestPassages:
        return RequestPassages(
            library=self.library,
            texts={},
            quizzes=FakeOpenQuizzes(),
            is_agreed=lambda student_id, material: material.id not in self.refused,
            clock=self.clock,
            public_url="https://home.example",
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(FakeDocuments(), tmp_path)
    desk.library.courses(desk.maya)
    for course in (BIOLOGY, "school-his"):
        desk.library.materials(desk.maya, course)
    return desk


def of(*ids: str, pages: tuple[int, ...] = (), **request: str) -> QuizRequest:
    sources = tuple(SourceChoice(kind=SourceKind.MATERIAL, id=id, pages=pages) for id in ids)
    return QuizRequest(sources=sources, **request)  # type: ignore[arg-type]


def test_each_page_is_a_passage_with_its_place_and_address(desk: Desk) -> None:
    first, second = desk.passages.of(desk.maya, of(LECTURE))

    assert first.text.startswith("# Osmosis")
    assert (first.page, second.page, first.source_id) == (1, 2, LECTURE)
    assert first.place == "Lecture 1, Osmosis"
    assert first.url == f"https://home.example/materials?open={LECTURE}&page=1"


def test_only_the_pages_that_were_chosen_are_read(desk: Desk) -> None:
    (only,) = desk.passages.of(desk.maya, of(LECTURE, pages=(1,)))
    assert only.page == 1

    with pytest.raises(ItemNotFound, match="not in the material"):
        desk.passages.of(desk.maya, of(LECTURE, pages=(77,)))


def test_a_topic_alone_finds_its_pages(desk: Desk) -> None:
    found = desk.passages.of(desk.maya, QuizRequest(course_key=BIOLOGY, topic="osmosis"))

    assert [passage.source_id for passage in found] == [LECTURE]
    assert "movement of water" in found[0].text
    with pytest.raises(BadArguments, match="too little text"):
        desk.passages.of(desk.maya, QuizRequest(course_key=BIOLOGY, topic="submarines"))


def test_an_account_that_the_model_may_not_read_gives_nothing(desk: Desk) -> None:
    desk.refused = (LECTURE,)

    with pytest.raises(ConsentRequired, match="not agreed"):
        desk.passages.of(desk.maya, of(LECTURE))
    with pytest.raises(ConsentRequired):
        desk.passages.of(desk.maya, QuizRequest(topic="osmosis", course_key=BIOLOGY))


def test_what_is_closed_since_is_no_source(desk: Desk) -> None:
    desk.passages.of(desk.maya, of(LECTURE))
    desk.school.lock(LECTURE)
    desk.clock.advance(minutes=20)

    with pytest.raises(PermissionMissing):
        desk.passages.of(desk.maya, of(LECTURE))


def test_nobody_makes_questions_from_what_another_reads(desk: Desk) -> None:
    diego = desk.sign_in("diego", connected=False)

    with pytest.raises(ItemNotFound):
        desk.passages.of(diego, of(LECTURE))


def test_a_long_text_is_cut_at_its_paragraphs_and_seen_whole_over_rounds(desk: Desk) -> None:
    paragraphs = [f"Paragraph {number} tells of thing {number}. " + "It goes on. " * 60 for number in range(120)]
    source = SourceChoice(kind=SourceKind.TEXT, text="\n\n".join(paragraphs))

    passages = desk.passages.of(desk.maya, QuizRequest(sources=(source,)))

    assert all(len(passage.text) <= LONGEST_PASSAGE for passage in passages)
    assert all(passage.text.startswith("Paragraph") for passage in passages)
    rounds = windows_of(passages)
    assert rounds > 1
    seen = [passage for number in range(rounds) for passage in window_of(passages, number)]
    assert sorted(passage.text for passage in seen) == sorted(passage.text for passage in passages)
    assert [each.text for each in about("thing 7", passages)] != []
    assert about("submarines", passages) == passages
