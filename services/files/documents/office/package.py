"""`OfficePackage`: parts of a .docx, .pptx or .xlsx, unpacked in pieces within limits and parsed without entities."""

import io
import posixpath
import re
import zipfile
import zlib
from functools import cached_property, partial
from typing import Any
from urllib.parse import unquote

from services.files.upload import OPEN_ORIGINAL, FileRefused
from services.i18n import gettext, gettext_noop

_OLD = b"\xd0\xcf\x11\xe0"
"""First bytes of files of old Office programs, and of locked ones of new programs (MS-CFB 2.2)."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The two that an Office document may be packed with (ISO/IEC 29500-2, annex B)."""
_MOST_PARTS = 20_000
_LARGEST_PART = 30_000_000
_LARGEST_READ = 400_000_000
"""Bytes of all parts that are unpacked, one after another."""
_MOST_MARKS = 1_500_000
"""Tags of one part; a book of 500 pages has about half as many."""
_PIECE = 65_536
_HEAD = 4_096
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
"""Namespaces of the strict form of the same standard (ISO/IEC 29500-1, annex A)."""
_MACROS = re.compile(r"(^|/)vbaproject|(^|/)activex", re.IGNORECASE)
_TYPES = "[Content_Types].xml"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
DAMAGED = gettext_noop("This file is damaged and cannot be opened.")


def damaged() -> FileRefused:
    """Refusal of a file that its program would not open either."""
    return FileRefused(gettext(DAMAGED), next_step=gettext(OPEN_ORIGINAL))


def is_inside(relation: Any) -> bool:
    """Whether a relation leads to a part of the same package."""
    return bool(relation.get("TargetMode", "Internal").strip().casefold() == "internal")


class Package:
    """Archive of a document's parts. Raises `FileRefused` when damaged or far too large."""

    def __init__(self, content: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            raise damaged() from None
        self._parts = {part.filename.lstrip("/"): part for part in self._archive.infolist()}
        self._read = 0
        if len(self._parts) > _MOST_PARTS:
            raise _too_much()

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    @property
    def names(self) -> list[str]:
        return list(self._parts)

    def bytes(self, name: str, *, largest: int = _LARGEST_PART) -> bytes:
        """Unpack a part in pieces: whoever lies about its size is found out. Empty for one that is not there."""
        part = self._parts.get(name)
        if part is None:
            return b""
        if part.compress_type not in _METHODS:
            raise damaged()
        pieces, size = list[bytes](), 0
        try:
            with self._archive.open(part) as packed:
                for piece in iter(partial(packed.read, _PIECE), b""):
                    size += len(piece)
                    self._read += len(piece)
                    if size > largest or self._read > _LARGEST_READ:
                        raise _too_much()
                    pieces.append(piece)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zlib.error):
            raise damaged() from None
        return b"".join(pieces)

    def xml(self, name: str) -> Any | None:
        """Root element of a part; None for one that is not there. Entities, outside parts and schemas stay unread."""
        from lxml import etree

        content = self.bytes(name)
        if not content:
            return None
        if _STRICT.search(content[:_HEAD]):
            content = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", content)
        if content.count(b"<") > _MOST_MARKS:
            raise _too_much()
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            root = etree.fromstring(content, parser)
        except (etree.LxmlError, ValueError):
            raise damaged() from None
        return root


class OfficePackage(Package):
    """Archive of an Office document. Raises `FileRefused` when locked, damaged, with macros, or far too large."""

    def __init__(self, content: bytes) -> None:
        if content.startswith(_OLD):
            raise FileRefused(
                gettext("This is a file of an old Office program, or one that is locked with a password."),
                next_step=gettext(OPEN_ORIGINAL),
            )
        super().__init__(content)
        if _TYPES not in self:
            raise damaged()
        if any(_MACROS.search(name) for name in self.names) or b"macroenabled" in self.bytes(_TYPES).lower():
            raise FileRefused(gettext("This file has macros in it."), next_step=gettext(OPEN_ORIGINAL))

    @cached_property
    def main(self) -> str:
        """Name of the part with which the document begins."""
        return self.related("", "officeDocument")

    @property
    def is_slides(self) -> bool:
        return self.main.endswith(".xml") and b"presentationml" in self.bytes(self.main)[:_HEAD]

    @property
    def is_word(self) -> bool:
        return self.main.endswith(".xml") and b"wordprocessingml" in self.bytes(self.main)[:_HEAD]

    @property
    def is_sheets(self) -> bool:
        return self.main.endswith(".xml") and b"spreadsheetml" in self.bytes(self.main)[:_HEAD]

    def relations(self, name: str) -> dict[str, tuple[str, str]]:
        """Parts of the package that a part names: by its id, the last word of its type and the part's name."""
        folder, file = posixpath.split(name)
        root = self.xml(posixpath.join(folder, "_rels", f"{file}.rels"))
        found: dict[str, tuple[str, str]] = {}
        for relation in () if root is None else root.iter(_RELATION):
            if is_inside(relation):
                target = posixpath.normpath(posixpath.join("/", folder, unquote(relation.get("Target", "")))).lstrip(
                    "/"
                )
                found[relation.get("Id", "")] = relation.get("Type", "").rpartition("/")[2], target
        return found

    def related(self, name: str, kind: str) -> str:
        """The first part of this kind that a part names, as "notesSlide"; "" for none."""
        return next((target for type, target in self.relations(name).values() if type == kind), "")


def _too_much() -> FileRefused:
    return FileRefused(gettext("This file unpacks to far too much."), next_step=gettext(OPEN_ORIGINAL))
