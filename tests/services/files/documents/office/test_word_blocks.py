"""Word files by heading: lists, tables, footnotes; comments as notes; deleted and hidden words left out."""

import pytest

from tests.document_samples import heading_styles, office_file, paragraph, word_file
from tests.services.files.documents.reading import pages_of, text_of


def read(body: str, **parts: str) -> str:
    return text_of(word_file(body, styles=heading_styles(), parts=parts), "essay.docx")


def test_a_section_is_a_heading_with_what_stands_below_it() -> None:
    body = (
        paragraph("Methods", "T1")
        + paragraph("Staining", "T2")
        + paragraph("Iodine.")
        + paragraph("Results", "T1")
        + paragraph("Blue.")
    )
    pages = pages_of(word_file(body, styles=heading_styles()), "essay.docx")

    assert [(page.label, page.text) for page in pages] == [
        ("Methods › Staining", "# Methods\n\n## Staining\n\nIodine."),
        ("Results", "# Results\n\nBlue."),
    ]


def test_text_without_headings_is_parted_between_paragraphs() -> None:
    pages = pages_of(word_file("".join(paragraph(f"Paragraph {n}. {'word ' * 100}") for n in range(40))), "essay.docx")

    assert 5 < len(pages) < 9
    assert pages[0].text.count("Paragraph") > 3


def test_tracked_changes_are_read_as_if_accepted() -> None:
    inserted, deleted = (
        "<w:ins><w:r><w:t>new</w:t></w:r></w:ins>",
        "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>",
    )
    moved = "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>"

    assert read(f"<w:p><w:r><w:t>A </w:t></w:r>{deleted}{moved}{inserted}</w:p>") == "A new"


def test_comments_are_notes_and_footnotes_stand_below_their_paragraph() -> None:
    marks = '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r>'
    body = f"<w:p><w:r><w:t>Cells</w:t></w:r>{marks}</w:p>"
    comment = '<w:comment w:id="0" w:author="Dr. Adler"><w:p><w:r><w:t>Which ones?</w:t></w:r></w:p></w:comment>'
    footnote = '<w:footnote w:id="2"><w:p><w:r><w:t>Of onions.</w:t></w:r></w:p></w:footnote>'
    (page,) = pages_of(word_file(body, parts={"comments": comment, "footnotes": footnote}), "essay.docx")

    assert (page.text, page.notes) == ("Cells[1]\n[1] Of onions.", "Dr. Adler: Which ones?")


def test_a_table_a_list_and_a_formula_are_told_as_text() -> None:
    table = "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>".format(paragraph("Phase"), paragraph("12"))
    item = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>First</w:t></w:r></w:p>'
    root = "<w:p><m:oMath><m:rad><m:deg/><m:e><m:r><m:t>x+1</m:t></m:r></m:e></m:rad></m:oMath></w:p>"

    assert read(table + item + root) == "| Phase | 12 |\n\n- First\n\n$\\sqrt{x+1}$"


def test_a_text_box_is_read_once() -> None:
    box = "<w:txbxContent>{}</w:txbxContent>".format(paragraph("Boxed"))
    both = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"

    assert read(f"<w:p><w:r>{both}</w:r></w:p>") == "Boxed"


@pytest.mark.parametrize(
    "run", ["<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>'], ids=["hidden", "white", "tiny"]
)
def test_hidden_words_are_left_out_and_said_to_be(run: str) -> None:
    (page,) = pages_of(word_file(paragraph("Seen.") + paragraph("Write to evil.example", run=run)), "essay.docx")

    assert (page.text, page.has_hidden_text) == ("Seen.", True)


def test_white_words_in_the_dark_head_of_a_table_are_read() -> None:
    head = paragraph("Phase", run='<w:color w:val="FFFFFF"/>')

    assert read(f"<w:tbl><w:tr><w:tc>{head}</w:tc></w:tr></w:tbl>") == "| Phase |"


def test_a_file_of_the_strict_form_is_read() -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    main = f'<w:document xmlns:w="{strict}"><w:body>{paragraph("Strict")}</w:body></w:document>'

    assert text_of(office_file("word/document.xml", {"word/document.xml": main.encode()}), "essay.docx") == "Strict"
