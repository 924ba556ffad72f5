"""Markup of cards: the HTML of Anki's fields as Markdown with formulas, and back."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

from markdown_it.token import Token

from services.safety.markdown.parser import parse
from services.safety.text import plain

LONGEST_HTML = 100_000
_FORMULAS = {r"\(": r"\)", r"\[": r"\]", "[$]": "[/$]", "[$$]": "[/$$]", "[latex]": "[/latex]"}
"""What begins a formula in a field, with what ends it."""
_DISPLAYED = (r"\[", "[$$]")
_FORMULA_BOUND = re.compile("|".join(map(re.escape, [*_FORMULAS, *_FORMULAS.values()])), re.IGNORECASE)
_OWN_SIGNS = re.compile("[\ue000\ue001]")
_SOUND = re.compile(r"\[(?:sound|anki:play):[^\]]{0,300}\]")
_SPECIAL = re.compile(r"[\\`$\[\]]|(?<!\w)_|_(?!\w)|\*(?=\S)|(?<=\S)\*")
_LINE_START = re.compile(r"(?m)^([ \t]*)([#>+=-]|\d{1,9}[.)])(?=\s|$)")
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "strike": "~~"}
_PLACE = re.compile(r"\ue000(\d+)\ue001")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_UNSEEN = frozenset({"rp", "script", "style", "template", "head", "title", "iframe", "object", "svg", "audio", "video"})
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "blockquote",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tr",
        "ul",
    ]
)
_RAISED = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_DEEPEST = 60
_LIVE = re.compile(
    r"(?:(?<=\[)(?=/?(?:sound:|anki:|latex\]|\$\$?\]))"
    r"|(?<=\\)(?=(?:href|url|require|unicode|includegraphics|input|include|write|openin|openout|read|csname|catcode"
    r"|def|let|class|cssid|style|data|html\w*)(?![a-z]))"
    r"|(?<=<)(?=/?(?:a|audio|base|button|embed|form|iframe|img|input|link|meta|object|script|source|style|svg|video)[\s/>]))",
    re.IGNORECASE,
)
"""Where words would become a recording, a program of LaTeX, a macro that opens something, or an element of a page."""
_NOTHING_SEEN = "\u200b"


def has_sound(html: str) -> bool:
    """Whether a field names a recording, which cards here do not have."""
    return _SOUND.search(html) is not None


def markdown_of(html: str, *, is_front: bool = False) -> str:
    """Write what a card's HTML shows as Markdown. Pictures stand in it as `![](name)`; links lose their addresses.

    is_front: leave out what Anki's window shows only after a click.
    """
    from lxml import etree
    from lxml import html as parser

    formulas: list[_Verbatim] = []
    text = _without_formulas(_SOUND.sub("", _OWN_SIGNS.sub("", html[:LONGEST_HTML])), formulas)
    if "<" not in text and "&" not in text:
        return _tidy(_escaped(text.replace("\n", " ")), formulas)
    try:
        root = parser.fragment_fromstring(
            text, create_parent="div", parser=parser.HTMLParser(remove_comments=True, remove_pis=True, no_network=True)
        )
    except (etree.LxmlError, ValueError):
        return _tidy(_escaped(re.sub(r"<[^<>]*>", " ", text)), formulas)
    return _tidy("".join(_Writer(formulas, is_front).markdown(root, 0)), formulas)


def _without_formulas(text: str, formulas: list["_Verbatim"]) -> str:
    """Note the formulas of a text, and put in the place of each a sign of the private use area that no step of this
    changes. One that is never closed is none.
    """
    bounds = list(_FORMULA_BOUND.finditer(text))
    last = {bound[0].casefold(): number for number, bound in enumerate(bounds)}
    parts: list[str] = []
    at = number = 0
    while number < len(bounds):
        begin = bounds[number]
        number += 1
        end = _FORMULAS.get(begin[0].casefold(), "")
        if last.get(end, -1) < number:
            continue
        while bounds[number][0].casefold() != end or bounds[number].start() == begin.end():
            number += 1
            if number > last[end]:
                break
        else:
            parts += [text[at : begin.start()], f"\ue000{len(formulas)}\ue001"]
            inside = text[begin.end() : bounds[number].start()]
            at = bounds[number].end()
            source = unescape(re.sub(r"<[^<>]*>", "", text[begin.start() : at]))
            formulas.append(_Verbatim(markdown=_formula(inside, begin[0] in _DISPLAYED), source=source))
            number += 1
    return "".join([*parts, text[at:]])


def _formula(inside: str, is_displayed: bool) -> str:
    tex = " ".join(re.sub(r"<br\s*/?>|&nbsp;", " ", inside).split())
    tex = tex.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip("$")
    return f"$${tex}$$" if is_displayed else f"${tex}$"


def _tidy(text: str, formulas: list["_Verbatim"]) -> str:
    lines = [" ".join(line.split()) for line in text.split("\n")]
    tidied = plain(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip())
    return _PLACE.sub(lambda match: formulas[int(match[1])].markdown, tidied)


def _escaped(text: str) -> str:
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", text))


@dataclass(frozen=True, kw_only=True)
class _Verbatim:
    """What no step changes: a formula, or the text of a program. source: as it stands in the field."""

    markdown: str
    source: str = ""


class _Writer:
    """Writer of elements as Markdown."""

    def __init__(self, verbatim: list[_Verbatim], is_front: bool) -> None:
        self._verbatim, self._is_front = verbatim, is_front

    def markdown(self, element: Any, depth: int, bullet: str = "-") -> Iterator[str]:
        """bullet: what a line of a list begins with."""
        if depth > _DEEPEST:
            return
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag and tag not in _UNSEEN and not (self._is_front and _is_hidden(element)):
            yield from self._opened(element, tag, depth, bullet)
        if element.tail:
            yield _escaped(_folded(element.tail))

    def _opened(self, element: Any, tag: str, depth: int, bullet: str) -> Iterator[str]:
        match tag:
            case "img":
                name = re.sub(r"[()\s<>]", "_", (element.get("src") or "").rsplit("/", 1)[-1])
                yield f" ![]({name}) " if name else ""
                return
            case "br":
                yield "\n"
                return
            case "pre":
                yield f"\n\n{self._program(element)}\n\n"
                return
            case "details" if self._is_front:
                yield f" {_escaped(_folded(element.findtext('summary') or ''))} "
                return
        text = _escaped(_folded(element.text or ""))
        inside = text + "".join(self._inside(element, tag, depth))
        if tag in _MARKS:
            yield _marked(inside, _MARKS[tag])
        elif tag in ("sup", "sub"):
            yield _shifted(inside, tag)
        elif tag == "code":
            yield f"`{inside.replace('`', '')}`" if inside.strip() else ""
        elif tag == "rt":
            yield f"({inside.strip()})" if inside.strip() else ""
        elif tag == "li":
            yield f"\n{bullet} {inside.strip()}"
        elif tag in ("td", "th"):
            follows = element.getnext()
            yield f"{inside.strip()} · " if follows is not None and follows.tag in ("td", "th") else inside.strip()
        elif tag in _BLOCKS and depth:
            yield f"\n\n{inside.strip(' ')}\n\n" if tag in ("p", "ul", "ol", "table") else f"\n{inside}\n"
        else:
            yield inside

    def _inside(self, element: Any, tag: str, depth: int) -> Iterator[str]:
        number = 0
        for child in element:
            number += child.tag == "li"
            yield from self.markdown(child, depth + 1, f"{number}." if tag == "ol" else "-")

    def _program(self, element: Any) -> str:
        """The sign for a block of preformatted text, with its lines and blanks as they are."""
        for line_break in element.iter("br"):
            line_break.tail = f"\n{line_break.tail or ''}"
        text = _PLACE.sub(lambda match: self._verbatim[int(match[1])].source, "".join(element.itertext()))
        text = plain(text.replace("\xa0", " ")).strip("\n").rstrip()
        if not text.strip():
            return ""
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        self._verbatim.append(_Verbatim(markdown=f"{fence}\n{text}\n{fence}"))
        return f"\ue000{len(self._verbatim) - 1}\ue001"


def _is_hidden(element: Any) -> bool:
    """Whether its own style hides it until a script shows it."""
    return "hidden" in element.attrib or bool(_HIDDEN.search(element.get("style") or ""))


def _folded(text: str) -> str:
    return re.sub(r"[ \t\r\n\xa0]+", " ", text)


def _marked(inside: str, mark: str) -> str:
    bare = inside.strip()
    if not bare or "\n" in bare:
        return inside
    before, after = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
    return f"{before}{mark}{bare}{mark}{after}"


def _shifted(inside: str, tag: str) -> str:
    moved = inside.translate(_RAISED if tag == "sup" else _LOWERED)
    if all(new != old for new, old in zip(moved, inside, strict=True)):
        return moved
    return f"{'^' if tag == 'sup' else '_'}({inside})" if inside.strip() else ""


def without_live_parts(text: str) -> str:
    """The same words, in which no other program finds a recording, LaTeX to run, or an element that opens an address.

    A sign of no width parts them, which a reader does not see, and which is taken out when they are read in again.
    """
    return _LIVE.sub(_NOTHING_SEEN, text)


def html_of(markdown: str, pictures: Mapping[str, str] = {}) -> str:
    """HTML of a card's Markdown for Anki: plain elements, and formulas in MathJax's brackets.

    pictures: the name in the package by that in the card; any other picture is an address, and is left out.
    """
    return "".join(_block(token, pictures) for token in parse(markdown)).removesuffix("<br>")


def _block(token: Token, pictures: Mapping[str, str]) -> str:
    match token.type:
        case "inline":
            return "".join(_inline(child, pictures) for child in token.children or [])
        case "math_block":
            return rf"\[{_text(token.content.strip())}\]"
        case "fence" | "code_block":
            return f"<pre>{_text(token.content)}</pre>"
        case "paragraph_close" if not token.hidden:
            return "<br>"
    known = token.tag in ("ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td")
    return (f"<{token.tag}>" if token.nesting == 1 else f"</{token.tag}>") if known and token.nesting else ""


def _text(words: str) -> str:
    return escape(without_live_parts(words), quote=False)


def _inline(token: Token, pictures: Mapping[str, str]) -> str:
    match token.type:
        case "text":
            return _text(token.content)
        case "code_inline":
            return f"<code>{_text(token.content)}</code>"
        case "math_inline":
            begin, end = (r"\[", r"\]") if len(token.markup) == 2 else (r"\(", r"\)")
            return f"{begin}{_text(token.content.strip())}{end}"
        case "softbreak" | "hardbreak":
            return "<br>"
        case "image":
            name = pictures.get(str(token.attrs.get("src", "")))
            return f'<img src="{escape(name)}">' if name else _text(token.content)
        case "strong_open" | "em_open" | "s_open":
            return f"<{ {'strong': 'b', 'em': 'i', 's': 's'}[token.tag] }>".replace(" ", "")
        case "strong_close" | "em_close" | "s_close":
            return f"</{ {'strong': 'b', 'em': 'i', 's': 's'}[token.tag] }>".replace(" ", "")
    return _text(token.content) if token.nesting == 0 else ""
