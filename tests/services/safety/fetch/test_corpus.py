"""Every hostile address is refused and nothing is connected to; ordinary ones pass."""

import socket
from collections.abc import Sequence
from ipaddress import ip_address

import pytest

from services.errors import ServiceUnavailable
from services.runtime.deadline import Deadline
from services.safety.fetch import AddressRefused, SafeFetch
from services.safety.fetch.guard import is_public, look_up
from tests.safety.addresses import HOSTILE, NAMES, ORDINARY, PUBLIC
from tests.services.safety.fetch.raw_server import RawServer

ALL_HOSTILE = [(kind, url) for kind, urls in HOSTILE.items() for url in urls]


class Recorder:
    """A way out that notes where it was asked to go and goes nowhere."""

    def __init__(self) -> None:
        self.asked: list[Sequence[str]] = []

    def __call__(self, addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
        self.asked.append(addresses)
        raise OSError


def resolve(host: str, timeout_s: float) -> Sequence[str]:
    try:
        return (str(ip_address(host)),)
    except ValueError:
        return NAMES.get(host, PUBLIC)


def test_the_list_of_hostile_addresses_is_long() -> None:
    assert len(ALL_HOSTILE) >= 250
    assert len(ORDINARY) >= 60


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_address_is_refused_before_anything_is_connected_to(kind: str) -> None:
    way_out = Recorder()
    fetch, passed = SafeFetch(resolve=resolve, connect=way_out), []

    for url in HOSTILE[kind]:
        try:
            fetch.get(url)
            passed.append(url)
        except AddressRefused:
            continue
        except ServiceUnavailable:
            passed.append(url)

    assert passed == []
    assert way_out.asked == []


def test_an_ordinary_address_is_allowed() -> None:
    way_out = Recorder()
    fetch, refused = SafeFetch(resolve=resolve, connect=way_out), []

    for url in ORDINARY:
        try:
            fetch.get(url)
        except AddressRefused:
            refused.append(url)
        except ServiceUnavailable:
            continue

    assert refused == []
    assert len(way_out.asked) == len(ORDINARY)
    assert all(is_public(address) for addresses in way_out.asked for address in addresses)


def test_a_refusal_says_nothing_but_the_host() -> None:
    with pytest.raises(AddressRefused) as refusal:
        SafeFetch(resolve=resolve).get("http://10.0.0.1/secret?token=abc")

    assert str(refusal.value) == "10.0.0.1 is not a public address, so Homeroom does not open it."
    assert refusal.value.next_step


def test_a_listener_on_this_machine_is_never_spoken_to() -> None:
    """With the real resolver and real sockets: every name and number of this machine, on the listener's port."""
    with RawServer(b"") as listener:
        ways = ("127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "0.0.0.0", "[::]")
        more = (
            "[::ffff:127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "localhost.",
            "127.0.0.1.",
            "１２７.０.０.１",
        )
        guarded = SafeFetch()
        unguarded = SafeFetch(allow=frozenset(("http://other.example",)), resolve=look_up)

        for host in (*ways, *more):
            for fetch in (guarded, unguarded):
                with pytest.raises(AddressRefused):
                    fetch.get(f"http://{host}:{listener.port}/", timeout_s=3)
                with pytest.raises(AddressRefused):
                    fetch.head(f"http://{host}/", timeout_s=3)

        assert listener.connections == 0
