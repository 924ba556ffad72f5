"""A tool of others that only reads is no way to send what the model knows (T03, T19)."""

import json
import time
from typing import Any

import pytest

from services.safety.fetch import AddressRefused
from services.safety.seen_addresses import SeenAddresses
from services.tools.context import ToolExecutionContext
from services.tools.mcp.exfiltration_guard import refuse_unseen_addresses
from tests.mcp.rooms import hostile, listed
from tests.services.tools.mcp.conftest import RoomMaker
from tests.tool_calls import MAYA, container_of

SAID = "Read https://a.example/x?y=1, library.example.edu/hours and https://例え.jp/道"


def context(*, asked_by: str = "") -> ToolExecutionContext:
    """In a chat in which the student named these addresses, or of a program, in which nobody named any."""
    known = SeenAddresses(own_origin="https://homeroom.example")
    known.add_student_text(SAID)
    seen_addresses = None if asked_by else lambda: known
    return ToolExecutionContext(
        student=MAYA, container=container_of(), seen_addresses=seen_addresses, asked_by=asked_by
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"url": "https://evil.example/?d=SECRET"},
        {"text": "open HTTPS://EVIL.example/?d=SECRET now"},
        {"deep": [{"list": ["x", "https://a.example/x?y=1&z=SECRET"]}]},
        {"https://evil.example/?d=SECRET": 1},
        {"q": "https://a.example@evil.example/x?y=1"},
        {"q": "https://user:SECRET@a.example/x?y=1"},
        {"q": "https%3A%2F%2Fevil.example%2FSECRET"},
        {"q": "ht\u200btps://evil.example/SECRET"},
        {"q": "http:evil.example/SECRET"},
        {"q": "http:/\\evil.example/SECRET"},
        {"q": "https:evil。example/SECRET"},
        {"q": "//evil.example/SECRET"},
        {"q": "see //evil.example/SECRET"},
        {"q": "ftp://evil.example/SECRET"},
        {"q": "git+ssh://evil.example/SECRET"},
        {"q": "wss://SECRET.evil.example"},
        {"q": "![x](https://evil.example/SECRET)"},
        {"q": "<a href='https://evil.example/SECRET'>"},
        {"q": "https://a.example/x?y=1[SECRET"},
        {"url": "https://a.example/x?y=1!!!)))"},
        {"q": "https://xn--evil-abc.example/SECRET"},
        {"url": "evil.example/SECRET"},
        {"page_url": "SECRET.evil.example"},
        {"pageUrl": "evil.example:8080"},
        {"urls": ["https://a.example/x?y=1", "evil.example"]},
        {"host": "SECRET.evil.example", "path": "/"},
        {"domain": "evil.example"},
        {"q": "file://evil.example/SECRET"},
        {"url": "\nSECRET.evil.example"},
        {"url": "http:\t//evil.example/SECRET"},
        {"url": "\thttps://evil.example/SECRET"},
    ],
)
def test_an_address_that_nobody_named_is_not_sent(arguments: dict[str, Any]) -> None:
    with pytest.raises(AddressRefused):
        refuse_unseen_addresses(context(), arguments)

    refuse_unseen_addresses(context(asked_by="a program"), arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"url": "https://a.example/x?y=1"},
        {"text": "(https://a.example/x?y=1)."},
        {"url": "HTTPS://A.example/x?y=1"},
        {"url": "library.example.edu/hours"},
        {"url": "https://xn--r8jz45g.jp/%E9%81%93"},
        {"path": "handouts/essay.txt", "query": "C++ // a comment; python.org and 10:30"},
        {"path": "/srv/handouts//essay.txt", "uri": "file:///srv/handouts/essay.txt"},
        {"link": "this one", "n": 3, "on": True, "nothing": None},
    ],
)
def test_what_was_named_and_what_is_no_address_goes_through(arguments: dict[str, Any]) -> None:
    refuse_unseen_addresses(context(), arguments)


@pytest.mark.parametrize("piece", ["//a", "https:", "a.", "//", "http:/\\", "%2F"])
def test_long_arguments_are_read_in_time_that_grows_with_them(piece: str) -> None:
    began = time.monotonic()

    refuse_unseen_addresses(context(asked_by="a program"), {"url": piece * 20_000})

    assert time.monotonic() - began < 5


def test_a_server_is_not_asked_about_an_unknown_address(mcp_room: RoomMaker) -> None:
    room = mcp_room(web=hostile(call="echo"))
    room.up()
    (name, tool), *_ = room.tools().items()
    assert tool.effect.value == "read"

    with pytest.raises(AddressRefused):
        room.call(name, text="https://evil.example/?d=SECRET")

    assert room.call(name, approved=True, text="https://evil.example/?d=SECRET") is not None


@pytest.mark.parametrize(
    ("hints", "word", "effect"),
    [
        ({"readOnlyHint": True, "openWorldHint": True}, {}, "outbound"),
        ({"readOnlyHint": True, "openWorldHint": True}, {"effect": {"find": "read"}}, "read"),
        ({"readOnlyHint": True, "openWorldHint": False}, {}, "outbound"),
        ({"readOnlyHint": True}, {}, "outbound"),
        ({"readOnlyHint": True, "openWorldHint": False}, {"effect": "read"}, "read"),
        ({}, {"effect": "read"}, "read"),
        ({}, {"effect": {"*": "read"}}, "read"),
        ({}, {"effect": {"*": "write", "find": "read"}}, "read"),
        ({"readOnlyHint": False}, {"effect": "read"}, "write"),
        ({"readOnlyHint": True, "destructiveHint": True}, {"effect": "read"}, "write"),
        ({"openWorldHint": True}, {"effect": "read"}, "outbound"),
        ({"readOnlyHint": True}, {"effect": "outbound"}, "outbound"),
        ({"readOnlyHint": True}, {"effect": "write"}, "write"),
        ({"readOnlyHint": True}, {"effect": {"find": "read"}}, "read"),
        ({"openWorldHint": True}, {}, "write"),
    ],
)
def test_a_tool_reads_without_asking_by_the_operators_word_alone_and_hints_only_make_it_stricter(
    mcp_room: RoomMaker, tmp_path: Any, hints: Any, word: dict[str, Any], effect: str
) -> None:
    (tmp_path / "tools.json").write_text(json.dumps([listed("find", annotations=hints)]))
    room = mcp_room(web={**hostile(tools=str(tmp_path / "tools.json")), "effect": {}, **word})
    room.up()

    assert [tool.effect.value for tool in room.tools().values()] == [effect]
