"""The Markdown of the campus's Notion, for any text."""

from hypothesis import given
from hypothesis import strategies as st

from sandbox.notion.content import blocks_of, carried_ids, children_shapes, walk
from sandbox.notion.markdown import normalized
from sandbox.notion.richtext import runs_of

PIECES = st.sampled_from(
    [
        *(
            "# ",
            "## ",
            "- ",
            "* ",
            "1. ",
            "- [ ] ",
            "- [x] ",
            "> ",
            "```",
            "$$",
            "---",
            "|",
            "|---|",
            "<table>",
            "</table>",
        ),
        *("<tr>", "<td>", "</td>", "</tr>", "\t", "  ", "\n", "\n\n", "a", "é 日", "**", "*", "`", "[a](b)", "\\", " "),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map("".join))
PAGE = "6f1f7c52-6f0f-4a53-9d35-3d1a0c1c7b11"


@given(TEXTS)
def test_storing_what_was_read_changes_nothing(text: str) -> None:
    once = normalized(text)

    assert normalized(once) == once


@given(TEXTS)
def test_every_block_has_an_id_of_its_own_and_a_shape(text: str) -> None:
    nodes = blocks_of({"id": PAGE, "markdown": text})
    ids = [node.id for _, node in walk(nodes, PAGE)]

    assert len({*ids, ""}) == len(ids) + 1
    assert len(children_shapes(nodes, PAGE, (), {})) == len(nodes)


@given(TEXTS, TEXTS)
def test_whatever_becomes_of_a_page_each_block_has_one_id_and_what_stays_keeps_its_own(old: str, new: str) -> None:
    before = blocks_of({"id": PAGE, "markdown": old})

    ids = carried_ids(before, new, PAGE)
    after = blocks_of({"id": PAGE, "markdown": new, "block_ids": ids})

    assert len(set(ids)) == len(ids)
    assert carried_ids(after, new, PAGE) == ids


@given(st.text(alphabet=st.characters(exclude_characters="\\*~`$[]<>{}|^")))
def test_text_without_marks_is_one_plain_run(text: str) -> None:
    assert "".join(run["plain_text"] for run in runs_of(text)) == text
    assert len(runs_of(text)) <= 1
