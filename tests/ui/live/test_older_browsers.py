"""The reader in a browser that lacks what Safari 16.4 and Firefox 121 lack."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import Tab
from tests.ui.live.answer_app import ASSETS

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.browser

_LACKS = """() => {
    for (const [owner, name] of [
        [URL, "canParse"], [URL, "parse"], [Element.prototype, "checkVisibility"], [AbortSignal, "any"],
        [Promise, "withResolvers"], [Object, "groupBy"], [window, "CloseWatcher"], [window, "requestIdleCallback"],
    ]) delete owner[name]
}"""
_READER = """async () => {
    const { mountReader } = await import("/assets/reader_link.js")
    const words = new Proxy({}, { get: (_, name) => `${name} {count}` })
    document.body.innerHTML = '<a href="/materials?open=file-1&page=2">Osmosis</a>'
    mountReader({ data: { words, origin: location.origin, opens: "" } })
}"""
_PAGE = {
    **dict.fromkeys(("course", "module", "dated", "as_of", "url", "url_label"), ""),
    "title": "Membranes",
    "unit": "Slide",
    "place": "slide 2",
    "count": 3,
    "notes": [],
    "is_slide": True,
    "is_live": True,
    "has_pictures": False,
    "page": {
        "number": 2,
        "label": "",
        "passage": "",
        "is_blank": False,
        "speaker_notes": [],
        "blocks": [{"kind": "text", "lines": [[["Water goes to the salt.", False]]]}],
    },
}


def without_light_dark(route: "Route") -> None:
    style = (ASSETS / "reader.css").read_text(encoding="utf-8")
    route.fulfill(body=style.replace("light-dark(", "unknown("), content_type="text/css")


@pytest.mark.soak
def test_the_reader_opens_over_the_page_and_gives_the_keyboard_back(tab: Tab, answer_url: str) -> None:
    tab.page.goto(f"{answer_url}/health")
    tab.page.route("**/live/reader/page", lambda route: route.fulfill(json=_PAGE))
    tab.page.route("**/reader.css", without_light_dark)
    tab.page.evaluate(_LACKS)
    tab.page.evaluate(_READER)
    link = tab.page.get_by_role("link", name="Osmosis")

    link.click()
    expect(tab.page.locator(".reader-body")).to_contain_text("Water goes to the salt.")
    assert tab.page.locator(".reader").evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(255, 255, 255)"
    link.evaluate("it => it.replaceWith(it.cloneNode(true))")
    tab.page.keyboard.press("Escape")

    expect(tab.page.locator(".reader")).to_have_count(0)
    expect(link).to_be_focused()
    tab.assert_quiet()
