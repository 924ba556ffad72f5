"""PDFs of others: heights of signs, ligatures, hyphens, scripts without spaces, forms, comments, locks and numbers.

The siblings follow public reports: pdf.js 4883 (ligatures), pdfminer.six 449 and PyMuPDF 363 (hyphens), pypdf 1111
(values of forms), pdfplumber 1077 (drawn fonts), Poppler 1204 (locks), PDFBox 3774 (Chinese).
"""

import pytest

from services.files.readers import read_upload
from services.files.upload import FileRefused, Upload
from tests.files_of_others import case
from tests.files_of_others.doors import attached, material, require
from tests.files_of_others.pdf_markup import chinese, lines, locked, pdf, raised, type3
from tests.services.files.documents.reading import pages_of

Pieces = tuple[str, ...]
NONE: Pieces = ()
SYMBOLS = (
    "/Subtype /Type1 /BaseFont /ABCDEF+CMSY10 /FirstChar 33 /LastChar 126 /Widths [{}]"
    " /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+CMSY10 /Flags 4 /FontBBox [-29 -960 1116 775]"
    " /Ascent 2750 /Descent -960 /ItalicAngle 0 /StemV 40 >>"
).format(" ".join("600" for _ in range(94)))


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(type3("problem below"), ("problem below",), ("^",), id="letters drawn dot by dot"),
        pytest.param(pdf(raised(("T", 12, 0), ("HEOREM", 9, 0), (" one", 12, 0))), ("THEOREM one",), ("^",), id="small capitals"),
        pytest.param(pdf(raised(("L", 12, 0), ("A", 9, 2.5), ("T", 12, 0), ("E", 12, -2.5), ("X", 12, 0))), ("LATEX",), ("^",), id="a logo"),
        pytest.param(pdf(raised(("10", 12, 0), ("23", 8, 5), (" per mole", 12, 0))), ("10^23 per mole",), NONE, id="an exponent"),
        pytest.param(pdf(raised(("(x", 12, 0), ("n", 8, 4), (")", 12, 0))), ("(x^n",), NONE, id="an exponent within a word"),
        pytest.param(pdf(raised(("10", 12, 0), ("-3", 12, 5), (" mol", 12, 0))), ("10^(-3) mol",), NONE, id="raised and as large"),
    ],
)  # fmt: skip
def test_only_what_is_raised_is_marked_in_pdfs(content: bytes, right: Pieces, wrong: Pieces) -> None:
    require(material(content, "notes.pdf"), right, wrong)


def test_a_label_is_a_heading_and_no_formula() -> None:
    formula = "BT /F2 30 Tf 1 0 0 1 200 640 Tm (X) Tj /F1 9 Tf 8 Ts (m) Tj ET\n"
    heading = "BT /F1 20 Tf 1 0 0 1 72 700 Tm (Sums of squares) Tj ET\n"
    body = lines(*["The sum of the squares of the first numbers is told here."] * 6, top=600)

    labels = [page.label for page in pages_of(pdf(formula + body, heading + formula + body, font=SYMBOLS), "notes.pdf")]

    assert labels == ["", "Sums of squares"]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        pytest.param("the e\\013ect of a di\\016cult", "the effect of a difficult", id="old fonts"),
        pytest.param("\\014nd the e\\016cient \\015ow", "find the efficient flow", id="at the beginning"),
        pytest.param("e\\036cient \\034nal", "efficient final", id="fonts of Cork's table"),
    ],
)
def test_ligatures_of_old_fonts_are_letters(text: str, right: str) -> None:
    content = pdf(f"BT /F2 12 Tf 1 0 0 1 72 700 Tm ({text}) Tj ET\n")
    require(material(content, "notes.pdf"), (right,))


WIDE = "The plans of firms are told apart in this chapter of the book as"


@pytest.mark.parametrize(
    ("texts", "right", "wrong"),
    [
        pytest.param(None, ("price-determining factors of the table, and", "self-esteem of pupils", "mid- and long-term", "photosynthesis"), ("selfesteem", "midand", "photo-"), id="B28"),
        pytest.param((f"{WIDE} self-", "reported data that were asked for."), ("self-reported data",), NONE, id="self"),
        pytest.param((f"{WIDE} short-", "and long-term plans of a firm."), ("short- and long-term",), NONE, id="a suspended hyphen"),
        pytest.param((f"{WIDE} com-", "  puters that stand further in."), ("as computers that",), NONE, id="over an indent"),
        pytest.param((f"{WIDE} com-", "puters, of which each computer is one."), ("as computers, of",), NONE, id="a broken word"),
        pytest.param(("A decision-maker decides.", "", f"{WIDE} decision-", "maker of the firm."), ("as decision-maker of",), NONE, id="written elsewhere"),
        pytest.param((f"{WIDE} Anglo-", "Saxon law."), ("as Anglo-Saxon law",), NONE, id="a name"),
        pytest.param((f"{WIDE} COVID-", "19 in the year."), ("as COVID-19 in",), NONE, id="a number"),
        pytest.param((f"{WIDE} evidence-", "based medicine asks."), ("as evidence-based medicine",), NONE, id="a second part that keeps it"),
    ],
)  # fmt: skip
def test_hyphens_that_belong_stay_and_broken_words_join(texts: Pieces | None, right: Pieces, wrong: Pieces) -> None:
    content = case("B28.pdf") if texts is None else pdf(lines(*texts))
    require(material(content, "notes.pdf"), right, wrong)


def test_chinese_has_no_spaces_between_its_lines_or_signs() -> None:
    content = chinese("光合作用是植物利用阳光制造养分的过程,它发生在", "叶绿体中。植物需要水。")

    require(material(content, "notes.pdf"), ("它发生在叶绿体中。植物需要水。",))


def annotation(kind: str, *, contents: str = "Why is this so?", more: str = "") -> str:
    points = "/QuadPoints [72 712 140 712 72 698 140 698]" if kind in ("Highlight", "StrikeOut") else ""
    return f"<< /Type /Annot /Subtype /{kind} /Rect [72 698 140 712] /T (Ana) /Contents ({contents}) {points} {more} >>"


def field(kind: str, more: str) -> str:
    return f"<< /Type /Annot /Subtype /Widget /Rect [200 690 400 712] /FT /{kind} /T (field1) {more} >>"


NAME = lines("Name of the student:")


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(
            case("B25.pdf"),
            ("Jordan Rivera]", "BIOL 201, lab report 6]", "February 12, 2027]", "ticked]"),
            ("not ticked",),
            id="B25",
        ),
        pytest.param(pdf(NAME, fields=field("Tx", "/V (Jordan)")), ("[Form field, Name of the student: Jordan]",), NONE, id="the words beside it"),
        pytest.param(pdf(NAME, fields=field("Tx", "/V (Jordan) /TU (Your name)")), ("[Form field, Your name: Jordan]",), NONE, id="its own label"),
        pytest.param(pdf(NAME, fields=field("Ch", "/Ff 131072 /Opt [(Red) (Blue)] /V (Blue)")), (": Blue]",), NONE, id="a choice"),
        pytest.param(pdf(NAME, fields=field("Tx", "/V (secret) /Ff 8192")), NONE, ("secret",), id="a password"),
        pytest.param(pdf(NAME, fields=field("Tx", "/V (evil) /F 2")), NONE, ("evil",), id="a hidden field"),
        pytest.param(pdf(NAME, annotations=annotation("Text")), ("[Comment by Ana: Why is this so?]",), NONE, id="a note"),
        pytest.param(pdf(NAME, annotations=annotation("Highlight")), ("[Comment by Ana on words “Name of", "Why is this so?]"), NONE, id="a marked passage"),
        pytest.param(pdf(NAME, annotations=annotation("StrikeOut", contents="")), ("struck out: “Name of",), NONE, id="struck by a reviewer"),
        pytest.param(pdf(NAME, annotations=annotation("Text", more="/F 2")), NONE, ("Why is",), id="a hidden note"),
        pytest.param(pdf(NAME, annotations=annotation("Link")), NONE, ("Why is",), id="a link"),
    ],
)  # fmt: skip
def test_what_readers_wrote_on_a_page_is_told_as_such(content: bytes, right: Pieces, wrong: Pieces) -> None:
    require(material(content, "form.pdf"), right, wrong)


@pytest.mark.parametrize(
    ("content", "right"),
    [
        pytest.param(case("B29.pdf"), "Everybody may read this page", id="B29"),
        pytest.param(locked(user="", owner="o"), "Water moves through", id="an owner's password"),
    ],
)
def test_an_owners_password_is_no_lock(content: bytes, right: str) -> None:
    require(material(content, "reader.pdf"), (right,))
    readable = read_upload(Upload(name="reader.pdf", content=content))
    assert readable.pages == 1
    assert b"/Encrypt" not in readable.content
    require(material(readable.content, "reader.pdf"), (right,))


def test_a_users_password_is_a_lock() -> None:
    for read in (material, attached):
        with pytest.raises(FileRefused, match="locked with a password"):
            read(locked(user="u", owner="o"), "reader.pdf")


@pytest.mark.parametrize("number", ["57", "- 57 -", "Page 57", "57 / 90", "Page 57 of 90", "xiv"])
def test_the_printed_page_number_is_no_sentence(number: str) -> None:
    body = lines(*["The sum of the squares of the first numbers is told here."] * 3)
    text = material(pdf(body + lines(number, left=300, top=40)), "scan.pdf")

    require(text, ("is told here.",), (number,))


def test_a_number_at_the_end_of_a_table_stays() -> None:
    rows = lines("Lakes 12", "Rivers 30", "42", top=70, leading=15)

    require(material(pdf(rows), "table.pdf"), ("42",))
