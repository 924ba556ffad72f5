"""Texts that stand in a Word file as files of their own (`w:altChunk`): web pages, Word files, plain text."""

from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default as modern
from typing import Any

from services.files.documents.office.package import OfficePackage
from services.files.documents.sections import Block
from services.files.documents.web_blocks import web_blocks
from services.files.text import decoded
from services.files.upload import FileRefused, extension

ReadWord = Callable[[OfficePackage], Iterator[Block]]
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
UNREAD_TEXT = "[an embedded text that was not read]"


def embedded_blocks(package: OfficePackage, chunk: Any, read_word: ReadWord | None) -> Iterator[Block]:
    """Blocks of an embedded text, or one that says that it was not read.

    read_word: reader of Word files; None where the file stands in another one itself, and no further one is opened.
    """
    _, name = package.relations(package.main).get(chunk.get(_ID, ""), ("", ""))
    try:
        blocks = list(_blocks(name, package.bytes(name), read_word))
    except FileRefused:
        blocks = []
    yield from blocks or [Block(UNREAD_TEXT)]


def _blocks(name: str, content: bytes, read_word: ReadWord | None) -> Iterator[Block]:
    ending = extension(name.rpartition("/")[2])
    if ending in ("html", "htm", "xhtml"):
        yield from web_blocks(decoded(content))
    elif ending in ("mht", "mhtml"):
        body = message_from_bytes(content, policy=modern).get_body(("html",))
        yield from web_blocks(body.get_content()) if body is not None else ()
    elif ending == "txt":
        yield from (Block(line) for line in decoded(content).split("\n\n") if line.strip())
    elif ending == "docx" and read_word is not None:
        yield from read_word(OfficePackage(content))
