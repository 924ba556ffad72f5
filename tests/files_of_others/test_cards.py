"""Cards as others write them: Anki's templates, gaps and masks, and tables with quotation marks.

The siblings follow Anki's own manual and tests, and public reports about genanki, AnkiDroid and Image Occlusion Enhanced.
"""

import base64
import io
import re
from collections.abc import Sequence

import genanki
import pytest
from PIL import Image

from services.files.upload import Upload
from services.study.exchange.anki_package import serve_package
from services.study.exchange.card_records import load_package
from services.study.exchange.card_table import read_table
from services.study.exchange.imported_cards import CardPackage, ImportedCard
from tests.files_of_others import case
from tests.services.study.exchange.anki_files import old_package, package_with_media, picture


def _read(content: bytes) -> CardPackage:
    return load_package(serve_package(Upload(name="deck.apkg", content=content), {}))


def _package(
    front: str, back: str, fields: Sequence[tuple[str, str]], *, is_cloze: bool = False, **media: bytes
) -> CardPackage:
    """The cards of one note. fields: names and values."""
    model = genanki.Model(
        11,
        "Somebody's own",
        fields=[{"name": name} for name, _ in fields],
        templates=[{"name": "Card", "qfmt": front, "afmt": back}],
        model_type=genanki.Model.CLOZE if is_cloze else genanki.Model.FRONT_BACK,
    )
    note = genanki.Note(model, [value for _, value in fields])
    if is_cloze:
        # genanki knows no gaps within gaps, nor those of several cards.
        numbers = {int(number) for _, value in fields for number in re.findall(r"(?:\{\{c|(?<=\d),)(\d+)", value)}
        vars(note)["cards"] = [genanki.Card(number - 1) for number in sorted(numbers)]
    return _read(package_with_media(old_package([note]), media))


def _sides(package: CardPackage) -> list[tuple[str, str]]:
    return [(card.front, card.back) for card in package.cards]


@pytest.mark.parametrize(
    ("package", "sides"),
    [
        pytest.param(
            lambda: _read(case("B35.apkg")),
            [
                ("What is the capital of Peru?", "Lima"),
                ("Who wrote the Republic?", "Plato\nHint: a pupil of Socrates"),
                (r"The \[…\] makes ATP.", "The **mitochondrion** makes ATP."),
            ],
            id="B35",
        ),
        pytest.param(
            lambda: _package(
                "{{Front}}{{type:nc:Back}}",
                "{{FrontSide}}<hr id=answer>{{type:nc:Back}}",
                [("Front", "Q"), ("Back", "é")],
            ),
            [("Q", "é")],
            id="typed without accents",
        ),
        pytest.param(
            lambda: _package(
                "{{Front}} {{type:Back}}",
                "{{Front}}<hr id=answer>{{Back}}<br>{{type:Back}}",
                [("Front", "Q"), ("Back", "A")],
            ),
            [("Q", "A")],
            id="typed and shown",
        ),
        pytest.param(
            lambda: _package(
                "{{Front}}<details><summary>Help</summary>{{Back}}</details>",
                "{{Back}}",
                [("Front", "Q"), ("Back", "A")],
            ),
            [("Q Help", "A")],
            id="folded away",
        ),
        pytest.param(
            lambda: _package(
                '{{Front}}<div style="color:red; display:none">{{Back}}</div>',
                "{{Back}}",
                [("Front", "Q"), ("Back", "A")],
            ),
            [("Q", "A")],
            id="hidden by its style",
        ),
        pytest.param(
            lambda: _package("{{Front}}{{tts en_US voices=Apple:Back}}", "{{Back}}", [("Front", "Q"), ("Back", "A")]),
            [("Q", "A")],
            id="read aloud",
        ),
        pytest.param(
            lambda: _package("{{Front}} ({{Subdeck}})", "{{Back}} {{Type}}", [("Front", "Q"), ("Type", "own")]),
            [("Q (Unit 1)", "own")],
            id="special fields",
        ),
        pytest.param(
            lambda: _package(
                "<table><tr><th>Q</th></tr><tr><td>one</td><td>two</td></tr></table>", "{{Back}}", [("Back", "A")]
            ),
            [("Q\none · two", "A")],
            id="cells",
        ),
    ],
)
def test_no_front_shows_its_answer(package, sides: list[tuple[str, str]]) -> None:  # type: ignore[no-untyped-def]
    assert [tuple(" ".join(side.split(" ")).replace("\n\n", "\n") for side in card) for card in _sides(package())] == [
        (front.replace("\n\n", "\n"), back) for front, back in sides
    ]


@pytest.mark.parametrize(
    ("text", "back", "sides"),
    [
        pytest.param(
            "The {{c1::cell}} lives.",
            "{{cloze:Text}}<hr id=answer>{{Back Extra}}",
            [(r"The \[…\] lives.", "The **cell** lives.\nmore")],
            id="with an answer line",
        ),
        pytest.param(
            r"So \({{c1::a^2}} + b\)", "{{cloze:Text}}", [("So $[…] + b$", "So $a^2 + b$")], id="within a formula"
        ),
        pytest.param(
            r"\(\frac{ {{c1::a}} }{b}\), {{c2::b}}",
            "{{cloze:Text}}",
            [(r"$\frac{ […] }{b}$, b", r"$\frac{ a }{b}$, b"), (r"$\frac{ a }{b}$, \[…\]", r"$\frac{ a }{b}$, **b**")],
            id="within a fraction",
        ),
        pytest.param(
            r"{{c1::\(\frac{a}{b}\)}} is a ratio",
            "{{cloze:Text}}",
            [(r"\[…\] is a ratio", r"**$\frac{a}{b}$** is a ratio")],
            id="around a formula",
        ),
        pytest.param(
            r"\({{c1::\frac{a}{b}}}+1\)", "{{cloze:Text}}", [("$[…]+1$", r"$\frac{a}{b}+1$")], id="braces at its end"
        ),
        pytest.param(
            "{{c1,2::Rome}} and {{c2::Paris}}",
            "{{cloze:Text}}",
            [(r"\[…\] and Paris", "**Rome** and Paris"), (r"\[…\] and \[…\]", "**Rome** and **Paris**")],
            id="of several cards",
        ),
        pytest.param(
            "{{c1::a {{c2::b}}}} {{c3::c::d}}",
            "{{cloze:Text}}",
            [
                (r"\[…\] c", "**a b** c"),
                (r"a \[…\] c", "a **b** c"),
                (r"a b \[d\]", "a b **c**"),
            ],
            id="within a gap",
        ),
    ],
)
def test_a_gap_is_hidden_on_its_front_and_told_on_its_back(text: str, back: str, sides: list[tuple[str, str]]) -> None:
    fields = [("Text", text), ("Back Extra", "more")]

    assert _sides(_package("{{cloze:Text}}", back, fields, is_cloze=True)) == sides


@pytest.mark.parametrize(
    ("front", "field", "text"),
    [
        pytest.param("{{text:The Front}}", "<b>a</b> &lt; b", "a < b", id="text"),
        pytest.param("{{furigana:The Front}}", "これは 漢字[かんじ]です", "これは漢字(かんじ)です", id="furigana"),
        pytest.param("{{kana:The Front}}", "これは 漢字[かんじ]です", "これはかんじです", id="kana"),
        pytest.param("{{kanji:The Front}}", "これは 漢字[かんじ]です", "これは漢字です", id="kanji"),
        pytest.param(
            "{{ The Front }}", "<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字(かんじ)", id="ruby"
        ),
        pytest.param("{{#The Front}}{{The Front}}{{/The Front}}", "x", "x", id="a name with a space"),
        pytest.param("{{The Front}}", "<pre>if x:\n    y = [1]\n</pre>", "```\nif x:\n    y = [1]\n```", id="pre"),
        pytest.param(
            "{{The Front}}",
            r"<pre><code>re.sub(r'\(a\)', '')</code></pre>",
            "```\nre.sub(r'\\(a\\)', '')\n```",
            id="code",
        ),
        pytest.param("{{The Front}}", "<pre>a<br>  b</pre>", "```\na\n  b\n```", id="pre with breaks"),
    ],
)
def test_a_field_is_shown_as_its_template_says(front: str, field: str, text: str) -> None:
    (card,) = _package(front, "{{Back}}", [("The Front", field), ("Back", "A")]).cards

    assert card.front == text


def _colour(card: ImportedCard, side: str, x: float, y: float) -> tuple[int, ...]:
    """Colour of a point of the picture on a side."""
    (name,) = re.findall(r"!\[\]\((.*?)\)", side)
    content = base64.b64decode(next(each.data for each in card.pictures if each.name == name))
    with Image.open(io.BytesIO(content)) as image:
        colour = image.convert("RGB").getpixel((int(x * image.width), int(y * image.height)))
    assert isinstance(colour, tuple)
    return colour


def _occlusion(shapes: str, **media: bytes) -> CardPackage:
    front = '{{Header}}<div style="display: none">{{cloze:Occlusion}}</div>{{Image}}'
    fields = [("Occlusion", shapes), ("Image", '<img src="cell.png">'), ("Header", "The cell"), ("Back Extra", "extra")]
    return _package(front, front + "{{Back Extra}}", fields, is_cloze=True, **media)


RED = (255, 0, 0)


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        pytest.param("rect:left=.1:top=.1:width=.3:height=.3", (0.2, 0.2), (0.6, 0.2), id="rectangle"),
        pytest.param("ellipse:left=.1:top=.1:rx=.2:ry=.2", (0.3, 0.3), (0.12, 0.12), id="ellipse"),
        pytest.param("polygon:left=.1:top=.1:points=.1,.1 .5,.1 .1,.5", (0.2, 0.2), (0.45, 0.45), id="polygon"),
        pytest.param("rect:left=.1:top=.1:width=.3:height=.1:angle=90", (0.05, 0.3), (0.35, 0.15), id="turned"),
    ],
)
def test_a_mask_hides_its_place_on_the_front_and_not_on_the_back(
    shape: str, inside: tuple[float, float], outside: tuple[float, float]
) -> None:
    package = _occlusion(f"{{{{c1::image-occlusion:{shape}}}}}", **{"cell.png": picture(200, 200)})

    (card,) = package.cards
    assert _colour(card, card.front, *inside) != RED
    assert _colour(card, card.front, *outside) == RED
    assert _colour(card, card.back, *inside) == RED
    assert "The cell" in card.front
    assert "extra" in card.back
    assert "occlusion" not in card.front + card.back


def test_other_masks_stay_where_all_are_to_be_guessed() -> None:
    """B36: of two masks the one that is asked is open on the back, and the other is not."""
    cards = _read(case("B36.apkg")).cards

    assert [card.front.split("\n")[0] for card in cards] == ["The cell", "The cell"]
    assert "image-occlusion" not in "".join(card.front + card.back for card in cards)
    first, asked, other = cards[0], (0.2, 0.25), (0.7, 0.65)
    assert _colour(first, first.front, *other) == _colour(first, first.back, *other)
    assert _colour(first, first.front, *asked) != _colour(first, first.back, *asked)


@pytest.mark.parametrize(
    "package",
    [
        pytest.param(
            lambda: _occlusion("{{c1::image-occlusion:rect:left=.1:top=.1:width=.3:height=.3}}"), id="no picture"
        ),
        pytest.param(
            lambda: _occlusion("{{c1::image-occlusion:spiral:left=.1}}", **{"cell.png": picture()}), id="another shape"
        ),
        pytest.param(
            lambda: _package(
                "{{Question Mask}}{{Image}}",
                "{{Answer Mask}}{{Image}}",
                [("Image", '<img src="cell.png">'), ("Question Mask", '<img src="q.svg">'), ("Answer Mask", "x")],
                **{"cell.png": picture()},
            ),
            id="the add-on's",
        ),
    ],
)
def test_masks_that_cannot_be_drawn_are_told(package) -> None:  # type: ignore[no-untyped-def]
    other = package()

    assert other.cards == ()
    assert other.remarks[-1] == "One card with masks on a picture is left out, as they cannot be drawn here."


@pytest.mark.parametrize(
    ("content", "sides"),
    [
        pytest.param(
            case("B39.tsv"),
            [
                ("photosynthesis", "light into sugar"),
                ('"Carpe diem" is from which poet?', "Horace"),
                ('"To be, or not to be', "Hamlet, act 3"),
                ("osmosis", "water through a membrane"),
                ("5' 9\" in metres", "1.75"),
                ("entropy", "disorder"),
            ],
            id="B39",
        ),
        pytest.param(b'"Who\tsaid it\nq2\ta2 "x"\n', [('"Who', "said it"), ("q2", 'a2 "x"')], id="one mark"),
        pytest.param(b'"a ""b"""\t"two\nlines"\nc\td\n', [('a "b"', "two\nlines"), ("c", "d")], id="as a spreadsheet"),
        pytest.param(b'"A" or "B"?;A\nx;y\n', [('"A" or "B"?', "A"), ("x", "y")], id="semicolons"),
        pytest.param(b"sep=;\r\nq, 1;a\r\nq2;a, 2\r\n", [("q, 1", "a"), ("q2", "a, 2")], id="Excel's sep"),
        pytest.param("\ufeffsep=\t\r\nfront\tback\r\nq\ta\r\n".encode(), [("q", "a")], id="sep with a heading"),
        pytest.param("sep=;\nq;a\n".encode("utf-16"), [("q", "a")], id="sep in UTF-16"),
    ],
)
def test_a_table_keeps_its_quotation_marks(content: bytes, sides: list[tuple[str, str]]) -> None:
    assert [(card.front, card.back) for card in read_table(content).cards] == sides
