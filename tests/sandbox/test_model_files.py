"""The demo model takes documents and images as the API does, and can say what is in a text or a PDF."""

import base64
from collections.abc import Mapping
from typing import Any

import anthropic
import pytest

from tests import file_samples
from tests.campus_server import CampusServer
from tests.sandbox.model_client import CONTEXT, MODEL, claude


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def pdf(*pages: str, **more: Any) -> dict[str, Any]:
    source = {"type": "base64", "media_type": "application/pdf", "data": packed(file_samples.pdf(*pages))}
    return {"type": "document", "source": source, "title": "notes.pdf", **more}


def text(words: str, **more: Any) -> dict[str, Any]:
    source = {"type": "text", "media_type": "text/plain", "data": words}
    return {"type": "document", "source": source, "title": "plan.txt", **more}


def image(content: bytes, media_type: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": packed(content)}}


def asked(campus: CampusServer, said: str, *blocks: Mapping[str, Any]) -> anthropic.types.Message:
    content = [{"type": "text", "text": CONTEXT}, *blocks, {"type": "text", "text": said}]
    with claude(campus) as client:
        return client.messages.create(model=MODEL, max_tokens=1000, messages=[{"role": "user", "content": content}])


def answer(campus: CampusServer, said: str, *blocks: Mapping[str, Any]) -> str:
    return "".join(block.text for block in asked(campus, said, *blocks).content if block.type == "text")


def test_it_says_what_a_file_is_and_how_it_begins(campus: CampusServer) -> None:
    said = answer(campus, "What is in these files?", pdf("Onion cells", "Root tips"), text("Buy milk\nCall Ana"))

    assert "“notes.pdf” is a PDF of 2 pages. It begins:\n\n> Onion cells" in said
    assert "“plan.txt” is a text of 2 lines. It begins:\n\n> Buy milk\n>\n> Call Ana" in said


def test_it_finds_a_page_and_a_word(campus: CampusServer) -> None:
    file = pdf("Onion cells", "Root tips divide")

    assert "page 2:\n\n> Root tips divide" in answer(campus, "What does page 2 say?", file)
    assert "> Onion cells" in answer(campus, "What does the PDF say about onion layers?", file)


def test_an_image_is_told_by_its_size_alone(campus: CampusServer) -> None:
    assert "an image of 40 by 30 pixels" in answer(campus, "What is this picture?", image(file_samples.image()))


def test_a_question_about_something_else_is_answered_as_without_the_file(campus: CampusServer) -> None:
    assert "notes.pdf" not in answer(campus, "Hello!", pdf("Onion cells"))


def test_a_page_costs_what_a_picture_costs_and_not_its_base64(campus: CampusServer) -> None:
    bare = asked(campus, "What is in this file?").usage.input_tokens

    more = asked(campus, "What is in this file?", pdf(*["Onion cells"] * 10)).usage.input_tokens - bare

    assert 10_000 < more < 20_000


SOURCE = {"type": "base64", "media_type": "application/pdf"}
REFUSED = {
    "a PDF that is none": ({**pdf("x"), "source": {**SOURCE, "data": packed(b"%PDF-1.4")}}, "was not valid"),
    "broken base64": ({**pdf("x"), "source": {**SOURCE, "data": "a b"}}, "Invalid base64"),
    "an unknown source": ({"type": "document", "source": {"type": "blob"}}, "does not match any of the expected tags"),
    "a text that is empty": (text(" "), "at least 1 character"),
    "a text of another type": (
        {"type": "document", "source": {"type": "text", "media_type": "text/csv", "data": "a"}},
        "Input should be 'text/plain'",
    ),
    "an image of another type": (image(file_samples.image("JPEG")), "appears to be a image/jpeg image"),
    "an image that is none": (image(b"not an image"), "Could not process image"),
    "an image with a name": ({**image(file_samples.image()), "title": "a.png"}, "Extra inputs are not permitted"),
    "a name that is none": (text("a", title=3), "Input should be a valid string"),
    "too many pages": (pdf(*["x"] * 101), "A maximum of 100 PDF pages"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_api_refuses_is_refused(campus: CampusServer, case: str) -> None:
    block, words = REFUSED[case]

    with pytest.raises(anthropic.BadRequestError, match=words):
        asked(campus, "What is in this file?", block)


SYLLABUS = "PSYC 101\nLate work: 5 percent per day.\nOctober 20, 2020: Midterm"


def test_a_question_about_a_file_is_answered_from_its_own_lines(campus: CampusServer) -> None:
    file = text(SYLLABUS)

    assert "> Late work: 5 percent per day." in answer(campus, "¿qué dice sobre las entregas tarde?", file)
    assert "> October 20, 2020: Midterm" in answer(campus, "when is the midterm according to this?", file)


def test_practice_questions_are_gaps_in_the_files_own_sentences(campus: CampusServer) -> None:
    file = text("# Cells\nThe Krebs cycle takes place in the mitochondrial matrix.")

    assert "1. The Krebs cycle takes place in the _____ matrix." in answer(campus, "make 2 questions from this", file)


def test_points_in_a_table_are_added_up(campus: CampusServer) -> None:
    assert "17 of 20 points: 85.0 %" in answer(campus, "my average here?", text("item,points,out_of\na,8,10\nb,9,10"))
