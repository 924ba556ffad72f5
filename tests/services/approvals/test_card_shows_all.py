"""What is approved is what is written: every value of a call stands on its card, to the letter and however long
(T05).
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import httpx
import pytest

from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.services.approvals.every_write import WRITES, Write, put_event

MARK = "mark77"
PLANNER = (
    Write(
        tool="planner_create_task",
        service="planner",
        arguments=lambda mark: {"title": mark, "notes": mark, "due_date": "2031-06-03"},
    ),
)
MORE = {
    "calendar_create_event": {"location": MARK, "description": MARK, "guests": [f"{MARK}@campus.example"]},
    "calendar_create_study_sessions": {"location": MARK, "description": MARK},
    "calendar_add_due_date": {"course": MARK, "url": f"https://canvas.example/{MARK}"},
    "calendar_update_event": {"location": MARK, "description": MARK},
    "notion_create_study_notes": {"key_points": [MARK], "questions": [MARK]},
}


@pytest.fixture(scope="module")
def maya(running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampusRoom]:
    running_campus.reset()
    room = CampusRoom(running_campus, tmp_path_factory.mktemp("maya"))
    room.connect("google_calendar", "notion")
    yield room
    room.close()


def words(length: int) -> str:
    """Distinct words, so that what is left out anywhere is missed."""
    return " ".join([MARK, *(f"word{number}" for number in range(length // 7))])[:length].rstrip()


def lengthened(value: Any, schema: Mapping[str, Any]) -> Any:
    """The same arguments with each free text as long as it may be, up to 3,000 characters."""
    schema = next(
        (kind for kind in (schema, *schema.get("anyOf", ())) if kind.get("type") or "anyOf" not in kind), schema
    )
    if isinstance(value, Mapping):
        parts = schema.get("properties", {})
        return {key: lengthened(part, parts.get(key, {})) for key, part in value.items()}
    if isinstance(value, list):
        return [lengthened(part, schema.get("items", {})) for part in value]
    if value != MARK:
        return value
    return words(min(schema.get("maxLength", 150), 3_000))


SESSION = re.compile(r"^\S+T\S+ \d+ \w+ ")
"""Start, minutes and kind of a planned session, which a card shows in words."""


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    elif isinstance(value, str) and MARK in value:
        yield SESSION.sub("", value)


def plain(text: str) -> str:
    return " ".join(re.sub(r"\s+", " ", text).split())


@pytest.mark.parametrize("write", [*WRITES, *PLANNER], ids=lambda write: write.tool)
def test_every_value_of_a_call_stands_on_its_card(maya: CampusRoom, write: Write) -> None:
    tool = maya.services.tool(write.tool)
    arguments = write.arguments(MARK)
    known = tool.schema["properties"]
    arguments |= {name: value for name, value in MORE.get(write.tool, {}).items() if name in known}
    if write.needs_event:
        with suppress(httpx.HTTPStatusError):  # It is there already.
            put_event(maya.server, MARK)
    arguments = lengthened(arguments, {"type": "object", **tool.schema})

    result = maya.services.gateway.call(maya.maya, write.tool, arguments, asked_by="Laptop")

    assert result.requires_approval, result.error
    card = maya.services.approvals.get(maya.maya.id, result.approval_request_id or "")
    shown = plain(" ".join(f"{row.label} {row.value}" for row in card.rows))
    assert [text for text in texts(arguments) if plain(text) not in shown and not text.startswith("google_")] == []
