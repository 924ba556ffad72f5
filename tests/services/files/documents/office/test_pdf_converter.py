"""Slides and Word files are drawn by LibreOffice where it is installed: shut off, and ended in time (T22)."""

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import source
from services.files.documents.document_reader import MEMORY_LIMIT, DocumentReader
from services.files.documents.office.pdf_converter import PdfConverter, pdf_converter
from services.files.reader_process import ReaderProcesses
from services.files.upload import FileRefused, Upload
from tests.document_samples import drawn_pdf, heading_styles, paragraph, relations, shape, slides, word_file, words_at
from tests.file_samples import image

PLAYED = """#!{python}
import json, os, pathlib, socket, sys
out = pathlib.Path(sys.argv[sys.argv.index("--outdir") + 1])
seen = {{"argv": sys.argv, "env": dict(os.environ), "files": sorted(str(p.relative_to(out)) for p in out.rglob("*"))}}
seen["profile"] = (out / "profile/user/registrymodifications.xcu").read_text()
seen["copy"] = (out / pathlib.Path(sys.argv[-1]).name).read_bytes().hex()
pathlib.Path({log!r}).write_text(json.dumps(seen))
(out / "document.pdf").write_bytes(pathlib.Path({pdf!r}).read_bytes())
"""
STUCK = "#!/bin/sh\nsleep 3600 & echo $! > {log}\nwait\n"


def program(folder: Path, text: str, pdf: bytes = b"") -> str:
    """A program in the place of LibreOffice that notes what it is given."""
    (folder / "made.pdf").write_bytes(pdf)
    path = folder / "soffice"
    path.write_text(text.format(python=sys.executable, log=str(folder / "log"), pdf=str(folder / "made.pdf")))
    path.chmod(0o755)
    return str(path)


@pytest.fixture(scope="module")
def processes() -> Iterator[ReaderProcesses]:
    with closing(ReaderProcesses(processes=1, memory_limit=MEMORY_LIMIT)) as processes:
        yield processes


def test_a_slide_is_drawn_from_a_copy_that_reaches_nowhere(
    tmp_path: Path, processes: ReaderProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary")
    pdf = drawn_pdf(words_at(72, 700, "First slide"), words_at(72, 700, "Second slide"))
    outside = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
    )
    outside += b'Type="image" Target="http://evil.example/pixel.png" TargetMode="External"/></Relationships>'
    parts = {"ppt/slides/_rels/slide2.xml.rels": outside, "ppt/embeddings/tool.exe": b"MZ"}
    deck = Upload(name="deck.pptx", content=slides(shape("First slide"), shape("Second slide"), parts=parts))
    reader = DocumentReader(processes, converter=PdfConverter(program(tmp_path, PLAYED, pdf)))

    picture = reader.picture(deck, 2, "Second slide")
    seen = json.loads((tmp_path / "log").read_text())

    assert picture.media_type == "image/png"
    assert picture.mark_top is not None
    assert "canary" not in str(seen["env"])
    assert "DisableMacrosExecution" in seen["profile"]
    assert "deck" not in str(seen["argv"])
    copy = bytes.fromhex(seen["copy"])
    assert b"evil.example" not in copy
    assert b"tool.exe" not in copy


def test_the_next_page_of_the_same_file_is_not_converted_again(tmp_path: Path, processes: ReaderProcesses) -> None:
    pdf = drawn_pdf(words_at(72, 700, "One"), words_at(72, 700, "Two"))
    reader = DocumentReader(processes, converter=PdfConverter(program(tmp_path, PLAYED, pdf)))
    deck = Upload(name="deck.pptx", content=slides(shape("One"), shape("Two")))
    reader.picture(deck, 1)
    (tmp_path / "soffice").unlink()

    assert reader.picture(deck, 2).content != reader.picture(deck, 1).content


def test_a_section_of_a_word_file_is_shown_on_the_page_where_it_begins(
    tmp_path: Path, processes: ReaderProcesses
) -> None:
    pdf = drawn_pdf(words_at(72, 700, "Methods. Iodine."), words_at(72, 100, "Results. Blue."))
    reader = DocumentReader(processes, converter=PdfConverter(program(tmp_path, PLAYED, pdf)))
    body = paragraph("Methods", "T1") + paragraph("Iodine.") + paragraph("Results", "T1") + paragraph("Blue.")
    essay = Upload(name="essay.docx", content=word_file(body, styles=heading_styles()))

    assert reader.picture(essay, 1, "Iodine").mark_top == pytest.approx(0.1, abs=0.03)
    assert reader.picture(essay, 2).content != reader.picture(essay, 1).content


def test_a_conversion_that_does_not_end_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    converter = PdfConverter(program(tmp_path, STUCK), limit_s=0.7)
    began = time.monotonic()

    with pytest.raises(FileRefused, match="takes too long"):
        converter.convert("digest", b"PK", "pptx")

    assert time.monotonic() - began < 10
    helper = int((tmp_path / "log").read_text())
    assert not _is_running(helper)


def test_what_a_killed_app_left_behind_is_deleted_and_what_is_in_use_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, used = tmp_path / "homeroom-pages-left", tmp_path / "homeroom-pages-used"
    for folder in (left, used):
        folder.mkdir()
        (folder / "document.pptx").write_bytes(b"words of a course")
    os.utime(left, (0, 0))

    pdf_converter.cache_clear()
    pdf_converter()

    assert (left.exists(), used.exists()) == (False, True)


def test_without_libreoffice_a_slide_shows_its_own_picture(processes: ReaderProcesses) -> None:
    picture = '<p:pic><p:nvPicPr><p:cNvPr id="4" name="p"/></p:nvPicPr></p:pic>'
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations({"r": ("image", "../media/a.png")}).encode(),
        "ppt/media/a.png": image(),
    }
    deck = Upload(name="deck.pptx", content=slides(picture, shape("Only words on this one"), parts=parts))
    reader = DocumentReader(processes)

    assert reader.read(deck).can_picture
    assert reader.picture(deck, 1).media_type == "image/png"
    with pytest.raises(FileRefused, match="no picture"):
        reader.picture(deck, 2)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is optional, and not installed here")
def test_libreoffice_draws_slides_hidden_ones_counted(processes: ReaderProcesses) -> None:
    converter = pdf_converter()
    assert converter is not None
    reader = DocumentReader(processes, converter=converter)
    deck = Upload(name="d.pptx", content=slides(shape("One"), shape("Two"), shape("Three words here"), hidden=[2]))

    assert reader.picture(deck, 3, "Three words here").mark_top is not None


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is optional, and not installed here")
@pytest.mark.parametrize(
    ("file", "ending", "page", "cited"),
    [
        ("biol201/lecture-06-membranes", "pptx", 6, "Osmosis is the net diffusion of water"),
        ("biol201/lab-6-mitosis-manual", "docx", 6, "Rinse three times in water"),
    ],
)
def test_libreoffice_draws_what_is_cited_of_a_deck_and_of_a_word_file(
    processes: ReaderProcesses, file: str, ending: str, page: int, cited: str
) -> None:
    reader = DocumentReader(processes, converter=pdf_converter())

    drawn = reader.picture(Upload(name=f"file.{ending}", content=rendered(source(file))), page, cited)

    assert drawn.media_type == "image/png"
    assert drawn.mark_top is not None
    assert 0 < drawn.mark_top < 1


def _is_running(pid: int) -> bool:
    """Whether a process runs; one that waits to be noticed by its parent has ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    os.kill(pid, 0)
    return state != "Z"
