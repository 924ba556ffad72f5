"""Blocks of a page's text: every word in its place, marked or not."""

from hypothesis import given
from hypothesis import strategies as st

from services.materials.marked_passage import marked_range
from services.materials.page_blocks import text_blocks


@given(st.text(alphabet="ab .…\n", max_size=60), st.text(alphabet="ab .…", max_size=60))
def test_whatever_the_quote_only_words_of_the_page_are_marked(text: str, quote: str) -> None:
    begin, end = marked_range(text, quote)

    assert 0 <= begin <= end <= len(text)
    drawn = [words for block in text_blocks(text, (begin, end)) for line in block["lines"] for words, on in line if on]
    assert "".join("".join(drawn).split()) == "".join(text[begin:end].split())


def test_cells_parted_by_tabs_are_a_table_and_a_mark_is_cut_at_their_edges() -> None:
    text = "Rate\tWhen\n5 %\tlate\n\nEnd."

    blocks = list(text_blocks(text, marked_range(text, "rate when")))

    assert [block["kind"] for block in blocks] == ["table", "text"]
    assert blocks[0]["lines"][0] == [[("Rate", True)], [("When", True)]]
