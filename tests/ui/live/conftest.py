"""Fixtures of the live answer's tests."""

from collections.abc import Iterator

import pytest

from tests.streamlit_server import StreamlitServer


@pytest.fixture(scope="package")
def answer_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a page with room for an answer."""
    server = StreamlitServer("tests.ui.live.answer_app:app", tmp_path_factory.mktemp("answer") / "log")
    yield server.url
    server.stop()
