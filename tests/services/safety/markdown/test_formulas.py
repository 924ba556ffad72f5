"""Ordinary formulas pass, bombs and overlays do not."""

import pytest

from services.safety.markdown.formulas import is_safe_formula, write_formula
from services.safety.markdown.html import to_html
from services.safety.markdown.sanitiser import sanitise
from services.safety.markdown.unfinished import without_unfinished


def drawn(text: str) -> str:
    clean = sanitise(text, allowed=frozenset())
    assert sanitise(clean, allowed=frozenset()) == clean
    return "".join(to_html(clean))


@pytest.mark.parametrize(
    "text",
    [
        r"The root is \(x = \frac{-b}{2a}\), so",
        r"\( \alpha \) is small",
        r"so \(a\)5 and \(b\)$",
        "\\[\n\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n\\]",
        r"Then \[x^2 + y^2 = z^2\] holds",
        r"\[ [0,1] \ni x \]",
        "- first\n\n  \\[\n  a = b\n  \\]",
        "> \\[ a = b \\]",
        r"| a |"
        "\n|---|\n"
        r"| \(x\) |",
    ],
)
def test_what_models_write_between_brackets_with_backslashes_is_a_formula(text: str) -> None:
    page = drawn(text)

    assert 'class="formula"' in page
    assert "\\(" not in page
    assert "\\[" not in page


@pytest.mark.parametrize(
    "text",
    [
        "see [1] and [2]",
        "an interval [a = b] of words",
        "[x_1] and [y^2] in brackets",
        "[`c` = 3] with code",
        "a [b [c] = d] e",
        r"escaped \\(x\\) twice",
        r"`\(x\)` as code",
        "```\n\\[ a = b \\]\n```",
        r"\[1\] as Markdown writes a bracket",
        r"\(it never ends",
        "[x =\n\ny] over two paragraphs",
    ],
)
def test_brackets_that_are_no_formula_stay_words(text: str) -> None:
    assert "formula" not in drawn(text)


def test_an_unsafe_formula_in_brackets_is_code() -> None:
    assert drawn(r"\[ \href{x}{y} = 1 \]").startswith("<pre><code")
    assert "<code>" in drawn(r"so \(\htmlData{a=b}{c}\) there")


@pytest.mark.parametrize("begun", [r"\(x = ", "\\[\nx = ", r"\[x"])
def test_a_formula_that_has_only_begun_is_held_back(begun: str) -> None:
    assert without_unfinished(f"so {begun}") == "so "
    assert without_unfinished(r"so \(x\) and") == r"so \(x\) and"


@pytest.mark.parametrize(
    "formula",
    [
        "E = mc^2",
        "\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}",
        "\\begin{aligned} a &= b + c \\\\ d &= e \\end{aligned}",
        "\\sum_{i=1}^{n} x_i \\quad \\text{for } i \\in \\mathbb{N}",
        "\\left[0, 1\\right) \\cup (2, 3]",
        "\\ce{H2O}",
        "a\\hbox{ and }b\\,\\lim_{x\\to 0}",
    ],
)
def test_ordinary_formulas_pass(formula: str) -> None:
    assert is_safe_formula(formula)


@pytest.mark.parametrize(
    "formula",
    [
        "\\def\\a{\\a\\a}\\a",
        "\\newcommand{\\x}{y}",
        "\\rule{99em}{99em}",
        "\\raisebox{9em}{x}",
        "x\\\\[50em]y",
        "\\hspace{-3em}x",
        "\\href{x}{y}",
        "\\includegraphics{x}",
        "\\htmlData{a=b}{c}",
        "{" * 40 + "x" + "}" * 40,
        "x" * 3000,
        "![a](b)",
        "`a`",
        "see https://evil.test",
        " ",
        "x\\",
    ],
)
def test_bombs_overlays_and_markdown_do_not(formula: str) -> None:
    assert not is_safe_formula(formula)


def test_a_formula_does_no_harm_where_it_is_read_as_markdown() -> None:
    assert write_formula("f[x](t) <b> a") == "f[x] (t) < b> a"
    assert write_formula("|x| \\| y", in_table=True) == "\\vert x\\vert  \\Vert  y"
