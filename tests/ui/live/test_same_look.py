"""The answer that comes looks like the finished one, which then takes its place without a jump."""

from typing import Any

import pytest

from tests.browser import Tab, Tabs
from tests.ui.live.answer_page import FILES, NOTICE, QUESTION
from tests.ui.live.drawn_answer import DrawnAnswer
from tests.ui.live.sample_answer import ANSWER, events

pytestmark = pytest.mark.browser

NEAREST = 1.5
"""Pixels that two boxes may differ by."""
_PARTS = (
    "p, li, h2, h3, pre, pre code, p code, table, th, td, blockquote, hr, input, a, strong, details, img, .katex-html",
    "[data-testid=stExpanderStepIcon], [data-testid=stIconMaterial], [data-testid=stCaptionContainer]",
    "[data-testid=stText]",
)
_QUESTION_PARTS = (
    "[data-testid=stMarkdownContainer]:has(br), [data-testid=stMarkdownContainer]:has(.la-asked)",
    "button, .la-button",
)
_LOOKS = (
    *("color", "font-size", "font-weight", "font-style", "text-align", "opacity", "border-top-color"),
    "background-color",
)
_BOXES = """([label, parts, looks]) => {
    const bubble = document.querySelector(`[aria-label="${label}"]`)
    const origin = bubble.getBoundingClientRect()
    const isDrawn = part => part.checkVisibility() && !part.parentElement.closest("[role=button], button")
        && !part.closest("[data-testid=stElementToolbar], [data-testid=stElementToolbarButton]")
    return [...bubble.querySelectorAll(parts)].filter(isDrawn).map(part => {
        const box = part.getBoundingClientRect(), style = getComputedStyle(part)
        const words = part.tagName === "PRE" || part.tagName === "CODE" ? part.innerText : part.textContent
        return {
            name: `${label.includes("user") ? "" : part.tagName} ${words.replace(/\\s+/g, "").slice(0, 40)}`,
            box: [box.x - origin.x, box.y - origin.y, box.width, box.height],
            look: Object.fromEntries([...looks.map(name => [name, style.getPropertyValue(name)]),
                ["font", style.fontFamily.split(",")[0]]]),
        }
    })
}"""
_AVATAR = """() => {
    const bubble = document.querySelector('[aria-label="Chat message from assistant"]')
    const message = bubble.closest("[data-testid=stChatMessage]"), avatar = message.firstElementChild
    const outer = message.getBoundingClientRect(), box = avatar.getBoundingClientRect()
    const icon = getComputedStyle(avatar.querySelector("[data-testid=stIconMaterial]"))
    const style = getComputedStyle(avatar)
    const sizes = [box.x - outer.x, box.y - outer.y, box.width, box.height, outer.x, outer.width, outer.height]
    return [...sizes.map(Math.round), icon.color, icon.fontSize, style.backgroundColor, style.borderTopColor]
}"""


@pytest.mark.parametrize(
    ("dark", "width"),
    [
        pytest.param(False, 1280, id="light-1280"),
        pytest.param(True, 390, id="dark-390", marks=pytest.mark.soak),
        pytest.param(False, 390, id="light-390", marks=pytest.mark.soak),
        pytest.param(True, 1280, id="dark-1280", marks=pytest.mark.soak),
    ],
)
def test_live_and_finished_answers_look_the_same(answer_url: str, tabs: Tabs, width: int, dark: bool) -> None:
    finished = drawn_finished(tabs.open(width=width, dark=dark), answer_url)
    live = drawn_live(tabs.open(width=width, dark=dark), answer_url)

    assert differences(boxes(finished), boxes(live)) == []
    assert differences(boxes(finished, "user"), boxes(live, "user")) == []
    assert live.page.evaluate(_AVATAR) == finished.page.evaluate(_AVATAR)
    live.assert_quiet()


def drawn_finished(tab: Tab, url: str) -> Tab:
    tab.page.goto(f"{url}/?drawn=finished")
    tab.page.get_by_text("everything is drawn").wait_for(timeout=60_000)
    return at_rest(tab)


def drawn_live(tab: Tab, url: str) -> Tab:
    """The same items, their texts in pieces; "Thinking …" stands below them, as on the finished page."""
    answer = DrawnAnswer(tab, url, question=QUESTION, files=FILES)
    *sent, (_, sources), _end = events(*ANSWER, piece=50)
    notice = {"kind": "notice", "sentence": NOTICE.sentence, "next_step": NOTICE.next_step}
    answer.apply_all([*sent, ("step", {"n": len(ANSWER), **notice}), ("step", {**sources, "n": len(ANSWER) + 1})])
    answer.settle()
    tab.page.evaluate("() => document.querySelector('.live-answer [data-step][hidden]').removeAttribute('hidden')")
    return at_rest(tab)


def at_rest(tab: Tab) -> Tab:
    tab.page.locator("[data-testid=stMermaidChart] img").wait_for()
    tab.page.locator(".katex-display").last.wait_for()
    tab.page.wait_for_load_state("networkidle")
    tab.page.evaluate("() => document.fonts.ready")
    return tab


def boxes(tab: Tab, speaker: str = "assistant") -> list[dict[str, Any]]:
    parts = _PARTS if speaker == "assistant" else _QUESTION_PARTS
    return list(tab.page.evaluate(_BOXES, [f"Chat message from {speaker}", ", ".join(parts), list(_LOOKS)]))


def differences(finished: list[dict[str, Any]], live: list[dict[str, Any]]) -> list[str]:
    """What is not the same, in words."""
    names, drawn = [part["name"] for part in finished], [part["name"] for part in live]
    if names != drawn:
        only = [name for name in names if name not in drawn], [name for name in drawn if name not in names]
        return [f"only finished: {only[0]}", f"only live: {only[1]}"]
    found = []
    for part, drawn_part in zip(finished, live, strict=True):
        name, look, drawn_look = part["name"], part["look"], drawn_part["look"]
        if any(abs(a - b) > NEAREST for a, b in zip(part["box"], drawn_part["box"], strict=True)):
            found.append(f"{name}: {part['box']} is drawn at {drawn_part['box']}")
        found += [f"{name}: {key} {look[key]}, {drawn_look[key]}" for key in look if look[key] != drawn_look[key]]
    return found
