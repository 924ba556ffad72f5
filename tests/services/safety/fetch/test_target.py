"""An address that is taken is read the same by everybody after us."""

from urllib.parse import urlsplit

import httpx
import pytest
import urllib3
from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.safety.fetch import AddressRefused
from services.safety.fetch.target import ParsedAddress, parse_address

PIECES = st.sampled_from(
    ["http://", "https://", "http:", "/", "\\", "@", ":", "#", "?", "%", "[", "]", "::1", "127.0.0.1", "example.com",
     "localhost", ".", "0x7f", "%40", "%2e", "\t", "\n", " ", "é", "。", "①",
     "xn--", "80", "8080", "a", "&", ";", "\u200b"]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=9).map("".join), st.text(max_size=40).map("http://".__add__))


@settings(max_examples=100)
@given(TEXTS)
@example("http://example.com\\@127.0.0.1/")
@example("http://example.com#@127.0.0.1/")
@example("https://[::FFFF:1.2.3.4]:8443?x")
def test_every_parser_reads_the_same_host_port_and_path(text: str) -> None:
    try:
        target = parse_address(text)
    except AddressRefused:
        return

    split, by_httpx, by_urllib3 = urlsplit(target.url), httpx.URL(target.url), urllib3.util.parse_url(target.url)
    assert target.url.isascii()
    assert (split.hostname, by_httpx.raw_host.decode(), (by_urllib3.host or "").strip("[]")) == (target.host,) * 3
    assert (split.scheme, split.port or _port(target)) == (target.scheme, target.port)
    assert (by_httpx.port or _port(target), by_urllib3.port or _port(target)) == (target.port, target.port)
    assert "@" not in split.netloc
    assert parse_address(target.url) == target


def _port(target: ParsedAddress) -> int:
    return 443 if target.scheme == "https" else 80


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("HTTPS://EXAMPLE.COM", "https://example.com/"),
        ("https://example.com:443/a#b", "https://example.com/a"),
        ("http://example.com?x=1", "http://example.com/?x=1"),
        ("https://münchen.de/käse?ö=1", "https://xn--mnchen-3ya.de/k%C3%A4se?%C3%B6=1"),
        ("https://faß.de/", "https://xn--fa-hia.de/"),
        ("https://example.com/a%20b|c", "https://example.com/a%20b%7Cc"),
        ("http://[2606:4700:4700:0::1111]:8080/", "http://[2606:4700:4700::1111]:8080/"),
        ("http://example.com./", "http://example.com/"),
    ],
)
def test_an_address_is_sent_in_one_form(written: str, sent: str) -> None:
    assert parse_address(written).url == sent
