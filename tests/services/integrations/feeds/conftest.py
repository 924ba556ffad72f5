"""A news site of a few feeds on a real socket, and `rss_feed` called as the app does."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from services.assistants.assistant import Assistant, FollowedFeed
from services.integrations.feeds.tools import rss_feed
from services.safety.fetch import SafeFetch
from services.safety.seen_addresses import SeenAddresses
from services.tools.result import ToolResult
from tests.tool_calls import FakeSettings, container_of, run

NOW = datetime(2026, 11, 21, 18, tzinfo=UTC)


@dataclass(frozen=True)
class NewsSite:
    """url: of the site. pages: what it answers by path: a status, a content type and a body."""

    url: str
    pages: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)

    def put(self, path: str, body: str | bytes, *, kind: str = "application/rss+xml", status: int = 200) -> str:
        """Put a page up; gives back its address."""
        self.pages[path] = (status, kind, body if isinstance(body, bytes) else body.encode())
        return self.url + path


@pytest.fixture
def site() -> Iterator[NewsSite]:
    pages: dict[str, tuple[int, str, bytes]] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = pages.get(self.path, (404, "text/html", b"gone"))
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield NewsSite(f"http://127.0.0.1:{server.server_port}", pages)
    server.shutdown()
    server.server_close()
    thread.join()


Read = Callable[..., ToolResult]


@pytest.fixture
def read(site: NewsSite) -> Read:
    """Call the tool; `urls` are the deployment's feeds, `own` the assistant's, `said` what the student wrote."""

    def call(*, urls: str = "", own: tuple[str, ...] = (), said: str = "", **arguments: Any) -> ToolResult:
        container = container_of(
            settings=FakeSettings({"feeds": {"URLS": urls}}),
            fetch=SafeFetch(allow=frozenset({site.url})),
            clock=lambda: NOW,
        )
        known = SeenAddresses()
        known.add_student_text(said)
        feeds = tuple(FollowedFeed(title="Feed", url=f"{site.url}{path}") for path in own)
        reader = Assistant(id="reader", name="Reader", feeds=feeds)
        return run(rss_feed, arguments, container=container, seen_addresses=lambda: known, chosen=reader)

    return call


def rss(*items: str, title: str = "Campus news") -> str:
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>{title}</title>{"".join(items)}</channel></rss>'


def item(title: str, *, link: str = "https://news.example.edu/1", date: str = "", text: str = "") -> str:
    when = f"<pubDate>{date}</pubDate>" if date else ""
    return f"<item><title>{title}</title><link>{link}</link>{when}<description><![CDATA[{text}]]></description></item>"
