"""The sanitiser takes out what acts, and leaves what reads."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.safety.markdown.parser import parse
from services.safety.markdown.sanitiser import LONGEST, sanitise
from tests.safety.acting import acting
from tests.telling import telling
from tests.timing import growth

URL = "https://campus.example/courses/7?a=1&b=2"
KNOWN = frozenset({URL, "mailto:okafor@campus.example", "https://campus.example/a_(b)"})
PIECES = st.sampled_from(
    [
        *"*_~`[]()<>!|$\\#-+>=:&\n\t ",
        *("![", "](", "**", "```", "~~~", "$$", "\n\n", "- ", "1. ", "> ", "# ", "| ", "\n|--|--|\n", "    ", "[^1]: "),
        *(
            "[x]: https://evil.test/r\n",
            "https://evil.test/x",
            "www.evil.test",
            "a@b.co",
            "javascript:x",
            "/auth/logout",
        ),
        *(
            URL,
            "mermaid",
            "word",
            "año",
            "日本",
            "مرحبا",
            "👩‍👧",
            "&#10;",
            "&lt;",
            "&colon;",
            "\u200b",
            "<img src=x>",
            ":red[",
        ),
        *("[ ] ", "[^1]", "x", "10", ":smile:", ":streamlit:", "\\frac{a}{b}", "http", "://", "@"),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text())


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, with commas; and (brackets) – and dashes.",
        "# Title\n\n## Second\n\nText **bold** and *soft* and ~~gone~~ and `code`.",
        "- one\n- two\n  - three\n    - four\n- five",
        "1. one\n2. two\n   1. inner\n3. three",
        "3) three\n4) four",
        "- loose\n\n- list\n\n  with a second paragraph",
        "- [ ] to do\n- [x] done",
        "> quoted\n> twice\n>\n> > inner",
        "| a | b |\n| --- | ---: |\n| 1 | **2** |\n| `x` |  |",
        "```python\ndef f(x):\n    return x ** 2  # ![not](an image)\n```",
        "````text\n```\ninner\n```\n````",
        "Euler: $e^{i\\pi} + 1 = 0$, and\n\n$$\n\\int_0^1 x^2\\,dx = \\frac{1}{3}\n$$",
        "$$\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n$$",
        "A note.[^1]\n\n[^1]: With a *footnote*.",
        f"[Essay 2]({URL}) is due **Fri 27 Nov**.",
        "[Ms Okafor](mailto:okafor@campus.example)",
        "[page](<https://campus.example/a_(b)>)",
        f"- **[Essay 2]({URL})** — due Friday",
        f"| task |\n| --- |\n| [Essay 2]({URL}) |",
        "line one\\\nline two",
        "___",
        "¿Qué tareas tengo mañana? **Ninguna**.",
        "ما الواجبات **المستحقة** هذا الأسبوع؟",
        "今週の**課題**は三つあります。",
        "Well done 🎉 👩‍🔬 :tada:",
    ],
)
def test_ordinary_markdown_comes_through_as_it_is(text: str) -> None:
    assert sanitise(text, allowed=KNOWN) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("* a\n* b", "* a\n* b"),
        ("Title\n=====\n\ntext", "# Title\n\ntext"),
        ("***", "___"),
        ("    code", "```\ncode\n```"),
        ("$$x = 1$$", "$$\nx = 1\n$$"),
        (f"<{URL}>", f"[https\\://campus.example/courses/7?a=1&b=2]({URL})"),
        (f"See {URL}.", f"See [https\\://campus.example/courses/7?a=1&b=2]({URL})."),
        (f"[Essay][1]\n\n[1]: {URL} 'a title'", f"[Essay]({URL})"),
        ("The book is $5, the other $10.", "The book is \\$5, the other \\$10."),
        ("From 10:30 to ~12", "From 10\\:30 to \\~12"),
        ("R&D, AT&T, a < b && c > d", "R&D, AT&T, a \\< b && c > d"),
        ("Write to okafor@campus.example", "Write to [okafor\\@campus.example](mailto:okafor@campus.example)"),
        ("C# and F# and snake_case_name", "C\\# and F\\# and snake\\_case\\_name"),
        ("a  \nb", "a\\\nb"),
        ("<kbd>Ctrl</kbd>", "\\<kbd>Ctrl\\</kbd>"),
    ],
)
def test_the_same_is_said_in_one_way(text: str, written: str) -> None:
    assert sanitise(text, allowed=KNOWN) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("![chart](https://evil.test/i?q=1)", "\\[image: chart — evil.test\\]"),
        (f"![chart]({URL})", f"[\\[image: chart — campus.example\\]]({URL})"),
        ("[here](https://evil.test/x)", "here (evil.test: `https://evil.test/x`)"),
        ("https://evil.test/x", "`https://evil.test/x`"),
        ("[Log out](/auth/logout)", "Log out (`/auth/logout`)"),
        ("[x](javascript:alert(1))", "x (javascript: `javascript:alert(1)`)"),
        ("~~~ Mermaid\ngraph\n~~~", "```text\ngraph\n```"),
        (":red[hello]", "\\:red\\[hello\\]"),
        (":streamlit: :material/delete: :material_home:", "`:streamlit:` \\:material\\/delete: `:material_home:`"),
        ("$\\def\\a{\\a}\\a$", "`$\\def\\a{\\a}\\a$`"),
    ],
)
def test_what_acts_becomes_words(text: str, written: str) -> None:
    assert sanitise(text, allowed=KNOWN) == written


def test_a_link_may_not_name_another_host() -> None:
    text = f"[https://bank.test/login]({URL}) [bank.com]({URL}) [syllabus.pdf]({URL}) [campus.example]({URL})"

    written = sanitise(text, allowed=KNOWN)

    assert written.count(f"]({URL})") == 2
    assert f"[syllabus.pdf]({URL})" in written


def test_an_own_door_is_never_a_link_although_somebody_named_it() -> None:
    doors = frozenset({"https://homeroom.example.edu/auth/logout", "https://homeroom.example.edu/_stcore/agent/mcp"})

    written = sanitise(" ".join(f"[x]({door})" for door in doors), allowed=doors)

    assert "](" not in written


@given(TEXTS)
@settings(max_examples=2 * settings().max_examples)
def test_sanitised_text_stays_as_it_is(text: str) -> None:
    written = sanitise(text, allowed=KNOWN)

    assert sanitise(written, allowed=KNOWN) == written


@given(TEXTS)
@settings(max_examples=6 * settings().max_examples)
def test_nothing_that_acts_is_left_in_any_text(text: str) -> None:
    written = sanitise(text, allowed=KNOWN)

    assert acting(written, KNOWN) == []


@given(st.text(st.characters(categories=["L", "N"]), min_size=1), st.sampled_from(["**{}**", "- {}", "# {}", "`{}`"]))
def test_words_are_never_lost(words: str, shape: str) -> None:
    shown = sanitise(shape.format(words), allowed=()).replace("\\", "")

    assert all(word in shown for word in words.split())


FLOODS = [">", "> ", "[", "![", "](", "*", "_*", "`", "$", "<", "|", "- a\n", "[x](y) ", "a@", "&"]


@pytest.mark.parametrize("flood", telling(FLOODS, lambda flood: flood in ("[", "_*", "a@")))
def test_floods_take_seconds_at_most_and_linear_time(flood: str) -> None:
    def seconds(size: int) -> float:
        start = time.process_time()
        sanitise(flood * (size // len(flood)), allowed=())
        return time.process_time() - start

    # The better of two: a collection of garbage in the middle of one says nothing about the sanitiser.
    fifth, whole = (min(seconds(size) for _ in range(2)) for size in (LONGEST // 20, LONGEST // 4))

    assert whole < 8
    assert whole < 15 * max(fifth, 0.05)


def test_a_long_gap_in_a_line_costs_time_in_proportion() -> None:
    def written(many: int) -> None:
        assert sanitise(f"a{' ' * many}b", allowed=()).startswith("a ")

    assert growth(written, size=3_000) < 30


def test_a_long_text_is_cut_with_a_note() -> None:
    written = sanitise("one two three\n\n" * 20_000, allowed=())

    assert len(written) <= LONGEST
    assert written.endswith("… (cut here: the rest is too long to show)")
    assert sanitise(written, allowed=()) == written


def test_deep_nesting_is_flattened() -> None:
    deepest = max(token.level for token in parse(sanitise(">" * 5_000 + " a", allowed=())))

    assert deepest <= 50
