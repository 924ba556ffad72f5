"""Library internals that the services rely on, in one place: what to check when one of these libraries is updated.

`tests/services/runtime/test_library_compat.py` fails when one of them has moved. Streamlit's are in
`ui/streamlit_compat.py`.
"""

from collections.abc import Callable
from typing import Any


def set_network_backend(transport: Any, backend: Any) -> None:
    """Replace the network backend of an `httpx2.HTTPTransport` (2.16), which has no argument for it."""
    transport._pool._network_backend = backend


def set_response_body(response: Any, body: bytes) -> None:
    """Give a streamed `requests.Response` (2.34) the body that was read from it, as if it had read it itself."""
    response._content = body
    response._content_consumed = True


def wrap_github_connections(github: Any, wrap: Callable[[Any], Any]) -> None:
    """Wrap the connection class of a `github.Github` (PyGithub 2.10), which has no argument for it."""
    requester = github.requester
    requester._Requester__connectionClass = wrap(requester._Requester__connectionClass)


def skip_feed_authors() -> None:
    """Stop feedparser (6.0) from searching authors' names for an address, in time quadratic in their length."""
    from feedparser.mixin import _FeedParserMixin

    _FeedParserMixin._sync_author_detail = _do_nothing


def _do_nothing(*_arguments: object) -> None:
    """Stand-in for a method that is not wanted."""
