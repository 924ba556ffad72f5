"""The links of a page, as absolute addresses."""

from urllib.parse import urljoin

from services.errors import RequestRefused
from services.i18n import gettext
from services.safety.fetch import Page
from services.safety.provenance import known_addresses

_HTML = ("text/html", "application/xhtml+xml")
_TEXT = ("text/plain", "text/markdown")


def links_of(page: Page) -> list[str]:
    """Every http(s) address that the page leads to, each once, in its order; places within the page are left out."""
    host = page.url.split("/")[2]
    if page.media_type in _TEXT:
        return [url for url in sorted(known_addresses([page.text])) if url.startswith("http")]
    if page.media_type not in _HTML:
        raise RequestRefused(
            host, gettext("There are no links on this, because it is not a page."), next_step=gettext("Give a page.")
        )
    from lxml import html
    from lxml.etree import LxmlError

    try:
        tree = html.document_fromstring(page.text.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (LxmlError, ValueError):
        return []
    found = (_absolute(page.url, anchor.get("href") or "") for anchor in tree.iter("a"))
    return list(dict.fromkeys(url for url in found if url))


def _absolute(base: str, href: str) -> str | None:
    try:
        url = urljoin(base, href.strip()).partition("#")[0]
    except ValueError:
        return None
    is_elsewhere = url.startswith(("http://", "https://")) and not href.lstrip().startswith("#")
    return url if is_elsewhere else None
