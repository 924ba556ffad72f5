"""A text that grows is safe at every moment, and shows no half-made construct."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.safety.markdown.sanitiser import StreamSanitiser, sanitise
from services.safety.markdown.unfinished import without_unfinished
from tests.safety.acting import acting
from tests.services.safety.markdown.test_sanitiser import KNOWN, TEXTS, URL
from tests.timing import growth

ANSWER = f"""## This week

You have **two** things due, see [Essay 2]({URL}):

| what | when |
| --- | --- |
| Essay 2 | Fri 27 Nov |

1. Read chapter 4
   - pages 10–20
2. Solve $x^2 = 4$

```python
print("hi")
```

$$
\\int x\\,dx
$$

Good luck!"""


@given(TEXTS)
@settings(max_examples=60)
def test_no_prefix_of_a_text_acts(text: str) -> None:
    stream = StreamSanitiser(allowed=KNOWN)

    for end in range(len(text) + 1):
        assert acting(stream.render(text[:end]), KNOWN) == []


@given(st.lists(st.integers(1, 40)))
def test_the_whole_answer_reads_as_it_does_at_once(steps: list[int]) -> None:
    stream, end = StreamSanitiser(allowed=KNOWN), 0
    for step in steps:
        end += step
        stream.render(ANSWER[:end])

    assert stream.render(ANSWER) == sanitise(ANSWER, allowed=KNOWN)


@given(st.lists(st.sampled_from(ANSWER.split("\n\n")), max_size=30).map("\n\n".join))
def test_finished_blocks_are_written_once_and_alike(text: str) -> None:
    stream = StreamSanitiser(allowed=KNOWN)
    for end in range(0, len(text), 97):
        stream.render(text[:end])

    whole = stream.render(text + "\n\nEnd")

    assert whole.replace("\n\n", "\n") == sanitise(text + "\n\nEnd", allowed=KNOWN).replace("\n\n", "\n")


@pytest.mark.parametrize(
    ("begun", "shown"),
    [
        ("See ![ch", "See"),
        ("See ![chart](https://ev", "See"),
        ("See [Essay](https://camp", "See"),
        ("See https://camp", "See"),
        ("Use `co", "Use"),
        ("Use `code` and `mo", "Use `code` and"),
        ("a <im", "a"),
        ("one\n\n```mer", "one"),
        ("one\n\n```mermaid\ngra", "one\n\n```text\ngra\n```"),
        ("one\n\n```\ncode\n``", "one\n\n```\ncode\n```"),
        ("one\n-", "one"),
        ("| a | b |\n", ""),
        ("so **bo", "so **bo**"),
        ("it is $x^", "it is"),
        ("it is $5 and", "it is \\$5 and"),
        ("one\n\n$$\n\\frac{1", "one"),
    ],
)
def test_what_has_only_begun_waits(begun: str, shown: str) -> None:
    assert StreamSanitiser(allowed=KNOWN).render(begun) == shown


def test_an_address_becomes_a_link_once_a_tool_has_named_it() -> None:
    known: set[str] = set()
    stream = StreamSanitiser(allowed=known)
    before = stream.render(f"[a]({URL}) ")

    known.add(URL)

    assert "](" not in before
    assert stream.render(f"[a]({URL}) and") == f"[a]({URL}) and"


def test_a_text_that_starts_anew_is_drawn_anew() -> None:
    stream = StreamSanitiser(allowed=KNOWN)
    stream.render(ANSWER * 3)

    assert stream.render("Something else") == "Something else"


@pytest.mark.parametrize("mark", ["~", "`", "> ~~~", "**a", "!["])
def test_marks_that_do_not_end_cost_no_more_than_they_are_long(mark: str) -> None:
    """A page draws a growing text a dozen times a second."""
    assert growth(lambda size: without_unfinished(mark * size), size=2_000) < 20
