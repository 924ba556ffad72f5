"""A key that is tried before a demo: only a refusal speaks against it."""

import socket
from collections.abc import Iterator

import pytest

from services.llm.anthropic_model import try_key
from tests.anthropic_server import AnthropicServer, Refusal


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    server = AnthropicServer()
    yield server
    server.stop()


@pytest.mark.parametrize(
    ("status", "kind", "works"),
    [
        (401, "authentication_error", False),
        (403, "permission_error", False),
        (404, "not_found_error", None),
        (529, "overloaded_error", None),
    ],
)
def test_only_a_refusal_speaks_against_a_key(
    server: AnthropicServer, status: int, kind: str, works: bool | None
) -> None:
    server.script = [Refusal(status, kind)]

    assert try_key(api_key="test", base_url=server.url) is works


def test_a_server_that_cannot_be_reached_says_nothing_against_a_key() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]

    assert try_key(api_key="test", base_url=f"http://127.0.0.1:{port}") is None
