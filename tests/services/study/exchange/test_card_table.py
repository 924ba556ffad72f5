"""Tables of cards are read as students have them, and written so that no spreadsheet computes a cell."""

import csv
import io
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.files.upload import FileRefused
from services.study.exchange.card_markup import html_of, markdown_of
from services.study.exchange.card_table import read_table, write_table
from services.study.flashcard import Flashcard

NOW = datetime(2026, 11, 23, tzinfo=UTC)
_UNSEEN = ("Cc", "Cs", "Cf", "Cn", "Zl", "Zp", "Mn")
SIDES = st.text(st.characters(codec="utf-8", exclude_categories=_UNSEEN), min_size=1).map(str.strip).filter(bool)


def card(front: str, back: str, **more: object) -> Flashcard:
    return Flashcard(id="c", front=front, back=back, made_at=NOW, **more)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"front;back\nWhat?;That\n", [("What?", "That", "", ())]),
        (
            b'a,b,Unit 1\n"q, with comma","two\nlines",Unit 2\n',
            [("a", "b", "Unit 1", ()), ("q, with comma", "two\nlines", "Unit 2", ())],
        ),
        (b"term\tdefinition\nATP\tenergy\n", [("ATP", "energy", "", ())]),
        ("Pregunta,Respuesta,Etiquetas\n¿Qué es?,Sí,uno dos\n".encode(), [("¿Qué es?", "Sí", "", ("uno", "dos"))]),
        ("¿Qué?,Sí".encode("utf-16"), [("¿Qué?", "Sí", "", ())]),
        ("¿Qué?;Sí".encode("cp1252"), [("¿Qué?", "Sí", "", ())]),
        (
            b"#separator:tab\n#html:true\n#tags column:3\nWhat <b>is</b>?\tThat\tw1 w2\n",
            [("What **is**?", "That", "", ("w1", "w2"))],
        ),
        (b"#separator:Tab\n#guid column:1\n#deck column:2\nabc\tBio\tQ\tA\n", [("Q", "A", "Bio", ())]),
    ],
    ids=["semicolon", "no-heading", "quizlet", "spanish", "utf-16", "cp1252", "anki-html", "anki-columns"],
)
def test_a_table_is_read(content: bytes, found: list[tuple[object, ...]]) -> None:
    assert [(card.front, card.back, card.deck, card.tags) for card in read_table(content).cards] == found


def test_lines_without_two_sides_are_counted() -> None:
    package = read_table(b"front,back\na,b\nonly\nc,d\n")

    assert len(package.cards) == 2
    assert package.remarks == ("One line without two sides is left out.",)


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"just one column\nof words\n", b"front,back\n"])
def test_a_file_without_cards_is_refused(content: bytes) -> None:
    with pytest.raises(FileRefused, match="No cards were found"):
        read_table(content)


def test_the_same_line_has_the_same_id_each_time() -> None:
    assert read_table(b"a,b\n").cards[0].guid == read_table(b"front;back\na;b\n").cards[0].guid


@given(SIDES, SIDES)
def test_what_is_written_is_read_again_and_computes_nothing(front: str, back: str) -> None:
    written = write_table([card(front, back, topic="T", tags=("x",))])

    cells = [cell for row in csv.reader(io.StringIO(written)) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []
    (found,) = read_table(written.encode("utf-8-sig")).cards
    assert (found.front, found.back, found.deck, found.tags) == (front, back, "T", ("x",))


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("a<br>b", "a\nb"),
        ("<div>a</div><div>b</div>", "a\n\nb"),
        ("5 * 3 * 2 and snake_case", "5 * 3 * 2 and snake_case"),
        ("*not bold*", r"\*not bold\*"),
        ("1. no list", r"\1. no list"),
        ("x<sup>2</sup> and x<sup>abc</sup>", "x² and x^(abc)"),
        ("[latex]\\alpha[/latex] [$]b[/$] \\[c\\]", "$\\alpha$ $b$ $$c$$"),
        ("<a href='javascript:alert(1)'>text</a>", "text"),
        ("<style>.x{}</style><i> a </i>b", "*a* b"),
        ("\ue0000\ue001", "0"),
    ],
)
def test_html_of_cards_is_read_as_markdown(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown


@pytest.mark.parametrize(
    "markdown",
    ["**a** *b* `c<d` $x<1$", "- one\n- two", "1. a\n2. b", "first\nsecond", "![](p.png)", r"\$5 \*x\*"],
)
def test_markdown_survives_the_way_through_html(markdown: str) -> None:
    assert markdown_of(html_of(markdown, {"p.png": "p.png"})) == markdown


@given(st.text(max_size=200))
def test_no_html_breaks_the_reader(html: str) -> None:
    markdown_of(html)
    html_of(html)


LIVE = (
    "[sound:http://evil.example/a.mp3]",
    "[anki:play:q:0]",
    "[latex]\\input{/etc/passwd}[/latex]",
    "[$]x[/$] and [$$]x[/$$]",
    '<img src="http://evil.example/a.png">',
    "<a href='http://evil.example'>x</a> <script src=x></script>",
    "![x](http://evil.example/a.png)",
    "[x](http://evil.example/)",
    r"$\href{http://evil.example}{x}$",
    r"\(\href{http://evil.example}{x}\) \[\require{html}\]",
    "`[sound:a.mp3]`",
    r"\[sound:a.mp3\]",
    "```\n[latex]x[/latex]\n```",
)


@pytest.mark.parametrize("words", LIVE)
def test_what_strangers_wrote_is_live_in_no_export_and_is_read_again_as_it_was(words: str) -> None:
    live = re.compile(r"\[(sound|anki):|\[/?(latex|\$\$?)\]|<(img|a|script)\b|\\(href|require|input)", re.IGNORECASE)

    html, table = html_of(words), write_table([card(words, words)])

    assert [live.search(written) for written in (html, table)] == [None, None]
    (found,) = read_table(table.encode()).cards
    assert (found.front, found.back) == (words, words)


def test_a_cards_own_picture_is_in_its_export_and_a_formula_stays_one() -> None:
    assert html_of("![](cell.png)", {"cell.png": "homeroom-1.png"}) == '<img src="homeroom-1.png">'
    assert html_of(r"$\frac{a}{b}$ and $a<b$") == r"\(\frac{a}{b}\) and \(a&lt;b\)"
    assert html_of("see [1] and a < b") == "see [1] and a &lt; b"


@pytest.mark.parametrize("cell", [" =1+1", "\n=1+1", "＝1+1", "a;=1+1", "-5 °C", "'quoted'"])
def test_no_spreadsheet_computes_a_cell_whatever_it_cuts_at(cell: str) -> None:
    written = write_table([card(cell, "b")])

    line = written.splitlines()[1] if "\n" not in cell else written
    assert '";=' not in line
    assert line.startswith('"')
    ((side, *_),) = list(csv.reader(io.StringIO(written)))[1:]
    assert not side.lstrip().startswith(("=", "＝", "-"))
    assert read_table(written.encode()).cards[0].front == cell
