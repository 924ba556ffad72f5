"""The corpus in a real browser: neither the sanitiser alone nor the headers alone let anything out."""

import re
from collections.abc import Iterator

import pytest

from tests.browser import Sinkhole, Tab, Tabs
from tests.safety.hostile_markdown import ALLOWED
from tests.streamlit_server import StreamlitServer

pytestmark = pytest.mark.browser

_FOOTNOTE = re.compile(r"#user-content-fn(ref)?-\w+(-\d+)?$")
_SURFACES = '[data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]'
_PARTS = "img, [data-testid=stMermaidChart], iframe, form, object, embed, video, audio, a[href]"
_ACTING = f"""() => [...document.querySelectorAll('{_SURFACES}')]
    .flatMap(surface => [...surface.querySelectorAll('{_PARTS}')])
    .filter(part => !part.closest('[data-testid="stHeaderActionElements"]'))
    .map(part => part.tagName === 'A' ? part.getAttribute('href') : part.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamlitServer]:
    server = StreamlitServer("tests.safety.hostile_app:app", tmp_path_factory.mktemp("hostile") / "log")
    yield server
    server.stop()


def test_with_the_sanitiser_alone_nothing_is_asked_of_other_hosts(
    server: StreamlitServer, tabs: Tabs, sinkhole: Sinkhole
) -> None:
    sinkhole.heard()

    tab = opened(tabs, f"{server.url}/?sanitiser=on&headers=off")

    assert tab.outside == []
    assert sinkhole.heard() == []
    assert [part for part in tab.page.evaluate(_ACTING) if part not in ALLOWED and not _FOOTNOTE.match(part)] == []


def test_with_the_headers_alone_nothing_reaches_other_hosts(
    server: StreamlitServer, tabs: Tabs, sinkhole: Sinkhole
) -> None:
    sinkhole.heard()

    tab = opened(tabs, f"{server.url}/?sanitiser=off&headers=on")

    assert len(tab.outside) > 20, "the corpus has lost its teeth"
    assert sinkhole.heard() == []


def opened(tabs: Tabs, address: str) -> Tab:
    """The page with every attack drawn, and everything loaded that wanted to be."""
    tab = tabs.open()
    tab.page.goto(address)
    tab.page.get_by_text("everything is drawn").wait_for(timeout=90_000)
    tab.page.wait_for_load_state("networkidle", timeout=60_000)
    return tab
