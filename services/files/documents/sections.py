"""Sections: blocks of a text without pages, such as a Word document's or a web page's, put together by heading."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from services.files.documents.document import MOST_DOCUMENT_PAGES, DocumentPage
from services.safety.text import plain

_LONGEST_SECTION = 6_000
"""Characters from which a section is cut between two paragraphs."""
_PART = 3_000
"""Characters of a part of a text without headings, about a page."""
_LOWEST_HEADING = 4
"""Headings of lower rank stay within their section."""
_LONGEST_LABEL = 160
_LONGEST_LINE = 20_000


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraph, list item, table or heading. level: of a heading from 1, else 0. notes: comments on it."""

    text: str = field(repr=False)
    level: int = 0
    notes: str = field(default="", repr=False)
    images: int = 0
    has_hidden_text: bool = False


def sections(blocks: Iterable[Block]) -> Iterator[DocumentPage]:
    """Pages of a document, one a section; its label is the headings above it, as "Methods \u203a Staining"."""
    open_section = _Section()
    path: list[tuple[int, str]] = []
    number = 0
    for block in _short(blocks):
        is_heading = 0 < block.level <= _LOWEST_HEADING
        longest = _LONGEST_SECTION if path else _PART
        if (is_heading and not open_section.is_bare) or open_section.size > longest:
            number += 1
            yield open_section.page(number)
            if number >= MOST_DOCUMENT_PAGES:
                return
            open_section = _Section(label=_label(path))
        if is_heading:
            path = [(level, title) for level, title in path if level < block.level] + [(block.level, block.text)]
            open_section.label = _label(path)
        open_section.add(block)
    if open_section.blocks:
        yield open_section.page(number + 1)


def block_text(block: Block) -> str:
    """The block as Markdown has it, so that the model sees how the text is built."""
    return f"{'#' * min(6, block.level)} {block.text}" if block.level else block.text


def _short(blocks: Iterable[Block]) -> Iterator[Block]:
    """Cut what has no end: one line of a million characters is many blocks."""
    for block in blocks:
        if len(block.text) <= _LONGEST_LINE:
            yield block
            continue
        for at in range(0, len(block.text), _LONGEST_SECTION):
            yield Block(block.text[at : at + _LONGEST_SECTION], has_hidden_text=block.has_hidden_text)


def _label(path: list[tuple[int, str]]) -> str:
    titles = [" ".join(title.split()) for _, title in path]
    label = " \u203a ".join(titles)
    return label if len(label) <= _LONGEST_LABEL else titles[-1][:_LONGEST_LABEL]


class _Section:
    def __init__(self, label: str = "") -> None:
        self.label = label
        self.blocks: list[Block] = []
        self.size = 0

    @property
    def is_bare(self) -> bool:
        """Nothing stands in it but headings."""
        return all(block.level for block in self.blocks)

    def add(self, block: Block) -> None:
        self.blocks.append(block)
        self.size += len(block.text)

    def page(self, number: int) -> DocumentPage:
        texts = map(block_text, self.blocks)
        text = plain(re.sub(r"\n{3,}", "\n\n", "\n\n".join(text for text in texts if text.strip()))).strip()
        images = sum(block.images for block in self.blocks)
        return DocumentPage(
            number=number,
            label=plain(self.label),
            text=text,
            notes=plain("\n".join(block.notes for block in self.blocks if block.notes)),
            images=images,
            is_blank=images > 0 and sum(map(str.isalnum, text)) < 25,
            has_hidden_text=any(block.has_hidden_text for block in self.blocks),
        )
