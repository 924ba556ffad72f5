"""Content type: what a file is by its bytes; its name only says what it should be."""

import re
from collections.abc import Mapping
from typing import Literal

from services.files.documents.office.package import OfficePackage, Package
from services.files.upload import DOCUMENTS, IMAGES, OPEN_ORIGINAL, TEXTS, FileRefused, extension
from services.i18n import gettext

ContentType = Literal["pdf", "slides", "word", "sheets", "book", "open_document", "rich_text", "image", "web", "text"]

_HEAD = 1_024
"""Bytes within which a PDF must say that it is one (ISO 32000-1, annex H)."""
_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
_WEB = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*|<\?xml[^>]{0,200}>\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_LOGIN = re.compile(rb"type\s*=\s*[\"']?password|name\s*=\s*[\"']?SAML", re.IGNORECASE)
_WEB_NAMES = ("html", "htm", "xhtml", "php", "aspx", "jsp", "")
_TEXT_NAMES = frozenset(TEXTS) | {"vtt", "qmd"}
_OFFICE = ("docx", "pptx", "xlsx")
_OPEN_TYPES: Mapping[bytes, ContentType] = {
    b"mimetypeapplication/epub+zip": "book",
    b"mimetypeapplication/vnd.oasis.opendocument.text": "open_document",
    b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet": "open_document",
}
"""How the first part of an archive begins that says what it is (EPUB OCF §4.3, ODF 1.3 part 2 §3.3)."""
_CONTENT_TYPES = b"[Content_Types].xml"
"""Every Office file names this part; names are not packed."""
_BINARY = (*DOCUMENTS, *IMAGES, "pdf", "docx", "pptx", "doc", "ppt", "xls", "zip")


def content_type(name: str, content: bytes) -> ContentType:
    """What the bytes are; raises `FileRefused` for kinds that are not read, and a sign-in page in a file's place."""
    ending = extension(name)
    head = content[:_HEAD].lstrip(b"\xef\xbb\xbf")
    if b"%PDF-" in head and not _WEB.match(head):
        return "pdf"
    if head.startswith(_IMAGES) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return "image"
    if head.startswith(b"{\\rtf"):
        return "rich_text"
    if head.startswith(b"PK\x03\x04"):
        if kind := _open_type(head, content):
            return kind
        if ending not in _OFFICE and _CONTENT_TYPES not in content:
            raise _other_kind()
        return _office_type(content)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        OfficePackage(content)
    if _WEB.match(content[:4_096]):
        if ending not in _WEB_NAMES and ending not in _TEXT_NAMES:
            raise _web_page(content)
        return "web"
    if ending in _BINARY:
        raise FileRefused(
            gettext("This file is not what its name says, or it is damaged."), next_step=gettext(OPEN_ORIGINAL)
        )
    is_packed = b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if is_packed and ending not in _TEXT_NAMES:
        raise _other_kind()
    return "web" if ending in ("html", "htm", "xhtml") else "text"


def _open_type(head: bytes, content: bytes) -> ContentType | None:
    """What an archive says of itself, first of all or, by a program that packed it anew, in any of its parts."""
    beginning = head[:200]
    if b"mimetype" in content and b"mimetypeapplication/" not in beginning and _CONTENT_TYPES not in content:
        beginning = b"mimetype" + Package(content).bytes("mimetype", largest=_HEAD).strip()
    return next((kind for mark, kind in _OPEN_TYPES.items() if mark in beginning), None)


def _office_type(content: bytes) -> ContentType:
    package = OfficePackage(content)
    if package.is_slides:
        return "slides"
    if package.is_word:
        return "word"
    if package.is_sheets:
        return "sheets"
    raise _other_kind()


def _other_kind() -> FileRefused:
    return FileRefused(gettext("Files of this kind cannot be read here."), next_step=gettext(OPEN_ORIGINAL))


def _web_page(content: bytes) -> FileRefused:
    if _LOGIN.search(content[:200_000]):
        return FileRefused(
            gettext("Instead of the file, a sign-in page came."),
            next_step=gettext("Open the original instead, and sign in there if you are asked to."),
        )
    return FileRefused(gettext("Instead of the file, a web page came."), next_step=gettext(OPEN_ORIGINAL))
