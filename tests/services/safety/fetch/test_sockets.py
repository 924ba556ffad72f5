"""Connecting: an address that goes nowhere does not hold up the others (R57)."""

import socket
import time
from collections.abc import Iterator

import pytest

from services.runtime.deadline import Deadline
from services.safety.fetch import FetchTimeout, SafeFetch
from services.safety.fetch.sockets import _interleaved, dial
from tests.services.safety.fetch.raw_server import RawServer, answer

SILENT = "127.0.0.2"


@pytest.fixture
def server() -> Iterator[RawServer]:
    """Answers on 127.0.0.1; on 127.0.0.2 its port swallows what comes, because nobody takes it out of the queue."""
    with RawServer(answer(b"hello")) as server, socket.create_server((SILENT, server.port), backlog=0):
        waiting = [socket.socket() for _ in range(3)]
        for waiting_socket in waiting:
            waiting_socket.setblocking(False)
            waiting_socket.connect_ex((SILENT, server.port))
        yield server
        for waiting_socket in waiting:
            waiting_socket.close()


def test_an_address_that_is_silent_costs_less_than_two_seconds(server: RawServer) -> None:
    origin = f"http://campus.example:{server.port}"
    fetch = SafeFetch(allow=frozenset((origin,)), resolve=lambda host, timeout_s: (SILENT, "127.0.0.1"))
    began = time.monotonic()

    page = fetch.get(origin)

    assert page.body == b"hello"
    assert time.monotonic() - began < 2


def test_a_host_that_is_silent_everywhere_is_late(server: RawServer) -> None:
    origin = f"http://campus.example:{server.port}"
    fetch = SafeFetch(allow=frozenset((origin,)), resolve=lambda host, timeout_s: (SILENT,))

    with pytest.raises(FetchTimeout):
        fetch.get(origin, timeout_s=0.4)


def test_an_address_that_refuses_hands_over_at_once() -> None:
    with RawServer(b"") as server:
        began = time.monotonic()
        dial(["127.0.0.3", "127.0.0.1"], server.port, Deadline(5)).close()

    assert time.monotonic() - began < 0.2


def test_when_all_refuse_the_reason_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]

    with pytest.raises(ConnectionRefusedError):
        dial(["127.0.0.1", "127.0.0.2"], port, Deadline(5))


def test_families_take_turns() -> None:
    assert list(_interleaved(["::1", "::2", "1.1.1.1", "::3"])) == ["::1", "1.1.1.1", "::2", "::3"]
    assert list(_interleaved(["1.1.1.1", "::2"])) == ["1.1.1.1", "::2"]


def test_an_address_that_cannot_be_reached_at_all_is_given_up_at_once() -> None:
    """As IPv6 is on a machine without it: the system says so before a packet is sent."""
    began = time.monotonic()

    with pytest.raises(OSError, match=r"\w"):
        dial(["255.255.255.255", "255.255.255.255"], 80, Deadline(5))

    assert time.monotonic() - began < 0.5
