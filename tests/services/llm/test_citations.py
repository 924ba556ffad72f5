"""Results that can be cited, and citations on their way through the store."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.llm.citations import (
    LONGEST_QUOTE,
    Citation,
    Source,
    citable_blocks,
    quoted_lines,
    read_citations,
    shorten_quote,
    with_short_results,
    without_search_results,
    write_citations,
)
from services.llm.messages import result_block, result_text

LAB = Source(title="Lab report 6", url="https://canvas.example/a/6")
OUTPUT = f"1 assignment (Canvas, as of 10:42).\n- **Lab report 6** — [open]({LAB.url}) (id: 6)\nNote: one is missing."


def test_a_line_that_links_to_a_source_can_be_cited_and_the_rest_is_text() -> None:
    first, item, note = citable_blocks(OUTPUT, [LAB])

    assert (first["text"], note["text"]) == ("1 assignment (Canvas, as of 10:42).", "Note: one is missing.")
    assert (item["type"], item["source"], item["title"]) == ("search_result", LAB.url, "Lab report 6")
    assert item["content"] == [{"type": "text", "text": OUTPUT.splitlines()[1]}]
    assert item["citations"] == {"enabled": True}


def test_an_address_that_only_begins_like_a_source_is_another_one() -> None:
    (block,) = citable_blocks(f"- [open]({LAB.url}0)", [LAB])

    assert block["type"] == "text"


@given(st.text(alphabet="ab \n", max_size=40), st.booleans())
def test_the_blocks_say_what_the_output_says(text: str, has_item: bool) -> None:
    output = f"{text}\n- x [open]({LAB.url})\n{text}" if has_item else text
    blocks = citable_blocks(output, [LAB])

    said = result_text(result_block("t", output, blocks=blocks))
    assert [line for line in said.splitlines() if line.strip()] == (
        [line for line in output.splitlines() if line.strip()] or ["(no output)"]
    )
    assert all(block["text"].strip() for block in blocks if block["type"] == "text")


def test_for_a_model_that_takes_no_citations_all_is_text() -> None:
    message = {"role": "user", "content": [result_block("t", OUTPUT, blocks=citable_blocks(OUTPUT, [LAB]))]}

    (plain,) = without_search_results([message])

    assert {part["type"] for part in plain["content"][0]["content"]} == {"text"}
    assert result_text(plain["content"][0]) == OUTPUT


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ("- **Lab report 6** — BIOL 201 — due Fri — [open]({url}) (id: 6)", "- BIOL 201 — due Fri (id: 6)"),
        ("- **Lab report 6** — [open]({url}) (id: 6)", "- (id: 6)"),
        ("2. **Lab report 6** — BIOL 201 — [open]({url})", "2. BIOL 201"),
        ("- **Lab report 6** — “On Lab report 6” — [open]({url}) (id: 1)", "- “On Lab report 6” (id: 1)"),
        ("  - Wed 25 Nov — [open]({url}) (id: 6)", "  - Wed 25 Nov (id: 6)"),
        ("- **Group: Labs** — 20 % — [open]({url}) (id: 6)", "- **Group: Labs** — 20 % (id: 6)"),
        ("- **Lab report 6** — [open]({url})", "- **Lab report 6** — [open]({url})"),
        ("Read [open]({url}) first", "Read [open]({url}) first"),
    ],
)
def test_what_a_block_has_as_title_and_source_its_line_does_not_say_again(line: str, short: str) -> None:
    output = line.format(url=LAB.url)
    message = {"role": "user", "content": [result_block("t", output, blocks=citable_blocks(output, [LAB]))]}

    (told,) = with_short_results([message])
    (plain,) = without_search_results([told])

    (part,) = told["content"][0]["content"]
    assert part["content"][0]["text"] == short.format(url=LAB.url)
    assert (part["title"], part["source"]) == (LAB.title, LAB.url)
    if "**" in line:
        assert result_text(plain["content"][0]) == output


def test_citations_survive_the_store() -> None:
    cited = {0: [Citation(at=5, source=LAB, quote="Due Monday")], 2: [Citation(at=9, source=LAB)]}

    written = write_citations(cited)

    assert {number: list(read_citations(written, number)) for number in (0, 2)} == cited
    assert read_citations(written, 1) == ()


@given(st.text(alphabet="ab \n", max_size=3 * LONGEST_QUOTE))
def test_a_short_quote_is_whole_and_a_long_one_has_its_beginning_and_its_end(words: str) -> None:
    line = " ".join(words.split())

    short = shorten_quote(words)

    begin, cut, end = short.partition(" … ")
    assert len(short) <= LONGEST_QUOTE
    assert line.startswith(begin)
    assert line.endswith(end)
    assert bool(cut) == (len(line) > LONGEST_QUOTE)


def test_quoted_lines_below_a_source_are_a_block_for_each_paragraph_of_it() -> None:
    quoted = "\n".join(
        quoted_lines("# Osmosis\n\nWater moves\n  towards more solute.\n\nSee (https://canvas.example/a/6)")
    )
    output = f"1 page.\n- **Lab report 6** — 2 of 3 — [open]({LAB.url})\n{quoted}\nNote: 2 more."

    before, page, after = citable_blocks(output, [LAB])

    assert (before["text"], after["text"]) == ("1 page.", "Note: 2 more.")
    assert [part["text"] for part in page["content"][1:]] == [
        "# Osmosis", "Water moves\n  towards more solute.", "See (https://canvas.example/a/6)",
    ]  # fmt: skip


@given(st.lists(st.text(alphabet="ab>-* (\n", min_size=1, max_size=20), max_size=4))
def test_a_quotation_comes_back_as_it_was_for_a_model_that_takes_no_citations(paragraphs: list[str]) -> None:
    quoted = quoted_lines("\n\n".join(paragraphs))
    output = "\n".join([f"- **Lab report 6** — 2 of 3 — [open]({LAB.url})", *quoted])
    message = {"role": "user", "content": [result_block("t", output, blocks=citable_blocks(output, [LAB]))]}

    (plain,) = without_search_results(with_short_results([message]))

    told = [line for line in result_text(plain["content"][0]).splitlines() if line.strip("> ")]
    assert told == [line for line in output.splitlines() if line.strip("> ")]
