"""What Homeroom draws works under its own security headers, without a single complaint of the browser."""

from collections.abc import Iterator

import pytest

from tests.browser import Tab
from tests.streamlit_server import StreamlitServer

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamlitServer]:
    server = StreamlitServer("tests.api.policy_app:app", tmp_path_factory.mktemp("policy") / "log")
    yield server
    server.stop()


def test_every_element_works_under_the_policy(server: StreamlitServer, tab: Tab) -> None:
    page = tab.page
    page.goto(server.url)

    page.get_by_test_id("stVegaLiteChart").locator("canvas, svg").first.wait_for()
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    page.locator(".katex").nth(1).wait_for()
    page.get_by_test_id("stMermaidChart").locator("img").wait_for()
    page.get_by_test_id("stCode").get_by_text("print").first.wait_for()
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"week 3"}
    )
    page.get_by_text("got notes.txt: week 3").wait_for()
    page.get_by_test_id("stChatInput").locator("textarea").fill("hello")
    page.keyboard.press("Enter")
    page.get_by_text("said hello").wait_for()

    tab.assert_quiet()
