"""What a server may do to us: nothing that costs more than the time and bytes we gave."""

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Sequence

import pytest

from services.errors import ServiceUnavailable
from services.runtime.deadline import Deadline
from services.safety.fetch import AddressRefused, DnsUnavailable, FetchTimeout, HostUnknown, PageTooLarge, SafeFetch
from services.safety.fetch.guard import look_up
from tests.services.safety.fetch.raw_server import RawServer, answer, moved


def fetching(*servers: RawServer) -> SafeFetch:
    return SafeFetch(allow=frozenset(server.origin for server in servers))


def test_a_page_says_what_came_and_from_where() -> None:
    with RawServer(answer("Grüße".encode(), content_type='text/HTML; charset="UTF-8"', etag='"1"')) as server:
        page = fetching(server).get(f"{server.origin}/a?b=ü#part", accept="text/html")

    assert (page.status, page.media_type, page.charset, page.text) == (200, "text/html", "UTF-8", "Grüße")
    assert (page.url, page.hops, page.headers["etag"]) == (f"{server.origin}/a?b=%C3%BC", (), '"1"')
    assert server.requests[0].startswith("GET /a?b=%C3%BC HTTP/1.1\r\n")
    assert "\r\naccept: text/html\r\n" in server.requests[0]


def test_a_status_is_an_answer_and_not_an_error() -> None:
    with RawServer(answer(b"gone", status="410 Gone")) as server:
        page = fetching(server).get(server.origin)

    assert (page.status, page.is_good, page.body) == (410, False, b"gone")


def test_a_head_request_brings_no_body() -> None:
    with RawServer(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n") as server:
        page = fetching(server).head(server.origin)

    assert (page.status, page.body) == (200, b"")
    assert server.requests[0].startswith("HEAD / ")


def test_redirects_are_followed_and_told() -> None:
    with RawServer(answer(b"here")) as last, RawServer(moved(f"{last.origin}/c")) as first:
        page = fetching(first, last).get(f"{first.origin}/a")

    assert (page.url, page.asked, page.hops) == (f"{last.origin}/c", f"{first.origin}/a", (f"{first.origin}/a",))


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://2130706433/",
        "http://169.254.169.254/latest/meta-data/",
        "//127.0.0.1:8080/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "http://user@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://example.com:22/",
        "http://[::1",
        "javascript:alert(1)",
    ],
)
def test_a_redirect_is_checked_like_the_first_address(location: str) -> None:
    with RawServer(moved(location)) as server, pytest.raises(AddressRefused):
        fetching(server).get(server.origin)

    assert server.connections == 1


def test_a_chain_of_redirects_that_ends_inside_never_arrives_there() -> None:
    with (
        RawServer(answer(b"secret")) as inside,
        RawServer(moved(f"{inside.origin}/x")) as third,
        RawServer(moved(third.origin)) as second,
        RawServer(moved(second.origin)) as first,
        pytest.raises(AddressRefused),
    ):
        fetching(first, second, third).get(first.origin)

    assert (third.connections, inside.connections) == (1, 0)


def test_redirects_end() -> None:
    count = iter(range(100))
    with RawServer(lambda _: [moved(f"/{next(count)}")]) as endless, RawServer(moved("/")) as circle:
        for server in (endless, circle):
            with pytest.raises(ServiceUnavailable, match="keeps sending us on"):
                fetching(server).get(server.origin)

    assert (endless.connections, circle.connections) == (6, 1)


def test_headers_for_one_host_do_not_reach_another() -> None:
    with RawServer(answer()) as other, RawServer(moved(other.origin)) as first:
        fetching(first, other).get(first.origin, headers={"X-Key": "canary", "Host": "evil", "Cookie": "a=canary"})

    assert "canary" in first.requests[0]
    assert "evil" not in first.requests[0]
    assert "canary" not in other.requests[0]
    assert f"host: 127.0.0.1:{other.port}" in other.requests[0]


def test_headers_stay_with_the_host_when_it_moves_within_itself() -> None:
    script = iter([moved("/b"), answer(b"done")])
    with RawServer(lambda _: [next(script)]) as server:
        fetching(server).get(f"{server.origin}/a", headers={"if-none-match": '"1"'})

    assert ['if-none-match: "1"' in request for request in server.requests] == [True, True]


def test_cookies_are_neither_kept_nor_sent() -> None:
    with RawServer(answer(set_cookie="id=1")) as server:
        fetch = fetching(server)
        fetch.get(server.origin)
        fetch.get(server.origin)

    assert "cookie" not in "".join(server.requests).lower()


def test_proxies_and_credentials_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    with RawServer(answer(b"direct")) as server, RawServer(answer(b"proxied")) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.origin)
        page = fetching(server).get(server.origin)

    assert (page.body, proxy.connections) == (b"direct", 0)


PACKED_ZEROS = gzip.compress(b"\0" * 50_000_000, 9)


def drip(part: bytes, pause_s: float = 0.02) -> Callable[[bytes], Iterable[bytes]]:
    def script(_: bytes) -> Iterable[bytes]:
        yield b"HTTP/1.1 200 OK\r\n\r\n" if part != b"x-h: 1\r\n" else b"HTTP/1.1 200 OK\r\n"
        while True:
            yield part
            time.sleep(pause_s)  # the server's slowness is what is tested

    return script


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(answer(b"x" * 200_000), id="a long body"),
        pytest.param(drip(b"y" * 20_000, 0.0), id="an endless body"),
        pytest.param(answer(PACKED_ZEROS, content_encoding="gzip"), id="a gzip bomb"),
        pytest.param(answer(zlib.compress(b"\0" * 9_000_000), content_encoding="deflate"), id="a deflate bomb"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + b"4000\r\n" + b"z" * 0x4000 + b"\r\n" * 9,
            id="a chunk and nonsense",
        ),
    ],
)
def test_a_body_above_the_limit_is_refused_without_being_read(
    script: bytes | Callable[[bytes], Iterable[bytes]],
) -> None:
    began = time.monotonic()
    with RawServer(script) as server, pytest.raises((PageTooLarge, ServiceUnavailable)):
        fetching(server).get(server.origin, limit_bytes=10_000)

    assert time.monotonic() - began < 2


def test_a_body_can_be_cut_at_the_limit_instead() -> None:
    with RawServer(answer(PACKED_ZEROS, content_encoding="gzip")) as server:
        page = fetching(server).get(server.origin, limit_bytes=1_000, cut=True)

    assert (len(page.body), page.is_cut) == (1_000, True)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, lambda body: zlib.compress(body)[2:-4]])
def test_packed_bodies_are_unpacked(pack: Callable[[bytes], bytes]) -> None:
    encoding = "gzip" if pack is gzip.compress else "deflate"
    with RawServer(answer(pack(b"hello " * 1000), content_encoding=encoding)) as server:
        page = fetching(server).get(server.origin)

    assert page.body == b"hello " * 1000


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", id="a content length that is too long"),
        pytest.param(b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nshort", id="a content length below zero"),
        pytest.param(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx", id="two lengths"),
        pytest.param(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", id="a chunk of no size"),
        pytest.param(b"HTTP/1.1 200 OK\r\n" + b"x-a: 1\r\n" * 40_000 + b"\r\n", id="huge headers"),
        pytest.param(b"HTTP/1.1 200 OK\r\nx: " + b"y" * 300_000, id="one endless header"),
        pytest.param(answer(b"x", content_encoding="br"), id="a packing that nobody asked for"),
        pytest.param(answer(b"not gzip at all", content_encoding="gzip"), id="a packing that is a lie"),
        pytest.param(answer(gzip.compress(b"word " * 900)[:-9], content_encoding="gzip"), id="half a packing"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", id="another protocol"),
        pytest.param(b"", id="no answer"),
        pytest.param(b"HTTP/1.1 200 OK\r\ncontent-le", id="half an answer"),
    ],
)
def test_an_answer_that_makes_no_sense_is_an_error(said: bytes) -> None:
    with RawServer(said) as server, pytest.raises((ServiceUnavailable, PageTooLarge)):
        fetching(server).get(server.origin, timeout_s=3)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(drip(b"."), id="a dripping body"),
        pytest.param(drip(b"x-h: 1\r\n"), id="dripping headers"),
    ],
)
def test_the_time_is_for_everything_together(script: Callable[[bytes], Iterable[bytes]]) -> None:
    began = time.monotonic()
    with RawServer(script) as server, pytest.raises(FetchTimeout):
        fetching(server).get(server.origin, timeout_s=0.4)

    assert time.monotonic() - began < 1


def test_a_server_that_never_answers_is_given_up() -> None:
    released = threading.Event()
    with RawServer(lambda _: iter(lambda: released.wait(5) or b"", True)) as server, pytest.raises(FetchTimeout):
        fetching(server).get(server.origin, timeout_s=0.3)

    released.set()


def test_a_name_that_changes_its_mind_is_not_looked_up_again() -> None:
    """Rebinding: the second answer would be private, but the connection goes to what was checked."""
    answers = iter([("93.184.215.14",), ("127.0.0.1",)])
    dialled: list[Sequence[str]] = []

    def connect(addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
        dialled.append(addresses)
        raise OSError

    fetch = SafeFetch(resolve=lambda host, timeout_s: next(answers), connect=connect)
    with pytest.raises(ServiceUnavailable):
        fetch.get("http://rebind.test/")
    with pytest.raises(AddressRefused):
        fetch.get("http://rebind.test/")

    assert dialled == [("93.184.215.14",)]


def test_an_allowed_origin_is_that_scheme_host_and_port_only() -> None:
    with RawServer(answer(b"inside")) as server:
        fetch = fetching(server)
        page = fetch.get(f"{server.origin}/x")
        for other in (f"https://127.0.0.1:{server.port}/", f"http://localhost:{server.port}/", "http://127.0.0.1/"):
            with pytest.raises(AddressRefused):
                fetch.get(other)

    assert (page.body, server.connections) == (b"inside", 1)


@pytest.mark.parametrize(
    ("code", "error", "sentence"),
    [
        (socket.EAI_NONAME, HostUnknown, "DNS does not know it"),
        (socket.EAI_AGAIN, DnsUnavailable, "DNS did not answer"),
        (socket.EAI_FAIL, DnsUnavailable, "DNS did not answer"),
    ],
)
def test_an_unknown_name_and_a_silent_name_server_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, code: int, error: type[ServiceUnavailable], sentence: str
) -> None:
    def fail(*_: object) -> None:
        raise socket.gaierror(code, "")

    monkeypatch.setattr(socket, "getaddrinfo", fail)

    with pytest.raises(error, match=sentence) as failure:
        SafeFetch().get("http://campus.example/")

    assert type(failure.value) is error


def test_looking_a_name_up_has_its_own_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(5) and [])
    began = time.monotonic()

    with pytest.raises(ServiceUnavailable, match="DNS did not answer"):
        look_up("slow.example", 0.2)

    released.set()
    assert time.monotonic() - began < 1
