"""Hostile words and hostile HTML in a live answer: nothing acts, and no request leaves the page."""

import re

import pytest

from services.conversations.items import AssistantText
from tests.browser import Sinkhole, Tab, Tabs
from tests.safety.hostile_markdown import ALLOWED, attacks
from tests.ui.live.drawn_answer import DrawnAnswer
from tests.ui.live.sample_answer import Event, events

pytestmark = pytest.mark.browser

HOST = "evil.example"
MARKED = "<img src=x onerror='window.acted = 1'>"
HTML = (
    "<script>window.acted = 1</script>",
    "<img src='https://{host}/1' onerror='window.acted = 1'>",
    "<p onclick='window.acted = 1' onmouseover='window.acted = 1' style='background:url(https://{host}/2)'>words</p>",
    "<svg onload='window.acted = 1'><image href='https://{host}/3'/><use href='https://{host}/4#a'/></svg>",
    "<svg><style>@import 'https://{host}/5'</style></svg>",
    "<svg><a xlink:href='javascript:window.acted = 1'><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=window.acted=1&gt;'>",
    "<iframe srcdoc='<script>parent.acted = 1</script>'></iframe><iframe src='https://{host}/6'></iframe>",
    "<style>body { background: url(https://{host}/7) }</style><link rel=stylesheet href='https://{host}/8'>",
    "<link rel=prefetch href='https://{host}/9'><base href='https://{host}/'>",
    "<meta http-equiv=refresh content='0;//{host}'>",
    "<a href='javascript:window.acted = 1'>a</a><a href='java\nscript:window.acted = 1'>b</a>",
    "<a href='https://{host}/\n10'>c</a><a href=' https://{host}/11'>d</a>",
    "<a href='//{host}/12' ping='https://{host}/13'>e</a>",
    "<a href='data:text/html,<script>acted=1</script>'>f</a><a href='/auth/logout'>g</a><a href='#x' id='answer'>h</a>",
    "<form action='https://{host}/14'><input name=a><button>go</button></form><input type=image src='https://{host}/15'>",
    "<input type=text autofocus onfocus='window.acted = 1'><input type=checkbox onchange='window.acted = 1'>",
    "<video src='https://{host}/16' poster='https://{host}/17'></video><audio src='https://{host}/18'></audio>",
    "<object data='https://{host}/19'></object><embed src='https://{host}/20'>",
    "<details open ontoggle='window.acted = 1'>",
    "<table background='https://{host}/21'><tr><td background='https://{host}/22'>x</td></tr></table>",
    "<table><tr><td align='x;color:red' style='color:red'>x</td></tr></table>",
    "<template><img src='https://{host}/23'></template><slot onslotchange='window.acted = 1'></slot>",
    "<span class=formula>\\href{javascript:window.acted=1}{x} \\includegraphics{https://{host}/24}</span>",
    "<span class=formula data-display=true>\\htmlStyle{background:url(https://{host}/25)}{x}</span>",
    "<span class=formula data-display=true>\\url{https://{host}/26} \\href{//{host}}{y}</span>",
    "<span class='formula' onclick='window.acted = 1'><img src='https://{host}/27'>x^2</span>",
    "<span class='stAlert' style='position:fixed;inset:0'>Sign in again</span>",
    "<ol start='1\" onclick=x'><li>x</li></ol>",
    "<p>" * 3000 + "deep",
)
_SMALL = HTML[:-1]
DIAGRAMS = (
    'n1@{ img: "https://{host}/30", label: "x", h: 60 }\nn1 --> n2',
    'n1["<img src=https://{host}/31 onerror=window.acted=1>"] --> n2',
    'n1 --> n2\nclick n1 href "javascript:window.acted = 1"\nclick n2 call acted()',
    "n1 --> n2\nstyle n1 fill:url(https://{host}/32)",
    'n1 --> n2\n%%{init: {"themeCSS": "* { background: url(https://{host}/33) }", "securityLevel": "loose"}}%%',
    'n1["`**words** <a href=https://{host}/34>x</a>`"] --> n2["![x](https://{host}/35)"]',
)
_SOUND = {
    "a": {"href", "target", "rel"},
    "ol": {"start"},
    "td": {"style"},
    "th": {"style"},
    "input": {"type", "disabled", "checked"},
}
_OURS = {
    "class",
    "data-testid",
    "aria-hidden",
    "aria-label",
    "role",
    "tabindex",
    "translate",
    "inert",
    "open",
    "hidden",
}
_FOUND = """() => [...document.querySelectorAll(".live-answer .la-markdown *")]
    .filter(part => !part.closest(".katex, .katex-error"))
    .map(part => [part.localName, Object.fromEntries([...part.attributes].map(({ name, value }) => [name, value]))])"""
_ACTING_FORMULAS = """() => [...document.querySelectorAll(".live-answer :is(.katex, .katex-error) *")]
    .filter(part => part.localName === "a"
        || [...part.attributes].some(({ name, value }) => /^on|href|src/.test(name) || value.includes("url")))
    .map(part => part.outerHTML)"""
_TAGS = {
    *(
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "blockquote",
        "pre",
        "code",
        "table",
        "thead",
        "tbody",
    ),
    *("tr", "th", "td", "a", "strong", "em", "s", "del", "hr", "br", "sup", "section", "input", "span", "div"),
}


def test_nothing_of_hostile_html_is_left(answer_url: str, kept_tab: Tab, sinkhole: Sinkhole) -> None:
    sinkhole.heard()
    answer = DrawnAnswer(kept_tab, answer_url)
    blocks = [{"kind": "html", "html": html.replace("{host}", HOST)} for html in HTML]

    answer.apply("block", {"n": 0, "from": 0, "blocks": blocks, "text": "".join(_SMALL)})
    for html in _SMALL:
        answer.apply("text", {"n": 0, "text": html, "html": html.replace("{host}", HOST)})
        answer.settle()
    answer.apply("step", {"n": 1, "kind": "step", "state": "done", "label": HTML[1], "found": "".join(_SMALL)})
    answer.settle()

    assert_harmless(answer, sinkhole, addresses=frozenset())


def test_nothing_of_a_hostile_diagram_acts(answer_url: str, kept_tab: Tab, sinkhole: Sinkhole) -> None:
    sinkhole.heard()
    answer = DrawnAnswer(kept_tab, answer_url)
    sources = [f"flowchart LR\n{lines}".replace("{host}", HOST) for lines in DIAGRAMS]
    blocks = [{"kind": "diagram", "title": MARKED, "mermaid": source, "lines": [MARKED]} for source in sources]

    answer.apply("block", {"n": 0, "from": 0, "blocks": blocks, "text": ""})
    answer.bubble.locator("details[open], img").nth(len(blocks) - 1).wait_for(state="attached")
    answer.settle()

    assert answer.page.evaluate("() => window.acted") is None
    assert (answer.tab.outside, sinkhole.heard()) == ([], [])
    assert all(str(image.get_attribute("src")).startswith("blob:") for image in answer.bubble.locator("img").all())


@pytest.mark.soak
@pytest.mark.soak
def test_nothing_of_hostile_markdown_is_left_wherever_it_is_cut(
    answer_url: str, tabs: Tabs, sinkhole: Sinkhole
) -> None:
    sinkhole.heard()
    answer = DrawnAnswer(tabs.again(answer_url), answer_url)

    for name, text in attacks().items():
        if name.startswith("flood"):
            continue
        given: list[Event] = events(AssistantText(text=text, seq=2), piece=max(1, len(text) // 7), renders_growing=True)
        answer.apply_all([("snapshot", {"items": []}), *given])
        answer.page.evaluate("() => new Promise(requestAnimationFrame)")
    answer.settle()

    assert_harmless(answer, sinkhole, addresses=ALLOWED)


def assert_harmless(answer: DrawnAnswer, sinkhole: Sinkhole, *, addresses: frozenset[str]) -> None:
    assert answer.page.evaluate("() => window.acted") is None
    assert answer.tab.outside == []
    assert sinkhole.heard() == []
    found = answer.page.evaluate(_FOUND)
    assert found, "nothing was drawn"
    assert {tag for tag, _ in found} <= _TAGS
    for tag, attributes in found:
        assert set(attributes) <= _OURS | _SOUND.get(tag, set()), (tag, attributes)
        assert re.fullmatch("text-align: (left|right|center)|", attributes.get("style", "")), attributes
        if "href" in attributes:
            assert re.match(r"(https?://|mailto:)\S+$", attributes["href"])
            assert attributes["rel"] == "noopener noreferrer nofollow"
            assert attributes["href"] in addresses or not addresses
    assert answer.page.evaluate(_ACTING_FORMULAS) == []
