"""An answer about a material, word for word as the Messages API streams it: pages, citations, a picture refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.model.blocks import check_messages
from services.conversations.items import AssistantText
from services.conversations.turn_records import TurnStatus
from services.llm.anthropic_model import AnthropicModel
from services.llm.chat_model import ModelRequest
from services.materials.material import MaterialKind
from tests.anthropic_server import START, AnthropicServer, Refusal, call, end, event, text
from tests.material_fakes import SHELF, FakeLibrary, deck, material
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store

ASKED = {"material": "membranes", "pages": "2-3"}


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    made = AnthropicServer()
    yield made
    made.stop()


def cites(source: str, title: str, cited: str, *words: str) -> list[dict[str, Any]]:
    """A text block with a citation, in the order of https://docs.claude.com/en/docs/build-with-claude/search-results."""
    location = {
        "type": "search_result_location", "source": source, "title": title, "cited_text": cited,
        "search_result_index": 0, "start_block_index": 2, "end_block_index": 3,
    }  # fmt: skip
    block = event("content_block_start", index=1, content_block={"type": "text", "text": "", "citations": []})
    cited_by = event("content_block_delta", index=1, delta={"type": "citations_delta", "citation": location})
    said = [event("content_block_delta", index=1, delta={"type": "text_delta", "text": word}) for word in words]
    return [block, cited_by, *said, event("content_block_stop", index=1)]


def streamed(model: AnthropicModel, request: ModelRequest) -> list[Any]:
    """The reply of the real client, as a step of the room's script."""
    pieces: list[Any] = []

    def take(piece: str) -> bool:
        pieces.append(piece)
        return True

    reply = model.stream(request, take)
    return [*filter(None, pieces), reply]


def test_a_page_is_read_cited_and_opened_and_a_refused_picture_is_told_in_words(
    room: RoomMaker, server: AnthropicServer
) -> None:
    model = AnthropicModel(api_key="key", base_url=server.url)
    maya = room(lambda request: streamed(model, request))
    library = FakeLibrary(courses_there=[SHELF])
    scan = deck("Title", "Osmosis\nWater moves towards more solute.", "")
    library.add(material("shelf-1.upload-1", "Membranes", kind=MaterialKind.UPLOAD, module=""), scan)
    maya.services.materials = library
    url = f"{maya.services.settings.public_url}/materials?open=shelf-1.upload-1&page=2"
    quoted = "Water moves towards more solute."
    cited = cites(url, "Membranes — slide 2", quoted, "water follows ", "the solute.")
    server.script = [
        [START, *call("materials_read", json.dumps(ASKED)), *end("tool_use")],
        Refusal(400, "invalid_request_error", "messages.2.content.0.tool_result.content.4.image: not supported"),
        [START, *text("In short: "), *cited, *end("end_turn")],
    ]

    _, last = maya.ask("Explain slides 2 and 3 of the membranes deck")

    with_picture, in_words = (list(request["messages"]) for request in server.requests[1:])
    for messages in (with_picture, in_words):
        check_messages(messages)
    sent = with_picture[-1]["content"][-1]["content"]
    page = next(part for part in sent if part["type"] == "search_result")
    assert last.status is TurnStatus.DONE
    assert (page["source"], page["title"]) == (url, "Membranes — slide 2")
    assert [part["text"] for part in page["content"]] == ["- 2 of 3 — “Osmosis”", "Osmosis", quoted]
    assert [part["type"] for part in sent].count("image") == 1
    assert '"image"' not in json.dumps(in_words)
    (answer,) = [item for item in last.items if isinstance(item, AssistantText)]
    assert answer.text == "In short: water follows the solute."
    assert [(c.at, c.source.title, c.source.url, c.quote) for c in answer.citations] == [
        (len(answer.text), "Membranes — slide 2", url, quoted)
    ]
    model.close()
