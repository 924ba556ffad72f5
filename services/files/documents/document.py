"""`DocumentText`: text of a file by page, slide or section, and what could not be read of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from services.i18n import formats, gettext, ngettext

DocumentUnit = Literal["page", "slide", "section"]

LARGEST_DOCUMENT_MB = 60
LARGEST_DOCUMENT = LARGEST_DOCUMENT_MB * 1_000_000
"""Bytes of one file."""
MOST_DOCUMENT_PAGES = 2_000
"""Pages, slides or sections that are read of one file; of a longer one, the first."""
LONGEST_PAGE = 40_000
"""Characters of one page, slide or section."""
LONGEST_DOCUMENT = 6_000_000
"""Characters of all pages."""


@dataclass(frozen=True, kw_only=True)
class DocumentPage:
    """Text of one page, slide or section. number: from 1, in the file's own count, hidden slides counted.

    label: the heading, the slide's title, or the page number as printed where it differs; "" for none.
    notes: speaker's notes, or a Word document's comments. images: pictures on it, which no text tells of.
    is_blank: only its picture tells, as of a scan. has_hidden_text: text that nobody sees was left out.
    """

    number: int
    label: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    notes: str = field(default="", repr=False)
    images: int = 0
    is_blank: bool = False
    has_hidden_text: bool = False


@dataclass(frozen=True)
class PageBegin:
    """Mark that a page is looked at next: where the process ends then, it was this one."""

    number: int


@dataclass(frozen=True)
class UnreadPage:
    """Damaged page, or one that ended a process before."""

    number: int


@dataclass(frozen=True)
class HiddenSlide:
    """Slide that its author hides."""

    number: int


PageResult = DocumentPage | PageBegin | UnreadPage | HiddenSlide


@dataclass(frozen=True, kw_only=True)
class DocumentText:
    """Text of a file. count: its pages in all; fewer are in `pages` where the limits or a damage ended the reading.

    hidden_slides: numbers of slides that the author hides, which are left out. unread: pages that could not be read.
    can_picture: a page can be drawn.
    """

    unit: DocumentUnit
    pages: Sequence[DocumentPage]
    count: int
    hidden_slides: Sequence[int] = ()
    unread: Sequence[int] = ()
    is_cut: bool = False
    can_picture: bool = False

    @property
    def remarks(self) -> list[str]:
        """What was left out, each as a sentence in the language of the reader."""
        found: list[str] = []
        if self.is_cut:
            found.append(
                gettext(
                    "Only the beginning was read: {pages} of {count} pages.",
                    pages=formats.number(len(self.pages)),
                    count=formats.number(max(self.count, len(self.pages))),
                )
            )
        if self.unread:
            found.append(ngettext("{n} page could not be read.", "{n} pages could not be read.", len(self.unread)))
        if self.hidden_slides:
            found.append(
                ngettext(
                    "{n} slide that the author hides was left out.",
                    "{n} slides that the author hides were left out.",
                    len(self.hidden_slides),
                )
            )
        if hidden := sum(page.has_hidden_text for page in self.pages):
            found.append(
                ngettext(
                    "Text that nobody can see was left out on {n} page.",
                    "Text that nobody can see was left out on {n} pages.",
                    hidden,
                )
            )
        return found
