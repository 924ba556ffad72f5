"""Fixtures of the calendar's tests in a browser."""

from collections.abc import Iterator

import pytest

from tests.streamlit_server import StreamlitServer


@pytest.fixture(scope="package")
def calendar_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a page that draws sample weeks."""
    server = StreamlitServer("tests.ui.week.calendar_app:app", tmp_path_factory.mktemp("calendar") / "log")
    yield server.url
    server.stop()
