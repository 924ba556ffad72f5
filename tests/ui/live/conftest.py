"""Fixtures of the live answer's tests."""

from collections.abc import Iterator

import pytest

from tests.browser import Tab, Tabs
from tests.streamlit_server import StreamlitServer


@pytest.fixture(scope="package")
def answer_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a page with room for an answer."""
    server = StreamlitServer("tests.ui.live.answer_app:app", tmp_path_factory.mktemp("answer") / "log")
    yield server.url
    server.stop()


@pytest.fixture
def kept_tab(tabs: Tabs, answer_url: str) -> Tab:
    """A tab at 1280 px, light, in which the page's code is compiled since the first test of the file."""
    return tabs.again(answer_url)
