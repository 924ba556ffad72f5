"""HTML tree in which every sign is said in letters: for readers that look at words and blocks alone.

Nothing is taken out of what is hidden: an element keeps its attributes, so that a reader still sees that it is hidden.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from services.safety.rich_text import notation, tex
from services.safety.rich_text.hidden import may_be_hidden
from services.safety.rich_text.html_tables import fill_merged_cells, open_nested_tables
from services.safety.rich_text.list_marks import HTML_STYLES
from services.safety.rich_text.mathml import mathml_tex

LIST_MARK = "data-list-mark"
"""Attribute of an item with its number as it is shown, as "4." or "b."."""
UNREAD = {
    "svg": "a drawing that was not read",
    "canvas": "a drawing that was not read",
    "video": "a video that was not read",
    "audio": "a recording that was not read",
    "object": "an embedded file that was not read",
    "embed": "an embedded file that was not read",
}
RICH = re.compile(
    r"<(?:su[bp]|s|strike|del|ol|ruby|math|svg|canvas|video|audio|object|embed|iframe)\b|(?:row|col)span|line-through"
    r"|vertical-align\s*:\s*(?:super|sub)|equation|katex|displaystyle|<h[1-6][^>]{0,300}>[^<]{0,300}<br|list-mark|<table.*<table",
    re.IGNORECASE | re.DOTALL,
)
"""What a page has where this module has anything to do."""
_SAID = "said"
"""Tag of an element whose meaning stands in its text, until the tree is done."""
_STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]{0,60}line-through", re.IGNORECASE)
_RAISED = re.compile(r"vertical-align\s*:\s*super\b", re.IGNORECASE)
_LOWERED = re.compile(r"vertical-align\s*:\s*sub\b", re.IGNORECASE)
_LIST_STYLE = re.compile(r"list-style(?:-type)?\s*:([^;]{1,80})", re.IGNORECASE)
_UNNUMBERED = ("none", "disc", "circle", "square")
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "li",
        "ul",
        "ol",
        "table",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "section",
        "article",
        "pre",
        "td",
        "th",
        "tr",
        "dl",
        "dd",
        "dt",
    ]
)
_SMALLEST_DRAWING = 48
"""Pixels; smaller ones are signs of a page's design."""
_MOST_ITEMS = 1_000_000


def say_signs(root: Any, *, keeps_attributes: bool = True) -> None:
    """Change the tree of a page (lxml.html) so that its text says what its elements meant.

    keeps_attributes: False where nothing hidden is left in the tree; then no element parts a word from its signs.
    """
    found: dict[str, list[Any]] = {}
    for element in root.iter():
        if isinstance(element.tag, str):
            for kind in _kinds_of(element):
                found.setdefault(kind, []).append(element)
    for kind, change in _CHANGES:
        # From the end: what stands inside is changed before what holds it.
        for element in reversed(found.get(kind, [])):
            if element.getparent() is not None:
                change(element)
    for element in list(root.iter(_SAID)):
        if element.attrib and keeps_attributes:
            element.tag = "span"
        else:
            element.drop_tag()


def _kinds_of(element: Any) -> Iterable[str]:
    tag, style = element.tag.rpartition("}")[2].casefold(), element.get("style", "")
    if tag in _TAGS:
        yield _TAGS[tag]
    if style:
        if tag not in ("s", "strike", "del") and _STRUCK.search(style):
            yield "struck"
        if tag not in ("sup", "sub") and (_RAISED.search(style) or _LOWERED.search(style)):
            yield "raised" if _RAISED.search(style) else "lowered"
    if tag == "span" and "katex-html" in element.get("class", ""):
        yield "drawn formula"
    if LIST_MARK in element.attrib:
        del element.attrib[LIST_MARK]


def _say_raised(element: Any) -> None:
    if _is_link_to_note(element):
        words = _words(element)
        _replace_content(element, words if words.startswith("[") else f"[{words}]")
        return
    words, before = "".join(element.itertext()), _before(element)
    if words.strip() in ("o", "º", "°") and before[-1:].isdecimal() and not len(element):
        element.text = "°"
    else:
        _surround(element, *notation.raised_signs(words, before))
    element.tag = _SAID


def _say_lowered(element: Any) -> None:
    _surround(element, *notation.lowered_signs("".join(element.itertext()), _before(element)))
    element.tag = _SAID


def _is_link_to_note(element: Any) -> bool:
    """A raised number that leads to a note of the same page, without brackets of its own."""
    links = list(element.iter("a"))
    words = "".join(element.itertext()).strip()
    to_note = links and all("#" in (link.get("href") or "") for link in links)
    return bool(to_note and re.fullmatch(r"\[?[\d,\s*†‡a-z]{1,12}\]?", words) and not may_be_hidden(element))


def _say_struck(element: Any) -> None:
    if element.tag in ("s", "strike", "del"):
        element.tag = "div" if any(child.tag in _BLOCKS for child in element.iterchildren()) else _SAID
    blocks = [part for part in element.iter() if part.tag in _BLOCKS and part is not element]
    lowest = [block for block in blocks if not any(part.tag in _BLOCKS for part in block.iterchildren())]
    for part in lowest or [element]:
        _surround(part, "~~", "~~")


def _say_reading(element: Any) -> None:
    for part in list(element.iter("rp")):
        part.text = None
        for child in list(part):
            part.remove(child)
    for part in element.iter("rt", "rtc"):
        if part.tag == "rt":
            _surround(part, "(", ")")
    for part in (element, *element.iter("rb", "rt", "rtc", "rp")):
        part.tag = _SAID


def _say_formula(element: Any) -> None:
    _replace_content(element, f" {tex.inline(mathml_tex(element))} ")


def _say_equation_image(image: Any) -> None:
    words = " ".join((image.get("alt") or "").split())
    formula = image.get("data-equation-content") or ""
    if not formula and ("equation_image" in image.get("class", "") or words.startswith("{\\displaystyle")):
        formula = re.sub(r"^\{\\displaystyle(.*)\}$", r"\1", words.removeprefix("LaTeX:"))
    if formula.strip():
        _replace_content(image, f" {tex.inline(formula)} ")
        image.attrib.pop("src", None)


def _drop_drawn_formula(element: Any) -> None:
    """A formula that KaTeX draws stands beside it as MathML, which is read."""
    before = element.getprevious()
    if before is not None and "katex-mathml" in before.get("class", ""):
        for child in list(element):
            element.remove(child)
        element.text = None


def _number_items(list_element: Any) -> None:
    items = [item for item in list_element.iterchildren() if item.tag == "li"]
    is_reversed = list_element.get("reversed") is not None
    number = _number(list_element.get("start"), len(items) if is_reversed else 1)
    for item in items:
        number = _number(item.get("value"), number)
        style = _list_style(item) or _list_style(list_element) or "decimal"
        if style not in _UNNUMBERED:
            item.set(LIST_MARK, f"{HTML_STYLES.get(style, str)(number)}.")
        number += -1 if is_reversed else 1


def _list_style(element: Any) -> str:
    by_css = _LIST_STYLE.search(element.get("style", ""))
    styles = by_css[1].casefold().split() if by_css else []
    known = next((style for style in styles if style in HTML_STYLES or style in _UNNUMBERED), "")
    return known or (element.get("type") or "").strip()


def _say_break_in_heading(element: Any) -> None:
    for above in element.iterancestors():
        if above.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            _replace_content(element, " ")
            return


def _say_drawing(drawing: Any) -> None:
    words = (
        [] if may_be_hidden(drawing) else [_words(part) for part in drawing.iter("{*}text", "text") if _is_drawn(part)]
    )
    if any(words):
        _replace_content(drawing, f" [drawing: {'; '.join(filter(None, words))}] ")
    elif _is_icon(drawing):
        _replace_content(drawing, None)
    else:
        _replace_content(drawing, f" [{UNREAD['svg']}] ")


def _is_drawn(part: Any) -> bool:
    """A word of a drawing that stands in it, and neither in its store nor without colour."""
    return not any(
        above.tag.rpartition("}")[2] in ("defs", "symbol", "clippath", "mask", "clipPath")
        or above.get("display") == "none"
        or above.get("visibility") in ("hidden", "collapse")
        or (above.get("opacity") or "1").strip() in ("0", "0.0", ".0")
        or (above.get("fill") or "").casefold() in ("none", "transparent", "white", "#fff", "#ffffff")
        for above in (part, *part.iterancestors())
        if isinstance(above.tag, str)
    )


def _is_icon(drawing: Any) -> bool:
    if drawing.get("aria-hidden") == "true" or drawing.get("role") in ("presentation", "none", "button"):
        return True
    view = (drawing.get("viewBox") or drawing.get("viewbox") or "").split()
    sizes = [drawing.get("width"), drawing.get("height"), *(view[2:4] if len(view) == 4 else [])]
    pixels = [
        float(size[1])
        for size in (re.match(r"\s*([\d.]{1,8})(?!\d*%)", size or "") for size in sizes)
        if size and size[1].strip(".")
    ]
    return bool(pixels and min(pixels) <= _SMALLEST_DRAWING) or any(
        a.tag in ("a", "button", "nav") for a in drawing.iterancestors()
    )


def _say_embedded(element: Any) -> None:
    """What is embedded from elsewhere is told as a link to it."""
    address, words = element.get("src") or "", " ".join((element.get("title") or "").split())[:200]
    sizes = (element.get("width"), element.get("height"))
    if not address.startswith(("http://", "https://")) or any(size in ("0", "1") for size in sizes):
        return
    _replace_content(element, words or "what is embedded here")
    element.tag = "a"
    element.set("href", address)


def _say_unread(element: Any) -> None:
    words = " ".join((element.get("title") or element.get("aria-label") or "").split())[:200]
    told = UNREAD[element.tag]
    _replace_content(element, f" [{told}{f': {words}' if words else ''}] ")


_TAGS: Mapping[str, str] = {
    "sup": "raised",
    "sub": "lowered",
    "s": "struck",
    "strike": "struck",
    "del": "struck",
    "ruby": "reading",
    "math": "formula",
    "img": "equation",
    "ol": "list",
    "br": "break",
    "svg": "drawing",
    "iframe": "embedded",
    "table": "table",
    **dict.fromkeys(("canvas", "video", "audio", "object", "embed"), "unread"),
}
_CHANGES: tuple[tuple[str, Callable[[Any], None]], ...] = (
    ("formula", _say_formula),
    ("equation", _say_equation_image),
    ("drawn formula", _drop_drawn_formula),
    ("raised", _say_raised),
    ("lowered", _say_lowered),
    ("reading", _say_reading),
    ("break", _say_break_in_heading),
    ("struck", _say_struck),
    ("list", _number_items),
    ("drawing", _say_drawing),
    ("embedded", _say_embedded),
    ("unread", _say_unread),
    ("table", open_nested_tables),
    ("table", fill_merged_cells),
)
"""Kinds of elements in the order in which they are changed."""


def _surround(element: Any, opening: str, closing: str) -> None:
    """Set signs around what an element holds, inside the spaces at its ends."""
    if not opening and not closing:
        return
    words = "".join(element.itertext())
    if not words.strip():
        return
    text = element.text or ""
    lead = text[: len(text) - len(text.lstrip())]
    element.text = f"{lead}{opening}{text[len(lead) :]}"
    last = element[-1] if len(element) else None
    text = (element.text if last is None else last.tail) or ""
    end = len(text.rstrip())
    text = f"{text[:end]}{closing}{text[end:]}"
    if last is None:
        element.text = notation.with_minus(text) if opening.startswith(("^", "_")) else text
    else:
        last.tail = text


def _replace_content(element: Any, text: str | None) -> None:
    """Make an inline element of it that holds this text alone; what hides it stays."""
    for child in list(element):
        element.remove(child)
    element.tag, element.text = _SAID, text


def _before(element: Any) -> str:
    """Letters just before an element, of its own paragraph."""
    while element is not None and element.tag not in _BLOCKS:
        previous = element.getprevious()
        if previous is not None:
            return (previous.tail or ("".join(previous.itertext()) if isinstance(previous.tag, str) else ""))[-8:]
        element = element.getparent()
        if element is not None and element.text:
            return str(element.text)[-8:]
    return ""


def _words(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _number(text: str | None, usual: int) -> int:
    found = re.fullmatch(r"\s*([+-]?\d{1,9})\D*", text or "")
    return max(-_MOST_ITEMS, min(_MOST_ITEMS, int(found[1]))) if found else usual
