"""Streamlit's gzip never sees a response to somebody with credentials, and no stream of events waits for it."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message
from streamlit.web.server.starlette.starlette_gzip_middleware import SelectiveGZipMiddleware

from api.middleware.compression import UncompressedSecrets
from api.middleware.static_files import StaticFiles

LONG = "the same words again " * 200
STACK = [Middleware(StaticFiles), Middleware(UncompressedSecrets), Middleware(SelectiveGZipMiddleware)]


async def _text(_request: Request) -> Response:
    return PlainTextResponse(LONG)


CLIENT = TestClient(Starlette(routes=[Route("/{path:path}", _text)], middleware=STACK))


@pytest.mark.parametrize(
    "credentials", [{"cookie": "_streamlit_user=x"}, {"authorization": "Bearer x"}, {"x-api-key": "x"}]
)
@pytest.mark.parametrize("path", ["/api/tools", "/live/abc", "/media/abc.txt", "/health"])
def test_what_is_for_one_student_is_not_compressed(path: str, credentials: dict[str, str]) -> None:
    answer = CLIENT.get(path, headers={"accept-encoding": "gzip", **credentials})

    assert "content-encoding" not in answer.headers
    assert answer.text == LONG


def test_what_is_for_everybody_may_be() -> None:
    assert CLIENT.get("/health", headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("headers", [[], [(b"cookie", b"_streamlit_user=x")]], ids=["stranger", "student"])
def test_an_event_leaves_before_the_next_is_there(headers: list[tuple[bytes, bytes]]) -> None:
    sent: list[Message] = []

    async def run() -> None:
        seen = asyncio.Event()

        async def events() -> object:
            yield LONG.encode()
            await asyncio.wait_for(seen.wait(), 5)
            yield b"data: last\n\n"

        async def answer(_request: Request) -> Response:
            return StreamingResponse(events(), media_type="text/event-stream")

        async def send(message: Message) -> None:
            sent.append(message)
            if message.get("body"):
                seen.set()

        async def receive() -> Message:
            await asyncio.sleep(3600)
            raise AssertionError

        app = Starlette(routes=[Route("/live/{id}", answer)], middleware=STACK)
        given = [(b"accept-encoding", b"gzip, br"), *headers]
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/live/1",
            "headers": given,
            "query_string": b"",
            "root_path": "",
        }
        await app(scope, receive, send)

    asyncio.run(run())

    assert b"content-encoding" not in dict(sent[0]["headers"])
    assert [message["body"] for message in sent[1:] if message["body"]] == [LONG.encode(), b"data: last\n\n"]
