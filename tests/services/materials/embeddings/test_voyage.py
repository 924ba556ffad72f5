"""The client of Voyage's API, against a server that answers and fails as Voyage does."""

import pytest

from services.errors import AnswerUnreadable, ServiceUnavailable, Throttled
from services.materials.embeddings.voyage import DIMENSIONS, MOST_TEXTS, VoyageEmbeddings
from services.materials.search.vectors import decode_vectors, encode_vectors, similarities
from tests.services.materials.embeddings.voyage_server import KEY, VoyageServer


def client(voyage: VoyageServer, *, key: str = KEY, waits: list[float] | None = None) -> VoyageEmbeddings:
    return VoyageEmbeddings(key, voyage.address, sleep=(waits if waits is not None else []).append)


def test_vectors_come_in_the_order_of_their_texts_in_batches(voyage: VoyageServer) -> None:
    texts = [*["osmosis"] * MOST_TEXTS, "rome"]

    vectors = client(voyage).documents(texts)

    assert vectors.shape == (MOST_TEXTS + 1, DIMENSIONS)
    assert [len(body["input"]) for body in voyage.bodies] == [MOST_TEXTS, 1]
    assert vectors[0].argmax() == 0
    assert vectors[-1].argmax() == 1


def test_long_texts_go_in_more_requests(voyage: VoyageServer) -> None:
    client(voyage).documents(["osmosis " * 10_000] * 3)

    assert [len(body["input"]) for body in voyage.bodies] == [1, 1, 1]


def test_a_question_is_sent_as_a_question(voyage: VoyageServer) -> None:
    vector = client(voyage).query("thirst", within_s=5)

    assert voyage.bodies[0]["input_type"] == "query"
    assert vector.shape == (1, DIMENSIONS)


def test_fractions_of_a_gateway_are_rounded_to_bytes_with_the_same_direction(voyage: VoyageServer) -> None:
    whole = client(voyage).query("osmosis of salt water", within_s=5)
    voyage.as_fractions = True

    rounded = client(voyage).query("osmosis of salt water", within_s=5)

    assert similarities(rounded, whole)[0] == pytest.approx(1, abs=0.01)


def test_a_busy_api_is_asked_again_after_as_long_as_it_says(voyage: VoyageServer) -> None:
    waits: list[float] = []
    voyage.failures = [(429, {"Retry-After": "7"}), (503, {})]

    vectors = client(voyage, waits=waits).documents(["osmosis"])

    assert len(vectors) == 1
    assert waits == [7, 4]


def test_an_api_that_stays_busy_is_given_up(voyage: VoyageServer) -> None:
    voyage.failures = [(429, {})] * 9

    with pytest.raises(Throttled):
        client(voyage).documents(["osmosis"])

    assert len(voyage.bodies) == 3


def test_a_question_is_asked_once(voyage: VoyageServer) -> None:
    voyage.failures = [(503, {})]

    with pytest.raises(Throttled):
        client(voyage).query("osmosis", within_s=5)

    assert len(voyage.bodies) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 302])
def test_a_refusal_tells_neither_the_key_nor_the_texts_and_is_not_repeated(voyage: VoyageServer, status: int) -> None:
    voyage.failures = [(status, {"Location": f"{voyage.address}/elsewhere"})]

    with pytest.raises(ServiceUnavailable) as refused:
        client(voyage).documents(["a secret diary"])

    assert not isinstance(refused.value, Throttled)
    assert "secret" not in repr(refused.value)
    assert len(voyage.bodies) == 1


@pytest.mark.parametrize(
    "garbled",
    [
        "",
        "<html>",
        "{}",
        '{"data": [{"index": 0, "embedding": [1, 2]}]}',
        '{"data": [{"index": 0, "embedding": null}]}',
    ],
)
def test_an_answer_that_holds_no_vectors_is_said_so(voyage: VoyageServer, garbled: str) -> None:
    voyage.garbled = garbled

    with pytest.raises(AnswerUnreadable):
        client(voyage).documents(["osmosis"])


def test_an_api_that_hangs_is_left_in_time(voyage: VoyageServer) -> None:
    voyage.gate.clear()

    with pytest.raises(Throttled):
        client(voyage).query("osmosis", within_s=0.2)


def test_an_api_that_is_not_there_is_said_so() -> None:
    with pytest.raises(Throttled):
        VoyageEmbeddings(KEY, "http://127.0.0.1:9/v1").query("osmosis", within_s=1)


def test_stored_vectors_come_back_and_those_of_another_model_or_division_do_not(voyage: VoyageServer) -> None:
    vectors = client(voyage).documents(["osmosis", "rome"])

    encoded = encode_vectors(vectors, "voyage-4-lite")

    read = decode_vectors(encoded, model="voyage-4-lite", passages=2)
    assert read is not None
    assert read.tolist() == vectors.tolist()
    assert decode_vectors(encoded, model="voyage-5", passages=2) is None
    assert decode_vectors(encoded, model="voyage-4-lite", passages=3) is None
    assert decode_vectors("", model="voyage-4-lite", passages=2) is None
    assert decode_vectors(encoded[:-5], model="voyage-4-lite", passages=2) is None
