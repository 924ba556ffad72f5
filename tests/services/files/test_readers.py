"""What a student attaches is read whole or refused in a clear sentence, however it is meant (T08, T21, T22)."""

import io
from collections.abc import Callable

import pytest
from PIL import Image

from services.files.limits import LARGEST_FILE, LONGEST_TEXT, MOST_FILES, MOST_PAGES
from services.files.readers import read_upload, read_uploads
from services.files.upload import FileRefused, FilesRefused, Readable, Upload
from tests import file_samples as samples
from tests.document_samples import shape, slides

NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def document(body: str, before: str = "") -> Callable[[], bytes]:
    xml = f"{before}<w:document {NAMESPACE}><w:body>{body}</w:body></w:document>"
    return lambda: samples.word_with({"word/document.xml": xml.encode()})


def found(name: str, content: bytes) -> Readable:
    return read_upload(Upload(name=name, content=content))


REFUSED: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "an empty file": ("a.txt", lambda: b"", "empty"),
    "a text of blanks": ("a.md", lambda: b" \n\t\n", "no text"),
    "a text too long": ("a.txt", lambda: b"a" * (LONGEST_TEXT + 1), "300,000 are the most"),
    "bytes that are no text": ("a.txt", lambda: bytes(range(256)) * 4, "not text"),
    "a file too large": ("a.txt", lambda: b"a" * (LARGEST_FILE + 1), "10 MB are the most"),
    "a program": ("a.exe", lambda: b"MZ", r"\.exe files cannot be read"),
    "an old sheet": ("a.xls", lambda: b"\xd0\xcf", r"\.xls files cannot be read"),
    "no extension": ("thesis", lambda: b"text", "Files of this kind"),
    "two extensions": ("a.pdf.exe", lambda: samples.pdf("x"), r"\.exe files"),
    "a name turned around": ("fdp\u202eexe", lambda: b"MZ", "Files of this kind"),
    "a locked PDF": ("a.pdf", samples.locked_pdf, "password"),
    "a PDF that is none": ("a.pdf", samples.image, "not a PDF"),
    "a PDF cut off": ("a.pdf", lambda: samples.pdf(*["x"] * 9)[:300], "damaged"),
    "a PDF that names itself": ("a.pdf", samples.pdf_that_names_itself, "damaged"),
    "a PDF that swells": ("a.pdf", samples.pdf_that_swells, "damaged"),
    "a PDF too long": ("a.pdf", lambda: samples.pdf(*["x"] * (MOST_PAGES + 1)), "61 pages; 60 are the most"),
    "an image that is none": ("a.png", lambda: b"<svg/>", "not an image"),
    "an image cut off": ("a.png", lambda: samples.image(size=(900, 900))[:90], "damaged"),
    "a vast image": ("a.png", samples.vast_image, "too large to be unpacked"),
    "an old Word document": ("a.docx", lambda: b"\xd0\xcf\x11\xe0" + b"0" * 600, "old Office program"),
    "a Word document that is none": ("a.docx", lambda: b"PK\x03\x04", "damaged"),
    "a zip of something else": (
        "a.docx",
        lambda: samples.word_with({}, without=["word/document.xml"]),
        "not a Word document",
    ),
    "macros": ("a.docx", lambda: samples.word_with({"word/vbaProject.bin": b"x"}), "macros"),
    "a zip bomb": ("a.docx", lambda: samples.word_with({"word/document.xml": b"0" * 31_000_000}), "far too much"),
    "a bomb of elements": ("a.docx", document("<w:p/>" * 2_000_000), "far too much"),
    "slides that are none": ("a.pptx", samples.word, "no slides"),
    "slides with macros": ("a.pptx", lambda: slides(shape("x"), parts={"ppt/vbaProject.bin": b"x"}), "macros"),
    "broken XML": ("a.docx", lambda: samples.word_with({"word/document.xml": b"<a"}), "not a Word"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_refused_with_what_to_do(case: str) -> None:
    name, make, words = REFUSED[case]

    with pytest.raises(FileRefused, match=words) as refused:
        found(name, make())

    assert refused.value.next_step.endswith(".")
    assert name not in str(refused.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_a_text_is_read_in_whatever_it_was_written(encoding: str) -> None:
    assert found("a.csv", "Tarea – año 2".encode(encoding)).content.decode() == "Tarea – año 2"


def test_nobody_can_hide_words_in_a_text() -> None:
    assert found("a.txt", "Hello\u200b \U000e0049\U000e0067there\u202e".encode()).content == b"Hello there"


def test_a_word_document_is_read_with_its_headings_lists_and_tables_and_without_hidden_words() -> None:
    assert found("lab.DOCX", samples.word()).content.decode() == (
        "# Lab report\n\nOnion cells under the microscope.\n\n- Bring the slides\n\nVisible.\n\n"
        "| Phase | Cells |\n| Prophase | 12 |"
    )


def test_slides_are_read_with_their_numbers_and_notes_and_without_hidden_ones() -> None:
    deck = slides(shape("Osmosis", kind="title"), shape("Secret"), shape("Water"), notes={3: "Slowly"}, hidden=[2])
    read = found("deck.pptx", deck)

    assert (read.kind, read.media_type) == ("slides", "text/plain")
    assert read.content.decode() == "[Slide 1]\n# Osmosis\n\n[Slide 3]\nWater\n\nSpeaker's notes:\nSlowly"


def test_entities_and_deleted_words_of_a_word_document_are_not_read() -> None:
    declared = '<!DOCTYPE d [<!ENTITY b "bbbb"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    deleted = "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"

    made = document(f"<w:p><w:r><w:t>seen &x; &b;</w:t></w:r>{deleted}</w:p>", declared)()

    assert found("a.docx", made).content.strip() == b"seen"


def test_tables_that_claim_a_million_columns_or_stand_within_each_other_take_no_time() -> None:
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="1000000"/></w:tcPr><w:p><w:r><w:t>one</w:t></w:r></w:p></w:tc>'
    nested = "<w:tbl><w:tr><w:tc>" * 60 + "<w:p><w:r><w:t>deep</w:t></w:r></w:p>" + "</w:tc></w:tr></w:tbl>" * 60

    made = document(f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>{nested}")()

    assert found("a.docx", made).content == b"| one |\n\n| deep |"


def test_a_pdf_goes_as_it_is_however_many_pages_it_boasts_of() -> None:
    whole = samples.pdf_that_boasts()

    readable = found("a.pdf", whole)

    assert (readable.content, readable.pages) == (whole, 1)


def test_an_image_goes_upright_in_the_size_that_the_model_sees_and_without_its_place() -> None:
    taken = found("a.jpg", samples.photo_with_place())
    large = found("b.jpeg", samples.image("JPEG", (4_000, 2_000)))

    assert Image.open(io.BytesIO(taken.content)).size == (20, 60)
    assert b"Elm Street" in samples.photo_with_place()
    assert b"Elm Street" not in taken.content
    assert Image.open(io.BytesIO(large.content)).size == (1_568, 784)
    assert found("b.jpeg", samples.image("JPEG", (4_000, 2_000))) == large


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_each_kind_of_image_is_taken_whatever_its_extension(kind: str) -> None:
    assert found("a.png", samples.image(kind)).media_type == "image/png"


def test_a_bad_file_is_told_by_its_place_and_too_many_are_told_together() -> None:
    good, bad = Upload(name="a.txt", content=b"fine"), Upload(name="b.exe", content=b"MZ")

    with pytest.raises(FilesRefused) as refused:
        read_uploads([good, bad])
    with pytest.raises(FilesRefused, match="too many") as many:
        read_uploads([good] * (MOST_FILES + 1))
    with pytest.raises(FilesRefused, match="longer than"):
        read_uploads([Upload(name="a.pdf", content=samples.pdf(*["x"] * 50))] * 2)

    assert list(refused.value.refused) == [1]
    assert many.value.refused == {}
