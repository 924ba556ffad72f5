"""EPUB reader: the chapters of a book in the order of its spine (https://www.w3.org/TR/epub-33/)."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from services.files.documents.office.package import Package, damaged
from services.files.documents.sections import Block
from services.files.documents.web_blocks import web_blocks
from services.files.text import decoded_page
from services.files.upload import OPEN_ORIGINAL, FileRefused
from services.i18n import gettext

_CONTAINER = "META-INF/container.xml"
_LOCKED = "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_MOST_CHAPTERS = 3_000
_FONTS = ("IDPF", "adobe")


def epub_blocks(package: Package) -> Iterator[Block]:
    """Blocks of all chapters. Raises `FileRefused` for a book that is locked or has no chapters."""
    container = package.xml(_CONTAINER)
    main = (
        next((file.get("full-path", "") for file in container.iter("{*}rootfile")), "") if container is not None else ""
    )
    book = package.xml(main)
    if book is None:
        raise damaged()
    folder = posixpath.dirname(main)
    items = {item.get("id", ""): item for item in book.iter("{*}item")}
    names = []
    for reference in list(book.iter("{*}itemref"))[:_MOST_CHAPTERS]:
        item = items.get(reference.get("idref", ""))
        # What stands beside the text, as notes do, is of the spine too; a list of contents says nothing new.
        if (
            item is not None
            and item.get("media-type") in _PAGES
            and "nav" not in (item.get("properties") or "").split()
        ):
            names.append(posixpath.normpath(posixpath.join(folder, unquote(item.get("href", "")))))
    if not names:
        raise damaged()
    if _is_locked(package, names):
        raise FileRefused(gettext("This book is locked by its seller."), next_step=gettext(OPEN_ORIGINAL))
    return _chapters(package, names)


def _is_locked(package: Package, names: list[str]) -> bool:
    locks = package.xml(_LOCKED)
    locked = (
        {reference.get("URI", "") for reference in locks.iter("{*}CipherReference")} if locks is not None else set()
    )
    return any(unquote(name) in names for name in locked)


def _chapters(package: Package, names: list[str]) -> Iterator[Block]:
    for name in names:
        content = package.bytes(name)
        if content.strip():
            yield from web_blocks(decoded_page(content))
        else:
            yield Block("[a chapter that was not read]")
