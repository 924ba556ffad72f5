"""Drives the component's `answer.js` in a browser, without the page and the routes around it."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tests.browser import Tab
from tests.ui.live.sample_answer import Event
from ui.streamlit_compat import chunk_addresses

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

WORDS = {
    "thinking": "Thinking …",
    "asked_for": "Asked for",
    "found": "Found",
    "show_as_text": "Show as text",
    "retry": "Retry",
    "continue": "Continue",
}
_BEGIN = """async ({ words, chunks, question, files, module, isContinued }) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/assets/answer.css" })
    await new Promise(resolve => { link.onload = resolve; document.head.append(link) })
    const { createAnswer } = await import(`/assets/${module}.js`)
    window.pressed = []
    window.answer = createAnswer(document.querySelector(".host"),
        { question, files, isContinued, words, chunks, onNotice: action => window.pressed.push(action) })
}"""
_PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class DrawnAnswer:
    """A live answer on a tab."""

    def __init__(
        self,
        tab: Tab,
        url: str,
        *,
        question: str | None = None,
        files: Sequence[tuple[str, int]] = (),
        chunks: Mapping[str, str | None] | None = None,
        module: str = "answer",
        is_continued: bool = False,
    ) -> None:
        self.tab = tab
        self.page: Page = tab.page
        self.page.goto(url)
        self.page.get_by_text("everything is drawn").wait_for(timeout=60_000)
        self.page.locator(".host").wait_for(state="attached")
        known = chunk_addresses() if chunks is None else chunks
        chosen = [{"name": name, "size": size} for name, size in files]
        options = {"words": WORDS, "chunks": dict(known), "question": question, "files": chosen}
        self.page.evaluate(_BEGIN, {**options, "module": module, "isContinued": is_continued})

    @property
    def bubble(self) -> "Locator":
        return self.page.get_by_label("Chat message from assistant")

    def apply(self, name: str, data: Any) -> Any:
        return self.page.evaluate("([name, data]) => window.answer.apply(name, data)", [name, data])

    def apply_all(self, events: list[Event]) -> list[Any]:
        """The answers of `apply` to these events, all of one frame."""
        given = json.loads(json.dumps(events))
        return list(self.page.evaluate("all => all.map(([name, data]) => window.answer.apply(name, data))", given))

    def settle(self) -> None:
        """Until all that was given is drawn, with its formulas, pictures and fonts."""
        self.page.wait_for_load_state("networkidle")
        self.page.evaluate("() => document.fonts.ready")
        self.page.evaluate(_PAINTED)
