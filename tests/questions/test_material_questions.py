"""Questions over the campus's materials: what answers each really stands on its page, and a student may read it."""

from collections import defaultdict
from collections.abc import Collection

import pytest

from sandbox.canvas.documents.html_text import page_file
from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import Source, source
from services.files.documents.document_worker import read_document
from services.files.upload import Upload
from tests.questions.material_questions import (
    BOTH_LANGUAGES,
    HELD_OUT,
    HELD_OUT_AGAIN,
    NEWCOMER,
    VOICES,
    MaterialQuestion,
    material_questions,
)

ENDINGS = {"gslides": "pptx", "gdoc": "html", "page": "html"}
CLOSED = ("locked", "unpublished", "unlocks", "password")
ALL = (*VOICES, HELD_OUT, HELD_OUT_AGAIN, NEWCOMER, BOTH_LANGUAGES)
COUNTS = {"random_pages": 60, HELD_OUT_AGAIN: 24, NEWCOMER: 80, BOTH_LANGUAGES: 40}
MOST = 60
"""Characters of a question that are enough to know it again by."""


@pytest.mark.parametrize("voice", ALL)
def test_each_voice_asks_its_number_of_questions_in_both_languages(voice: str) -> None:
    asked = material_questions(voice)

    assert len({question.ask for question in asked}) == len(asked) == COUNTS.get(voice, 30)
    assert {question.language for question in asked} <= {"en", "es"}
    assert all(question.answers for question in asked)


def test_questions_are_about_every_course_and_no_answer_is_closed_to_students() -> None:
    asked = material_questions(*ALL)
    files = {page.file for question in asked for page in question.answers}

    assert len({file.split("/")[0] for file in files}) == 7
    assert [file for file in sorted(files) if any(source(file).head.get(fact) for fact in CLOSED)] == []


def test_what_answers_a_question_stands_in_its_source() -> None:
    pages = [page for question in material_questions(*ALL) for page in question.answers]

    assert [page for page in pages if letters(page.quote) not in letters(source(page.file).body)] == []


@pytest.mark.parametrize("voice", ALL)
@pytest.mark.soak
def test_what_answers_a_question_stands_on_its_page(voice: str) -> None:
    asked = material_questions(voice)
    wanted = defaultdict(set)
    for question in asked:
        for page in question.answers:
            wanted[page.file].add(page.page)
    texts = {file: page_texts(source(file), pages) for file, pages in wanted.items()}

    assert [miss for question in asked for miss in misses(question, texts)] == []


def misses(question: MaterialQuestion, texts: dict[str, dict[int, str]]) -> list[str]:
    return [
        f"{question.ask[:MOST]}: {page.file}, {page.page}: {page.quote}"
        for page in question.answers
        if len(page.quote) < 3 or squeezed(page.quote) not in texts[page.file].get(page.page, "")
    ]


def page_texts(own: Source, numbers: Collection[int]) -> dict[int, str]:
    """Texts of these pages with their notes, as the readers make them of the file that Canvas serves."""
    name = str(own.head.get("file", f"{own.slug}.{ENDINGS.get(own.kind, 'html')}"))
    content = page_file(own) if own.kind == "page" else rendered(own)
    texts = {}
    for record in read_document(Upload(name=name, content=content), first=min(numbers) if own.kind == "pdf" else 1):
        page = record.get("page")
        if page is not None and page["number"] in numbers:
            texts[page["number"]] = squeezed(f"{page['text']}\n{page['notes']}")
            if len(texts) == len(numbers):
                break
    return texts


def squeezed(text: str) -> str:
    return " ".join(text.split())


def letters(text: str) -> str:
    """The text without its markup: letters and digits."""
    return "".join(filter(str.isalnum, text))
