"""`SourcePassage`: a part of a source that questions are made from, with its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from services.study.question import Quotation, SourceKind

LONGEST_PASSAGE = 3_000
"""Characters of a passage; a longer page is cut into several at the ends of paragraphs."""
_OF_PLACE = 40


@dataclass(frozen=True, kw_only=True)
class SourcePassage:
    """Part of a source. place: for people, such as "Lecture 4, slide 12". label: heading of its page, "" for none."""

    source: SourceKind
    source_id: str = ""
    page: int = 0
    place: str = field(default="", repr=False)
    url: str = field(default="", repr=False)
    label: str = field(default="", repr=False)
    text: str = field(repr=False)

    def quotation(self, words: str) -> Quotation:
        """Quote words of it."""
        return Quotation(
            source=self.source,
            source_id=self.source_id,
            page=self.page,
            place=self.place,
            url=self.url,
            words=words,
        )


def cut_passage(passage: SourcePassage) -> Iterator[SourcePassage]:
    """Cut a long passage at the ends of paragraphs, or where there are none, of sentences and words."""
    rest = passage.text.strip()
    while len(rest) > LONGEST_PASSAGE:
        ends = [rest.rfind(mark, LONGEST_PASSAGE // 2, LONGEST_PASSAGE) for mark in ("\n\n", "\n", ". ", " ")]
        end = next((at for at in ends if at > 0), LONGEST_PASSAGE - 1) + 1
        yield replace(passage, text=rest[:end])
        rest = rest[end:].strip()
    yield replace(passage, text=rest)


def input_characters(passages: Sequence[SourcePassage]) -> int:
    """Characters of passages, as they are sent."""
    return sum(len(passage.text) + len(passage.label) + _OF_PLACE for passage in passages)
