"""The stored form of a material's words, and how pages are divided into passages."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.materials.material import MaterialPage
from services.materials.search import material_index
from services.materials.search.library_index import IndexedMaterial, LibraryIndex
from services.materials.search.material_index import decode_index, index_text
from services.materials.search.passages import LONGEST, Passage, excerpt, split_passages
from services.materials.search.relevance import search_index
from tests.services.materials.search.samples import SLIDES, library, text_of


def test_an_index_is_the_same_when_it_comes_back_from_the_store() -> None:
    made = index_text(text_of(SLIDES["Lecture 4: Membranes"]))

    read = decode_index(made.encode())

    assert read.vocabulary.tolist() == made.vocabulary.tolist()
    assert read.tokens.tolist() == made.tokens.tolist()
    assert read.places.tolist() == made.places.tolist()
    assert read.words == made.words


def test_an_index_of_another_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = index_text(text_of(["Osmosis"])).encode()
    monkeypatch.setattr(material_index, "FORMAT", material_index.FORMAT + 1)

    with pytest.raises(ValueError, match="format"):
        decode_index(encoded)


@pytest.mark.parametrize("cut", [1, 20, 60, 200, -1])
def test_a_damaged_index_is_refused(cut: int) -> None:
    whole = base64.b64decode(index_text(text_of(SLIDES["Lecture 4: Membranes"])).encode())

    with pytest.raises(ValueError, match="index is"):
        decode_index(base64.b64encode(whole[:cut]).decode())


def test_an_index_takes_less_than_the_text() -> None:
    page = " ".join(f"word{number} and the osmosis of cells," for number in range(100))
    text = text_of([page] * 20)

    assert len(index_text(text).encode()) < sum(len(page.text) for page in text.pages) / 2


def test_notes_of_a_slide_are_found() -> None:
    text = text_of(["The pump", "Carriers"], notes=["", "Jens Skou found it in crab nerves."])
    index = LibraryIndex([IndexedMaterial(material=library().materials[0], index=index_text(text))])

    (hit,) = search_index(index, "crab nerves")

    assert hit.passage.of(text.pages[1]) == "Jens Skou found it in crab nerves."


@given(st.lists(st.text(alphabet="ab .\n¿é漢", max_size=4000), max_size=4))
def test_passages_hold_every_word_once_and_none_is_too_long(texts: list[str]) -> None:
    pages = [MaterialPage(number=number, text=text) for number, text in enumerate(texts, start=1)]

    passages = list(split_passages(pages))

    for page in pages:
        own = [passage for passage in passages if passage.page == page.number]
        assert own
        assert "".join("".join(passage.of(page).split()) for passage in own) == "".join(page.text.split())
        assert all(passage.end - passage.start <= LONGEST for passage in own)


@given(st.lists(st.text(max_size=600), max_size=4))
def test_any_text_is_indexed_and_read_back(texts: list[str]) -> None:
    made = decode_index(index_text(text_of(texts)).encode())

    assert sum(made.places[:, 4].tolist()) == len(made.tokens)
    assert set(made.places[:, 0].tolist()) == set(range(1, len(texts) + 1))


def test_an_excerpt_has_its_neighbours_and_tells_where_the_page_goes_on() -> None:
    page = MaterialPage(number=1, text=f"{'before ' * 300}Osmosis moves water. {'after ' * 300}".strip())
    start = page.text.index("Osmosis")

    found = excerpt(page, Passage(page=1, start=start, end=start + 20), around=30)

    assert found == "…before before before before Osmosis moves water. after after after after…"
