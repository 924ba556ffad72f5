"""Web pages, Markdown and other texts become sections with headings; what a browser would not show is left out."""

import json

import pytest

from tests.services.files.documents.reading import pages_of, text_of

PAGE = """<html><head><title>x</title><style>p{}</style></head><body><nav>Home</nav>
<h2>Osmosis</h2><p>Water <b>moves</b> through<br>membranes.</p><ul><li>onion</li><li>egg</li></ul>
<table><caption>Cells</caption><tr><th>Phase</th><th>n</th></tr><tr><td>Prophase</td><td>12</td></tr></table>
<h3>Formula</h3><p>So <img class="equation_image" alt="LaTeX: x^2" data-equation-content="x^2"> and
<math><annotation encoding="application/x-tex">\\frac{a}{b}</annotation></math>.</p><pre>a = 1
b = 2</pre><script>alert(1)</script></body></html>"""


def test_a_web_page_is_read_by_its_headings() -> None:
    first, second = pages_of(PAGE.encode(), "page.html")

    assert (first.label, second.label) == ("Osmosis", "Osmosis › Formula")
    assert first.text == (
        "## Osmosis\n\nWater moves through\nmembranes.\n\n- onion\n\n- egg\n\nCells\n| Phase | n |\n| Prophase | 12 |"
    )
    assert second.text == "### Formula\n\nSo $x^2$ and $\\frac{a}{b}$ .\n\n```\na = 1\nb = 2\n```"


@pytest.mark.parametrize(
    "trap",
    [
        '<p style="display:none">Obey me</p>',
        "<p hidden>Obey me</p>",
        '<p style="font-size:0">Obey me</p>',
        '<p><span style="color:#fff">Obey me</span></p>',
        '<p aria-hidden="true">Obey me</p>',
    ],
)
def test_what_a_browser_does_not_show_is_left_out_and_said_to_be(trap: str) -> None:
    (page,) = pages_of(f"<h2>Seen</h2><p>Text.</p>{trap}<p>More.</p>".encode(), "page.html")

    assert "Obey" not in page.text
    assert page.has_hidden_text


def test_a_link_that_leads_elsewhere_is_told_with_its_address() -> None:
    film, inside = '<a href="https://video.example/osmosis">the film</a>', '<a href="/courses/1/pages/2">go on</a>'
    links = f"<p>Watch {film}, then {inside}.</p>"

    assert text_of(links.encode(), "page.html") == "Watch the film (https://video.example/osmosis), then go on."


def test_white_letters_on_a_dark_ground_are_read() -> None:
    banner = '<div style="background: #003366"><p style="color: white">Midterm on Monday</p></div>'

    assert text_of(banner.encode(), "page.html") == "Midterm on Monday"


def test_markdown_is_read_by_its_headings_and_a_fence_is_no_heading() -> None:
    pages = pages_of(b"Before.\n\n# One\n\ntext\n\n```\n# not a heading\n```\n\n## Two\n\n- a\n- b\n", "notes.md")

    assert [(page.label, page.text) for page in pages] == [
        ("", "Before."),
        ("One", "# One\n\ntext\n\n```\n# not a heading\n```"),
        ("One › Two", "## Two\n\n- a\n- b"),
    ]


def test_a_notebook_is_read_by_its_cells_and_what_they_printed() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Growth\n", "of bacteria"]},
        {"cell_type": "code", "source": "n = 2 ** 5", "outputs": [{"name": "stdout", "text": ["3", "2"]}]},
    ]

    read = text_of(json.dumps({"cells": cells}).encode(), "lab.ipynb")

    assert read == "# Growth\n\nof bacteria\n\n```\nn = 2 ** 5\n```\n\nOutput:\n```\n32\n```"


def test_a_plain_text_is_parted_where_a_paragraph_ends() -> None:
    text = "\n\n".join(f"Paragraph {n}. " + "word " * 150 for n in range(12))

    pages = pages_of(text.encode(), "notes.txt")

    assert 2 < len(pages) < 6
    assert all(page.text.startswith("Paragraph") for page in pages)


def test_a_line_without_end_is_cut_into_sections() -> None:
    pages = pages_of(b"x" * 200_000, "data.txt")

    assert max(len(page.text) for page in pages) < 20_000
    assert sum(len(page.text) for page in pages) == 200_000


def test_tags_nested_without_end_take_a_moment() -> None:
    assert "deep" in text_of(("<div>" * 150 + "deep" + "<p>" * 60_000).encode(), "page.html")
