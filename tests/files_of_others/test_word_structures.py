"""Word files of others: formulas, tables, notes, and what stands in controls and drawings.

The siblings follow public reports: pandoc 2783 and 2831 (merged cells), mammoth 32, 46 and 408 (boxes), python-docx 335,
339 and 825 (smart tags, controls), LibreOffice and docx4j (embedded HTML, readings).
"""

import pytest

from tests.document_samples import office_file, paragraph, relations
from tests.files_of_others import case
from tests.files_of_others.word_markup import NONE, SUPERSCRIPT, Pieces, both, cell, docx, m, math, par, row, run

FRACTION = f"<m:f><m:num>{m('n')}</m:num><m:den>{m('k')}</m:den></m:f>"


@pytest.mark.parametrize(
    ("content", "right"),
    [
        pytest.param(case("B17.docx"), (r"$\binom{n}{k}$", r"$\frac{n}{k}$"), id="B17"),
        pytest.param(
            docx(math(f"<m:bar><m:barPr><m:pos m:val='top'/></m:barPr><m:e>{m('x')}</m:e></m:bar>")),
            (r"$\overline{x}$",),
            id="a bar",
        ),
        pytest.param(
            docx(math(f"<m:acc><m:accPr><m:chr m:val='&#x20D7;'/></m:accPr><m:e>{m('v')}</m:e></m:acc>")),
            (r"$\vec{v}$",),
            id="an arrow",
        ),
        pytest.param(
            docx(math(f"<m:rad><m:radPr/><m:deg/><m:e>{m('x+1')}</m:e></m:rad>")), (r"$\sqrt{x+1}$",), id="a root"
        ),
        pytest.param(
            docx(
                math(
                    f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{m('i=1')}</m:sub><m:sup>{m('n')}</m:sup><m:e>{m('i')}</m:e></m:nary>"
                )
            ),
            (r"\sum_{i=1}^{n}",),
            id="a sum",
        ),
        pytest.param(
            docx(
                math(
                    f"<m:d><m:dPr><m:begChr m:val='{{'/><m:endChr m:val=''/></m:dPr><m:e><m:eqArr><m:e>{m('1')}</m:e><m:e>{m('0')}</m:e></m:eqArr></m:e></m:d>"
                )
            ),
            (r"\left\{", r"\right."),
            id="cases",
        ),
        pytest.param(
            docx(
                math(
                    f"<m:sSup><m:e>{m('a')}</m:e><m:sup>{m('2')}</m:sup></m:sSup>{m('≤')}<m:func><m:fName>{m('sin')}</m:fName><m:e>{m('β')}</m:e></m:func>"
                )
            ),
            (r"a^{2}", r"\leq", r"\sin", r"\beta"),
            id="names and letters",
        ),
        pytest.param(
            docx(f"<w:p><m:oMathPara><m:oMath>{FRACTION}</m:oMath></m:oMathPara></w:p>"),
            (r"$\frac{n}{k}$",),
            id="on its own line",
        ),
        pytest.param(docx(f"<w:tbl>{row(cell(math(FRACTION)))}</w:tbl>"), (r"\frac{n}{k}",), id="in a table"),
    ],
)
def test_formulas_are_readable_tex(content: bytes, right: Pieces) -> None:
    both(content, right)


def plain_row(*texts: str) -> str:
    return row(*(cell(paragraph(text)) for text in texts))


HEAD = plain_row("Date", "Topic", "Due")
DOWN, ON = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(
            case("B13.docx"),
            (
                "| Date | Topic | Reading | Due |",
                "| Jan 19 | Osmosis | Chapter 3 | Quiz 1 |",
                "| Jan 26 | Mitosis | Chapter 4 | Lab 2 |",
            ),
            NONE,
            id="B13",
        ),
        pytest.param(
            case("B58.docx"),
            ("| Jan 19 | Diffusion | Chapter 4 | Lab 2 |", "| none | Essay 1 |"),
            ("|  | Diffusion",),
            id="B58",
        ),
        pytest.param(
            case("B59.docx"),
            ("Deadlines of the course", "Lab report | February 12", "Essay | March 5"),
            ("Due / Lab",),
            id="B59",
        ),
        pytest.param(
            docx(
                f"<w:tbl>{HEAD}{row(cell(paragraph('Jan 5')), cell(paragraph('Cells'), properties=DOWN), cell(paragraph('Quiz')))}{row(cell(paragraph('Jan 7')), cell('<w:p/>', properties=ON), cell(paragraph('Lab')))}</w:tbl>"
            ),
            ("| Jan 7 | Cells | Lab |",),
            NONE,
            id="merged in the middle",
        ),
        pytest.param(
            docx(
                f"<w:tbl>{HEAD}{row(cell(paragraph('Cells')), cell(paragraph('Quiz')), properties='<w:gridBefore w:val=&quot;1&quot;/>'.replace('&quot;', chr(34)))}</w:tbl>"
            ),
            ("| | Cells | Quiz |",),
            NONE,
            id="begins later",
        ),
        pytest.param(
            docx(
                f"<w:tbl>{HEAD}<w:ins>{plain_row('x', 'y', 'z')}</w:ins>{row(cell(paragraph('old')), properties='<w:del/>')}</w:tbl>"
            ),
            NONE,
            ("old",),
            id="a row that was taken out",
        ),
        pytest.param(
            docx(
                f"<w:p><w:pPr><w:framePr w:w='2000'/></w:pPr>{run('Office hours: Monday')}</w:p>" + paragraph("Words")
            ),
            ("Office hours: Monday",),
            NONE,
            id="a frame",
        ),
    ],
)
def test_each_value_of_a_table_stands_under_its_head(content: bytes, right: Pieces, wrong: Pieces) -> None:
    both(content, right, wrong)


def with_part(body: str, kind: str, name: str, content: bytes) -> bytes:
    """A Word file with a part more, which has the id "rPart"."""
    office = "http://schemas.openxmlformats.org"
    names = (
        f'xmlns:w="{office}/wordprocessingml/2006/main" xmlns:r="{office}/officeDocument/2006/relationships"'
        f' xmlns:a="{office}/drawingml/2006/main" xmlns:c="{office}/drawingml/2006/chart"'
    )
    main = f"<w:document {names}><w:body>{body}</w:body></w:document>"
    parts = {
        "word/document.xml": main.encode(),
        "word/_rels/document.xml.rels": relations({"rPart": (kind, name)}).encode(),
        f"word/{name}": content,
    }
    return office_file("word/document.xml", parts)


HTML_PART = b"<html><body><h2>Rules</h2><p>Due <s>May 3</s> May 9, 10<sup>3</sup> words</p></body></html>"
RUBY = "<w:r><w:ruby><w:rubyPr/><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r>".format(
    run("かんじ"), run("漢字")
)
BOX = "<w:r><w:drawing><a:graphic><a:graphicData><w:txbxContent>{}</w:txbxContent></a:graphicData></a:graphic></w:drawing></w:r>".format(
    paragraph("Cell wall")
)
BARE_DRAWING = '<w:r><w:drawing><a:graphic><a:graphicData uri="{}"/></a:graphic></w:drawing></w:r>'
SHAPE = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
NOTES = "".join(
    f'<w:footnote w:id="{id}"><w:p>{run(text)}</w:p></w:footnote>'
    for id, text in ((7, "First note."), (2, "Second note."))
)
MARK = '<w:r><w:footnoteReference w:id="{}"/></w:r>'


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(
            docx(par(run("One"), MARK.format(7), run(" two"), MARK.format(2)), footnotes=NOTES),
            ("One[1] two[2]", "[1] First note.", "[2] Second note."),
            ("[7]",),
            id="numbers of notes as printed",
        ),
        pytest.param(
            docx(
                par(run("One"), MARK.format(7)),
                footnotes=f'<w:footnote w:id="7"><w:p>{run("10")}{run("3", SUPERSCRIPT)}</w:p></w:footnote>',
            ),
            ("[1] 10^3",),
            NONE,
            id="signs in a note",
        ),
        pytest.param(
            with_part('<w:altChunk r:id="rPart"/>', "aFChunk", "chunk.html", HTML_PART),
            ("Rules", "~~May 3~~ May 9, 10^3 words"),
            NONE,
            id="embedded HTML",
        ),
        pytest.param(
            with_part('<w:altChunk r:id="rPart"/>', "aFChunk", "chunk.rtf", b"\x00\x01"),
            ("was not read",),
            NONE,
            id="embedded and not read",
        ),
        pytest.param(docx(par(RUBY, run("を読む"))), ("漢字(かんじ)を読む",), NONE, id="a reading"),
        pytest.param(docx(par(BOX)), ("Cell wall",), NONE, id="words in a drawing"),
        pytest.param(
            docx(par(run("See "), BARE_DRAWING.format(SHAPE))),
            ("drawing that was not read",),
            NONE,
            id="a drawing without words",
        ),
        pytest.param(
            with_part(
                par(
                    f'<w:r><w:drawing><a:graphic><a:graphicData uri="{DIAGRAM}"><dgm:relIds xmlns:dgm="{DIAGRAM}" r:dm="rPart"/></a:graphicData></a:graphic></w:drawing></w:r>'
                ),
                "diagramData",
                "data1.xml",
                f'<dgm:dataModel xmlns:dgm="{DIAGRAM}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:t><a:p><a:r><a:t>Prophase</a:t></a:r></a:p></dgm:t></dgm:dataModel>'.encode(),
            ),
            ("Prophase",),
            NONE,
            id="SmartArt",
        ),
        pytest.param(
            docx(
                f"<w:p><w:pPr><w:pStyle w:val='T1'/></w:pPr>{run('Week 3:')}<w:r><w:br/></w:r>{run('Osmosis')}</w:p>"
                + paragraph("Water.")
            ),
            ("# Week 3: Osmosis",),
            NONE,
            id="a break in a heading",
        ),
        pytest.param(
            docx(
                par(
                    run("A "),
                    f"<w:smartTag>{run('Monday')}</w:smartTag>",
                    "<w:fldSimple w:instr='REF x'>" + run(" in H 12") + "</w:fldSimple>",
                )
            ),
            ("A Monday in H 12",),
            NONE,
            id="smart tags and fields",
        ),
        pytest.param(
            docx(par(run("pH 7"), "<w:r><w:softHyphen/></w:r>", "<w:r><w:noBreakHyphen/></w:r>", run("8"))),
            ("pH 7-8",),
            NONE,
            id="hyphens",
        ),
        pytest.param(
            docx(
                f"<w:sdt><w:sdtContent>{paragraph('In a control')}</w:sdtContent></w:sdt>"
                + par(f"<w:sdt><w:sdtContent>{run('inside')}</w:sdtContent></w:sdt>", run(" a line"))
            ),
            ("In a control", "inside a line"),
            NONE,
            id="content controls",
        ),
        pytest.param(
            docx(
                par(
                    run("Ready "),
                    '<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>'
                    + run("☒")
                    + "</w:sdtContent></w:sdt>",
                )
            ),
            ("Ready ☒",),
            NONE,
            id="a ticked box",
        ),
    ],
)
def test_what_is_not_letters_is_told_at_its_place(content: bytes, right: Pieces, wrong: Pieces) -> None:
    both(content, right, wrong)
