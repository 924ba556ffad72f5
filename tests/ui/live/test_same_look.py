"""The answer that comes looks like the finished one, which then takes its place without a jump."""

from typing import Any

import pytest

from tests.browser import Tab
from tests.ui.live.answer_page import NOTICE, QUESTION
from tests.ui.live.drawn_answer import DrawnAnswer
from tests.ui.live.sample_answer import ANSWER, events

pytestmark = pytest.mark.browser

NEAREST = 1.5
"""Pixels that two boxes may differ by."""
_BOXES = """() => {
    const bubble = document.querySelector('[aria-label="Chat message from assistant"]')
    const origin = bubble.getBoundingClientRect()
    const parts = "p, li, h2, h3, pre, pre code, p code, table, th, td, blockquote, hr, input, a, strong, details, img, .katex-html, "
        + "[data-testid=stExpanderStepIcon], [data-testid=stIconMaterial], [data-testid=stCaptionContainer], [data-testid=stText]"
    const looks = ["color", "font-size", "font-weight", "font-style", "text-align", "opacity", "border-top-color", "background-color"]
    return [...bubble.querySelectorAll(parts)].filter(part => part.checkVisibility() && !part.closest("[role=button], button")).map(part => {
        const box = part.getBoundingClientRect(), style = getComputedStyle(part)
        const words = part.tagName === "PRE" || part.tagName === "CODE" ? part.innerText.trim() : part.textContent
        return { name: part.tagName + " " + words.replace(/\\s+/g, "").slice(0, 40), box: [box.x - origin.x, box.y - origin.y, box.width, box.height],
            look: Object.fromEntries(looks.map(name => [name, style.getPropertyValue(name)])), font: style.fontFamily.split(",")[0] }
    })
}"""
_AVATAR = """() => {
    const message = document.querySelector('[data-testid=stChatMessage]:has([aria-label="Chat message from assistant"])')
    const avatar = message.firstElementChild, style = getComputedStyle(avatar), box = avatar.getBoundingClientRect()
    const outer = message.getBoundingClientRect(), icon = getComputedStyle(avatar.querySelector("[data-testid=stIconMaterial]"))
    return [box.x - outer.x, box.y - outer.y, box.width, box.height, outer.x, outer.width, outer.height].map(Math.round).concat(
        [icon.color, icon.fontSize, style.backgroundColor, style.borderTopColor])
}"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_live_and_finished_answers_look_the_same(answer_url: str, tabs: Any, width: int, dark: bool) -> None:
    finished = drawn_finished(tabs.open(width=width, dark=dark), answer_url)
    live = drawn_live(tabs.open(width=width, dark=dark), answer_url)

    assert differences(finished.page.evaluate(_BOXES), live.page.evaluate(_BOXES)) == []
    assert live.page.evaluate(_AVATAR) == finished.page.evaluate(_AVATAR)
    live.assert_quiet()


def drawn_finished(tab: Tab, url: str) -> Tab:
    tab.page.goto(f"{url}/?drawn=finished")
    tab.page.get_by_text("everything is drawn").wait_for(timeout=60_000)
    tab.page.locator("[data-testid=stMermaidChart] img").wait_for()
    tab.page.locator(".katex-display").last.wait_for()
    tab.page.wait_for_load_state("networkidle")
    tab.page.evaluate("() => document.fonts.ready")
    return tab


def drawn_live(tab: Tab, url: str) -> Tab:
    answer = DrawnAnswer(tab, url, question=QUESTION)
    *sent, sources, _end = events(*ANSWER, piece=50)
    answer.apply_all(sent)
    answer.apply(
        "step", {"n": len(ANSWER), "kind": "notice", "sentence": NOTICE.sentence, "next_step": NOTICE.next_step}
    )
    answer.apply("step", {**sources[1], "n": len(ANSWER) + 1})
    answer.page.evaluate("() => { document.querySelector('.live-answer [data-step][hidden]').hidden = false }")
    tab.page.locator("[data-testid=stMermaidChart] img").wait_for()
    tab.page.locator(".katex-display").last.wait_for()
    answer.settle()
    tab.page.evaluate("() => { document.querySelector('.live-answer [data-step][hidden]')?.removeAttribute('hidden') }")
    return tab


def differences(finished: list[dict[str, Any]], live: list[dict[str, Any]]) -> list[str]:
    """What is not the same, in words."""
    names, drawn = [part["name"] for part in finished], [part["name"] for part in live]
    if names != drawn:
        return [
            f"only finished: {[n for n in names if n not in drawn]}",
            f"only live: {[n for n in drawn if n not in names]}",
        ]
    found = []
    for one, other in zip(finished, live, strict=True):
        if any(abs(a - b) > NEAREST for a, b in zip(one["box"], other["box"], strict=True)):
            found.append(f"{one['name']}: {one['box']} is drawn at {other['box']}")
        if one["look"] != other["look"] or one["font"] != other["font"]:
            wrong = {
                key: (value, other["look"][key]) for key, value in one["look"].items() if value != other["look"][key]
            }
            found.append(f"{one['name']}: {wrong} {one['font']} {other['font']}")
    return found
