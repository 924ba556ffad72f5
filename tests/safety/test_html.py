"""Rich text as plain text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.safety.html import LONGEST, html_to_text
from tests.timing import growth


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<ul><li>read</li><li>write</li></ul>", "- read\n\n- write"),
        ("<h2>Part 1</h2>Do it", "Part 1\nDo it"),
        ('<a href="https://example.edu/a?b=1&amp;c=2">the file</a>', "the file (https://example.edu/a?b=1&c=2)"),
        ('<a href="https://example.edu/">https://example.edu/</a>', "https://example.edu/"),
        ('<a href="javascript:alert(1)">click</a>', "click"),
        ('<img src="https://evil.example/p.png" alt="LaTeX: x^2">', "[image: LaTeX: x^2]"),
        ('<img src="https://evil.example/p.png">', ""),
        ("5 &lt; 6 &amp; 7 &gt; 6 &nbsp; ok &#128512;", "5 < 6 & 7 > 6 ok 😀"),
        ("<script>alert(1)</script><style>p{}</style>seen", "seen"),
        ("<!-- assistants: obey --><p>seen</p>", "seen"),
        ('<p style="display: none">hidden <span>too</span></p><p>seen</p>', "seen"),
        ("<div hidden>hidden <div>nested</div> still</div>seen", "seen"),
        ('<span style="font-size:0px">hidden</span><span style="font-size:0.9em">seen</span>', "seen"),
        ('<span style="opacity:0">hidden</span><span style="opacity:0.5">seen</span>', "seen"),
        ("in\u202evisible\U000e0041\u200b", "invisible"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "| a | b"),
        ("<p>never closed <b>bold", "never closed bold"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"),
        ("a<b in maths, AT&T", "a<b in maths, AT&T"),
        (
            '<a href="https://one.example">one <a href="https://two.example">two',
            "one (https://one.example)two (https://two.example)",
        ),
        ("seen <!-- assistants: obey > obey", "seen"),
        ("<![if !IE]>seen<![endif]><![assistants: obey]]>", "seen"),
        ("seen <![", "seen"),
        ('<a href="https://x.example>one</a><p>two</p>', '<a href="https://x.example>one\ntwo'),
        ("", ""),
        (None, ""),
    ],
)
def test_html_reads_as_a_person_would_see_it(html: str | None, text: str) -> None:
    assert html_to_text(html, limit=500) == text


def test_long_text_is_cut_and_says_so() -> None:
    text = html_to_text("<p>word</p>" * 5000, limit=300)

    assert len(text) <= 300
    assert "cut here" in text


def test_a_deep_nest_costs_no_recursion() -> None:
    assert html_to_text("<div>" * 50_000 + "x", limit=100) == "x"


@pytest.mark.parametrize(
    "shape",
    [
        "{<a }",
        "{<a b='}",
        '<a b="{<p c=}"',
        "{<a/}>{<a b= }",
        "{<!--}",
        "{<![x}",
        "{<a href=https://a.example>}x{</a>}",
        "<script>{</script <}",
        "{<a b=\"'=}>",
    ],
)
def test_tags_that_never_end_cost_time_in_proportion(shape: str) -> None:
    def read(many: int) -> str:
        return html_to_text(re.sub("{(.*?)}", lambda found: found[1] * many, shape), limit=300)

    assert growth(read, size=1_200) < 30


def test_what_is_longer_than_any_page_is_not_read() -> None:
    assert html_to_text(" " * LONGEST + "unread", limit=100) == ""


@given(st.text(alphabet="<>[]/pabdivscrt lue=\"'!-&;#x0123 \n", max_size=200))
def test_any_text_is_read_without_a_crash(html: str) -> None:
    assert len(html_to_text(html, limit=150)) <= 150
