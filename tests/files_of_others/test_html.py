"""HTML of others: files, Canvas texts and web pages say alike what their authors meant.

The siblings follow public reports: trafilatura 889 (raised signs), html-to-text 117 (a list's start), pandoc 1341, 5703
and 8750 (struck words, readings, MathML), html2text 244, Wikipedia's marks of notes, and tables that Word saved.
"""

import pytest

from tests.files_of_others import case
from tests.files_of_others.doors import require, require_alike

Pieces = tuple[str, ...]
NONE: Pieces = ()


def _given(name: str) -> str:
    return case(name).decode()


@pytest.mark.parametrize(
    ("html", "right", "wrong"),
    [
        pytest.param(
            _given("B30.html"), ("10^23", "10^-19", "100^2", "2^10", "^14C"), ("1023", "1002", "210"), id="B30"
        ),
        pytest.param("<p>x<sup>2</sup> + y<sup>n+1</sup> = z</p>", ("x^2 + y^(n+1) = z",), NONE, id="powers"),
        pytest.param(
            "<p>10<sup>&minus;3</sup> mol and 10<sup>\u20135</sup> mol</p>", ("10^-3", "10^-5"), NONE, id="minus"
        ),
        pytest.param(
            "<p>CO<sub>2</sub>, H<sub>2</sub>O and Fe<sub>2</sub>(SO<sub>4</sub>)<sub>3</sub></p>",
            ("CO2", "H2O", "Fe2(SO4)3"),
            NONE,
            id="chemistry",
        ),
        pytest.param("<p>Ca<sup>2+</sup> and SO<sub>4</sub><sup>2-</sup></p>", ("Ca^2+", "SO4^2-"), NONE, id="ions"),
        pytest.param(
            "<p>x<sub>i</sub> and log<sub>2</sub> 8 and V<sub>max</sub></p>",
            ("x_i", "log_2 8", "V_max"),
            NONE,
            id="indices",
        ),
        pytest.param(
            "<p>on the 1<sup>st</sup> and 22<sup>nd</sup> of May</p>", ("1st", "22nd"), ("1^st",), id="ordinals"
        ),
        pytest.param(
            '<p>It rose<sup class="reference"><a href="#n1">[1]</a></sup> in 1900<sup><a href="#n2">2</a></sup>.</p>',
            ("rose[1]", "1900[2]"),
            ("19002", "1900^2"),
            id="marks of notes",
        ),
        pytest.param(
            '<p>10<span style="vertical-align: super; font-size: 60%">6</span> cells</p>',
            ("10^6 cells",),
            ("106",),
            id="by style",
        ),
        pytest.param("<h2>The 10<sup>3</sup> rule</h2><p>Words.</p>", ("10^3 rule",), ("103",), id="in a heading"),
        pytest.param(
            "<table><tr><th>Unit</th><th>Value</th></tr><tr><td>m<sup>2</sup></td><td>10<sup>4</sup></td></tr></table>",
            ("m^2", "10^4"),
            ("104",),
            id="in a table",
        ),
    ],
)
def test_raised_and_lowered_signs_stay_readable(html: str, right: Pieces, wrong: Pieces) -> None:
    require_alike(html, right, wrong)


@pytest.mark.parametrize(
    ("html", "right", "wrong"),
    [
        pytest.param(
            _given("B31.html"),
            ("~~October 12~~", "October 19", "~~November 3~~", "November 10", "~~December 1~~"),
            NONE,
            id="B31",
        ),
        pytest.param("<p>Due <strike>May 3</strike> May 9</p>", ("~~May 3~~ May 9",), NONE, id="strike"),
        pytest.param(
            '<p>Due <span style="text-decoration-line:line-through">May 3</span> May 9</p>',
            ("~~May 3~~",),
            NONE,
            id="its own property",
        ),
        pytest.param(
            "<h2>Exam: <s>Monday</s> Tuesday</h2><p>Room 4</p>", ("~~Monday~~ Tuesday",), NONE, id="in a heading"
        ),
        pytest.param(
            "<table><tr><th>Work</th><th>Due</th></tr><tr><td>Essay</td><td><del>May 3</del> May 9</td></tr></table>",
            ("~~May 3~~ May 9",),
            NONE,
            id="in a table",
        ),
        pytest.param(
            "<del><p>The quiz is on Friday.</p></del><p>No quiz this week.</p>",
            ("~~The quiz is on Friday.~~", "No quiz"),
            NONE,
            id="a paragraph",
        ),
    ],
)
def test_struck_words_are_marked(html: str, right: Pieces, wrong: Pieces) -> None:
    require_alike(html, right, wrong)


@pytest.mark.parametrize(
    ("html", "right", "wrong"),
    [
        pytest.param(
            "<ol start='4'><li>Define osmosis.</li><li>Draw it.</li></ol>", ("4. Define", "5. Draw"), NONE, id="a start"
        ),
        pytest.param(
            "<ol><li>One<ol type='a'><li>First part</li><li>Second part</li></ol></li><li>Two</li></ol>",
            ("1. One", "a. First", "b. Second", "2. Two"),
            NONE,
            id="letters",
        ),
        pytest.param(
            "<ol type='I'><li>Origins</li><li value='5'>Causes</li></ol>",
            ("I. Origins", "V. Causes"),
            NONE,
            id="a value",
        ),
        pytest.param(
            "<ol reversed><li>Third</li><li>Second</li><li>First</li></ol>",
            ("3. Third", "1. First"),
            NONE,
            id="reversed",
        ),
        pytest.param(
            '<ol style="list-style-type: lower-roman"><li>Alpha</li><li>Beta</li></ol>',
            ("i. Alpha", "ii. Beta"),
            NONE,
            id="by style",
        ),
        pytest.param("<ul><li>Bring a pen</li></ul>", ("- Bring a pen",), ("1. Bring",), id="no numbers"),
    ],
)
def test_items_of_lists_keep_their_numbers(html: str, right: Pieces, wrong: Pieces) -> None:
    require_alike(html, right, wrong)


_FRACTION = "<math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math>"


@pytest.mark.parametrize(
    ("html", "right"),
    [
        pytest.param(f"<p>So {_FRACTION} it is.</p>", (r"\frac{a}{b+1}",), id="a fraction"),
        pytest.param(
            "<p><math><mrow><mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow></math></p>",
            (r"\binom{n}{k}",),
            id="a binomial",
        ),
        pytest.param(
            "<p>mean <math><mover accent='true'><mi>x</mi><mo>¯</mo></mover></math></p>", (r"\bar{x}",), id="a bar"
        ),
        pytest.param(
            "<p><math><msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt></math> and <math><mroot><mn>8</mn><mn>3</mn></mroot></math></p>",
            (r"\sqrt{x+1}", r"\sqrt[3]{8}"),
            id="roots",
        ),
        pytest.param(
            "<p><math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math></p>",
            (r"\sum_{i=1}^{n}", "x_{i}^{2}"),
            id="a sum",
        ),
        pytest.param(
            "<p><math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable></math></p>",
            (r"1 & 2 \\ 3 & 4",),
            id="a matrix",
        ),
        pytest.param(
            "<p><math><semantics><mrow><mi>y</mi></mrow><annotation encoding='application/x-tex'>\\alpha^2</annotation></semantics></math></p>",
            (r"\alpha^2",),
            id="its own TeX",
        ),
        pytest.param(
            '<p>Area <img class="equation_image" alt="LaTeX: \\pi r^2" data-equation-content="\\pi r^2"></p>',
            (r"$\pi r^2$",),
            id="Canvas's picture",
        ),
    ],
)
def test_formulas_are_readable_tex(html: str, right: Pieces) -> None:
    require_alike(html, right)


@pytest.mark.parametrize(
    ("html", "right", "wrong"),
    [
        pytest.param(
            _given("B62.html"),
            ("Jan 19 | Diffusion | Chapter 4 | Lab 2", "Spring break | none | Essay 1"),
            ("| Spring break | none |  |",),
            id="B62",
        ),
        pytest.param(
            "<table><tr><th>Day</th><th>Room</th><th>Who</th></tr><tr><td>Mon</td><td rowspan=2>H 12</td><td>Ada</td></tr><tr><td>Tue</td><td>Bo</td></tr></table>",
            ("| Tue | H 12 | Bo",),
            NONE,
            id="in the middle",
        ),
        pytest.param(
            "<table><tr><th colspan=2>Exam</th><th>Room</th></tr><tr><td>Mon</td><td>9:00</td><td>H 12</td></tr></table>",
            ("| Mon | 9:00 | H 12",),
            NONE,
            id="a wide head",
        ),
        pytest.param(
            "<table><tr><td>Deadlines<table><tr><th>Work</th><th>Due</th></tr><tr><td>Report</td><td>May 3</td></tr><tr><td>Essay</td><td>May 9</td></tr></table></td></tr></table>",
            ("Report | May 3", "Essay | May 9"),
            NONE,
            id="a table in a table",
        ),
    ],
)
def test_each_value_of_a_table_stands_under_its_head(html: str, right: Pieces, wrong: Pieces) -> None:
    require_alike(html, right, wrong)


@pytest.mark.parametrize(
    ("html", "right", "wrong"),
    [
        pytest.param(
            "<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読む</p>",
            ("漢字(かんじ)を読む",),
            NONE,
            id="a reading",
        ),
        pytest.param(
            "<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby></p>", ("漢(かん)字(じ)",), NONE, id="readings of single signs"
        ),
        pytest.param(
            "<h2>Week 3:<br>Osmosis</h2><p>Water.</p>", ("Week 3: Osmosis",), ("3:Osmosis",), id="a break in a heading"
        ),
        pytest.param(
            "<p>Press <kbd>Ctrl</kbd>, weigh 5&nbsp;&micro;g, let &alpha; &ge; 30&deg;</p>",
            ("5 µg", "α ≥ 30°"),
            NONE,
            id="signs",
        ),
        pytest.param(
            "<p>a</p><svg><text>Cell wall</text><path d='M0 0'/></svg><p>b</p>",
            ("Cell wall",),
            NONE,
            id="words in a drawing",
        ),
        pytest.param(
            "<p>a</p><svg><path d='M0 0'/></svg><p>b</p>",
            ("drawing that was not read",),
            NONE,
            id="a drawing without words",
        ),
        pytest.param(
            "<p>See</p><iframe src='https://video.example/osmosis' title='Film on osmosis'></iframe><p>then go on</p>",
            ("Film on osmosis", "https://video.example/osmosis"),
            NONE,
            id="what is embedded",
        ),
    ],
)
def test_what_is_not_letters_is_told_at_its_place(html: str, right: Pieces, wrong: Pieces) -> None:
    require_alike(html, right, wrong)


def test_the_four_readers_use_the_same_signs() -> None:
    from tests.files_of_others.doors import HTML_DOORS, word

    run = "<w:r><w:rPr>{}</w:rPr><w:t xml:space='preserve'>{}</w:t></w:r>"
    raised = run.format("<w:vertAlign w:val='superscript'/>", "23")
    struck = run.format("<w:strike/>", "May 3")
    from_word = word(f"<w:p>{run.format('', '10')}{raised}{run.format('', ' until ')}{struck}</w:p>")

    require(from_word, ("10^23 until ~~May 3~~",))
    for read in HTML_DOORS.values():
        require(read("<p>10<sup>23</sup> until <s>May 3</s></p>"), ("10^23 until ~~May 3~~",))
