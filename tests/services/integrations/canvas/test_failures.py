"""What can go wrong with Canvas over real HTTP, each with its own class and sentence (R18-R26)."""

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from services.connections.connector import Grant
from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
)
from services.integrations.base import Integration
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.errors import TransientFailure
from services.integrations.canvas.transport import CanvasTimeouts
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.conftest import HASTY, client_at

COURSES = "/api/v1/courses"


def asked(campus: CampusServer, path: str = COURSES) -> int:
    return sum(entry["path"] == path for entry in campus.log(service="canvas"))


@pytest.mark.parametrize(
    ("answer", "reaction", "words"),
    [
        ({"status": 401}, ReconnectRequired, "no longer accepts"),
        ({"status": 401, "body": "<html>Please log in</html>"}, ReconnectRequired, "no longer accepts"),
        (
            {"status": 401, "body": {"status": "unauthorized", "errors": []}},
            PermissionMissing,
            "does not let this account see",
        ),
        ({"status": 403}, PermissionMissing, "does not let this account see"),
        ({"status": 404}, ItemNotFound, "nothing there"),
        ({"status": 400}, RequestRefused, "did not understand"),
        ({"status": 418}, ServiceUnavailable, "error 418"),
        ({"status": 200, "body": {"not": "a list"}}, ServiceUnavailable, "cannot be read"),
        ({"status": 200, "body": ["not a row"]}, ServiceUnavailable, "cannot be read"),
        (
            {"status": 200, "body": "[" * 200_000, "headers": {"content-type": "application/json"}},
            ServiceUnavailable,
            "cannot be read",
        ),
        (
            {"status": 200, "body": "[{]", "headers": {"content-type": "application/json"}},
            ServiceUnavailable,
            "cannot be read",
        ),
    ],
)
def test_every_refusal_has_its_own_reaction(
    campus: CampusServer, client: CanvasClient, answer: dict[str, object], reaction: type[ServiceError], words: str
) -> None:
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, **answer)

    with pytest.raises(reaction, match=words) as raised:
        client.courses()

    is_hiccup = reaction is ServiceUnavailable
    assert type(raised.value) in ((ServiceUnavailable, TransientFailure) if is_hiccup else (reaction,))
    assert raised.value.service == "Canvas"


@pytest.mark.parametrize("status", [401, 403, 404, 400])
def test_a_refusal_is_not_repeated(campus: CampusServer, client: CanvasClient, status: int) -> None:
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, status=status)

    with pytest.raises(ServiceError):
        client.courses()

    assert asked(campus) == 1


def test_a_hanging_canvas_is_given_up(campus: CampusServer, client: CanvasClient) -> None:
    campus.fault(service="canvas", fault="hang", path=COURSES, times=0)

    with pytest.raises(ServiceUnavailable, match="did not answer in time"):
        client.courses()


def test_a_maintenance_page_is_not_data(campus: CampusServer, client: CanvasClient) -> None:
    campus.fault(service="canvas", fault="html", path=COURSES, times=0)

    with pytest.raises(ServiceUnavailable, match="in maintenance"):
        client.courses()


@pytest.mark.parametrize("fault", ["truncate", "lose_response"])
def test_half_an_answer_is_an_error_and_never_a_shorter_list(
    campus: CampusServer, client: CanvasClient, fault: str
) -> None:
    campus.fault(service="canvas", fault=fault, path=COURSES, times=0)

    with pytest.raises(ServiceUnavailable, match="broke off"):
        client.courses()

    campus.clear_faults()
    assert len(client.courses()) == 5


def test_a_redirect_loop_ends(campus: CampusServer, client: CanvasClient) -> None:
    campus.fault(service="canvas", fault="redirect_loop", path=COURSES, times=0)

    with pytest.raises(ServiceUnavailable, match="in a circle"):
        client.courses()


def test_a_redirect_within_canvas_is_followed(campus: CampusServer, client: CanvasClient) -> None:
    moved = f"{campus.url}/canvas/api/v1/users/1101/courses?enrollment_state=active&per_page=100"
    campus.fault(service="canvas", fault="status", path=COURSES, status=302, headers={"location": moved})

    assert len(client.courses()) == 5
    assert asked(campus, "/api/v1/users/1101/courses") == 1


def test_a_page_that_fails_fails_the_list(campus: CampusServer, client: CanvasClient) -> None:
    page = f"{campus.url}/canvas{COURSES}?page=2"
    campus.fault(
        service="canvas",
        fault="status",
        path=COURSES,
        status=200,
        body=[{"id": 1}],
        headers={"link": f'<{page}>; rel="next"'},
    )
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, skip=0, status=500)

    with pytest.raises(ServiceUnavailable, match="error 500"):
        client.courses()


def test_a_next_page_that_is_the_same_page_ends(campus: CampusServer, client: CanvasClient) -> None:
    page = f"{campus.url}/canvas{COURSES}?page=2"
    campus.fault(
        service="canvas",
        fault="status",
        path=COURSES,
        times=0,
        status=200,
        body=[],
        headers={"link": f'<{page}>; rel="next"'},
    )

    with pytest.raises(ServiceUnavailable, match="in a circle"):
        client.courses()

    assert asked(campus) == 2


def test_pages_are_all_read(campus: CampusServer, canvas: Integration, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.integrations.canvas.client._PAGE", 7)
    client: CanvasClient = canvas.client(Grant(origin=canvas.origins[0], access_token=campus.token("canvas")))

    rows = client.assignments(4201)

    assert len({row["id"] for row in rows}) == len(rows) > 21
    assert asked(campus, "/api/v1/courses/4201/assignments") == -(-len(rows) // 7)


@pytest.mark.parametrize("end", [b"Content-Length: 9999\r\n\r\n", b"X-Slow: "])
def test_an_answer_that_drips_for_ever_is_given_up(end: bytes) -> None:
    """In its body, or before."""
    timeouts = CanvasTimeouts(read_s=0.5, total_s=0.4, sleep=HASTY.sleep)
    with _dripping(end) as address, pytest.raises(ServiceUnavailable, match="did not answer in time"):
        client_at(address, timeouts).courses()


def test_no_token_gets_into_a_log(campus: CampusServer, canvas: Integration, caplog: pytest.LogCaptureFixture) -> None:
    token = campus.token("canvas", "maya")
    client: CanvasClient = canvas.client(Grant(origin=canvas.origins[0], access_token=token))
    caplog.set_level(logging.DEBUG)
    client.courses()
    campus.fault(service="canvas", fault="status", path=COURSES, status=401)
    with pytest.raises(ReconnectRequired) as raised:
        client.courses()

    assert token[-4:] not in caplog.text
    assert token not in f"{raised.value!r} {client!r} {vars(raised.value)}"


@contextmanager
def _dripping(end: bytes) -> Iterator[str]:
    """A server that sends one byte of its answer every tenth of a second, for as long as anybody listens."""
    listener, over = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + end)
            while not over.wait(0.1):
                try:
                    connection.sendall(b"[")
                except OSError:
                    return

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        over.set()
        thread.join()
        listener.close()
