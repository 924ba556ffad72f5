"""Text parts: what was read of a material, packed for the store so that one page is read without all the others."""

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from services.materials.material import MaterialPage, MaterialText, PageUnit
from services.materials.search.material_index import index_text

PART = 120_000
"""Characters of a part, about; packed they are some 50 kB."""


class DamagedText(Exception):
    """A stored text cannot be read any more: it is to be read in anew."""


@dataclass(frozen=True, kw_only=True)
class TextPart:
    """Pages from `first` to `last`, compressed, as text for the store."""

    first: int
    last: int
    data: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class PackedText:
    """Text of a material as it is stored. index: its words for the search. count, remarks: as of `MaterialText`."""

    unit: PageUnit
    pages: int
    count: int
    has_pictures: bool
    remarks: Sequence[str]
    parts: Sequence[TextPart]
    index: str = field(repr=False)

    @property
    def stored_bytes(self) -> int:
        return len(self.index) + sum(len(part.data) for part in self.parts)


def pack_text(text: MaterialText) -> PackedText:
    """Pack and index a text; some milliseconds for each page, so that long ones are packed in a reader process."""
    return PackedText(
        unit=text.unit,
        pages=len(text.pages),
        count=max(text.count, len(text.pages)),
        has_pictures=text.has_pictures,
        remarks=tuple(text.remarks),
        parts=[_packed(pages) for pages in _groups(text.pages)],
        index=index_text(text).encode(),
    )


def unpack_pages(data: str) -> list[MaterialPage]:
    """Read the pages of a part; raises `DamagedText`."""
    try:
        rows = json.loads(zlib.decompress(base64.b64decode(data)))
        return [
            MaterialPage(number=number, label=label, text=text, notes=notes, is_blank=is_blank)
            for number, label, text, notes, is_blank in rows
        ]
    except (ValueError, TypeError, zlib.error):
        raise DamagedText from None


def _groups(pages: Sequence[MaterialPage]) -> Iterator[list[MaterialPage]]:
    group: list[MaterialPage] = []
    size = 0
    for page in pages:
        group.append(page)
        size += len(page.text) + len(page.notes) + len(page.label)
        if size >= PART:
            yield group
            group, size = [], 0
    if group:
        yield group


def _packed(pages: Sequence[MaterialPage]) -> TextPart:
    rows = [[page.number, page.label, page.text, page.notes, page.is_blank] for page in pages]
    packed = zlib.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode(), 6)
    return TextPart(first=pages[0].number, last=pages[-1].number, data=base64.b64encode(packed).decode())
