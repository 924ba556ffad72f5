"""Only our own pages open a websocket; programs without an origin are left to Streamlit, which signs nobody in."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from api.middleware.host import SameOrigin


async def _stream(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("hello")


def _hears(origin: str | None, *, public_url: str = "http://localhost:8501", host: str = "localhost:8501") -> bool:
    routes = [WebSocketRoute("/_stcore/stream", _stream)]
    app = Starlette(routes=routes, middleware=[Middleware(SameOrigin, public_url=public_url)])
    headers = {"host": host, **({"origin": origin} if origin is not None else {})}
    try:
        with TestClient(app).websocket_connect("/_stcore/stream", headers=headers) as socket:
            return socket.receive_text() == "hello"
    except WebSocketDisconnect:
        return False


@pytest.mark.parametrize(
    ("origin", "public_url"),
    [
        ("http://localhost:8501", "http://localhost:8501"),
        ("https://homeroom.example.edu", "https://homeroom.example.edu"),
        ("https://homeroom.example.edu", "https://Homeroom.example.edu:443"),
        (None, "https://homeroom.example.edu"),
    ],
)
def test_our_own_pages_and_programs_are_heard(origin: str | None, public_url: str) -> None:
    assert _hears(origin, public_url=public_url)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost:8501.evil.example",
        "http://localhost:9999",
        "https://localhost:8501",
        "http://127.0.0.1:8501",
        "http://localhost:99999",
        "http://[",
        "null",
        "",
    ],
)
def test_a_strangers_page_is_not(origin: str) -> None:
    assert not _hears(origin)


def test_a_strangers_name_that_leads_to_this_machine_is_not() -> None:
    assert not _hears("http://evil.example:8501", host="evil.example:8501")
