"""Questions in Spanish over pages in English: their words are looked for in English, too."""

import pytest

from services.i18n.search_tokens import search_tokens
from services.materials.search.relevance import search_index
from services.materials.search.stems import question_language
from services.materials.search.translations import SAME, english_words, in_english
from tests.services.materials.search.samples import library

PAGES = {
    "Lecture 2": (
        "Bonds\nA hydrogen bond is weak.",
        "Ice floats\nLakes freeze from the top in winter.",
        "Winds\nA cold wind blows from the lake.",
    ),
    "Lecture 9": ("Trials\nThe captain was sent to an island.", "Press\nA newspaper printed the letter."),
}


@pytest.mark.parametrize(
    ("question", "title", "page"),
    [
        ("¿por qué se congelan los lagos en invierno?", "Lecture 2", 2),
        ("la carta del periódico", "Lecture 9", 2),
        ("a qué isla mandaron al capitán", "Lecture 9", 1),
    ],
)
def test_a_question_in_spanish_finds_the_page_in_english(question: str, title: str, page: int) -> None:
    hits = search_index(library(PAGES), question)

    assert [(hit.material.title, hit.passage.page) for hit in hits[:1]] == [(title, page)]


def test_a_question_in_english_is_not_translated() -> None:
    hits = search_index(library({"A": ("A net and a grid of wires.", "A red carpet.")}), "where is the red one?")

    assert [hit.passage.page for hit in hits] == [2]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("modelo de mosaico fluido", "es"),
        ("diferencia entre parámetro y argumento", "es"),
        ("difference between parameter and argument", "en"),
        ("osmosis", "en"),
        ("the Treaty of Saint-Germain and de Gaulle", "en"),
    ],
)
def test_one_word_tells_the_language_of_a_short_question(question: str, language: str) -> None:
    assert question_language(search_tokens(question)) == language


def test_a_question_is_put_into_english_word_by_word() -> None:
    assert in_english(["zyxwv", "celula", "agua"]) == "zyxwv cell water"
    assert english_words("zyxwv") == []
    assert english_words("agua")[0].weight == SAME
