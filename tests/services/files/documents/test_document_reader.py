"""Documents are read in processes that may end: a page that ends one is left out, the others are read (R76, T22)."""

import io
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from PIL import Image

from services.files.documents.document_reader import MEMORY_LIMIT, DocumentReader
from services.files.reader_process import ReaderProcesses
from services.files.upload import FileRefused, Upload
from services.i18n import locale_scope
from tests.document_samples import (
    drawn_pdf,
    heading_styles,
    paragraph,
    pdf_with_slow_page,
    shape,
    slides,
    word_file,
    words_at,
)
from tests.file_samples import image, locked_pdf, pdf_that_names_itself, pdf_that_swells
from tests.services.files.test_reader_process import children

LOGIN = b'<!DOCTYPE html><html><form action="/login"><input type="password" name="p"></form></html>'


@pytest.fixture(scope="module")
def processes() -> Iterator[ReaderProcesses]:
    with closing(ReaderProcesses(processes=1, memory_limit=MEMORY_LIMIT)) as processes:
        yield processes


@pytest.fixture
def reader(processes: ReaderProcesses) -> DocumentReader:
    return DocumentReader(processes)


def test_each_kind_is_read_by_its_own_unit(reader: DocumentReader) -> None:
    files = {
        "a.pdf": drawn_pdf(words_at(72, 700, "One"), words_at(72, 700, "Two")),
        "a.pptx": slides(shape("One"), shape("Two")),
        "a.docx": word_file(paragraph("One", "T1") + paragraph("x") + paragraph("Two", "T1"), styles=heading_styles()),
        "a.md": b"# One\n\ntext\n\n# Two\n",
        "page.html": b"<h2>One</h2><p>text</p><h2>Two</h2>",
        "a.png": image(),
    }
    read = {name: reader.read(Upload(name=name, content=content)) for name, content in files.items()}

    assert {name: (document.unit, document.count) for name, document in read.items()} == {
        "a.pdf": ("page", 2),
        "a.pptx": ("slide", 2),
        "a.docx": ("section", 2),
        "a.md": ("section", 2),
        "page.html": ("section", 2),
        "a.png": ("page", 1),
    }
    assert [document.remarks for document in read.values()] == [[]] * len(files)


def test_progress_is_told_page_by_page(reader: DocumentReader) -> None:
    told: list[tuple[int, int]] = []
    content = drawn_pdf(*[words_at(72, 700, f"Page {n}") for n in range(3)])
    reader.read(Upload(name="a.pdf", content=content), lambda page, count: told.append((page, count)))

    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.pdf", LOGIN, "sign-in page"),
        ("a.pdf", b"<html><body>Moved</body></html>", "web page"),
        ("a.pdf", b"plain words", "not what its name says"),
        ("a.pdf", locked_pdf, "password"),
        ("a.pdf", pdf_that_names_itself, "damaged"),
        ("a.pdf", pdf_that_swells, "damaged"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + b"\0" * 600, "old Office program"),
        ("a.docx", b"PK\x03\x04 nothing", "damaged"),
        ("a.txt", b"", "empty"),
        ("a.txt", b"\0\1\2" * 100, "not text"),
        ("a.md", b" \n \n", "no text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(
    reader: DocumentReader, name: str, content: bytes | Callable[[], bytes], why: str
) -> None:
    with pytest.raises(FileRefused, match=why) as refused:
        reader.read(Upload(name=name, content=content() if callable(content) else content))

    assert refused.value.next_step


def test_a_file_is_read_as_what_it_is_whatever_its_name_says(reader: DocumentReader) -> None:
    assert reader.read(Upload(name="slides.pdf", content=slides(shape("One")))).unit == "slide"


def test_refusals_are_said_in_the_language_of_the_student(reader: DocumentReader) -> None:
    with locale_scope("es"), pytest.raises(FileRefused, match="inicio de sesión"):
        reader.read(Upload(name="a.pdf", content=LOGIN))


def test_a_page_that_takes_for_ever_is_left_out_and_the_others_are_read() -> None:
    with closing(ReaderProcesses(processes=1, memory_limit=MEMORY_LIMIT)) as processes:
        reader = DocumentReader(processes, page_limit_s=0.5)
        found = reader.read(Upload(name="a.pdf", content=pdf_with_slow_page(3, 5)))

    assert [page.number for page in found.pages] == [1, 2, 4, 5]
    assert (list(found.unread), found.count, found.is_cut) == ([3], 5, False)
    assert found.remarks == ["1 page could not be read."]


def test_a_file_that_came_after_others_is_tried_again_when_its_process_ends() -> None:
    before = children()
    with closing(ReaderProcesses(processes=1, memory_limit=MEMORY_LIMIT)) as processes:
        reader = DocumentReader(processes)
        reader.read(Upload(name="a.md", content=b"words"))
        (process,) = children() - before
        os.kill(process, signal.SIGKILL)

        assert reader.read(Upload(name="a.md", content=b"more words")).pages[0].text == "more words"


def test_a_document_that_takes_too_long_keeps_the_pages_that_were_read() -> None:
    """Its pages wait in the pipe until the time is over."""
    content = drawn_pdf(*[words_at(72, 700, f"Page {n}") for n in range(1_500)])
    with closing(ReaderProcesses(processes=1, memory_limit=MEMORY_LIMIT)) as processes:
        DocumentReader(processes).read(Upload(name="first.md", content=b"words"))
        reader = DocumentReader(processes, limit_s=2.0)
        found = reader.read(Upload(name="a.pdf", content=content), lambda page, _: time.sleep(2.5 * (page == 1)))

    assert 0 < len(found.pages) < 1_500
    assert found.remarks[0].startswith("Only the beginning was read")


def test_a_picture_of_a_page_has_its_passage_marked(reader: DocumentReader) -> None:
    content = drawn_pdf(words_at(72, 700, "Osmosis moves water") + words_at(72, 300, "Diffusion moves all the rest"))
    plain, marked = (
        reader.picture(Upload(name="a.pdf", content=content), 1, mark) for mark in ("", "diffusion  moves ALL")
    )

    assert (plain.mark_top, marked.media_type) == (None, "image/png")
    assert marked.mark_top == pytest.approx((792 - 311) / 792, abs=0.02)
    assert _colors(plain.content) == {"grey"}
    assert _colors(marked.content) == {"grey", "yellow"}


def test_a_shortened_passage_is_marked_from_its_beginning_to_its_end(reader: DocumentReader) -> None:
    lines = (
        "Water moves from where there is more",
        "through a membrane that lets it pass",
        "to where there is less of it.",
    )
    content = drawn_pdf("".join(words_at(72, 700 - 20 * at, line) for at, line in enumerate(lines)))
    whole, shortened, ends = (
        reader.picture(Upload(name="a.pdf", content=content), 1, mark)
        for mark in (" ".join(lines), "Water moves from … less of it.", "Water moves from")
    )

    assert shortened.content == whole.content
    assert shortened.content != ends.content


def test_there_is_no_picture_of_a_page_that_is_not_there(reader: DocumentReader) -> None:
    with pytest.raises(FileRefused, match="no picture"):
        reader.picture(Upload(name="a.pdf", content=drawn_pdf("")), 2)


def _colors(content: bytes) -> set[str]:
    with Image.open(io.BytesIO(content)) as picture:
        colors = picture.convert("RGB").getcolors(1_000_000)
    assert colors is not None
    return {"grey" if max(color) - min(color) < 30 else "yellow" for _, color in colors}  # type: ignore[arg-type, type-var]
