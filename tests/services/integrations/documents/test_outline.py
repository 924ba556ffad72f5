"""The parts of a text, and its words."""

from hypothesis import given
from hypothesis import strategies as st

from services.integrations.documents.tools import count_words, first_words, split_sections


def test_headings_in_code_are_no_headings() -> None:
    found = split_sections("# A\n```\n# not one\n```\n## B\ntext")

    assert [(one.title, one.level) for one in found] == [("A", 1), ("B", 2)]


@given(st.lists(st.sampled_from(["# One", "### Three", "text of a line", "", "- point", "#no heading", "```"])))
def test_no_word_is_lost_between_the_parts(lines: list[str]) -> None:
    text = "\n".join(lines)

    found = split_sections(text)

    assert all(text[one.start :].startswith("#" if one.level else text[:1]) for one in found)
    headings = sum(count_words(one.title) for one in found)
    assert headings + sum(one.words for one in found) == count_words(text)


def test_words_are_counted_as_a_person_counts_them() -> None:
    assert count_words("Maya's well-known café isn't 24/7 — 夏目漱石 says so.") == 9


def test_an_opening_says_when_there_is_more() -> None:
    assert first_words("one two three", 2) == "one two …"
    assert first_words("one two", 2) == "one two"
