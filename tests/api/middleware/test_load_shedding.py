"""A process that runs short of open files or memory asks newcomers to wait, and gets room again (row R61)."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from api.auth import SIGN_IN_COOKIE, SignInCookie
from api.middleware.load_shedding import LoadShedding
from api.middleware.upload_quota import UPLOAD
from bench.load.app_server import free_port
from services.runtime.capacity import KEPT_BYTES, Capacity
from services.settings import ROOT
from tests.api.sealed import SECRET, sealed

LIMIT = 128
MESSAGES = ("/live/messages", "/live/a/messages")
STOP = "/live/a/stop"
KEY = {"authorization": "Bearer key"}
STUDENT = {"cookie": f"{SIGN_IN_COOKIE}={sealed()}"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Of the small app, which may have `LIMIT` files open."""
    number, log = free_port(), tmp_path_factory.mktemp("full") / "log"
    command = f"ulimit -n {LIMIT}; exec {sys.executable} -m uvicorn tests.api.full_app:app --port {number}"
    with log.open("wb") as out:
        process = subprocess.Popen(["sh", "-c", command], cwd=ROOT, stdout=out, stderr=out)
    try:
        _until(lambda: _status(number) == 200)
        yield number
        assert "Traceback" not in log.read_text()
        assert log.read_text().count("ERROR") == 0
    finally:
        process.terminate()
        process.wait(10)


def _status(port: int, headers: dict[str, str] | None = None) -> int:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/", headers=headers, trust_env=False).status_code
    except httpx.TransportError:
        return 0


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _tabs(port: int, headers: dict[str, str], stack: ExitStack) -> list[ClientConnection]:
    """One after the other, until no more are let in."""
    opened: list[ClientConnection] = []
    try:
        while len(opened) < LIMIT:
            tab = connect(f"ws://127.0.0.1:{port}/tab", additional_headers=headers, proxy=None)
            opened.append(stack.enter_context(tab))
    except InvalidStatus as refused:
        if refused.response.status_code == 503 and "retry-after" in refused.response.headers:
            return opened
        raise
    raise AssertionError("everybody was let in")


def test_open_tabs_go_on_while_newcomers_wait_and_strangers_wait_first(port: int) -> None:
    with ExitStack() as stack:
        strangers = _tabs(port, {}, stack)
        students = _tabs(port, STUDENT, stack)
        for tab in (*strangers, *students):
            tab.send("still here")

        assert [tab.recv(5) for tab in (*strangers, *students)] == ["still here"] * len(strangers + students)
        assert len(students) > 3
        assert len(strangers + students) < LIMIT * 3 / 4
    _until(lambda: _status(port) == 200)


def test_connections_on_which_nothing_comes_take_the_place_of_nobody_for_long(port: int) -> None:
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(2 * LIMIT)]
    for connection in silent[::2]:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")

    _until(lambda: _status(port) == 200)
    for connection in silent:
        connection.close()


def _client(*, opened: int = 10, free: int | None = None) -> TestClient:
    room = Capacity(limit=100, opened=lambda: opened, free_bytes=lambda: free)
    paths = ("/", "/week", "/api/tools", "/mcp", "/health", "/static/page.js", f"{UPLOAD}/a/b", *MESSAGES, STOP)
    admission = Middleware(LoadShedding, capacity=room, cookie=SignInCookie(SECRET))
    routes = [Route(path, lambda _request: PlainTextResponse("ok"), methods=["GET", "PUT", "POST"]) for path in paths]
    return TestClient(Starlette(routes=routes, middleware=[admission]))


@pytest.mark.parametrize(
    ("state", "headers", "is_full"),
    [
        ({"opened": 51}, {}, True),
        ({"opened": 51}, STUDENT | KEY, False),
        ({"opened": 76}, STUDENT | KEY, True),
        ({"free": KEPT_BYTES - 1}, STUDENT | KEY, True),
        ({"free": KEPT_BYTES}, {}, False),
    ],
)
def test_who_begins_something_waits_when_it_is_full_and_what_is_open_goes_on(
    state: dict[str, int], headers: dict[str, str], is_full: bool
) -> None:
    client = _client(**state)
    codes = {path: client.get(path, headers=headers).status_code for path in ("/", "/week", "/api/tools", "/mcp")}

    codes["file"] = client.put(f"{UPLOAD}/a/b", headers=headers).status_code
    codes |= {path: client.post(path, headers=headers).status_code for path in MESSAGES}

    assert set(codes.values()) == ({503} if is_full else {200})
    assert client.get("/health").status_code == client.get("/static/page.js").status_code == 200
    assert client.post(STOP, headers=headers).status_code == 200


def test_a_message_that_has_to_wait_is_sent_again_by_the_page() -> None:
    refused = _client(opened=90).post("/live/a/messages", headers=STUDENT)

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "send_again")
    assert 10 <= int(refused.headers["retry-after"]) <= 20
    assert refused.headers["connection"] == "close"


@pytest.mark.parametrize(
    ("headers", "pages", "programs"),
    [
        (STUDENT, 200, 503),
        (KEY, 503, 200),
        ({"x-api-key": "key"}, 503, 200),
        ({"cookie": f"{SIGN_IN_COOKIE}=maya"}, 503, 503),
        ({"cookie": f"{SIGN_IN_COOKIE}={sealed('another secret')}"}, 503, 503),
    ],
)
def test_pages_are_kept_for_who_has_signed_in_and_routes_for_who_has_a_key(
    headers: dict[str, str], pages: int, programs: int
) -> None:
    client = _client(opened=51)
    codes = [client.get(path, headers=headers).status_code for path in ("/", "/week", "/api/tools", "/mcp")]

    assert codes == [pages, pages, programs, programs]
    assert client.put(f"{UPLOAD}/a/b", headers=headers).status_code == pages


def test_a_person_reads_a_calm_page_that_tries_again_and_a_program_gets_json() -> None:
    client = _client(opened=90)
    page = client.get("/week", headers={"accept-language": "es-MX"})
    program = client.get("/api/tools")

    assert '<html lang="es">' in page.text
    assert "Homeroom está lleno" in page.text
    assert page.headers["refresh"] == page.headers["retry-after"]
    assert 10 <= int(page.headers["retry-after"]) <= 20
    assert program.json()["error"]["code"] == "busy"
    assert program.headers["connection"] == "close"
