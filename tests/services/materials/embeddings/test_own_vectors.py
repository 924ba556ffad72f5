"""Search by meaning that is made on this machine: from the second search on, and words alone without the model."""

from pathlib import Path

import pytest

from services.errors import ServiceUnavailable
from services.materials.embeddings import own_vectors, sentence_encoder
from services.materials.embeddings.library_vectors import PassageText
from services.materials.embeddings.own_vectors import OwnVectors
from tests.fakes import FakeDocuments
from tests.services.materials.school import BIOLOGY, LibraryRoom, eventually

SWELLS = "why does it swell when there is too much fluid around it"
CELLS = (
    b"# Burst\n\nIn pure water an animal cell takes up so much that it bursts.\n\n# Sugar\n\nGlucose has six carbons.\n"
)
PASSAGES = [
    PassageText(label="Osmosis", text="Osmosis is the movement of water. It needs no energy at all."),
    PassageText(label="", text=""),
]


def room_here(data_dir: Path) -> LibraryRoom:
    room = LibraryRoom(FakeDocuments(), data_dir, settings={"EMBEDDINGS_PROVIDER": ""})
    room.school.put(BIOLOGY, "lecture-2", CELLS)
    room.read_ahead(BIOLOGY)
    return room


def found(room: LibraryRoom, question: str) -> list[str]:
    return [hit.page.text for hit in room.library.search(room.maya, question, course_keys=[BIOLOGY]).hits]


def stored_vectors(room: LibraryRoom) -> int:
    documents = room.services.store.for_student(room.maya.id).find("material_indexes", {})
    return sum(bool(document.get("vectors")) for document in documents)


def test_what_words_do_not_find_is_found_by_meaning_from_the_second_search_on(tmp_path: Path) -> None:
    room = room_here(tmp_path)
    found(room, SWELLS)
    eventually(lambda: stored_vectors(room) == 2)

    eventually(lambda: any("animal cell" in text for text in found(room, SWELLS)[:1]))


def test_nobody_is_named_who_gets_the_texts(tmp_path: Path) -> None:
    terms = room_here(tmp_path).services.consents.terms.chat()

    assert "Voyage" not in f"{terms.text} {terms.recipients}"


def test_without_the_model_words_alone_are_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_encoder, "PACKAGE", "homeroom_has_no_such_package")
    room = room_here(tmp_path)

    assert "movement of water" in found(room, "osmosis")[0]
    assert stored_vectors(room) == 0


def test_a_question_in_spanish_is_read_in_english_and_trusted_less() -> None:
    spanish, english, other = (
        OwnVectors().of_question(question)
        for question in (
            "¿Por qué crecen las plantas en el agua?",
            "Why do plants grow in water?",
            "Who signed the treaty of Versailles?",
        )
    )

    assert spanish.trust < english.trust == 1
    assert spanish.vector @ english.vector > 0.6 > spanish.vector @ other.vector


def test_the_same_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = OwnVectors()
    made = vectors.of_material("Lecture 4", PASSAGES)
    monkeypatch.setattr(own_vectors, "_asked", lambda _rows: pytest.fail("The text was read anew."))

    assert vectors.of_material("Lecture 4", PASSAGES) == made


def test_a_process_that_ends_is_told_as_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_vectors, "LIMIT_S", 0.0)
    own_vectors._processes.cache_clear()

    with pytest.raises(ServiceUnavailable):
        OwnVectors().of_material("Lecture 4", PASSAGES)

    own_vectors._processes.cache_clear()
