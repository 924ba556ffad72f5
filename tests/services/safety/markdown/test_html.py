"""HTML of sanitised Markdown: what each construct becomes, and that nothing else comes out."""

import pytest

from services.safety.markdown.html import to_html
from services.safety.markdown.sanitiser import sanitise

PAGE = "https://canvas.example/courses/7"


def html(text: str) -> str:
    return "".join(to_html(sanitise(text, allowed=frozenset({PAGE, "mailto:ana@example.edu"}))))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Some **bold** and *soft* `code`", "<p>Some <strong>bold</strong> and <em>soft</em> <code>code</code></p>"),
        ("## Due\n- Essay\n- Lab", "<h2>Due</h2><ul><li>Essay</li><li>Lab</li></ul>"),
        ("3. Three\n4. Four", '<ol start="3"><li>Three</li><li>Four</li></ol>'),
        ("- [x] Done", "<ul><li><input type=checkbox disabled checked> Done</li></ul>"),
        ("```python\na < b\n```", '<pre><code class="language-python">a &lt; b\n</code></pre>'),
        ("> Said", "<blockquote><p>Said</p></blockquote>"),
        ("$x^2$", '<p><span class="formula" data-display="false">x^2</span></p>'),
        (
            "| a | b |\n|---|--:|\n| 1 | 2 |",
            '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead>'
            '<tbody><tr><td>1</td><td align="right">2</td></tr></tbody></table>',
        ),
        (
            f"[page]({PAGE})",
            f'<p><a href="{PAGE}" target="_blank" rel="noopener noreferrer nofollow">page</a></p>',
        ),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
    ],
)
def test_constructs_become_plain_elements(text: str, written: str) -> None:
    assert html(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](https://evil.example/?q=1)",
        "![x](https://evil.example/p.png)",
        "<img src=x onerror=alert(1)>",
        "<https://evil.example>",
        '[x](https://canvas.example/courses/7 "onmouseover=alert(1)")',
    ],
)
def test_nothing_is_fetched_run_or_linked_that_was_not_named(text: str) -> None:
    written = html(text)
    assert "<img" not in written
    assert "<script" not in written
    assert 'href="https://evil' not in written
    assert 'href="javascript' not in written
    assert "title=" not in written


def test_each_block_stands_by_itself() -> None:
    assert to_html("One\n\nTwo\n\n- Three\n- Four") == [
        "<p>One</p>",
        "<p>Two</p>",
        "<ul><li>Three</li><li>Four</li></ul>",
    ]


@pytest.mark.parametrize(
    ("text", "bold"),
    [
        ("**「重要」**です", "「重要」"),
        ("これは**重要。**です", "重要。"),
        ("中文**“重点”**内容", "“重点”"),
        ("점**(강조)**입니다", "(강조)"),
        ("a **b** c", "b"),
    ],
)
def test_bold_beside_the_punctuation_of_chinese_japanese_and_korean_is_bold(text: str, bold: str) -> None:
    assert f"<strong>{bold}</strong>" in "".join(to_html(sanitise(text, allowed=frozenset())))


def test_marks_between_latin_letters_and_punctuation_stay_as_commonmark_has_them() -> None:
    assert "<strong>" not in "".join(to_html(sanitise('He said **"hello"**and', allowed=frozenset())))
