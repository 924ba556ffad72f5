"""Rows of an answer: what a model lists with a link and facts is drawn as rows, and nothing else is."""

import pytest

from services.conversations.answer_rows import has_rows, split_rows
from services.safety.markdown.sanitiser import sanitise

URL = "https://canvas.example.edu/courses/1/assignments/2"
TONES = {"BIOL 201: Cell Biology": 3}
LISTED = f"Here:\n\n- **Lab 6** — BIOL 201: Cell Biology — due 5:00 PM CST — 40 points — [open]({URL})\n\nThat is all."


def rows_of(text: str) -> str:
    pieces = split_rows(sanitise(text, allowed=frozenset({URL})), TONES)
    return "".join(piece.rows for piece in pieces)


def test_a_line_of_dashes_becomes_a_title_that_is_the_link_and_one_line_of_facts() -> None:
    pieces = split_rows(sanitise(LISTED, allowed=frozenset({URL})), TONES)

    assert [piece.markdown.strip() for piece in pieces] == ["Here\\:", "", "That is all."]
    assert pieces[1].rows == (
        '<ul class="answer-rows" role="list"><li class="tone-3"><strong>'
        f'<a href="{URL}" target="_blank" rel="noopener noreferrer nofollow">Lab 6</a></strong>'
        "<br><small>BIOL 201 · due 5:00 PM CST · 40 points</small></li></ul>"
    )


@pytest.mark.parametrize(
    "line",
    [
        f"- [Lab 6]({URL}) — due Friday",
        f"- **[Lab 6]({URL})** — BIOL 201 — due Friday",
        f"- Lab 6 — due Friday — [open]({URL})",
        f"- **Lab 6** — quiz — due Friday — [open]({URL})\n- **My own task** — due Monday",
    ],
)
def test_other_ways_to_write_it_are_rows_as_well(line: str) -> None:
    assert f'<a href="{URL}"' in rows_of(line)


@pytest.mark.parametrize(
    "text",
    [
        "- **Osmosis** — water moves through a membrane",
        "- Lab 6 — due Friday",
        f"- See [the syllabus]({URL}) first — it says how",
        f"- **Lab 6** — due Friday — [open]({URL})\n- and a plain line",
        f"- **Lab 6** — due Friday — [open]({URL})\n  - and what is below it",
        f"- **Lab 6** — {'a long summary of what it asks ' * 5} — [open]({URL})",
        f"1. **Lab 6** — due Friday — [open]({URL})",
        "- **Lab 6** — due Friday — [open](https://elsewhere.example.com/)",
    ],
)
def test_whatever_else_is_written_stays_the_list_that_it_is(text: str) -> None:
    assert rows_of(text) == ""


def test_strangers_words_stay_words_in_a_row() -> None:
    written = rows_of(f'- **<img src=x onerror=alert(1)> {{{{ x }}}}** — `<b>` & " — [open]({URL})')

    assert "<img" not in written
    assert "<b>" not in written
    assert "&lt;img" in written


def test_an_item_that_has_only_begun_joins_the_rows_as_it_grows() -> None:
    grown = sanitise(f"- **Lab 6** — due Friday — [open]({URL})\n- **Quiz", allowed=frozenset({URL}))

    assert has_rows(f"- **Quiz 5** — due — [open]({URL})")
    growing = split_rows(grown.replace(r"\*\*Quiz", "**Quiz**"), TONES, is_growing=True)
    assert sum(piece.rows.count("<li") for piece in growing) == 2


def test_an_unknown_course_has_a_short_name_and_no_colour_of_its_own() -> None:
    written = rows_of(f"- **Essay** — discussion — WRIT 110: College Writing — [open]({URL})")

    assert '<li class="tone-plain">' in written
    assert "<small>WRIT 110 · discussion</small>" in written


def test_grades_have_their_score_in_a_column_and_the_colour_of_their_course() -> None:
    final = "67.63 % (D) if everything without a grade stays at zero"
    line = f"- **BIOL 201: Cell Biology** — 91.35 % (A-) now — {final} — [open]({URL})"

    written = rows_of(line)

    assert '<li class="tone-3"><strong><a href=' in written
    assert "BIOL 201: Cell Biology</a></strong> <span>91.35 % (A-)</span><br>" in written
    assert f"<small>now · {final}</small>" in written


@pytest.mark.parametrize(
    ("fact", "score"),
    [
        ("18 of 20 points", "18 of 20 points"),
        ("18 de 20 puntos", "18 de 20 puntos"),
        ("91,35 %", "91,35 %"),
        ("B+", "B+"),
        ("20 % of the grade", ""),
        ("40 points", ""),
        ("11/29", ""),
        ("3 of 5", ""),
        ("Due Friday", ""),
    ],
)
def test_a_score_is_what_was_reached_and_no_date_or_weight(fact: str, score: str) -> None:
    written = rows_of(f"- **Quiz 5** — {fact} — [open]({URL})")

    assert (f"<span>{score}</span>" in written) == bool(score)
    assert ("<span>" in written) == bool(score)


TABLE = f"""| Course | Grade | Details | In Canvas |
|---|---|---|---|
| **BIOL 201: Cell Biology** | 91.35 % (A-) now | last graded: Quiz 5 | [open]({URL}) |
| **WRIT 110** | nothing counts yet | | [open]({URL}) |"""


def test_a_table_of_links_and_scores_is_rows_also_while_it_grows() -> None:
    written = rows_of(TABLE)
    assert written.count("<li") == 2
    assert "<span>91.35 % (A-)</span><br><small>now · last graded: Quiz 5</small>" in written
    assert "<small>nothing counts yet</small>" in written

    grown = sanitise(TABLE.rpartition(" [open]")[0], allowed=frozenset({URL}))
    assert "".join(piece.rows for piece in split_rows(grown, TONES, is_growing=True)).count("<li") == 1


@pytest.mark.parametrize(
    "table",
    [
        f"| Course | Now | At zero | Link |\n|---|---|---|---|\n| **A** | 91 % | 67 % | [open]({URL}) |",
        "| Course | Grade | Details |\n|---|---|---|\n| **A** | 91 % | Quiz 5 |",
        f"| Course | Grade |\n|---|---|\n| [A]({URL}) | 91 % |",
        f"| Term | Meaning | Where |\n|---|---|---|\n| **Osmosis** | water moves | [open]({URL}) |",
    ],
)
def test_a_table_of_several_figures_or_without_links_stays_a_table(table: str) -> None:
    assert rows_of(table) == ""


def test_a_link_of_its_own_joins_rows_that_have_facts_and_is_none_by_itself() -> None:
    bare, other = f"- [Study osmosis with me]({URL})", f"- **Osmosis** — 4 cards due — [open]({URL})"

    assert rows_of(f"{other}\n{bare}").count("<li") == 2
    assert rows_of(bare) == ""
    assert rows_of(f"- **Osmosis** — [study with me]({URL})").count("<li") == 1
