"""The words that still grow: laid out like the finished block, and inert."""

import pytest
from playwright.sync_api import expect

from services.conversations.items import AssistantText
from tests.browser import Tab, Tabs
from tests.safety.hostile_markdown import attacks
from tests.ui.live.drawn_answer import DrawnAnswer
from tests.ui.live.sample_answer import ADDRESS, events
from tests.ui.live.test_same_look import boxes, differences

pytestmark = pytest.mark.browser

TEXT = """Here is **what is due**, with `code`, ~~old~~ and *stress* in 2 * 3 snake_case words
on a second line of a paragraph that is long enough to wrap wherever it is looked at, on a phone or a laptop.

## A heading
### Smaller

- one **bold**
- two
  goes on
  - inside
  - inside as well
- three

1. first
2. second

> Quoted *words*
> on two lines

```python
def double(number):
    return 2 * number
```

| Course | Due |
|---|---|
| Biology | **Monday** |
| Chemistry | Tuesday |

- [x] done
- [ ] open

---

The end."""
_DRAW = """async ({ texts, piece }) => {
    const { Growing } = await import("/assets/growing.js")
    return texts.map(text => {
        const growing = new Growing()
        for (let at = 0; at < text.length; at += piece) growing.add(text.slice(at, at + piece))
        return growing.element.innerHTML
    })
}"""


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.soak), 390])
def test_growing_words_stand_where_the_finished_ones_will(answer_url: str, tabs: Tabs, width: int) -> None:
    growing, finished = (DrawnAnswer(tabs.again(answer_url, width=width), answer_url) for _ in range(2))
    finished.apply_all(events(AssistantText(text=TEXT, seq=1))[:-1])
    for at in range(0, len(TEXT), 40):
        growing.apply("text", {"n": 0, "text": TEXT[at : at + 40]})
    growing.settle()
    finished.settle()

    assert differences(boxes(finished.tab), boxes(growing.tab)) == []


def test_a_text_looks_the_same_wherever_it_was_cut(answer_url: str, kept_tab: Tab) -> None:
    kept_tab.page.goto(f"{answer_url}/health")
    texts = [TEXT, *(text for name, text in attacks().items() if not name.startswith("flood"))]

    whole = kept_tab.page.evaluate(_DRAW, {"texts": texts, "piece": 1_000_000})

    for piece in (1, 7):
        assert kept_tab.page.evaluate(_DRAW, {"texts": texts, "piece": piece}) == whole


def test_a_link_has_no_address_yet(answer_url: str, kept_tab: Tab) -> None:
    answer = DrawnAnswer(kept_tab, answer_url)

    answer.apply("text", {"n": 0, "text": f"See [the course]({ADDRESS}) and ![x](https://evil.example/i)"})
    answer.settle()

    expect(answer.bubble.locator("p:visible")).to_have_text("See the course and x")
    assert answer.bubble.locator("a, img").count() == 0


@pytest.mark.parametrize("words", ["**Bo", "[open](https://campus.exam", "`co", "*so"])
def test_a_mark_that_is_still_open_is_not_shown(answer_url: str, kept_tab: Tab, words: str) -> None:
    kept_tab.page.goto(f"{answer_url}/health")

    (drawn,) = kept_tab.page.evaluate(_DRAW, {"texts": [words], "piece": 3})

    assert not set("*[]()`") & set(drawn)


def test_a_list_of_many_levels_stays_shallow(answer_url: str, kept_tab: Tab) -> None:
    kept_tab.page.goto(f"{answer_url}/health")
    text = "".join(f"{' ' * 2 * level}- {level}\n" for level in range(300))

    (drawn,) = kept_tab.page.evaluate(_DRAW, {"texts": [text], "piece": 500})

    assert drawn.count("<li>") == 300
    assert drawn.count("<ul>") == 12


def test_emphasis_is_sought_in_a_part_of_a_long_line_only(answer_url: str, kept_tab: Tab) -> None:
    kept_tab.page.goto(f"{answer_url}/health")

    (far, long) = kept_tab.page.evaluate(_DRAW, {"texts": [f"*{'a ' * 300}*\n", f"{'a ' * 6000}*b*\n"], "piece": 10**6})

    assert "<em>" not in far + long


@pytest.mark.soak
def test_no_line_takes_long_however_it_grows(answer_url: str, kept_tab: Tab) -> None:
    kept_tab.page.goto(f"{answer_url}/health")
    signs = f"# {'#' * 40_000}x and so on"
    blanks = f"# {' ' * 1_400}x\u2028{' ' * 1_400}y"
    cells = "|" * 20_000

    timed = f"async given => {{ const at = performance.now(); await ({_DRAW})(given); return performance.now() - at }}"
    took_ms = kept_tab.page.evaluate(timed, {"texts": [signs, blanks, cells], "piece": 500})

    assert took_ms < 2_000
