"""Doors through which the words of others come in, each as the text that a model gets."""

from collections.abc import Callable, Mapping, Sequence

from services.files.readers import read_upload
from services.files.upload import Upload
from services.integrations.web.page_text import extract_text
from services.safety.fetch import FetchedPage
from services.safety.html import html_to_text
from tests.document_samples import heading_styles, word_file
from tests.services.files.documents.reading import pages_of


def material(content: bytes, name: str) -> str:
    """A file as it is read in as a material: the text of its pages, and their notes."""
    return "\n".join(f"{page.text}\n{page.notes}" for page in pages_of(content, name))


def attached(content: bytes, name: str) -> str:
    """A file as it is read for a chat."""
    return read_upload(Upload(name=name, content=content)).content.decode()


def word(body: str, **parts: str) -> str:
    """The text of a Word file of this body."""
    return material(word_file(body, styles=parts.pop("styles", heading_styles()), parts=parts), "file.docx")


def web_page(content: bytes, charset: str | None = None) -> str:
    """A page of the web."""
    where = "https://site.example/page"
    page = FetchedPage(
        url=where, asked=where, status=200, media_type="text/html", charset=charset, body=content, headers={}
    )
    return extract_text(page).text


def _page_file(html: str) -> str:
    return material(html.encode(), "page.html")


def _canvas(html: str) -> str:
    return html_to_text(html, limit=20_000)


def _web(html: str) -> str:
    about = "<p>These are the notes of a course, with some words around what is looked at here.</p>"
    return web_page(f'<html><head><meta charset="utf-8"></head><body><main>{about}{html}{about}</main></body>'.encode())


HTML_DOORS: Mapping[str, Callable[[str], str]] = {"file": _page_file, "Canvas": _canvas, "web": _web}
"""The three readers of HTML, which must not disagree."""


def require(text: str, right: Sequence[str], wrong: Sequence[str] = ()) -> None:
    """Every piece of `right` stands in the text, and none of `wrong`, whatever its lines."""
    line = " ".join(text.split())
    assert [piece for piece in right if piece not in line] == [], line
    assert [piece for piece in wrong if piece in line] == [], line


def require_alike(html: str, right: Sequence[str], wrong: Sequence[str] = ()) -> None:
    """The same of all three readers of HTML."""
    for read in HTML_DOORS.values():
        require(read(html), right, wrong)
