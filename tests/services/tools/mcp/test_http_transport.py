"""Servers at an address: that address only, nothing larger than it may be, never through the environment's proxies."""

import asyncio
import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from services.errors import RequestRefused, ServiceError, ServiceUnavailable, TooLarge
from tests.mcp.rooms import QUICK, hostile, listed
from tests.mcp.serving import bound, serving
from tests.services.tools.mcp.conftest import RoomMaker

READS = {"effect": {"echo": "read"}}
"""The operator's word: what a server elsewhere is asked needs a card else."""
Deed = Callable[[Request, int], Response]


class Site:
    """A streamable HTTP server without an SDK; `deed` answers calls. `requests` are those it got."""

    def __init__(self, deed: Deed | None = None) -> None:
        self.url = ""
        self.deed = deed
        self.requests: list[Request] = []

    async def answer(self, request: Request) -> Response:
        self.requests.append(request)
        if request.method != "POST":
            return Response(status_code=405)
        asked = json.loads(await request.body())
        match asked["method"]:
            case "initialize":
                who = {"name": "site", "version": "0"}
                told = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": who}
                return said(asked["id"], told, {"mcp-session-id": "s1"})
            case "tools/list":
                return said(asked["id"], {"tools": [listed("echo")]})
            case "tools/call":
                if self.deed is not None:
                    return self.deed(request, asked["id"])
                return said(asked["id"], {"content": [{"type": "text", "text": "hello"}]})
        return Response(status_code=202)


def said(id: int, result: Any, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"jsonrpc": "2.0", "id": id, "result": result}, headers=headers)


@pytest.fixture
def site() -> Iterator[Callable[..., Site]]:
    """`site(deed)` serves a site on a port of its own."""
    with ExitStack() as open_sites:

        def make(deed: Deed | None = None) -> Site:
            made = Site(deed)
            listener = open_sites.enter_context(bound())
            made.url = f"http://localhost:{listener.getsockname()[1]}/mcp"
            app = Starlette(routes=[Route("/{rest:path}", made.answer, methods=["GET", "POST", "DELETE"])])
            open_sites.enter_context(serving(app, listener))
            return made

        yield make


def test_a_server_at_an_address_is_asked_with_the_operators_headers_only(
    mcp_room: RoomMaker, site: Callable[..., Site]
) -> None:
    server = site()
    room = mcp_room(web={"url": server.url, "headers": {"authorization": "Bearer operator"}, **READS})
    room.up()

    assert room.call("web__echo", text="hello").output == "hello"
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer operator"}
    assert not any("cookie" in request.headers or "maya" in str(request.headers) for request in server.requests)


def test_the_environments_proxies_are_not_used(
    mcp_room: RoomMaker, site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    room = mcp_room(web={"url": site().url, **READS})
    room.up()

    assert room.call("web__echo", text="hello").success


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(
    mcp_room: RoomMaker, site: Callable[..., Site], status: int
) -> None:
    elsewhere = site()
    server = site(lambda request, id: RedirectResponse(elsewhere.url, status_code=status))
    room = mcp_room(web={"url": server.url, "headers": {"authorization": "Bearer canary"}, **READS})
    room.up()

    with pytest.raises(ServiceError) as caught:
        room.call("web__echo", text="hello")

    assert elsewhere.requests == []
    assert "canary" not in str(caught.value)


def test_an_answer_that_is_too_large_is_not_taken_in(mcp_room: RoomMaker, site: Callable[..., Site]) -> None:
    huge = {"content": [{"type": "text", "text": "x" * 3_000_000}]}
    room = mcp_room(web={"url": site(lambda request, id: said(id, huge)).url, **READS})
    room.up()

    with pytest.raises(TooLarge):
        room.call("web__echo", text="hello")


def test_a_packed_answer_is_not_unpacked(mcp_room: RoomMaker, site: Callable[..., Site]) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    room = mcp_room(web={"url": site(lambda request, id: Response(bomb, headers=headers)).url, **READS})
    room.up()
    started = time.monotonic()

    with pytest.raises(ServiceError):
        room.call("web__echo", text="hello")

    assert time.monotonic() - started < 5


def test_an_endless_stream_of_events_is_cut_off(mcp_room: RoomMaker, site: Callable[..., Site]) -> None:
    async def events() -> Any:
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 60_000}}
        while True:
            await asyncio.sleep(0)
            yield f"event: message\ndata: {json.dumps(note)}\n\n"

    server = site(lambda request, id: StreamingResponse(events(), media_type="text/event-stream"))
    room = mcp_room(
        web={"url": server.url, **READS}, good=hostile(), limits=replace(QUICK, call_s=6, spare_bytes=4_000_000)
    )
    room.up()
    started = time.monotonic()

    with pytest.raises(ServiceError):
        room.call("web__echo", text="hello")

    assert time.monotonic() - started < 12
    assert room.call("good__echo", text="hello").success


def test_a_hanging_site_ends_at_the_time_out(mcp_room: RoomMaker, site: Callable[..., Site]) -> None:
    may_end = threading.Event()

    async def nothing() -> Any:
        while not may_end.is_set():
            await asyncio.sleep(0.05)
            yield b""

    server = site(lambda request, id: StreamingResponse(nothing(), media_type="application/json"))
    room = mcp_room(web={"url": server.url, **READS}, limits=replace(QUICK, call_s=1.0))
    room.up()

    with pytest.raises(ServiceUnavailable):
        room.call("web__echo", text="hello")
    may_end.set()


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_status_that_says_no_is_unavailable_without_its_page(
    mcp_room: RoomMaker, site: Callable[..., Site], status: int, caplog: pytest.LogCaptureFixture
) -> None:
    room = mcp_room(web={"url": site(lambda request, id: Response("canary", status_code=status)).url, **READS})
    room.up()

    with pytest.raises(ServiceUnavailable) as caught:
        room.call("web__echo", text="hello")

    assert "canary" not in str(caught.value) + caplog.text


def test_a_session_that_the_site_forgot_is_made_anew(mcp_room: RoomMaker, site: Callable[..., Site]) -> None:
    answers = iter([Response(status_code=404)])

    def forgetful(request: Request, id: int) -> Response:
        return next(answers, None) or said(id, {"content": [{"type": "text", "text": "hello"}]})

    room = mcp_room(web={"url": site(forgetful).url, **READS})
    room.up()
    with pytest.raises(ServiceUnavailable):
        room.call("web__echo", text="hello")

    assert room.call("web__echo", text="hello").output == "hello"


def test_a_site_that_is_not_there_is_a_server_that_is_down(mcp_room: RoomMaker) -> None:
    with bound() as listener:
        port = listener.getsockname()[1]
    room = mcp_room(web={"url": f"http://localhost:{port}/mcp", **READS}, good=hostile())
    room.up("good")

    assert not room.provider.ready("web", timeout_s=5)
    assert room.call("good__echo", text="hello").success


def test_a_refusal_in_json_is_told(mcp_room: RoomMaker, site: Callable[..., Site]) -> None:
    def refuse(request: Request, id: int) -> Response:
        error = {"code": -32602, "message": "no such\u200b book"}
        return JSONResponse({"jsonrpc": "2.0", "id": id, "error": error}, status_code=400)

    room = mcp_room(web={"url": site(refuse).url, **READS})
    room.up()

    with pytest.raises(RequestRefused, match="Web says: no such book"):
        room.call("web__echo", text="hello")
