"""Slides of others: charts, pieces of words, raised and struck text, formulas, lists and merged cells.

The siblings follow public reports: python-pptx 191, 232 and 409 (points that are missing, levels of categories),
python-docx 566 (dates in charts), LibreOffice 33691 (symbols), pandoc 7293 (merged cells of slides), Tika 2641 (charts).
"""

import pytest

from tests.document_samples import relations, slides
from tests.files_of_others import case
from tests.files_of_others.doors import attached, material, require

Pieces = tuple[str, ...]
NONE: Pieces = ()
C = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
CX = "http://schemas.microsoft.com/office/drawing/2014/chartex"


def both(content: bytes, right: Pieces, wrong: Pieces = ()) -> None:
    require(material(content, "deck.pptx"), right, wrong)
    require(attached(content, "deck.pptx"), right, wrong)


def run(text: str, properties: str = "", inner: str = "") -> str:
    return f"<a:r><a:rPr {properties}>{inner}</a:rPr><a:t>{text}</a:t></a:r>"


def par(*runs: str, properties: str = "", inner: str = "") -> str:
    return f"<a:p><a:pPr {properties}>{inner}</a:pPr>{''.join(runs)}</a:p>"


def deck(*paragraphs: str) -> bytes:
    return slides(f"<p:sp><p:txBody><a:bodyPr/>{''.join(paragraphs)}</p:txBody></p:sp>")


def points(*values: str | None, form: str = "General", count: int = 0) -> str:
    """Values as a chart keeps them; None for a point that is missing."""
    kept = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate(values) if value)
    return f'<c:formatCode>{form}</c:formatCode><c:ptCount val="{count or len(values)}"/>{kept}'


def numbers(*values: str | None, form: str = "General") -> str:
    return f"<c:numRef><c:numCache>{points(*values, form=form)}</c:numCache></c:numRef>"


def names(*values: str | None) -> str:
    return f"<c:strRef><c:strCache>{points(*values)}</c:strCache></c:strRef>"


def series(name: str, **sources: str) -> str:
    inner = "".join(f"<c:{key}>{source}</c:{key}>" for key, source in sources.items())
    return f"<c:ser><c:tx>{names(name)}</c:tx>{inner}</c:ser>"


def chart(*all_series: str, kind: str = "bar", more: str = "", axes: str = "") -> bytes:
    plot = f"<c:plotArea><c:{kind}Chart>{''.join(all_series)}<c:axId val='1'/><c:axId val='2'/></c:{kind}Chart>{axes}</c:plotArea>"
    return with_chart(f"<c:chartSpace {C} {A}>{more}<c:chart>{plot}</c:chart></c:chartSpace>", "chart", C)


def with_chart(part: str, kind: str, namespace: str) -> bytes:
    frame = f'<p:graphicFrame><a:graphic><a:graphicData><{namespace[6 : namespace.index("=")]}:chart {namespace} r:id="rId2"/></a:graphicData></a:graphic></p:graphicFrame>'
    return slides(
        frame,
        parts={
            "ppt/slides/_rels/slide1.xml.rels": relations({"rId2": (kind, "../charts/chart1.xml")}).encode(),
            "ppt/charts/chart1.xml": part.encode(),
        },
    )


LEVELS = (
    "<c:multiLvlStrRef><c:multiLvlStrCache><c:ptCount val='4'/>"
    + "<c:lvl>{}</c:lvl>".format("".join(f"<c:pt idx='{n}'><c:v>Q{n % 2 + 1}</c:v></c:pt>" for n in range(4)))
    + "<c:lvl><c:pt idx='0'><c:v>2025</c:v></c:pt><c:pt idx='2'><c:v>2026</c:v></c:pt></c:lvl>"
    + "</c:multiLvlStrCache></c:multiLvlStrRef>"
)
WATERFALL = (
    f'<cx:chartSpace xmlns:cx="{CX}"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="3">'
    '<cx:pt idx="0">Rent</cx:pt><cx:pt idx="1">Food</cx:pt><cx:pt idx="2">Books</cx:pt></cx:lvl></cx:strDim>'
    '<cx:numDim type="val"><cx:lvl ptCount="3" formatCode="General"><cx:pt idx="0">400</cx:pt><cx:pt idx="2">90</cx:pt>'
    '</cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall">'
    '<cx:tx><cx:txData><cx:v>Spent</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion>'
    "</cx:plotArea></cx:chart></cx:chartSpace>"
)


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(
            case("B21.pptx"),
            ("January 5.1, February (no value), March 7.3, April 8.0", "January (no value), February 0.5"),
            ("February 7.3", "January 0.5"),
            id="B21",
        ),
        pytest.param(
            case("B22.pptx"),
            ("Enzyme: (10, 0.2), (37, 0.9), (60, 0.1)", "Cities: (1.5, 12, 300), (2.5, 9, 800)"),
            NONE,
            id="B22",
        ),
        pytest.param(
            chart(series("Sold", cat=names("May", None, "July"), val=numbers("1", "2", "3"))),
            ("May 1", "July 3"),
            ("July 2",),
            id="a category that is missing",
        ),
        pytest.param(
            chart(series("Late", cat=numbers("46401", "46402", form="d/m/yy"), val=numbers("3", "4"))),
            ("2027-01-14: 3", "2027-01-15: 4"),
            ("46401",),
            id="dates",
        ),
        pytest.param(
            chart(
                series("Late", cat=numbers("44939", form="mmm d"), val=numbers("3")),
                more='<c:date1904 val="1"/>',
            ),
            ("2027-01-14: 3",),
            NONE,
            id="dates counted from 1904",
        ),
        pytest.param(
            chart(series("Passed", cat=names("Lab", "Exam"), val=numbers("0.85", "0.5", form="0%"))),
            ("Lab 85%, Exam 50%",),
            ("0.85",),
            id="percents",
        ),
        pytest.param(
            chart(
                series("Passed", cat=numbers("46401"), val=numbers("0.85")),
                axes="<c:dateAx><c:axId val='1'/><c:numFmt formatCode='yyyy\\-mm\\-dd' sourceLinked='0'/></c:dateAx>"
                "<c:valAx><c:axId val='2'/><c:numFmt formatCode='0%' sourceLinked='0'/></c:valAx>",
            ),
            ("2027-01-14: 85%",),
            ("46401",),
            id="dates and percents of the axes",
        ),
        pytest.param(
            chart(series("Sold", cat=LEVELS, val=numbers("1", None, "3", "4"))),
            ("2025 / Q1: 1", "2026 / Q1: 3", "2026 / Q2: 4"),
            ("2025 / Q2: 3",),
            id="levels of categories",
        ),
        pytest.param(
            chart(series("Growth", xVal=numbers("1", "2", "3"), yVal=numbers("5", None, "7")), kind="scatter"),
            ("(1, 5)", "(3, 7)"),
            ("(2, 7)",),
            id="a pair without its height",
        ),
        pytest.param(
            chart(series("Growth", yVal=numbers("5", "6")), kind="scatter"),
            ("(1, 5), (2, 6)",),
            NONE,
            id="pairs without an x",
        ),
        pytest.param(with_chart(WATERFALL, "chartEx", f'xmlns:cx="{CX}"'), ("Spent: Rent 400", "Books 90"), ("Food 90",), id="a waterfall"),
        pytest.param(
            with_chart(f"<c:chartSpace {C}><c:chart/></c:chartSpace>", "chart", C),
            ("chart whose values were not read",),
            NONE,
            id="a chart without values",
        ),
    ],
)  # fmt: skip
def test_each_value_of_a_chart_stands_under_its_category(content: bytes, right: Pieces, wrong: Pieces) -> None:
    both(content, right, wrong)


UP, DOWN = 'baseline="30000"', 'baseline="-25000"'


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(
            case("B23.pptx"),
            ("10^23 per mole", "H2O boils at 10^2 °C", "~~December 12~~ December 15"),
            ("1023", "102 °C"),
            id="B23",
        ),
        pytest.param(
            deck(par(run("10"), run("−", UP), run("3", UP), run(" mol, x"), run("i", DOWN))),
            ("10^-3 mol, x_i",),
            NONE,
            id="a minus",
        ),
        pytest.param(
            deck(par(run("Due "), run("May ", 'strike="dblStrike"'), run("3", 'strike="dblStrike"'), run(" May 9"))),
            ("Due ~~May 3~~ May 9",),
            NONE,
            id="doubly struck",
        ),
        pytest.param(
            deck(par(run("Due May 3", 'strike="noStrike" baseline="0"'))), ("Due May 3",), ("~~",), id="not struck"
        ),
        pytest.param(deck(par(run("the 1"), run("st", UP), run(" day"))), ("the 1st day",), NONE, id="an ordinal"),
    ],
)
def test_raised_lowered_and_struck_text_is_marked_on_slides(content: bytes, right: Pieces, wrong: Pieces) -> None:
    both(content, right, wrong)


def table_cell(text: str, properties: str = "") -> str:
    return f"<a:tc {properties}><a:txBody>{par(run(text))}</a:txBody></a:tc>"


def table(*rows: tuple[str, ...]) -> bytes:
    inner = "".join(f"<a:tr>{''.join(row)}</a:tr>" for row in rows)
    return slides(f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{inner}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>")  # fmt: skip


M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
BINOMIAL = (
    f'<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"><m:oMathPara {M}><m:oMath><m:d><m:e>'
    "<m:f><m:fPr><m:type m:val='noBar'/></m:fPr><m:num><m:r><m:t>n</m:t></m:r></m:num><m:den><m:r><m:t>k</m:t></m:r></m:den></m:f>"
    "</m:e></m:d></m:oMath></m:oMathPara></a14:m>"
)


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(
            case("B56.pptx"),
            ("Photosynthesis", "H2O and CO2", "Exam on 19 January", "Chart: Photosynthesis rate"),
            ("Photo synthesis",),
            id="B56",
        ),
        pytest.param(deck(par(run("So "), BINOMIAL)), (r"So $\binom{n}{k}$",), NONE, id="a formula"),
        pytest.param(
            deck(
                par(run("Solve")),
                par(run("for x"), properties='lvl="1"', inner='<a:buAutoNum type="alphaLcParenBoth"/>'),
                par(run("for y"), properties='lvl="1"', inner='<a:buAutoNum type="alphaLcParenBoth"/>'),
            ),
            ("(a) for x", "(b) for y"),
            NONE,
            id="letters of a list",
        ),
        pytest.param(
            deck(*(par(run(text), inner='<a:buAutoNum type="arabicPeriod" startAt="4"/>') for text in ("Read", "Write"))),
            ("4. Read", "5. Write"),
            NONE,
            id="a list that begins at 4",
        ),
        pytest.param(
            deck(par(run("Who manages \uf0e0 it", inner='<a:sym typeface="Wingdings"/>'))),
            ("Who manages → it",),
            NONE,
            id="a font of symbols beside letters (pandoc, pptx-reader)",
        ),
        pytest.param(
            deck(par(run("Let "), run("a", inner='<a:latin typeface="Symbol"/>'), run(" be 5 "), run("\uf06d", inner='<a:sym typeface="Symbol"/>'), run("g"))),
            ("Let α be 5 μg",),
            NONE,
            id="a symbol font",
        ),
        pytest.param(
            table(
                (table_cell("Date"), table_cell("Topic"), table_cell("Due")),
                (table_cell("Jan 19"), table_cell("Diffusion", 'rowSpan="2"'), table_cell("Quiz")),
                (table_cell("Jan 26"), table_cell("", 'vMerge="1"'), table_cell("Lab 2")),
                (table_cell("Break", 'gridSpan="2"'), table_cell("", 'hMerge="1"'), table_cell("Essay")),
            ),
            ("| Jan 26 | Diffusion | Lab 2 |", "| Break | Break | Essay |"),
            NONE,
            id="merged cells",
        ),
    ],
)  # fmt: skip
def test_what_an_author_set_on_a_slide_is_told_as_it_is_shown(content: bytes, right: Pieces, wrong: Pieces) -> None:
    both(content, right, wrong)
