"""Ranking: what stands first for the ways in which students ask."""

import time
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.materials.search.library_index import LibraryIndex
from services.materials.search.relevance import merge_by_rank, search_index
from tests.services.materials.search.samples import library

MEMBRANES, ENZYMES = "Lecture 4: Membranes", "Lecture 5: Enzymes"
TODAY = date(2026, 11, 23)
LIBRARY = library()


def best(question: str, index: LibraryIndex | None = None) -> tuple[str, int] | None:
    hits = search_index(index or library(), question, today=TODAY)
    return (hits[0].material.title, hits[0].passage.page) if hits else None


@pytest.mark.parametrize(
    ("question", "title", "page"),
    [
        pytest.param("What is osmosis?", MEMBRANES, 2, id="a definition"),
        pytest.param("how do cells react in hypertonic solutions", MEMBRANES, 3, id="other endings"),
        pytest.param("¿Qué es la ósmosis?", MEMBRANES, 2, id="the same root in Spanish"),
        pytest.param("bomba de sodio", MEMBRANES, 4, id="a translation"),
        pytest.param("what inhibits colesterol sinthesis", ENZYMES, 3, id="typing errors"),
        pytest.param("fotosintesis", ENZYMES, 4, id="without accents"),
        pytest.param("photosynthesis", ENZYMES, 4, id="the same root in English"),
        pytest.param("explain slide 3 of lecture 4", MEMBRANES, 3, id="slide and lecture"),
        pytest.param("la diapositiva 3 de la clase 5", ENZYMES, 3, id="slide and lecture in Spanish"),
        pytest.param("slide 4 of Tuesday's lecture", MEMBRANES, 4, id="a day"),
        pytest.param("the second slide of lecture five", ENZYMES, 2, id="numbers in words"),
        pytest.param("activation energy", ENZYMES, 2, id="words in a row"),
    ],
)
def test_the_page_that_answers_stands_first(question: str, title: str, page: int) -> None:
    assert best(question) == (title, page)


@pytest.mark.parametrize("question", ["", "   ", "?!", "what is it", "zyxwv", "x" * 5000])
def test_a_question_without_anything_that_fits_finds_nothing(question: str) -> None:
    assert search_index(library(), question) == []


def test_an_empty_library_finds_nothing() -> None:
    assert search_index(LibraryIndex([]), "osmosis") == []


def test_a_title_page_does_not_stand_before_what_it_announces() -> None:
    assert best("membranes") != (MEMBRANES, 1)


def test_a_rare_word_counts_for_more_than_a_common_one() -> None:
    assert best("water and statins") == (ENZYMES, 3)


def test_words_in_a_row_count_for_more_than_the_same_apart() -> None:
    pages = ("The cell wall surrounds a plant's cells.", "A wall stood beside the prison, and a cell in it.")

    assert best("cell wall", library({"Notes": pages})) == ("Notes", 1)


def test_other_courses_are_left_out() -> None:
    index = library({"bio|Cells": ("Osmosis moves water.",), "chem|Solutions": ("Osmosis moves water.",)})

    hits = search_index(index, "osmosis", course_keys=["chem"])

    assert [hit.material.course_key for hit in hits] == ["chem"]


def test_each_page_is_told_once_with_its_best_passage() -> None:
    filler = "Words about the weather and the sea, one after another, and no end of them. " * 20
    index = library({"Reading": (f"{filler}\n\nOsmosis moves water.\n\n{filler}", filler)})

    hits = search_index(index, "osmosis")

    assert [hit.passage.page for hit in hits] == [1]
    assert hits[0].passage.start > 0


def test_a_blank_page_is_found_by_its_number() -> None:
    index = library({"Board photos of lecture 9": ("", "")})

    assert best("page 2 of lecture 9", index) == ("Board photos of lecture 9", 2)


def test_a_page_that_both_rankings_have_stands_before_one_that_only_one_has() -> None:
    first, second, third = search_index(library(), "water energy cell")[:3]

    merged = merge_by_rank([first, second], [replace(second, score=0.1), third])

    assert [hit.number for hit in merged] == [second.number, first.number, third.number]


@given(st.text(max_size=400))
def test_any_question_is_answered(question: str) -> None:
    hits = search_index(LIBRARY, question, today=TODAY)

    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.score > 0 for hit in hits)


def test_a_long_question_of_unknown_words_costs_little() -> None:
    index = library(
        {"Notes": tuple(" ".join(f"o{a}{b}{c}mosis" for c in "abcdefgh") for a in "aeiou" for b in "lmnrst")}
    )
    question = " ".join(f"o{a}{b}mosisz" for a in "bcdfgh" for b in "kpqvx")
    began = time.thread_time()

    search_index(index, question)

    assert time.thread_time() - began < 1
