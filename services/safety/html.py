"""HTML to plain text: what a reader would see in a browser, and nothing else."""

import re
from html import unescape
from html.parser import HTMLParser

from services.safety.rich_text.html_tree import LIST_MARK, RICH, say_signs
from services.safety.text import plain

_LINES = re.compile(
    "address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre"
    "|section|table|tr|ul"
)
_UNSEEN = re.compile("script|style|template|head|title|noscript|iframe|object|svg|math|select|textarea")
_VOID = re.compile("area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr")
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])"
)
LONGEST = 500_000
"""Characters that are read; as long as Canvas lets a page be."""
_MOST_TORN = 20
_MOST_MARKS = 100_000
"""Tags of a text whose signs are said; a longer one is read letter by letter."""


def html_to_text(html: str | None, *, limit: int) -> str:
    """The text of HTML with its lines, list marks and link addresses; at most `limit` characters.

    Text that a browser would not show (scripts, styles, hidden elements, comments) is left out. Raised, struck and
    numbered text, formulas and merged cells are said as in files and on pages of the web.
    """
    reader = _Reader()
    reader.read(_with_signs((html or "")[:LONGEST]))
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    return plain(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), limit=limit)


def _with_signs(html: str) -> str:
    """The same HTML with its signs said in letters; as it is where it has none, or cannot be parsed as a tree."""
    if not RICH.search(html) or html.count("<") > _MOST_MARKS:
        return html
    from lxml import etree
    from lxml import html as parser

    try:
        root = parser.fragment_fromstring(
            html, create_parent="div", parser=parser.HTMLParser(remove_comments=True, remove_pis=True, no_network=True)
        )
        say_signs(root)
        return str(etree.tostring(root, encoding="unicode", method="html"))
    except (etree.LxmlError, ValueError, AssertionError):
        return html


class _Reader(HTMLParser):
    """HTML parser that collects text; `_hidden` is the unseen element that is open, with how many of its name are
    nested in it.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden: tuple[str, int] | None = None
        self._link: tuple[str, int] | None = None

    def read(self, html: str) -> None:
        """All of it. What never ends is read over a few times at most, where `close` does so at every torn tag."""
        self.feed(html)
        for _ in range(_MOST_TORN):
            if ">" not in self.rawdata or self.rawdata.startswith("<!--"):
                break
            torn, end, rest = self.rawdata.partition(">")
            self.rawdata = ""
            self.handle_data(unescape(torn + end))
            self.feed(rest)
        is_markup = ">" in self.rawdata or self.rawdata.startswith(("<!", "<?", "</"))
        self.handle_data("" if is_markup else unescape(self.rawdata))
        self._end_link()

    def parse_html_declaration(self, i: int) -> int:
        """Marked sections are comments to a browser; the parser of the library fails at those that it does not know."""
        is_section = self.rawdata.startswith("<![", i)
        return self.parse_bogus_comment(i) if is_section else super().parse_html_declaration(i)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if self._hidden:
            name, depth = self._hidden
            self._hidden = (name, depth + (name == tag))
        elif not _VOID.fullmatch(tag) and _is_unseen(tag, found):
            self._hidden = (tag, 1)
        elif tag == "img":
            self.pieces.append(f" [image: {found['alt']}] " if found.get("alt") else "")
        elif tag == "a":
            self._end_link()
            self._link = (found.get("href", ""), len(self.pieces))
        elif _LINES.fullmatch(tag):
            self.pieces.append(f"\n{found.get(LIST_MARK) or '-'} " if tag == "li" else "\n")
        elif tag in ("td", "th"):
            self.pieces.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            name, depth = self._hidden
            left = depth - (name == tag)
            self._hidden = (name, left) if left else None
        elif tag == "a":
            self._end_link()
        elif _LINES.fullmatch(tag) and tag != "br":
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(" ".join(data.split("\n")))

    def _end_link(self) -> None:
        """Say where the open link leads; links are never in one another, the next one ends the last."""
        href, start = self._link or ("", 0)
        self._link = None
        if href.startswith(("http://", "https://")) and href not in "".join(self.pieces[start:]):
            self.pieces.append(f" ({href})")


def _is_unseen(tag: str, attributes: dict[str, str]) -> bool:
    is_hidden = "hidden" in attributes or _HIDDEN.search(attributes.get("style", "").lower())
    return bool(is_hidden or _UNSEEN.fullmatch(tag))
