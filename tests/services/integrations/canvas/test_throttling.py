"""Trying again, and slowing down when Canvas asks for it (R18, R21)."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from requests.adapters import HTTPAdapter

from services.connections.connector import Grant
from services.errors import ServiceUnavailable, Throttled
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.transport import CanvasSession
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.conftest import HASTY, canvas_at, client_at

COURSES = "/api/v1/courses"
THROTTLED = {"status": 403, "body": "403 Forbidden (Rate Limit Exceeded)", "headers": {"x-rate-limit-remaining": "0.0"}}


def asked(campus: CampusServer, path: str = COURSES) -> int:
    return sum(entry["path"] == path for entry in campus.log(service="canvas"))


@pytest.mark.parametrize("answer", [THROTTLED, {"status": 429}, {"status": 429, "headers": {"retry-after": "1"}}])
def test_throttling_is_waited_out_and_is_never_a_bad_token(
    campus: CampusServer, client: CanvasClient, answer: dict[str, object]
) -> None:
    campus.fault(service="canvas", fault="status", path=COURSES, times=2, **answer)

    assert len(client.courses()) == 5
    assert asked(campus) == 3


def test_throttling_that_lasts_is_told_as_such(campus: CampusServer, client: CanvasClient) -> None:
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, **THROTTLED)

    with pytest.raises(Throttled, match="slow down"):
        client.courses()

    assert asked(campus) == 3


def test_a_wait_that_canvas_asks_for_is_not_begun_when_there_is_no_time_for_it(
    campus: CampusServer, client: CanvasClient
) -> None:
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, status=429, headers={"retry-after": "30"})

    with pytest.raises(Throttled) as raised:
        client.courses()

    assert raised.value.retry_after_s == 30
    assert asked(campus) == 1


@pytest.mark.parametrize("answer", [{"status": 500}, {"status": 502}, {"status": 503, "body": "<html></html>"}])
def test_a_hiccup_is_tried_again(campus: CampusServer, client: CanvasClient, answer: dict[str, object]) -> None:
    campus.fault(service="canvas", fault="status", path=COURSES, times=2, **answer)

    assert len(client.courses()) == 5
    assert asked(campus) == 3


def test_at_most_three_tries(campus: CampusServer, client: CanvasClient) -> None:
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, status=502)

    with pytest.raises(ServiceUnavailable, match="error 502"):
        client.courses()

    assert asked(campus) == 3


@pytest.mark.parametrize(("left", "most"), [("10.0", {1}), ("699.0", {2, 3, 4})])
def test_requests_go_one_by_one_once_canvas_is_short_of_patience(left: str, most: set[int]) -> None:
    with _counting(left) as (address, in_flight):
        client = client_at(address)
        client.courses()

        client.read_each(range(8), client.assignments)

    assert max(in_flight) in most


def test_the_calls_of_a_student_share_what_patience_is_left() -> None:
    """Another call, begun later, goes one by one too."""
    with _counting("10.0") as (address, in_flight):
        grant = Grant(origin=address, access_token="canary-token")
        first, second = (canvas_at(address).client(grant) for _ in range(2))
        first.courses()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda client: client.read_each(range(4), client.assignments), (first, second)))

    assert max(in_flight) == 1


def test_only_what_changes_nothing_is_tried_again(campus: CampusServer) -> None:
    token = "/login/oauth2/token"
    campus.fault(service="canvas", fault="status", path=token, times=0, status=503)
    session = CanvasSession(f"{campus.url}/canvas", timeouts=HASTY, adapter=HTTPAdapter())

    with pytest.raises(ServiceUnavailable):
        session.request("POST", f"{campus.url}/canvas{token}", data={"grant_type": "refresh_token"})
    with pytest.raises(ServiceUnavailable):
        session.request("GET", f"{campus.url}/canvas{token}")

    assert [entry["method"] for entry in campus.log(service="canvas")] == ["POST", "GET", "GET", "GET"]


@contextmanager
def _counting(left: str) -> Iterator[tuple[str, list[int]]]:
    """A Canvas of empty lists that notes how many requests are in flight, and says what is left of its patience."""
    in_flight, running, lock = [0], set[int](), threading.Lock()

    class Canvas(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with lock:
                running.add(id(self))
                in_flight.append(len(running))
            threading.Event().wait(0.03)
            with lock:
                running.discard(id(self))
            self.send_response(200)
            headers = {"content-type": "application/json", "content-length": "2", "x-rate-limit-remaining": left}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(b"[]")

        def log_message(self, *_: object) -> None:
            """Nothing to say."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Canvas) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", in_flight
        server.shutdown()
        thread.join()
