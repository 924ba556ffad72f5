import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments, RequestRefused
from services.integrations.writing import grammar, grammar_check, readability_analyzer
from services.tools.result import ToolResult
from services.tools.tool import Tool
from tests import tool_calls

EASY = "The cat sat on the mat. It slept. Then it ran to us."
HARD = (
    "Notwithstanding considerable methodological heterogeneity, contemporary epistemological investigations "
    "characteristically presuppose institutionally mediated conceptualisations whose genealogical particularities, "
    "however extensively documented, remain fundamentally undertheorised within comparative historiographical "
    "scholarship and its constitutive interdisciplinary controversies, as several dissenting commentators argue."
)


def run(tool: Tool, **arguments: Any) -> ToolResult:
    return tool_calls.run(tool, arguments)


def test_each_mistake_is_shown_in_its_place_with_what_could_stand_there() -> None:
    result = run(grammar_check, text="This is an test of the the checker. She recieve it.")

    assert result.output.startswith("3 likely mistakes in 11 words (Harper, offline).")
    assert "— This is [an] test of the the checker. She…" in result.output
    assert {mistake["words"]: mistake["suggestions"][0] for mistake in result.data["mistakes"]}["the the"] == "the"


def test_a_place_is_counted_in_characters_of_the_text_whatever_stands_before_it() -> None:
    text = "👩‍🎓 Ünïcode first. This is an test."
    (mistake,) = [mistake for mistake in run(grammar_check, text=text).data["mistakes"] if mistake["words"] == "an"]

    assert text[mistake["start"] : mistake["end"]] == "an"


def test_a_long_text_is_checked_in_parts_and_its_places_are_those_of_the_whole() -> None:
    text = "The cat sat on the mat. " * 400 + "This is an test."
    result = run(grammar_check, text=text)

    assert "".join(grammar.text_pieces(text)) == text
    assert max(len(piece) for piece in grammar.text_pieces("(" * 9_999)) == grammar.PIECE
    assert [text[mistake["start"] : mistake["end"]] for mistake in result.data["mistakes"]] == ["an"]
    assert not result.is_partial


def test_what_could_not_be_checked_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "LONGEST_S", -1.0)
    result = run(grammar_check, text="The cat sat on the mat. " * 400)

    assert result.is_partial
    assert "Note: only the first 3,983 of 9,599 characters were checked in time." in result.output


def test_a_text_without_mistakes_says_so() -> None:
    assert run(grammar_check, text="The cat sat on the mat.").output.startswith("No likely mistakes in 6 words")


@pytest.mark.parametrize(
    "text",
    [
        "Ayer yo fui a la tienda y compre pan",
        "La mitosis es el proceso por el cual una célula se divide en dos células hijas idénticas.",
        "Gestern ging ich in den Laden und kaufte Brot für meine Mutter.",
    ],
)
def test_a_text_that_is_not_english_is_refused_instead_of_called_wrong(text: str) -> None:
    with pytest.raises(RequestRefused, match="only English can be checked"):
        run(grammar_check, text=text)


@pytest.mark.parametrize(
    "text",
    [
        "Ayer fui a la tienda",
        "Mitochondria produce ATP; ribosomes synthesize proteins; Golgi packages vesicles.",
        "teh qick brwon fox jmups ovr the lzay dgo evry dya",
    ],
)
def test_few_words_terms_and_bad_spelling_are_checked_all_the_same(text: str) -> None:
    assert run(grammar_check, text=text).success


def test_what_the_rules_do_not_cover_is_left_to_the_reader_and_said() -> None:
    """Harper finds nothing here; the model is told where to look for itself."""
    result = run(grammar_check, text="Me and him goes to school.")

    assert result.output.startswith("No likely mistakes")
    assert result.output.endswith(grammar.COVERAGE)


def test_the_dialect_decides_what_a_mistake_is() -> None:
    spelled = "The colour of the theatre is grey."

    assert run(grammar_check, text=spelled, dialect="british").data["total"] == 0
    assert run(grammar_check, text=spelled, dialect="american").data["total"] > 0


def test_many_mistakes_are_cut_with_a_note() -> None:
    result = run(grammar_check, text="This is an test.\n\n" * 100)

    assert result.data["total"] == 100
    assert "Note: only the first 60 of 100 are shown." in result.output.splitlines()


def test_many_students_may_ask_at_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        totals = set(pool.map(lambda _: run(grammar_check, text="This is an test.").data["total"], range(16)))

    assert totals == {1}


def test_a_short_plain_text_is_easier_than_a_learned_sentence() -> None:
    easy, hard = run(readability_analyzer, text=EASY).data, run(readability_analyzer, text=HARD).data

    assert (easy["level"], hard["level"]) == ("easy", "very hard")
    assert (easy["words"], easy["sentences"]) == (13, 3)
    assert easy["ease"] > 90


def test_a_sentence_that_is_too_long_is_shown() -> None:
    result = run(readability_analyzer, text=f"{EASY} {HARD}")

    assert result.data["long_sentences"] == 1
    assert "in one sentence: “Notwithstanding considerable" in result.output


def test_spanish_has_its_own_formula() -> None:
    result = run(readability_analyzer, text="La casa es grande. El gato duerme en la cama.", language="es")

    assert result.data["formula"] == "Fernández Huerta"
    assert result.data["syllables"] == 15
    assert "school grade" not in result.output


@pytest.mark.parametrize("text", ["", "   ", "123 456", "...!!!"])
def test_a_text_without_words_is_refused(text: str) -> None:
    with pytest.raises(BadArguments):
        run(readability_analyzer, text=text)


def readable() -> st.SearchStrategy[str]:
    """What a person can write, and too few words of it to tell its language."""
    signs = st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t")
    return st.text(signs, min_size=1, max_size=300).filter(lambda text: len(text.split()) < grammar.FEWEST_WORDS)


@given(readable())
def test_no_text_breaks_either_tool(text: str) -> None:
    for tool, is_enough in ((grammar_check, text.strip()), (readability_analyzer, re.search(r"[^\W\d_]", text))):
        with nullcontext() if is_enough else pytest.raises(BadArguments, match=r"no words|empty"):
            assert run(tool, text=text).success
