"""The connections that client libraries share, against a server that sends what no service should."""

import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from services.integrations.kit.http_client import LARGEST_ANSWER, shared_client

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def sent(body: bytes, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in {"content_length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        try:
            handler.wfile.write(body)
        except ConnectionError:
            return

    return answer


@pytest.fixture
def client() -> httpx.Client:
    return shared_client("test-of-bounds", 0.5)


def test_an_answer_arrives_whole_and_unpacked(client: httpx.Client) -> None:
    with serving(sent(gzip.compress(b'{"a": 1}'), content_encoding="gzip", etag="x")) as url:
        answer = client.get(url)

    assert (answer.json(), answer.headers["etag"]) == ({"a": 1}, "x")


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_that_is_too_large_is_no_answer(client: httpx.Client, packed: bool) -> None:
    zeros = bytes(LARGEST_ANSWER + 1)
    answer = sent(gzip.compress(zeros), content_encoding="gzip") if packed else sent(zeros)

    with serving(answer) as url, pytest.raises(httpx.ReadError):
        client.get(url, timeout=20)


@pytest.mark.parametrize("ends_headers", [True, False])
def test_an_answer_that_drips_is_given_up(client: httpx.Client, ends_headers: bool) -> None:
    """Each piece comes in time, the whole never would: in its body, or before."""
    is_over = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if ends_headers:
            handler.end_headers()
        else:
            handler.flush_headers()
            handler.wfile.write(b"x-slow: ")
        try:
            while not is_over.wait(0.05):
                handler.wfile.write(b" ")
        except ConnectionError:
            return

    with serving(drip) as url, pytest.raises(httpx.ReadTimeout):
        client.get(url)
    is_over.set()


def test_a_half_answer_is_no_answer(client: httpx.Client) -> None:
    with serving(sent(b"half", content_length="8")) as url, pytest.raises(httpx.RemoteProtocolError):
        client.get(url)


def test_what_is_not_packed_as_it_says_is_no_answer(client: httpx.Client) -> None:
    with serving(sent(b"plain words", content_encoding="gzip")) as url, pytest.raises(httpx.DecodingError):
        client.get(url)


def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")

    with serving(sent(b"direct")) as url:
        assert shared_client("test-of-proxies", 0.5).get(url).text == "direct"
