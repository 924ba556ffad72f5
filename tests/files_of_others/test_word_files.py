"""Word files of others: raised and struck signs, numbers of lists, symbols.

The siblings follow public reports: pandoc 4025, 4324, 8367 and 10258 (numbers), mammoth 55 and 185 (symbols), markitdown
2514 (doubly struck words).
"""

from collections.abc import Mapping

import pytest

from tests.document_samples import paragraph, word_file
from tests.files_of_others import case
from tests.files_of_others.doors import require, word
from tests.files_of_others.word_markup import NONE, SUPERSCRIPT, Pieces, both, docx, par, run


@pytest.mark.parametrize(
    ("content", "right", "wrong"),
    [
        pytest.param(case("B15.docx"), ("10^23 per mole", "100 m^2", "10^-3 mol", "CO2"), ("1023", "10-3"), id="B15"),
        pytest.param(
            docx(par(run("10"), run("2", SUPERSCRIPT), run("3", SUPERSCRIPT), run(" cells"))),
            ("10^23 cells",),
            NONE,
            id="in pieces",
        ),
        pytest.param(
            docx(
                par(run("10"), run("6", '<w:rStyle w:val="Up"/>')),
                styles=f'<w:style w:type="character" w:styleId="Up"><w:name w:val="up"/><w:rPr>{SUPERSCRIPT}</w:rPr></w:style>',
            ),
            ("10^6",),
            ("106",),
            id="by a style",
        ),
        pytest.param(
            docx(par(run("10"), run("6", '<w:position w:val="8"/><w:sz w:val="14"/>'))),
            ("10^6",),
            ("106",),
            id="by its place",
        ),
        pytest.param(
            docx(
                paragraph("x", "T1").replace("<w:t>x</w:t></w:r>", f"<w:t>10</w:t></w:r>{run('3', SUPERSCRIPT)}")
                + paragraph("Words")
            ),
            ("# 10^3",),
            NONE,
            id="in a heading",
        ),
    ],
)
def test_raised_and_lowered_signs_stay_readable(content: bytes, right: Pieces, wrong: Pieces) -> None:
    both(content, right, wrong)


@pytest.mark.parametrize(
    ("content", "right"),
    [
        pytest.param(
            docx(par(run("Due "), run("October 12", "<w:strike/>"), run(" October 19"))),
            ("~~October 12~~ October 19",),
            id="struck",
        ),
        pytest.param(
            docx(par(run("Due "), run("Oct", "<w:dstrike/>"), run("ober 12", "<w:dstrike/>"), run(" October 19"))),
            ("~~October 12~~",),
            id="twice, in pieces",
        ),
        pytest.param(docx(par(run("Due "), run("May 3", '<w:strike w:val="0"/>'))), ("Due May 3",), id="not struck"),
        pytest.param(
            docx(
                par(run("Due "), run("May 3", '<w:rStyle w:val="Gone"/>')),
                styles='<w:style w:type="character" w:styleId="Gone"><w:name w:val="gone"/><w:rPr><w:strike/></w:rPr></w:style>',
            ),
            ("~~May 3~~",),
            id="by a style",
        ),
    ],
)
def test_struck_words_are_marked(content: bytes, right: Pieces) -> None:
    both(content, right)


def level(number: int, form: str, text: str, more: str = "") -> str:
    return f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'


def numbering(levels: str, nums: Mapping[int, str]) -> str:
    made = "".join(f'<w:num w:numId="{id}"><w:abstractNumId w:val="7"/>{more}</w:num>' for id, more in nums.items())
    return f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>{made}'


def item(text: str, list_id: int = 1, depth: int = 0, style: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return par(run(text), properties=f'{named}<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{list_id}"/></w:numPr>')


DECIMAL = numbering(
    level(0, "decimal", "%1.") + level(1, "lowerLetter", "(%2)"),
    {1: "", 2: '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride>'},
)
OUTLINE = numbering(level(0, "upperRoman", "%1.") + level(1, "decimal", "%1.%2", "<w:isLgl/>"), {1: ""})
HEADS = numbering(
    level(0, "decimal", "Chapter %1:", '<w:pStyle w:val="T1"/>')
    + level(1, "decimal", "%1.%2", '<w:pStyle w:val="T2"/>'),
    {1: ""},
)
NUMBERED_HEADS = "".join(
    f'<w:style w:type="paragraph" w:styleId="T{n}"><w:name w:val="heading {n}"/><w:pPr><w:numPr><w:ilvl w:val="{n - 1}"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    for n in (1, 2)
)


@pytest.mark.parametrize(
    ("content", "right"),
    [
        pytest.param(
            case("B19.docx"),
            ("Problem 1. Define", "Problem 2. A cell", "(a) Where", "(b) What", "Problem 3. Draw"),
            id="B19",
        ),
        pytest.param(
            docx(item("One") + paragraph("Between.") + item("Two"), numbering=DECIMAL),
            ("1. One", "2. Two"),
            id="goes on",
        ),
        pytest.param(
            docx(item("Four", 2) + item("Five", 2), numbering=DECIMAL), ("4. Four", "5. Five"), id="begins at four"
        ),
        pytest.param(
            docx(item("A") + item("a", depth=1) + item("B") + item("b", depth=1), numbering=DECIMAL),
            ("1. A (a) a", "2. B (a) b"),
            id="begins anew below",
        ),
        pytest.param(
            docx(item("A") + item("B") + item("b", depth=1), numbering=OUTLINE),
            ("I. A", "II. B", "2.1 b"),
            id="of two levels",
        ),
        pytest.param(
            word_file(
                paragraph("Osmosis", "T1")
                + paragraph("Water", "T2")
                + paragraph("x")
                + paragraph("Mitosis", "T1")
                + paragraph("y"),
                styles=NUMBERED_HEADS,
                parts={"numbering": HEADS},
            ),
            ("# Chapter 1: Osmosis", "## 1.1 Water", "# Chapter 2: Mitosis"),
            id="of headings",
        ),
        pytest.param(docx(item("Plain", 0), numbering=DECIMAL), ("Plain",), id="taken away"),
        pytest.param(
            docx(item("A pen"), numbering=numbering(level(0, "bullet", "\uf0b7"), {1: ""})), ("- A pen",), id="bullets"
        ),
    ],
)
def test_items_of_lists_keep_their_numbers(content: bytes, right: Pieces) -> None:
    both(content, right)


@pytest.mark.parametrize(
    ("content", "right"),
    [
        pytest.param(case("B14.docx"), ("Let α and β be angles with α ≥ 30°, and let a weight be 5 μg.",), id="B14"),
        pytest.param(
            docx(par(run("If x "), run("\uf0a3", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'), run(" 5"))),
            ("If x ≤ 5",),
            id="letters of the private area",
        ),
        pytest.param(
            docx(par(run("an angle "), run("q", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'))),
            ("an angle θ",),
            id="a letter in the font",
        ),
        pytest.param(
            docx(
                par(
                    '<w:r><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>',
                    run(" next "),
                    '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>',
                )
            ),
            ("→ next ✓",),
            id="Wingdings",
        ),
        pytest.param(
            docx(par(run("a"), '<w:r><w:sym w:font="My own signs" w:char="F041"/></w:r>', run("b"))),
            ("[a sign that was not read]",),
            id="a font of its own",
        ),
    ],
)
def test_symbols_are_read_and_not_dropped(content: bytes, right: Pieces) -> None:
    both(content, right)


def test_a_style_without_an_id_hides_no_other_text() -> None:
    """POI's 60329.docx, a report of SSRS: all its 771 words were left out as hidden."""
    nameless = '<w:style w:type="character"><w:name w:val="Empty cell"/><w:rPr><w:vanish/></w:rPr></w:style>'

    text = word(par(run("Due May 9", "<w:b/>")), styles=nameless)

    require(text, ("Due May 9",))
