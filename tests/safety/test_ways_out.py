"""Every way out of the process is known: who opens it, and who names the address there (T04).

An address that a student, a model or a page names goes through `services/safety/fetch` alone. The other places speak
to addresses of the operator's, or of the service's own documents, and hold them to their origin.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.integrations.feeds.parser import read_feed
from services.safety.fetch import SafeFetch
from tests.services.safety.fetch.raw_server import RawServer, answer
from tests.test_walls import OURS, is_of, tree

# Modules that can open a connection, or that fetch what they are given the address of.
WAYS_OUT = (
    "aiohttp",
    "aiosmtplib",
    "anthropic",
    "asyncio.streams",
    "authlib",
    "canvasapi",
    "feedparser",
    "ftplib",
    "google",
    "google_auth_httplib2",
    "google_auth_oauthlib",
    "googleapiclient",
    "http.client",
    "httpcore",
    "httpcore2",
    "httplib2",
    "httpx",
    "httpx2",
    "imaplib",
    "mcp.client.auth",
    "mcp.client.sse",
    "mcp.client.streamable_http",
    "mcp.client.websocket",
    "notion_client",
    "poplib",
    "pycurl",
    "pymongo",
    "pypdf",
    "requests",
    "requests_oauthlib",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "telnetlib",
    "trafilatura",
    "urllib.request",
    "urllib3",
    "websockets",
    "xmlrpc",
)
# Where each may stand, and who names the address there.
ALLOWED = {
    "commands/demo/command.py": "nobody: it asks the Homeroom that it started whether it is up",
    "commands/demo/networks.py": "nobody: it asks this machine which addresses it has",
    "commands/serve/command.py": "nobody: it opens the port that Homeroom listens on",
    "commands/serve/workers.py": "nobody: it asks the workers and the balancer that it started whether they are up",
    "services/safety/fetch/": "anybody: it is the guard",
    "services/llm/anthropic_": "the operator: ANTHROPIC_BASE_URL",
    "services/integrations/search/claude.py": "the operator: ANTHROPIC_BASE_URL",
    "services/discovery/client_transport.py": "a student's own program: the Homeroom that it talks to",
    "services/integrations/canvas/": "the operator: CANVAS_BASE_URL; students choose one, or name one to the guard",
    "services/integrations/github/client.py": "the operator: GITHUB_API_BASE_URL",
    "services/integrations/google_calendar/": "the operator: GOOGLE_API_BASE_URL",
    "services/integrations/notion/": "the operator: NOTION_API_BASE_URL",
    "services/integrations/kit/http_client.py": "the operator: the client of Notion and Google",
    "services/reminders/mail.py": "the operator: SMTP_URL",
    "services/materials/embeddings/voyage.py": "the operator: EMBEDDINGS_BASE_URL, or the provider's own",
    "services/runtime/library_compat.py": "nobody: it changes a method of a parser",
    "services/runtime/total_timeout.py": "nobody: it bounds the time of requests that others make",
    "services/storage/mongo": "the operator: MONGODB_URI",
    "services/tools/mcp/http_transport.py": "the operator: HOMEROOM_MCP_SERVERS",
    "services/integrations/feeds/parser.py": "nobody: it parses what the guard fetched",
    "services/files/readers.py": "nobody: it looks into what the student attached",
    "services/integrations/web/page_text.py": "nobody: it parses what the guard fetched",
}
# Calls that fetch by themselves when they are given an address, whatever library they come from.
FETCHING = {
    "fetch_url",
    "fetch_response",
    "urlopen",
    "urlretrieve",
    "create_connection",
    "open_connection",
    "read_html",
    "read_feather",
    "read_parquet",
    "getaddrinfo",
    "gethostbyname",
}
# The guard, who asks Homeroom's own port whether it answers, and who asks this machine for its own addresses.
MAY_FETCH = (
    "services/safety/fetch/",
    "commands/serve/workers.py",
    "commands/demo/command.py",
    "commands/demo/networks.py",
)
ROOMS = tuple(path for path in OURS if not path.startswith(("sandbox/", "bench/")))


def networking(path: str) -> Iterator[str]:
    """Names of modules that a file imports anywhere, "import_module" of a plain text included."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__"):
            yield from (str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def test_a_way_out_is_known() -> None:
    strangers = {
        path: sorted(found)
        for path in ROOMS
        if not path.startswith(tuple(ALLOWED))
        and (found := {name for name in networking(path) if any(is_of(name, way) for way in WAYS_OUT)})
    }

    assert strangers == {}, "use container.fetch, or say here who names the address"


def test_every_place_that_is_allowed_is_there() -> None:
    assert [place for place in ALLOWED if not any(path.startswith(place) for path in ROOMS)] == []


def test_nothing_fetches_by_the_way() -> None:
    calls = [(path, _name(n.func)) for path in ROOMS for n in ast.walk(tree(path)) if isinstance(n, ast.Call)]

    assert [call for call in calls if call[1] in FETCHING and not call[0].startswith(MAY_FETCH)] == []


def test_no_client_takes_any_certificate_or_redirect_or_the_environments_proxies() -> None:
    loose = {("trust_env", True), ("verify", False), ("follow_redirects", True), ("allow_redirects", True)}
    given = [
        (path, word.arg, word.value.value)
        for path in ROOMS
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        for word in node.keywords
        if isinstance(word.value, ast.Constant)
    ]

    assert [request for request in given if request[1:] in loose] == []


def test_the_body_of_a_feed_is_never_the_name_of_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text("<rss version='2.0'><channel><title>Secret</title><item><title>x</title></item></channel></rss>")
    with RawServer(answer(str(secret).encode(), content_type="application/rss+xml")) as server:
        fetch = SafeFetch(allow=frozenset((server.origin,)))

        with pytest.raises(Exception, match="is not a news feed"):
            read_feed(fetch, server.origin)
