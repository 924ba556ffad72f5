"""Citations of an answer: superscript numbers in its text, and the numbered sources under it, as Markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from services.conversations.items import AssistantText
from services.i18n import ngettext
from services.llm.citations import Citation, Source
from services.navigation import with_passage
from services.safety.link_urls import canonical_url, is_reader_address
from services.safety.markdown.parser import parse
from services.safety.text import literal

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_CODE_SIGNS = ("```", "~~~", "\n    ", "\n\t", "$$", "\\[")
MOST_IN_A_LINE = 5


class CitationMarks:
    """Sources of one answer, numbered in the order in which its text cites them.

    addresses: of pages of course materials, each with the passage to mark there behind "#passage=". That part never
    leaves the browser; it is ours and not the model's, so it may be a link where the page's address may.
    """

    def __init__(self) -> None:
        self.addresses: frozenset[str] = frozenset()
        self._numbers: dict[str, int] = {}
        self._cited: list[tuple[Source, str]] = []

    def mark_text(self, item: AssistantText) -> str:
        """Text with a number after each passage that cites, but for one whose line links to its source already; the
        same item always gets the same numbers.
        """
        # An invalid address could end the link early, and its rest would be drawn as text of Homeroom.
        sound = [citation for citation in item.citations if canonical_url(citation.source.url)]
        marks = [(citation.at, self._mark(citation)) for citation in sound if not _is_linked(item.text, citation)]
        return _with_marks(item.text, marks) if marks else item.text

    def sources_markdown(self) -> tuple[str, str]:
        """The sources, not sanitised yet: a few in a line, many as a list with a label above them, which else is ""."""
        links = [f"[{literal(source.title)}](<{address}>)" for source, address in self._cited]
        if len(links) > MOST_IN_A_LINE:
            listed = "\n".join(f"{number}. {link}" for number, link in enumerate(links, 1))
            return listed, ngettext("{n} source", "{n} sources", len(links))
        return " · ".join(f"{_superscript(number)} {link}" for number, link in enumerate(links, 1)), ""

    def _mark(self, citation: Citation) -> str:
        source = citation.source
        address = source.url
        if citation.quote and is_reader_address(address):
            address = with_passage(address, citation.quote)
            self.addresses |= {address}
        if source.url not in self._numbers:
            self._cited.append((source, address))
            self._numbers[source.url] = len(self._cited)
        return f"[{_superscript(self._numbers[source.url])}](<{address}>)"


def _is_linked(text: str, citation: Citation) -> bool:
    """Whether the line of the passage links to the source, and the mark would lead no further."""
    url = citation.source.url
    if citation.quote and is_reader_address(url):
        return False
    end = len(text[: citation.at].rstrip())
    line = text[text.rfind("\n", 0, end) + 1 :].partition("\n")[0]
    return f"]({url})" in line or f"](<{url}>)" in line


@dataclass(frozen=True, kw_only=True)
class _CodeBlock:
    """Code block from `start` to `end` (characters). lead: prefix of its lines in a list or a quote."""

    start: int
    end: int
    lead: str
    is_closed: bool


def _with_marks(text: str, marks: Sequence[tuple[int, str]]) -> str:
    """Insert each mark at the end of its passage; below a code block, as a fence's last line holds nothing else."""
    blocks, placed = _code_blocks(text), dict[tuple[int, _CodeBlock | None], list[str]]()
    for at, mark in marks:
        after = len(text[:at].rstrip()) or at
        block = next((block for block in blocks if block.start < after <= block.end), None)
        placed.setdefault((block.end if block else after, block), []).append(mark)
    for (at, block), found in sorted(placed.items(), key=lambda item: item[0][0], reverse=True):
        joined = "\u00a0".join(found)
        if block is None:
            text = f"{text[:at]}\u00a0{joined}{text[at:]}"
        elif block.is_closed:
            below = f"\n{block.lead}" if text[at:].strip() else ""
            text = f"{text[:at]}\n{block.lead}\n{block.lead}{joined}{below}{text[at:]}"
    return text


def _code_blocks(text: str) -> list[_CodeBlock]:
    if not any(sign in text for sign in _CODE_SIGNS):
        return []
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found = []
    for token in parse(text):
        if token.type not in ("fence", "code_block", "math_block") or token.map is None:
            continue
        first, last = token.map[0], min(token.map[1], len(lines)) - 1
        lead = re.match(r"[>\s]*", lines[last])
        is_closed = token.type != "fence" or (last > first and lines[last].rstrip().endswith(token.markup))
        end = starts[last] + len(lines[last])
        found.append(_CodeBlock(start=starts[first], end=end, lead=lead[0] if lead else "", is_closed=is_closed))
    return found


def _superscript(number: int) -> str:
    return str(number).translate(_SUPERSCRIPT)
