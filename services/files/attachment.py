"""`Attachment`: the reference to a file in a message; the file itself is stored apart."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from services.files.upload import Kind, format_size
from services.i18n import gettext, gettext_noop, ngettext

TYPE = "attachment"
"""The type of the block that stands for a file in a stored message; the API never sees one."""
_KINDS = {
    "pdf": "PDF",
    "image": gettext_noop("Image"),
    "text": gettext_noop("Text"),
    "word": gettext_noop("Word document"),
    "slides": gettext_noop("Slides"),
}


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """Reference to a file.

    id: a hash of the content. size: bytes of the student's file. weight: bytes of what the model gets.

    media_type, tokens, pages: of what the model gets (see `PageText`).
    """

    id: str
    name: str = field(repr=False)
    kind: Kind
    media_type: str
    size: int
    weight: int
    tokens: int
    pages: int = 0

    @property
    def description(self) -> str:
        """ "PDF, 12 pages, 1.3 MB"."""
        pages = [ngettext("{n} page", "{n} pages", self.pages)] if self.pages else []
        return ", ".join([gettext(_KINDS[self.kind]), *pages, format_size(self.size)])

    def block(self) -> dict[str, Any]:
        """The reference that a stored message holds in its content."""
        return {"type": TYPE, **asdict(self)}


def attachments_in(content: Iterable[Mapping[str, Any]]) -> tuple[Attachment, ...]:
    """The files that came with a message, from its stored content."""
    return tuple(from_block(block) for block in content if block["type"] == TYPE)


def from_block(block: Mapping[str, Any]) -> Attachment:
    return Attachment(**{name: block[name] for name in Attachment.__dataclass_fields__})
