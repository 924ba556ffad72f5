from hypothesis import given
from hypothesis import strategies as st

from services.integrations.notion.markdown import (
    changed_range,
    ends_with,
    inserted_range,
    nested_pages,
    normalised_lines,
    render_nested_pages,
    unique_range,
    without_nested_pages,
)

text = st.text("ab\n", max_size=30)


@given(text, text, text.filter(bool))
def test_one_piece_put_in_is_found_and_taking_it_out_gives_the_text_before(front: str, back: str, piece: str) -> None:
    before, after = front + back, front + piece + back

    added = inserted_range(before, after)

    assert added is not None
    assert after[: added.start] + after[added.stop :] == before


@given(text, text)
def test_what_is_found_is_always_one_piece_put_in(before: str, after: str) -> None:
    added = inserted_range(before, after)

    assert added is None or after[: added.start] + after[added.stop :] == before


def test_two_changes_are_no_insertion() -> None:
    assert inserted_range("one two", "One two three") is None
    assert inserted_range("same", "same") is None


@given(text, st.integers(0, 30), st.integers(1, 10))
def test_a_piece_to_replace_stands_in_the_text_once_and_holds_what_was_meant(
    whole: str, start: int, length: int
) -> None:
    start, end = min(start, len(whole)), min(start + length, len(whole))
    if start == end:
        return

    piece = unique_range(whole, start, end)

    assert whole.count(whole[piece]) == 1
    assert piece.start <= start
    assert end <= piece.stop


def test_what_notion_writes_differently_counts_as_the_same() -> None:
    assert normalised_lines("* one\n\n\n  two\\!\n") == normalised_lines("- one\ntwo!")


def test_an_addition_is_found_above_the_pages_inside() -> None:
    page = 'Intro\n## Plan\n- [ ] Read\n<page url="http://x/1">Week 1</page>'

    assert ends_with(page, "## Plan\n\n- [ ] Read")
    assert not ends_with(page, "Intro")


@given(text, text)
def test_what_differs_put_back_gives_the_text_before(before: str, after: str) -> None:
    start, end_before, end_after = changed_range(before, after)

    assert after[:start] + before[start:end_before] + after[end_after:] == before
    assert 0 <= start <= min(end_before, end_after)


def test_pages_inside_are_found_in_order_and_told_as_links() -> None:
    page = (
        'Intro\n<page url="http://x/1?a=1&amp;b=2">Week [1]</page>\n'
        '<database url="http://x/2" inline="false" data-source-url="collection://3">Books</database>\n'
        '<unknown url="http://x/4" alt="page"/>\nEnd <page url="x">in a line</page>'
    )

    assert [(child.kind, child.title, child.url) for child in nested_pages(page)] == [
        ("page", "Week [1]", "http://x/1?a=1&b=2"),
        ("database", "Books", "http://x/2"),
    ]
    assert render_nested_pages(page).splitlines()[1:4] == [
        "- [Week \\[1\\]](http://x/1?a=1&b=2) (a page inside this page)",
        "- [Books](http://x/2) (a database inside this page)",
        "- (something inside that is not shared with Homeroom)",
    ]
    assert without_nested_pages(page) == 'Intro\nEnd <page url="x">in a line</page>'
