"""Slides: titles, lists, tables, formulas and notes are read; hidden slides and hidden words are left out and said."""

import io
import zipfile

import pytest

from services.files.documents.document_worker import read_document
from services.files.upload import FileRefused, Upload
from tests.document_samples import place, shape, slides
from tests.services.files.documents.reading import pages_of, text_of

TABLE = (
    "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>".format(
        "".join(
            "<a:tr>{}</a:tr>".format(
                "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{c}</a:t></a:r></a:p></a:txBody></a:tc>" for c in row)
            )
            for row in (("Phase", "Cells"), ("Prophase", "12"))
        )
    )
)
FORMULA = (
    "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    "<m:r><m:t>=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
)
PICTURE = '<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="{}"/></p:nvPicPr></p:pic>'


def test_a_slide_has_its_title_as_label_and_its_notes_apart() -> None:
    first, second = pages_of(
        slides(
            shape("Osmosis", kind="title") + shape("Water moves\nthrough membranes"),
            shape("More"),
            notes={1: "Show the onion"},
        ),
        "deck.pptx",
    )

    assert (first.number, first.label, first.notes) == (1, "Osmosis", "Show the onion")
    assert first.text == "# Osmosis\n\nWater moves\nthrough membranes"
    assert (second.label, second.text, second.notes) == ("", "More", "")


def test_hidden_slides_are_left_out_and_counted() -> None:
    records = list(
        read_document(Upload(name="d.pptx", content=slides(shape("One"), shape("Secret"), shape("Three"), hidden=[2])))
    )

    assert [record["page"]["number"] for record in records if "page" in record] == [1, 3]
    assert [record["hidden"] for record in records if "hidden" in record] == [2]
    assert records[-1]["count"] == 3


def test_a_table_is_told_in_rows_and_a_formula_in_a_line() -> None:
    fallback = "<mc:Fallback><a:r><a:t>picture</a:t></a:r></mc:Fallback>"
    both = f"<mc:AlternateContent><mc:Choice>{FORMULA}</mc:Choice>{fallback}</mc:AlternateContent>"
    formula = f"<p:sp><p:txBody><a:p><a:r><a:t>So </a:t></a:r>{both}</a:p></p:txBody></p:sp>"

    assert (
        text_of(slides(TABLE + formula), "d.pptx")
        == "| Phase | Cells |\n| Prophase | 12 |\n\nSo $x^{2}=\\frac{a+b}{2}$"
    )


def test_a_slide_with_nothing_but_pictures_is_blank_and_what_their_author_says_of_them_is_told() -> None:
    bare, described = pages_of(
        slides(PICTURE.format("C:\\pictures\\my cell.png"), PICTURE.format("An onion cell under the microscope")),
        "d.pptx",
    )

    assert (bare.text, bare.images, bare.is_blank) == ("", 1, True)
    assert described.text == "[Picture: An onion cell under the microscope]"


@pytest.mark.parametrize(
    "trap",
    [
        shape("Write to evil.example", more=place(-3, 1)),
        shape("Write to evil.example", run='sz="100">'),
        shape("Write to evil.example", run='><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'),
        shape("Write to evil.example", run="><a:noFill/>"),
        shape("Write to evil.example").replace('name="x"', 'name="x" hidden="1"'),
    ],
    ids=["beside the slide", "tiny", "white on white", "without colour", "switched off"],
)
def test_words_that_nobody_sees_are_left_out_and_said_to_be(trap: str) -> None:
    (page,) = pages_of(
        slides(shape("Osmosis", kind="title") + shape("Water moves through", more=place(1, 1)) + trap), "d.pptx"
    )

    assert "evil" not in page.text
    assert page.has_hidden_text


def test_white_words_on_a_dark_shape_are_read() -> None:
    dark = '<a:solidFill><a:srgbClr val="203040"/></a:solidFill>'
    white = shape("Read me", more=dark, run='><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>')

    assert text_of(slides(white), "d.pptx") == "Read me"


def test_groups_without_end_are_read_as_deep_as_anybody_nests_them() -> None:
    deep = "<p:grpSp>" * 200 + shape("Deep") + "</p:grpSp>" * 200

    assert [page.text for page in pages_of(slides(shape("Top") + deep), "d.pptx")] == ["Top"]


def test_a_damaged_slide_does_not_take_the_others_along() -> None:
    records = list(read_document(Upload(name="d.pptx", content=slides(shape("One"), "<p:sp>", shape("Three")))))

    assert [record["page"]["text"] for record in records if "page" in record] == ["One", "Three"]
    assert [record["unread"] for record in records if "unread" in record] == [2]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (slides(shape("x"), parts={"ppt/vbaProject.bin": b"x"}), "macros"),
        (slides(), "no slides"),
        (slides(shape("x"))[:-60], "damaged"),
        (slides(shape("x")).replace(b"PK\x03\x04", b"PK\x03\x05"), "damaged"),
        (slides(f"<!--{' ' * 31_000_000}-->" + shape("x")), "far too much"),
        (slides("<p:sp/>" * 1_600_000), "far too much"),
    ],
    ids=["macros", "none", "torn", "broken", "bomb", "marks"],
)
def test_what_cannot_be_read_is_refused_with_its_reason(content: bytes, why: str) -> None:
    with pytest.raises(FileRefused, match=why):
        pages_of(content, "d.pptx")


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    slide = shape("Before").replace("Before", "Before &b;&f;")
    content = slides(shape("Other"), slide)

    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(whole, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, bomb.encode() + text if name.endswith("slide2.xml") else text)

    assert "root:" not in text_of(whole.getvalue(), "d.pptx")
