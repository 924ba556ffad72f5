"""Text extraction: title, author, day and main text of a page as Markdown (trafilatura), or a PDF's text (pypdf).

Both libraries are loaded with the first page that is read, to keep the start fast.
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
from services.safety.rich_text.html_tree import LIST_MARK, say_signs
from services.safety.text import plain

LARGEST_HTML = 800_000
"""Bytes of a page that are parsed; the rest is left out with a note."""
MOST_ELEMENTS = 20_000
"""HTML elements of a page; long pages have some ten thousand, and trafilatura takes a minute for a hundred thousand."""
MOST_PAGES = 60
"""Pages of a PDF that are read."""
MOST_PDF_S = 8.0
"""Seconds for reading a PDF's pages."""

# They log every irregularity of a page, with its text.
for _library in ("trafilatura", "htmldate", "pypdf"):
    logging.getLogger(_library).setLevel(logging.CRITICAL)

_HTML = ("text/html", "application/xhtml+xml", "")
_AS_IT_IS = ("text/plain", "text/markdown", "text/csv", "application/json")
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/xml", "text/xml")
_PDF = "application/pdf"
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])", re.I
)
_NEEDS_SCRIPT = re.compile(r"enable javascript|javascript is (?:required|disabled)", re.I)
_PAYWALL = re.compile(r"subscribe to (?:continue|read)|already a subscriber|log ?in to (?:continue|read)|paywall", re.I)
_ADVERTISING = re.compile(r"(?:^|\s)(?:ads?|advert|advertisement|cookie-banner)(?:\s|$)", re.I)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_ESCAPED = re.compile(r"\\([_\[\]~^])|(?<=\d)\\(?=\.)")
_SHORTEST = 20
"""Characters below which a page counts as empty."""
_SHORT = 400
"""Characters below which a page with a paywall's words holds nothing else."""
_BROWSER = gettext_noop("It can be opened in a browser, and the part that matters pasted here.")
_DATES = {"extensive_search": False, "original_date": True}
_EXTRACT_OPTIONS: dict[str, Any] = {
    "output_format": "markdown",
    "include_comments": False,
    "include_links": True,
    "include_formatting": True,
    "include_tables": True,
}


@dataclass(frozen=True, kw_only=True)
class PageText:
    """Text of a page, as Markdown. published: the day, where the page names it. is_cut: only the page's beginning.

    site: the name of the website, where the page says it.
    """

    title: str
    text: str
    author: str = ""
    site: str = ""
    published: date | None = None
    is_cut: bool = False


def extract_text(page: FetchedPage) -> PageText:
    """Extract the text that a person would see.

    Raises `RequestRefused` for a page without text and `PageTooLarge` for a PDF that did not arrive whole.
    """
    if page.media_type == _PDF or page.body.startswith(b"%PDF-"):
        found = _pdf(page)
    elif page.media_type in _HTML:
        found = _html(page)
    elif page.media_type in _AS_IT_IS:
        found = PageText(title=_file_name(page), text=page.text.strip(), is_cut=page.is_cut)
    else:
        raise _unsupported_type(page)
    if len(found.text) < _SHORTEST and page.media_type in (*_HTML, _PDF):
        raise _no_text(page)
    text = plain(found.text)
    if not text.strip():
        raise _no_text(page)
    return replace(found, title=plain(found.title) or _file_name(page), text=text, author=plain(found.author))


def _html(page: FetchedPage) -> PageText:
    from lxml.etree import LxmlError
    from trafilatura import extract, extract_metadata

    try:
        tree = _tree(page)
        about = extract_metadata(tree, default_url=page.url, date_config=_DATES)
        text = extract(tree, url=page.url, **_EXTRACT_OPTIONS) or ""
    except (LxmlError, ValueError, RecursionError):
        raise _no_text(page) from None
    if len(text) < _SHORT and (_PAYWALL.search(text) or _NEEDS_SCRIPT.search(text)):
        raise _no_text(page)
    return PageText(
        title=about.title or "",
        author=about.author or "",
        site=plain(about.sitename or ""),
        published=_day(about.date),
        text=_ESCAPED.sub(lambda found: found[1] or "", text.strip()),
        is_cut=page.is_cut or len(page.text) > LARGEST_HTML,
    )


def _tree(page: FetchedPage) -> Any:
    """Parsed page without what a browser does not show: instructions for models hide there."""
    from lxml import html

    tree = html.document_fromstring(_DECLARATION.sub("", page.text[:LARGEST_HTML]))
    elements = list(tree.iter("*"))
    if len(elements) > MOST_ELEMENTS:
        raise RequestRefused(
            _host(page), gettext("This page is built of too many parts to be read here."), next_step=gettext(_BROWSER)
        )
    for element in elements:
        is_hidden = element.get("hidden") is not None or _HIDDEN_STYLE.search(element.get("style") or "")
        is_advertising = _ADVERTISING.search(element.get("class") or "") or _ADVERTISING.search(element.get("id") or "")
        if (is_hidden or is_advertising) and element.getparent() is not None:
            element.drop_tree()
    _say_signs(tree)
    return tree


def _say_signs(tree: Any) -> None:
    """Say in letters what trafilatura leaves out: raised and struck signs, formulas, numbers of lists, merged cells."""
    say_signs(tree, keeps_attributes=False)
    for element in tree.iter("a", "ol", "li"):
        if element.tag == "ol":
            # It numbers each list from 1.
            element.tag = "ul"
        elif element.tag == "a" and (element.get("href") or "").startswith("#"):
            del element.attrib["href"]
        elif mark := element.get(LIST_MARK):
            element.text = f"{mark} {(element.text or '').lstrip()}"


def _pdf(page: FetchedPage) -> PageText:
    if page.is_cut:
        raise PageTooLarge(_host(page), gettext("This PDF of {host} is too large to read here.", host=_host(page)))
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(page.body))
        texts, is_cut = _pdf_pages(reader)
        title = (reader.metadata.title or "") if reader.metadata else ""
        is_cut |= len(reader.pages) > MOST_PAGES
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        # A damaged file breaks the reader in many ways.
        raise RequestRefused(
            _host(page),
            gettext("This PDF is damaged or locked, so it cannot be read here."),
            next_step=gettext("It can be opened in a browser."),
        ) from None
    return PageText(title=title, text="\n\n".join(text.strip() for text in texts).strip(), is_cut=is_cut)


def _pdf_pages(reader: Any) -> tuple[list[str], bool]:
    """Text of each page, and whether time was up before the last: a few bytes can take minutes to draw."""
    ends_at = time.monotonic() + MOST_PDF_S
    texts: list[str] = []

    def check_deadline(*_: object) -> None:
        if time.monotonic() > ends_at:
            raise TimeoutError

    try:
        for sheet in reader.pages[:MOST_PAGES]:
            texts.append(sheet.extract_text(visitor_operand_before=check_deadline))
            check_deadline()
    except TimeoutError:
        return texts, True
    return texts, False


def _unsupported_type(page: FetchedPage) -> RequestRefused:
    if page.media_type in _FEEDS:
        sentence, step = gettext("This address is a feed and not a page."), gettext("Read it as a feed instead.")
    else:
        sentence, step = (
            gettext("This address is not a page of text ({media_type}).", media_type=page.media_type[:60]),
            gettext("Open it in a browser."),
        )
    return RequestRefused(_host(page), sentence, next_step=step)


def _no_text(page: FetchedPage) -> RequestRefused:
    source = page.text[:LARGEST_HTML] if page.media_type in _HTML else ""
    if _PAYWALL.search(source):
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


def _file_name(page: FetchedPage) -> str:
    """Last part of the address, in place of a title."""
    return page.url.partition("?")[0].rstrip("/").rpartition("/")[2] or _host(page)


def _host(page: FetchedPage) -> str:
    return page.url.split("/")[2]
