"""What the component draws of the events, and what it leaves alone."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser import Tab
from tests.ui.live.drawn_answer import DrawnAnswer

pytestmark = pytest.mark.browser

STEP = {"call_id": "a", "label": "Looked up", "service": "Canvas", "asked": ["Title: Essay"], "did": [], "found": ""}
MARKUP = "<img src=x onerror='window.acted = 1'> **bold** <b>words</b>"
NO_CHUNKS = {"formulas": None, "diagrams": None}
DIAGRAM = {
    "kind": "diagram",
    "title": "Plan",
    "mermaid": "flowchart LR\n%% stAlt: Diagram: A, B\nn1[A] --> n2[B]",
    "lines": ["A → B"],
    "source": "graph LR; A-->B",
}
Draw = Callable[..., DrawnAnswer]


@pytest.fixture
def draw(kept_tab: Tab, answer_url: str) -> Draw:
    return lambda **options: DrawnAnswer(kept_tab, answer_url, **options)


def test_growing_words_are_inert(draw: Draw) -> None:
    answer = draw()

    answer.apply("text", {"n": 0, "text": MARKUP[:9]})
    answer.apply("text", {"n": 0, "text": MARKUP[9:]})
    answer.settle()

    expect(answer.bubble.locator("p:visible")).to_have_text(MARKUP.replace("**", ""))
    assert answer.bubble.locator(".la-markdown:not(.la-label) :is(img, b)").count() == 0
    answer.tab.assert_quiet()


def test_many_words_are_painted_at_once(draw: Draw) -> None:
    answer = draw()
    answer.apply("text", {"n": 0, "text": "a"})
    answer.settle()

    changes = answer.page.evaluate("""async () => {
        let changes = 0
        const options = { subtree: true, characterData: true, childList: true }
        const watch = new MutationObserver(found => { changes += found.length })
        watch.observe(document.querySelector(".live-answer"), options)
        for (let n = 0; n < 500; n++) window.answer.apply("text", { n: 0, text: " word" })
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
        return changes
    }""")

    assert changes <= 4
    expect(answer.bubble).to_contain_text("word" + " word" * 499)


def test_a_finished_block_is_never_touched_again(draw: Draw) -> None:
    answer = draw()
    answer.apply("block", {"n": 0, "from": 0, "blocks": [{"kind": "html", "html": "<p>One</p>"}], "text": "tw"})
    answer.page.evaluate("""() => {
        window.first = document.querySelector(".live-answer .la-block"), window.touched = 0
        const watch = new MutationObserver(found => { window.touched += found.length })
        watch.observe(window.first, { subtree: true, childList: true, characterData: true, attributes: true })
    }""")

    answer.apply("text", {"n": 0, "text": "o"})
    answer.settle()
    answer.apply("block", {"n": 0, "from": 1, "blocks": [{"kind": "html", "html": "<p>two</p>"}], "text": "three"})
    answer.apply("step", {"n": 1, "kind": "step", "state": "running", **STEP})
    answer.settle()

    assert shown(answer) == ["One", "two", "three", "Looked up · Canvas"]
    assert answer.page.evaluate("() => [window.first.isConnected, window.touched]") == [True, 0]


def test_later_blocks_can_be_replaced(draw: Draw) -> None:
    answer = draw()
    blocks = [{"kind": "html", "html": f"<p>{word}</p>"} for word in ("one", "two", "three")]
    answer.apply("block", {"n": 0, "from": 0, "blocks": [*blocks, DIAGRAM], "text": "rest"})

    fits = answer.apply("block", {"n": 0, "from": 1, "blocks": [{"kind": "html", "html": "<p>TWO</p>"}], "text": ""})
    answer.settle()

    assert fits is True
    assert shown(answer) == ["one", "TWO"]
    assert answer.bubble.get_by_test_id("stElementContainer").count() == 1


def test_rendered_words_take_the_words_that_follow(draw: Draw) -> None:
    answer = draw()

    answer.apply("text", {"n": 0, "text": "- on", "html": "<ul><li>on</li></ul>"})
    answer.settle()
    answer.apply("text", {"n": 0, "text": "e & two"})
    answer.settle()

    expect(answer.bubble.get_by_role("listitem")).to_have_text("one & two")
    answer.apply("text", {"n": 0, "text": "", "html": "<ul><li>one</li><li>two</li></ul>"})
    answer.settle()
    expect(answer.bubble.get_by_role("listitem")).to_have_text(["one", "two"])


def test_thinking_is_shown_while_nothing_else_says_that_it_goes_on(draw: Draw) -> None:
    answer = draw()
    thinking = answer.bubble.get_by_text("Thinking …")
    expect(thinking).to_be_visible()

    answer.apply("step", {"n": 0, "kind": "step", "state": "running", **STEP})
    expect(thinking).to_be_hidden()
    answer.apply("step", {"n": 0, "kind": "step", "state": "done", **STEP})
    expect(thinking).to_be_visible()
    answer.apply("text", {"n": 1, "text": "Words"})
    expect(thinking).to_be_hidden()
    answer.apply("step", {"n": 2, "kind": "step", "state": "done", **STEP})
    answer.apply("end", {"status": "done", "notice": None, "redraw_in_ms": 0})
    expect(thinking).to_be_hidden()


def test_a_screen_reader_waits_for_the_end(draw: Draw) -> None:
    answer = draw()
    expect(answer.bubble).to_have_attribute("aria-busy", "true")

    answer.apply("end", {"status": "done", "notice": None, "redraw_in_ms": 0})

    assert answer.bubble.get_attribute("aria-busy") is None


def test_a_step_that_was_opened_with_the_keyboard_stays_open(draw: Draw) -> None:
    answer = draw()
    answer.apply("step", {"n": 0, "kind": "step", "state": "running", "note": "1 of 2", **STEP})
    summary = answer.bubble.locator("summary")
    summary.focus()
    answer.page.keyboard.press("Enter")
    expect(answer.bubble.get_by_text("Title: Essay")).to_be_visible()
    expect(summary).to_have_attribute("aria-expanded", "true")

    answer.apply("step", {"n": 0, "kind": "step", "state": "done", "seconds": "0.4 s", **STEP})

    expect(answer.bubble.locator("summary")).to_have_text("check_circlekeyboard_arrow_downLooked up · Canvas · 0.4 s")
    expect(answer.bubble.get_by_text("Title: Essay")).to_be_visible()
    expect(answer.bubble.locator("summary")).to_be_focused()


def test_a_question_back_says_so_in_its_line_and_stays_closed(draw: Draw) -> None:
    answer = draw()

    answer.apply("step", {"n": 0, "kind": "step", "state": "asks", "sentence": "Which course?", **STEP})

    expect(answer.bubble.locator("summary")).to_have_text("helpkeyboard_arrow_rightLooked up · Canvas · Which course?")
    expect(answer.bubble.get_by_text("Title: Essay")).to_be_hidden()


def test_a_snapshot_replaces_everything(draw: Draw) -> None:
    answer = draw()
    answer.apply("text", {"n": 0, "text": "old"})
    answer.apply("step", {"n": 1, "kind": "step", "state": "done", **STEP})

    block = {"kind": "html", "html": "<p>new</p>"}
    answer.apply("snapshot", {"items": [{"n": 0, "kind": "text", "blocks": [block], "text": "words"}]})
    answer.apply("text", {"n": 0, "text": " and more"})
    answer.settle()

    assert shown(answer) == ["new", "words and more"]


def test_the_button_of_a_notice_asks_the_page(draw: Draw) -> None:
    answer = draw()
    notice = {"sentence": "The model did not answer.", "next_step": "Try again.", "action": "retry"}

    answer.apply("end", {"status": "failed", "notice": notice, "redraw_in_ms": 0})
    answer.bubble.get_by_role("button", name="Retry").click()

    expect(answer.bubble.get_by_role("status")).to_contain_text("The model did not answer. Try again.")
    assert answer.page.evaluate("() => window.pressed") == ["retry"]


def test_formulas_and_diagrams_stay_text_where_streamlit_has_no_file_for_them(draw: Draw) -> None:
    answer = draw(chunks=NO_CHUNKS)
    formula = {"kind": "html", "html": '<p>So <span class="formula" data-display="false">a^2</span></p>'}

    answer.apply("block", {"n": 0, "from": 0, "blocks": [formula, DIAGRAM], "text": ""})
    answer.settle()

    expect(answer.bubble.get_by_text("So a^2")).to_be_visible()
    expect(answer.bubble.get_by_text("A → B")).to_be_visible()
    assert answer.bubble.get_by_test_id("stMermaidChart").count() == 0


def test_a_diagram_is_a_picture_with_a_summary(draw: Draw) -> None:
    answer = draw()

    answer.apply("block", {"n": 0, "from": 0, "blocks": [DIAGRAM], "text": ""})

    picture = answer.bubble.get_by_role("img", name="Diagram: A, B")
    expect(picture).to_be_visible()
    assert str(picture.get_attribute("src")).startswith("blob:")
    assert (
        answer.page.evaluate("() => { window.answer.remove(); return document.querySelector('.host').innerHTML }") == ""
    )


def test_an_answer_that_grows_moves_nobody(draw: Draw) -> None:
    answer = draw(question="Why?")
    line = "Words that fill a line of this page, and then a little more than that. " * 20

    answer.apply("text", {"n": 0, "text": line * 3})
    answer.settle()

    assert answer.page.evaluate("() => document.querySelector('.stMain').scrollTop") == 0


def shown(answer: DrawnAnswer) -> list[str]:
    """The paragraphs that can be seen."""
    return answer.bubble.locator("p:visible").all_inner_texts()


def test_an_answer_that_goes_on_below_a_card_has_no_second_avatar(draw: Draw) -> None:
    answer = draw(is_continued=True)

    answer.apply("text", {"n": 0, "text": "Done."})

    expect(answer.bubble.get_by_text("Done.")).to_be_visible()
    expect(answer.page.get_by_test_id("stChatMessageAvatarCustom")).to_be_hidden()


def test_events_that_come_before_the_drawing_is_loaded_are_drawn_then(draw: Draw, kept_tab: Tab) -> None:
    held: list[Route] = []
    kept_tab.page.route("**/assets/answer.js", lambda route: held.append(route))
    answer = draw(module="lazy_answer")
    answer.apply("text", {"n": 0, "text": "one "})
    answer.apply("text", {"n": 0, "text": "two "})
    expect(answer.bubble).to_be_hidden()

    held[0].continue_()

    expect(answer.bubble).to_contain_text("one two")
    answer.apply("text", {"n": 0, "text": "three"})
    expect(answer.bubble).to_contain_text("one two three")


_JUNK: tuple[Any, ...] = (None, 1, "words", [], {}, [None], {"n": "__proto__"}, {"n": 10**9}, {"n": -1}, {"n": 0.5})
_ODD: tuple[dict[str, Any], ...] = (
    {"n": 3, "text": "words"},
    {"n": 0, "text": {"toString": None}},
    {"n": 0, "from": 7, "blocks": [], "text": ""},
    {"n": 0, "from": 0, "blocks": None},
    {"n": 0, "kind": "step", "label": {}, "asked": 3, "did": {"a": 1}, "found": [], "state": "flying"},
    {"n": 2, "kind": "text", "blocks": [{"kind": "html"}]},
    {"items": {"length": 10**9}},
    {"items": [{"n": 1, "kind": "text"}]},
)


@pytest.mark.soak
def test_odd_events_never_throw_and_what_does_not_fit_asks_for_a_snapshot(draw: Draw) -> None:
    answer = draw()
    names = ("snapshot", "text", "block", "step", "card", "sources")
    odd = [(name, data) for name in names for data in (*_JUNK, *_ODD)]

    answers = answer.apply_all([("pulse", {"n": 0}), *odd])

    assert answers[0] is True, "an event that is not known yet is passed over"
    assert all(isinstance(said, bool) for said in answers)
    assert [answer.apply(*event) for event in (("text", {"n": 99, "text": "x"}), ("block", {"n": 0, "from": 99}))] == [
        False,
        False,
    ]
    blocks = [None, 3, {"kind": "html", "html": 5}, {"kind": "picture"}, {"kind": "diagram", "lines": 3}]
    assert answer.apply("snapshot", {"items": [{"n": 0, "kind": "text", "blocks": blocks, "text": "sound"}]}) is True
    answer.apply("end", {"notice": {"sentence": 3, "action": "__proto__"}})
    answer.settle()
    expect(answer.bubble.get_by_text("sound")).to_be_visible()
    answer.tab.assert_quiet()
