"""Pages that only their picture tells: stored as a reference, sent as an image, or told in words (fault R78)."""

import base64
import json
from typing import Any

import pytest

from services.conversations.turn_records import TurnStatus
from services.errors import ModelRefused
from services.materials.material import MaterialKind
from services.materials.picture_blocks import MOST_PICTURES, PageReference, expand_pictures, with_picture_blocks
from services.materials.results import PagePicture
from tests.agent_fakes import calls, says
from tests.material_fakes import PIXEL, SHELF, FakeLibrary, material, reading
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store

READ = ("materials_read", {"material": "scan"})


def with_scan(maya: Room, **state: Any) -> FakeLibrary:
    library = FakeLibrary(courses_there=[SHELF], **state)
    library.add(material("shelf-1.upload-1", "Scan", kind=MaterialKind.UPLOAD, module=""), reading("", "Words."))
    maya.services.materials = library
    return library


def sent_parts(maya: Room, request: int = -1) -> list[Any]:
    """Parts of the tool results of a request."""
    messages = maya.model.requests[request].messages
    found = [block for message in messages for block in message["content"] if block["type"] == "tool_result"]
    return [part for block in found for part in block["content"]]


def images(maya: Room, request: int = -1) -> list[str]:
    return [part["source"]["data"] for part in sent_parts(maya, request) if part["type"] == "image"]


def test_a_page_without_text_reaches_the_model_as_its_picture_behind_its_source(room: RoomMaker) -> None:
    maya = room(calls(READ), says("It shows a cell."))
    library = with_scan(maya)

    _, last = maya.ask("What is on the scan?")

    kinds = [part["type"] for part in sent_parts(maya)]
    at = kinds.index("image")
    assert last.status is TurnStatus.DONE
    assert kinds[at - 2 : at + 2] == ["search_result", "text", "image", "search_result"]
    assert images(maya) == [base64.b64encode(PIXEL).decode()]
    assert library.drawn == [("shelf-1.upload-1", 1)]


def test_a_stored_turn_keeps_a_reference_and_later_turns_send_the_picture_again(room: RoomMaker) -> None:
    maya = room(calls(READ), says("A cell."), says("A membrane."))
    with_scan(maya)

    conversation, _ = maya.ask("What is on the scan?")
    maya.ask("And around it?", conversation)

    stored = json.dumps([list(m.content) for m in maya.services.conversations.messages(maya.maya.id, conversation)])
    assert '"page_picture"' in stored
    assert base64.b64encode(PIXEL).decode() not in stored
    assert len(images(maya)) == 1


def test_what_is_locked_by_now_is_told_in_words(room: RoomMaker) -> None:
    maya = room(calls(READ), says("A cell."), says("I cannot see it any more."))
    library = with_scan(maya)
    conversation, _ = maya.ask("What is on the scan?")
    library.cannot_draw = True

    maya.ask("And around it?", conversation)

    assert images(maya) == []
    assert "cannot be shown now" in json.dumps(sent_parts(maya), ensure_ascii=False)


def test_a_model_that_refuses_images_gets_words(room: RoomMaker) -> None:
    maya = room(calls(READ), ModelRefused("No images."), says("I cannot see it."))
    with_scan(maya)

    _, last = maya.ask("What is on the scan?")

    assert last.status is TurnStatus.DONE
    assert len(images(maya, 1)) == 1
    assert images(maya) == []
    assert "cannot be shown" in json.dumps(sent_parts(maya), ensure_ascii=False)


def test_only_the_newest_pictures_go_with_a_request() -> None:
    references = [PageReference(material_id="m", page=n, title=f"Scan — page {n}") for n in range(1, MOST_PICTURES + 3)]
    blocks = with_picture_blocks([], references)
    message = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": blocks}]}

    sent = expand_pictures([message], lambda material, page: PagePicture(content=bytes([page])), {})

    parts = sent[0]["content"][0]["content"]
    kept = [base64.b64decode(part["source"]["data"])[0] for part in parts if part["type"] == "image"]
    assert kept == list(range(3, MOST_PICTURES + 3))
    assert parts[0]["text"] == "(The picture of “Scan — page 1” is left out here to save room: read the page again.)"


def test_a_picture_that_is_too_large_is_told_in_words() -> None:
    (block,) = with_picture_blocks([], [PageReference(material_id="m", page=1, title="Scan")])
    message = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [block]}]}

    sent = expand_pictures([message], lambda material, page: PagePicture(content=b"x" * 3_600_000), {})

    assert [part["type"] for part in sent[0]["content"][0]["content"]] == ["text"]
