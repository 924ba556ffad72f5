"""What a page says without its frame: title, author, day and text as Markdown (trafilatura), or a PDF's text (pypdf).

Both libraries are loaded with the first page that is read, so that they cost a start nothing.
"""

import io
import logging
import re
import time
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from services.errors import RequestRefused
from services.i18n import gettext, gettext_noop
from services.safety.fetch import FetchedPage, PageTooLarge
from services.safety.text import plain

LARGEST_HTML = 800_000
"""Bytes of a page that are looked at; what is behind them is left out with a note."""
MOST_ELEMENTS = 20_000
"""Of a page; long ones have some ten thousand, and trafilatura takes a minute for a hundred thousand."""
MOST_PAGES = 60
"""Of a PDF."""
MOST_PDF_S = 8.0
"""Seconds that a PDF's pages are read for."""

# Both tell of every oddity of a page in the log, with its words.
for _library in ("trafilatura", "htmldate", "pypdf"):
    logging.getLogger(_library).setLevel(logging.CRITICAL)

_HTML = ("text/html", "application/xhtml+xml", "")
_AS_IT_IS = ("text/plain", "text/markdown", "text/csv", "application/json")
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/xml", "text/xml")
_PDF = "application/pdf"
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])", re.I
)
_NEEDS_SCRIPT = re.compile(r"enable javascript|javascript is (?:required|disabled)", re.I)
_WALL = re.compile(r"subscribe to (?:continue|read)|already a subscriber|log ?in to (?:continue|read)|paywall", re.I)
_SOLD = re.compile(r"(?:^|\s)(?:ads?|advert|advertisement|cookie-banner)(?:\s|$)", re.I)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_ESCAPED = re.compile(r"\\([_\[\]])")
_SHORTEST = 20
"""Characters below which a page says nothing."""
_SHORT = 400
"""Characters below which the words of a paywall are all that a page says."""
_BROWSER = gettext_noop("Open it in your browser, and paste the part you need.")
_DATES = {"extensive_search": False, "original_date": True}
_WISHES: dict[str, Any] = {
    "output_format": "markdown",
    "include_comments": False,
    "include_links": True,
    "include_formatting": True,
    "include_tables": True,
}


@dataclass(frozen=True, kw_only=True)
class PageText:
    """text: Markdown. published: the day, where the page names one. is_cut: the text is only the page's beginning.

    site: the name of the website, where the page says it.
    """

    title: str
    text: str
    author: str = ""
    site: str = ""
    published: date | None = None
    is_cut: bool = False


def extract_text(page: FetchedPage) -> PageText:
    """The page's own words, without what a person would not see.

    Raises `RequestRefused` for what has no words to read and `PageTooLarge` for a PDF that did not arrive whole.
    """
    if page.media_type == _PDF or page.body.startswith(b"%PDF-"):
        found = _pdf(page)
    elif page.media_type in _HTML:
        found = _html(page)
    elif page.media_type in _AS_IT_IS:
        found = PageText(title=_name(page), text=page.text.strip(), is_cut=page.is_cut)
    else:
        raise _unreadable(page)
    if len(found.text) < _SHORTEST and page.media_type in (*_HTML, _PDF):
        raise _empty(page)
    return replace(found, title=plain(found.title) or _name(page), text=plain(found.text), author=plain(found.author))


def _html(page: FetchedPage) -> PageText:
    from lxml.etree import LxmlError
    from trafilatura import extract, extract_metadata

    try:
        tree = _tree(page)
        about = extract_metadata(tree, default_url=page.url, date_config=_DATES)
        text = extract(tree, url=page.url, **_WISHES) or ""
    except (LxmlError, ValueError, RecursionError):
        raise _empty(page) from None
    if len(text) < _SHORT and (_WALL.search(text) or _NEEDS_SCRIPT.search(text)):
        raise _empty(page)
    return PageText(
        title=about.title or "",
        author=about.author or "",
        site=plain(about.sitename or ""),
        published=_day(about.date),
        text=_ESCAPED.sub(r"\1", text.strip()),
        is_cut=page.is_cut or len(page.text) > LARGEST_HTML,
    )


def _tree(page: FetchedPage) -> Any:
    """The page as elements, without what a browser does not show: instructions for models hide there (T05, T08)."""
    from lxml import html

    tree = html.document_fromstring(_DECLARATION.sub("", page.text[:LARGEST_HTML]))
    elements = list(tree.iter("*"))
    if len(elements) > MOST_ELEMENTS:
        raise RequestRefused(
            _host(page), gettext("This page is built of too many parts to be read here."), next_step=gettext(_BROWSER)
        )
    for element in elements:
        is_unseen = element.get("hidden") is not None or _UNSEEN.search(element.get("style") or "")
        is_sold = _SOLD.search(element.get("class") or "") or _SOLD.search(element.get("id") or "")
        if (is_unseen or is_sold) and element.getparent() is not None:
            element.drop_tree()
        elif (element.get("href") or "").startswith("#"):
            del element.attrib["href"]
    return tree


def _pdf(page: FetchedPage) -> PageText:
    if page.is_cut:
        raise PageTooLarge(_host(page), gettext("This PDF of {host} is too large to read here.", host=_host(page)))
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(page.body))
        sheets, is_cut = _sheets(reader)
        title = (reader.metadata.title or "") if reader.metadata else ""
        is_cut |= len(reader.pages) > MOST_PAGES
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        # A damaged file breaks the reader in many ways.
        raise RequestRefused(
            _host(page),
            gettext("This PDF is damaged or locked, so it cannot be read here."),
            next_step=gettext("Open it yourself."),
        ) from None
    return PageText(title=title, text="\n\n".join(sheet.strip() for sheet in sheets).strip(), is_cut=is_cut)


def _sheets(reader: Any) -> tuple[list[str], bool]:
    """The text of page after page, and whether time was over before the last: a few bytes can draw for minutes."""
    ends_at = time.monotonic() + MOST_PDF_S
    sheets: list[str] = []

    def look_at_the_clock(*_: object) -> None:
        if time.monotonic() > ends_at:
            raise TimeoutError

    try:
        for sheet in reader.pages[:MOST_PAGES]:
            sheets.append(sheet.extract_text(visitor_operand_before=look_at_the_clock))
            look_at_the_clock()
    except TimeoutError:
        return sheets, True
    return sheets, False


def _unreadable(page: FetchedPage) -> RequestRefused:
    if page.media_type in _FEEDS:
        sentence, step = gettext("This address is a feed and not a page."), gettext("Read it as a feed instead.")
    else:
        sentence, step = (
            gettext("This address is not a page of text ({media_type}).", media_type=page.media_type[:60]),
            gettext("Open it in a browser."),
        )
    return RequestRefused(_host(page), sentence, next_step=step)


def _empty(page: FetchedPage) -> RequestRefused:
    source = page.text[:LARGEST_HTML] if page.media_type in _HTML else ""
    if _WALL.search(source):
        sentence = gettext("This page shows its text to subscribers or after signing in only.")
    elif _NEEDS_SCRIPT.search(source):
        sentence = gettext("This page builds its text with scripts in a browser, so there is nothing to read here.")
    elif page.media_type == _PDF:
        sentence = gettext("This PDF holds pictures of its pages and no text.")
    else:
        sentence = gettext("There is no text on this page to read.")
    return RequestRefused(_host(page), sentence, next_step=gettext(_BROWSER))


def _day(written: str | None) -> date | None:
    try:
        return date.fromisoformat((written or "")[:10])
    except ValueError:
        return None


def _name(page: FetchedPage) -> str:
    """The last part of the address, for what has no title."""
    return page.url.partition("?")[0].rstrip("/").rpartition("/")[2] or _host(page)


def _host(page: FetchedPage) -> str:
    return page.url.split("/")[2]
