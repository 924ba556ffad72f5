"""An answer of a tool server's that is none is "unavailable": neither a result nor a server without tools."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.errors import OutcomeUnknown, ServiceUnavailable
from tests.mcp.rooms import QUICK, listed
from tests.mcp.serving import bound, serving
from tests.services.tools.mcp.conftest import RoomMaker
from tests.spoiled_bodies import SPOILED, called_unavailable, spoiled_bodies
from tests.telling import telling

IMPATIENT = replace(QUICK, call_s=1.0, start_s=1.0)
"""The library waits for an answer to the request that was sent; one without it never comes."""
SOUND: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "site", "version": "0"},
    },
    "tools/list": {"tools": [listed("echo")]},
    "tools/call": {"content": [{"type": "text", "text": "hello"}]},
}
Spoil = Callable[[Any], str]


class Site:
    """A server that answers well, but to the methods in `spoiled`: those with what is made of the request's id."""

    def __init__(self) -> None:
        self.url = ""
        self.spoiled: dict[str, Spoil] = {}
        self.content_type = "application/json"

    async def answer(self, request: Request) -> Response:
        if request.method != "POST":
            return Response(status_code=405)
        asked = json.loads(await request.body())
        method, id = asked["method"], asked.get("id")
        if method in self.spoiled:
            return Response(self.spoiled[method](id), media_type=self.content_type)
        if method in SOUND:
            return Response(reply(id, SOUND[method]), media_type="application/json")
        return Response(status_code=202)


def reply(id: Any, result: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": result})


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    with ExitStack() as stack:
        listener = stack.enter_context(bound())
        made.url = f"http://localhost:{listener.getsockname()[1]}/mcp"
        app = Starlette(routes=[Route("/{rest:path}", made.answer, methods=["GET", "POST", "DELETE"])])
        stack.enter_context(serving(app, listener))
        yield made


@pytest.mark.parametrize(
    "content_type", telling(("application/json", "text/event-stream", "text/html"), lambda name: "html" not in name)
)
@spoiled_bodies(tells=("null",))
def test_no_call_succeeds_by_a_spoiled_answer(mcp_room: RoomMaker, site: Site, body: str, content_type: str) -> None:
    room = mcp_room(web={"url": site.url, "effect": "read"}, limits=IMPATIENT)
    room.up()
    site.content_type = content_type
    site.spoiled["tools/call"] = lambda id: SPOILED[body]

    with called_unavailable(f"{content_type}, {body!r}"):
        room.call("web__echo", text="hello")


@spoiled_bodies(tells=("empty object",))
def test_a_change_whose_answer_is_spoiled_may_have_happened(mcp_room: RoomMaker, site: Site, body: str) -> None:
    room = mcp_room(web={"url": site.url, "effect": "write"}, limits=IMPATIENT)
    room.up()
    site.spoiled["tools/call"] = lambda id: SPOILED[body]

    with pytest.raises(OutcomeUnknown):
        room.call("web__echo", approved=True, text="hello")


TEXT = {"type": "text"}
RESULTS = (
    *(None, [], {}, "x", {"content": None}, {"content": [None]}, {"content": [{}]}, {"content": "x"}),
    *({"content": [TEXT]}, {"content": [{**TEXT, "text": None}]}),
)


@pytest.mark.parametrize("result", telling(RESULTS, lambda result: result == {"content": [{}]}))
def test_no_call_succeeds_by_a_result_that_is_none(mcp_room: RoomMaker, site: Site, result: object) -> None:
    room = mcp_room(web={"url": site.url, "effect": "read"}, limits=IMPATIENT)
    room.up()
    site.spoiled["tools/call"] = lambda id: reply(id, result)

    with called_unavailable(str(result)):
        room.call("web__echo", text="hello")


@pytest.mark.parametrize("method", ["initialize", "tools/list"])
@spoiled_bodies(tells=("empty object",))
def test_a_server_that_answers_nonsense_keeps_its_tools_and_is_called_down(
    mcp_room: RoomMaker, site: Site, method: str, body: str
) -> None:
    store = mcp_room(web={"url": site.url, "effect": "read"}, limits=IMPATIENT)
    store.up()
    site.spoiled[method] = lambda id: SPOILED[body]

    room = mcp_room(web={"url": site.url, "effect": "read"}, limits=IMPATIENT, store=store.store)

    assert not room.provider.ready("web", timeout_s=1.5)
    assert room.obstacle("web__echo") == "server_down"
    with pytest.raises(ServiceUnavailable):
        room.call("web__echo", text="hello")


@pytest.mark.parametrize(
    "tools", telling((None, {}, "x", [None], [{}], [{"name": "echo"}], ["echo"]), lambda tools: tools == [{}])
)
def test_a_list_of_tools_that_is_none_takes_no_tool_away(mcp_room: RoomMaker, site: Site, tools: object) -> None:
    store = mcp_room(web={"url": site.url, "effect": "read"}, limits=IMPATIENT)
    store.up()
    site.spoiled["tools/list"] = lambda id: reply(id, {"tools": tools})

    room = mcp_room(web={"url": site.url, "effect": "read"}, limits=IMPATIENT, store=store.store)
    room.provider.ready("web", timeout_s=1.5)

    assert room.obstacle("web__echo") == "server_down"
