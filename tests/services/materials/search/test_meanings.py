"""Meanings of passages: kept by their signs, merged with the words, and what has none loses nothing by it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.materials.search.library_index import IndexedMaterial, LibraryIndex
from services.materials.search.meanings import (
    Floats,
    QuestionMeaning,
    decode_meanings,
    encode_meanings,
    nearness,
    sentences,
    signs_of,
)
from services.materials.search.relevance import search_index
from tests.services.materials.search.samples import entries

SIZE = 64
CHANCE = np.random.default_rng(7)
QUESTION, OTHER = (QuestionMeaning(vector=vector) for vector in CHANCE.standard_normal((2, SIZE)).astype(np.float32))


def unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def meant(entry: IndexedMaterial, near: dict[int, Floats]) -> IndexedMaterial:
    """The material with meanings, by page; of the pages that are not named, some of their own."""
    count = len(entry.index.places)
    rows = [
        np.stack([near.get(entry.index.passage(at).page, CHANCE.standard_normal(SIZE).astype(np.float32))] * 2)
        for at in range(count)
    ]
    encoded = encode_meanings([signs_of(own) for own in rows], "m")
    return replace(entry, meanings=decode_meanings(encoded, model="m", passages=count))


def told(index: LibraryIndex, question: str, vector: QuestionMeaning | None) -> list[tuple[str, int]]:
    return [(hit.material.title, hit.passage.page) for hit in search_index(index, question, vector=vector)]


def test_signs_are_about_as_near_as_the_vectors() -> None:
    vectors = CHANCE.standard_normal((200, 384)).astype(np.float32)
    question = unit(vectors[0] + CHANCE.standard_normal(384).astype(np.float32) / 2)
    cosines = vectors @ question / np.linalg.norm(vectors, axis=1)

    found = nearness(signs_of(vectors), QuestionMeaning(vector=question))

    assert np.corrcoef(found, cosines)[0, 1] > 0.75
    assert int(np.argmax(found)) == 0


def test_meanings_are_read_as_they_were_written() -> None:
    passages = [signs_of(CHANCE.standard_normal((rows, SIZE)).astype(np.float32)) for rows in (2, 5, 3)]

    read = decode_meanings(encode_meanings(passages, "m"), model="m", passages=3)

    assert read is not None
    assert read.firsts.tolist() == [0, 2, 7, 10]
    assert np.array_equal(read.signs, np.concatenate(passages))


@pytest.mark.parametrize(
    ("model", "passages", "cut"), [("other", 1, 0), ("m", 2, 0), ("m", 1, 4), ("m", 1, 6)], ids=str
)
def test_what_does_not_fit_counts_as_none(model: str, passages: int, cut: int) -> None:
    encoded = encode_meanings([signs_of(CHANCE.standard_normal((2, SIZE)).astype(np.float32))], "m")

    assert decode_meanings(encoded[: len(encoded) - cut], model=model, passages=passages) is None


def test_a_page_is_found_by_meaning_that_has_none_of_the_words() -> None:
    first, second = entries()
    index = LibraryIndex([meant(first, {3: QUESTION.vector}), meant(second, {})])

    assert told(index, "zyxwv", QUESTION)[0] == (first.material.title, 3)
    assert told(index, "zyxwv", None) == []


def test_meaning_decides_between_pages_with_the_same_words() -> None:
    first, second = entries()
    index = LibraryIndex([meant(first, {4: QUESTION.vector}), meant(second, {})])

    assert told(index, "water", None)[0] != (first.material.title, 4)
    assert told(index, "water", QUESTION)[0] == (first.material.title, 4)


def test_what_has_no_meaning_yet_is_found_by_its_words() -> None:
    first, second = entries()
    index = LibraryIndex([first, meant(second, {})])

    assert told(index, "osmosis", QUESTION)[0] == (first.material.title, 2)


def test_without_any_meaning_words_alone_count() -> None:
    index = LibraryIndex(entries())

    assert told(index, "water", QUESTION) == told(index, "water", None)


def test_a_page_that_is_named_by_its_number_is_not_outdone_by_meaning() -> None:
    first, second = entries()
    index = LibraryIndex([meant(first, {4: QUESTION.vector}), meant(second, {})])

    assert told(index, "slide 2 of lecture 4", QUESTION)[0] == (first.material.title, 2)


def test_other_courses_are_not_found_by_meaning() -> None:
    first, second = entries()
    index = LibraryIndex([meant(first, {3: QUESTION.vector}), meant(second, {2: QUESTION.vector})])

    assert search_index(index, "osmosis", vector=QUESTION, course_keys=[]) == []


def test_sentences_that_say_nothing_by_themselves_are_left_out() -> None:
    assert sentences("See p. 4. Osmosis is the movement of water.\n\nHm.") == ["Osmosis is the movement of water."]
    assert sentences("pH 7") == ["pH 7"]


@given(st.text(max_size=300))
def test_any_question_is_ranked(question: str) -> None:
    first, second = entries()
    index = LibraryIndex([meant(first, {2: OTHER.vector}), second])

    hits = search_index(index, question, vector=OTHER)

    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({(hit.material.id, hit.passage.page) for hit in hits}) == len(hits)
