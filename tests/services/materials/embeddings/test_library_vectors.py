"""Search by meaning over a library: merged where it can be had, and plain search in every other case (T34, R80)."""

from pathlib import Path

import pytest

from services.files.upload import Upload
from services.materials.embeddings.library_vectors import AWAY_S, LibraryVectors
from services.materials.embeddings.voyage import VoyageEmbeddings, VoyageVectors
from services.safety.consent import withdrawn_consent
from tests.fakes import FakeDocuments
from tests.services.materials.embeddings.voyage_server import KEY, VoyageServer
from tests.services.materials.school import BIOLOGY, ROME, LibraryRoom, eventually


def room_with(voyage: VoyageServer, data_dir: Path, *, key: str = KEY) -> LibraryRoom:
    named = {"EMBEDDINGS_PROVIDER": "voyage", "EMBEDDINGS_API_KEY": key, "EMBEDDINGS_BASE_URL": voyage.address}
    room = LibraryRoom(FakeDocuments(), data_dir, settings=named)
    room.read_ahead(BIOLOGY)
    return room


def stored_vectors(room: LibraryRoom) -> int:
    documents = room.services.store.for_student(room.maya.id).find("material_indexes", {})
    return sum(bool(document.get("vectors")) for document in documents)


def found(room: LibraryRoom, question: str) -> list[str]:
    return [hit.page.text for hit in room.library.search(room.maya, question, course_keys=[BIOLOGY]).hits]


def test_what_words_do_not_find_is_found_by_meaning_from_the_second_search_on(
    voyage: VoyageServer, tmp_path: Path
) -> None:
    room = room_with(voyage, tmp_path)
    assert found(room, "thirst") == []
    eventually(lambda: stored_vectors(room) == 1)

    eventually(lambda: any("movement of water" in text for text in found(room, "thirst")[:1]))


def test_vectors_are_made_once(voyage: VoyageServer, tmp_path: Path) -> None:
    room = room_with(voyage, tmp_path)
    found(room, "osmosis")
    eventually(lambda: stored_vectors(room) == 1)
    for _ in range(3):
        found(room, "osmosis")

    assert sum(body["input_type"] == "document" for body in voyage.bodies) == 1


@pytest.mark.parametrize("failure", [(401, {}), (500, {}), (429, {})])
def test_without_the_api_words_alone_are_searched(
    voyage: VoyageServer, tmp_path: Path, failure: tuple[int, dict[str, str]]
) -> None:
    room = room_with(voyage, tmp_path)
    voyage.failures = [failure] * 99

    assert len(found(room, "osmosis")) == 1
    assert found(room, "osmosis") == found(room, "osmosis")
    assert len([body for body in voyage.bodies if body["input_type"] == "query"]) <= 1


def test_a_missing_key_is_plain_search_and_asks_nobody(voyage: VoyageServer, tmp_path: Path) -> None:
    room = room_with(voyage, tmp_path, key="")

    assert len(found(room, "osmosis")) == 1
    assert voyage.bodies == []


def test_nothing_is_sent_without_the_students_consent(voyage: VoyageServer, tmp_path: Path) -> None:
    room = room_with(voyage, tmp_path)
    withdrawn = withdrawn_consent(None, room.services.consents.terms.chat(), room.clock())
    room.services.students.set_consent(room.maya.id, withdrawn)

    assert len(found(room, "osmosis")) == 1
    assert voyage.bodies == []


def test_texts_of_an_account_are_sent_only_with_the_consent_to_it(voyage: VoyageServer, tmp_path: Path) -> None:
    room = room_with(voyage, tmp_path)
    added = room.library.add_upload(room.maya, BIOLOGY, Upload(name="rome.md", content=ROME))
    room.services.consents.withdraw(room.maya, "school")

    assert len(found(room, "osmosis")) == 1
    eventually(lambda: stored_vectors(room) == 1)
    (sent,) = (body["input"] for body in voyage.bodies if body["input_type"] == "document")
    assert all(text.startswith(added.title) for text in sent)


def test_the_consent_names_who_gets_the_texts(tmp_path: Path) -> None:
    with_voyage = LibraryRoom(
        FakeDocuments(),
        tmp_path,
        settings={"EMBEDDINGS_PROVIDER": "voyage", "EMBEDDINGS_API_KEY": KEY},
    )

    terms = with_voyage.services.consents.terms.chat()

    assert terms.text.endswith("it sends the text of those you use and your questions about them to Voyage AI.")
    assert any(recipient.startswith("Voyage AI") for recipient in terms.recipients)


def test_after_a_failure_the_api_is_left_alone_for_a_while(voyage: VoyageServer) -> None:
    now = [0.0]
    vectors = LibraryVectors(
        VoyageVectors(VoyageEmbeddings(KEY, voyage.address)), lambda *_: True, monotonic=lambda: now[0]
    )
    voyage.failures = [(500, {})]

    assert vectors.of_question("maya", "osmosis") is None
    assert vectors.of_question("maya", "osmosis") is None
    assert len(voyage.bodies) == 1

    now[0] += AWAY_S
    assert vectors.of_question("maya", "osmosis") is not None
