"""Ordinary formulas pass, bombs and overlays do not."""

import pytest

from services.safety.markdown.formulas import is_safe_formula, write_formula


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
