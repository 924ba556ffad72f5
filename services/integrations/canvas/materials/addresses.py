"""Addresses in a course's texts: which of its things they lead to, and how public documents of Google are exported."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

from services.safety.html import html_to_text
from services.safety.text import one_line

_HREF = re.compile(r"""<a\s[^<>]{0,2000}?\bhref\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})')""", re.IGNORECASE)
_OF_COURSE = re.compile(
    r"/courses/(?P<course>\d{1,20})/(?:(?P<kind>files|assignments|discussion_topics)/(?P<id>\d{1,20})|pages/(?P<page>[^/?#]{1,300}))"
    r"(?:/(?:download|preview|file_contents))?/?"
)
_FILE_ALONE = re.compile(r"/files/(?P<id>\d{1,20})(?:/(?:download|preview))?/?")
_KINDS = {"files": "file", "assignments": "assignment", "discussion_topics": "topic"}
_DOCUMENT = re.compile(r"(.*/(document|presentation|spreadsheets)(?:/u/\d+)?/d/)([\w-]{10,200})(?:/.*)?")
_DRIVE_FILE = re.compile(r"(.*)/file(?:/u/\d+)?/d/([\w-]{10,200})(?:/.*)?")
_EXPORTS = {
    "document": "/export?format=docx",
    "presentation": "/export/pptx",
    "spreadsheets": "/export?format=pdf",
}
_GOOGLE = ("docs.google.com", "drive.google.com")
MOST_LINKS = 300
_LONGEST_WORDS = 1_000


@dataclass(frozen=True, kw_only=True)
class CanvasTarget:
    """Thing of a course that an address leads to. kind: "file", "assignment", "topic" or "page". id: a page's url."""

    course_id: int | None
    kind: str
    id: str


def canvas_target(address: str, origin: str) -> CanvasTarget | None:
    """Parse an address of this Canvas; None for any other, and for pages of Canvas that are no materials."""
    try:
        named, home = urlsplit(urljoin(f"{origin}/", address.strip())), urlsplit(origin)
    except ValueError:
        return None
    if named.netloc.lower() != home.netloc.lower() or not named.path.startswith(f"{home.path}/"):
        return None
    path = named.path[len(home.path) :]
    if found := _OF_COURSE.fullmatch(path):
        page = found["page"]
        kind, id = ("page", unquote(page)) if page else (_KINDS[found["kind"]], str(int(found["id"])))
        return CanvasTarget(course_id=int(found["course"]), kind=kind, id=id)
    if found := _FILE_ALONE.fullmatch(path):
        return CanvasTarget(course_id=None, kind="file", id=str(int(found["id"])))
    preview = parse_qs(named.query).get("preview", [""])[0]
    folder = re.match(r"/courses/(\d{1,20})/files(?:/|$)", path)
    is_preview = folder is not None and preview.isascii() and preview.isdecimal() and len(preview) <= 20
    return CanvasTarget(course_id=int(folder[1]), kind="file", id=preview) if folder and is_preview else None


@dataclass(frozen=True, kw_only=True)
class TextLink:
    """Link in a text. html: what it is written on."""

    address: str = field(repr=False)
    html: str = field(repr=False)

    @property
    def words(self) -> str:
        return one_line(html_to_text(self.html, limit=_LONGEST_WORDS))


def text_links(html: str) -> Iterator[TextLink]:
    """List the links of a text, each address once, in their order, the first `MOST_LINKS`."""
    seen: set[str] = set()
    for found in _HREF.finditer(html):
        address = unescape(found[1] or found[2]).strip()
        if address in seen:
            continue
        seen.add(address)
        written = html[found.end() : found.end() + _LONGEST_WORDS].partition(">")[2].partition("</a")[0]
        yield TextLink(address=address, html=written)
        if len(seen) >= MOST_LINKS:
            return


def is_google_host(address: str) -> bool:
    """Check whether an address is at Google's documents."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == "https" and parts.netloc.lower() in _GOOGLE


def is_document_address(address: str) -> bool:
    """Check whether an address in a text is that of a document of Google's, which belongs to the course's materials."""
    try:
        path = urlsplit(address).path
    except ValueError:
        return False
    is_web = address.lower().startswith(("https://", "http://"))
    return is_web and (
        bool(_DOCUMENT.fullmatch(path)) or (is_google_host(address) and export_address(address) is not None)
    )


def export_address(address: str) -> str | None:
    """The address that exports a public document of Google's; None where an address is none of a document.

    Slides become PPTX with their notes, texts DOCX with their headings, sheets PDF; other files come as they are. What
    was "published to the web" (`/d/e/…`) is a page already.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return None
    base = f"{parts.scheme}://{parts.netloc}"
    if found := _DOCUMENT.fullmatch(parts.path):
        return f"{base}{found[1]}{found[3]}{_EXPORTS[found[2]]}"
    if found := _DRIVE_FILE.fullmatch(parts.path):
        return f"{base}{found[1]}/uc?export=download&id={found[2]}"
    id = parse_qs(parts.query).get("id", [""])[0]
    if re.search(r"/(?:open|uc)$", parts.path) and re.fullmatch(r"[\w-]{10,200}", id, re.ASCII):
        return f"{base}{parts.path.rpartition('/')[0]}/uc?export=download&id={id}"
    return None
