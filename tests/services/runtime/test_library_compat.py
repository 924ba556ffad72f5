"""What we reach inside libraries is where `library_compat` reaches for it, in the versions that are installed."""

import io
from contextlib import suppress
from typing import Any

import feedparser
import github
import httpcore2
import httpx2
import requests

from services.runtime.library_compat import (
    set_network_backend,
    set_response_body,
    skip_feed_authors,
    wrap_github_connections,
)

FEED = b"<rss version='2.0'><channel><item><author>Ada (ada@example.org)</author></item></channel></rss>"


class Refusing(httpcore2.NetworkBackend):
    def connect_tcp(self, *_arguments: object, **_options: object) -> httpcore2.NetworkStream:
        raise httpcore2.ConnectError("refused here")


def test_requests_go_through_the_network_backend_that_was_set() -> None:
    transport = httpx2.HTTPTransport()
    set_network_backend(transport, Refusing())

    with httpx2.Client(transport=transport) as client:
        try:
            client.get("http://127.0.0.1:9/")
            refused = ""
        except httpx2.ConnectError as error:
            refused = str(error)

    assert refused == "refused here"


def test_a_body_that_was_set_is_the_response_s_own() -> None:
    response = requests.Response()
    response.raw = io.BytesIO(b"what is left")

    set_response_body(response, b'{"a": 1}')

    assert (response.json(), response.content) == ({"a": 1}, b'{"a": 1}')


def test_github_connects_by_the_class_that_was_wrapped() -> None:
    hosts = []
    client = github.Github(base_url="http://127.0.0.1:9", retry=None)

    def wrap(kind: Any) -> Any:
        def connect(host: str, *arguments: object, **options: object) -> Any:
            hosts.append(host)
            return kind(host, *arguments, **options)

        return connect

    wrap_github_connections(client, wrap)
    with suppress(requests.ConnectionError):
        client.get_rate_limit()

    assert hosts == ["127.0.0.1"]


def test_feedparser_leaves_authors_as_they_are_written() -> None:
    skip_feed_authors()

    (entry,) = feedparser.parse(io.BytesIO(FEED)).entries

    assert (entry.author, "author_detail" in entry) == ("Ada (ada@example.org)", False)
