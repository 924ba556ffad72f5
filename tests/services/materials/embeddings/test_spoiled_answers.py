"""An answer of Voyage's that is none gives no vectors, and breaks nothing but this request."""

from services.materials.embeddings.voyage import VoyageEmbeddings
from tests.services.materials.embeddings.voyage_server import KEY, VoyageServer
from tests.spoiled_bodies import SPOILED, called_unavailable, spoiled_bodies


@spoiled_bodies()
def test_no_vectors_come_from_a_spoiled_answer(voyage: VoyageServer, body: str) -> None:
    voyage.garbled = SPOILED[body]
    embeddings = VoyageEmbeddings(KEY, voyage.address, sleep=[].append)

    with called_unavailable(f"of a question, {body!r}"):
        embeddings.query("osmosis", within_s=5)
    with called_unavailable(f"of passages, {body!r}"):
        embeddings.documents(["osmosis"])
