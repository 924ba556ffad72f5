"""Markdown sanitiser for texts of the model and of tools, whole or still growing, used before `st.markdown`.

The text is parsed and written anew. Only what the writers know is written, everything else is escaped text, so that a
construct that two parsers read differently cannot slip through: images become words, links stay only with a known
address, HTML and directives stay text, diagrams stay code.
"""

import re
from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import accumulate

from markdown_it.token import Token

from services.safety.markdown.block_writer import BlockWriter
from services.safety.markdown.escape import without_links
from services.safety.markdown.parser import parse
from services.safety.markdown.unfinished import without_unfinished
from services.safety.text import plain

LONGEST = 100_000
_CUT = "… (cut here: the rest is too long to show)"
_LONGEST_TEXT = (LONGEST - len(_CUT) - 2) // 2
_SHORT = 10_000
_ROUNDS = 4
_SMALL = 400


def sanitise(text: str, *, allowed: Container[str]) -> str:
    """Sanitise Markdown: safe to render, and it reads as the text does; `sanitise(sanitise(x)) == sanitise(x)`.

    allowed: the exact addresses that may be links, because the student or a tool result named them
    (`services.safety.link_urls`). At most 100,000 characters come back; a longer text is cut, with a note.
    """
    if isinstance(allowed, frozenset) and len(text) <= _SHORT:
        return _remembered(text, allowed)
    return _at_rest(text, allowed)


@lru_cache(maxsize=512)
def _remembered(text: str, allowed: frozenset[str]) -> str:
    """Pages draw the same messages again at every click."""
    return _at_rest(text, allowed)


def _at_rest(text: str, allowed: Container[str]) -> str:
    text = _shortened(plain(text))
    for _ in range(_ROUNDS):
        written = write(text, allowed=allowed)
        if written == text:
            return written
        text = written
    return as_text(text)


def write(text: str, *, allowed: Container[str]) -> str:
    """One round: parse, and write what is safe. Safe already; `sanitise` makes sure that it also stays as it is."""
    try:
        blocks = BlockWriter(allowed).write(parse(text))
    except RecursionError:
        return as_text(text)
    return _within_limit(blocks) or (as_text(text) if blocks else "")


def as_text(text: str) -> str:
    """The text itself, nothing rendered: what is left for texts that no round brings to rest."""
    paragraphs = re.split(r"\n\s*\n", text[:_LONGEST_TEXT].strip())
    cut = [_CUT] if len(text) > _LONGEST_TEXT else []
    return "\n\n".join([without_links(re.sub(r"(?m)^[ \t]+", "", p)) for p in paragraphs] + cut)


def visible_text(text: str) -> str:
    """The text as a reader sees it, without Markdown marks, each block on a line of its own."""
    try:
        return "\n".join(filter(None, map(_words, parse(_shortened(text)))))
    except RecursionError:
        return text


def _words(block: Token) -> str:
    if block.children is None:
        return block.content.strip()
    return "".join(" " if child.type.endswith("break") else child.content for child in block.children).strip()


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - len(_CUT) - 2]}\n\n{_CUT}"


def _within_limit(blocks: Sequence[str]) -> str:
    """The blocks that fit, whole; "" when not even the first does."""
    written = "\n\n".join(blocks)
    if len(written) <= LONGEST:
        return written
    sizes = accumulate(len(block) + 2 for block in blocks)
    fitting = [block for block, size in zip(blocks, sizes, strict=True) if size <= LONGEST - len(_CUT)]
    return "\n\n".join([*fitting, _CUT]) if fitting else ""


class StreamSanitiser:
    """Sanitiser of a text that grows. What `render` returns is safe at every moment; blocks that are finished are
    written once, and what has only begun (`![`, a link, a tag, a fence, a table's head) is held back until it is whole.

    The last text of an answer belongs to `sanitise`, which also resolves references and footnotes across it.
    """

    def __init__(self, *, allowed: Container[str]) -> None:
        self._allowed = allowed
        self._finished = ""
        self._written: list[str] = []

    def render(self, text: str) -> str:
        """Safe Markdown for the whole text so far."""
        text = plain(text)[:LONGEST]
        if not text.startswith(self._finished):
            self._finished, self._written = "", []
        tail = self._open_end(text)
        written = write(without_unfinished(tail), allowed=self._allowed)
        return "\n\n".join([*self._written, written] if written else self._written)

    def _open_end(self, text: str) -> str:
        """The part that may still change, after writing all blocks before the last one that has begun."""
        tail = text[len(self._finished) :]
        complete = tail[: tail.rfind("\n") + 1]
        if len(complete) < _SMALL or "\n\n" not in complete:
            return tail
        starts = [token.map[0] for token in parse(complete) if token.level == 0 and token.map and token.nesting >= 0]
        finished = "".join(complete.splitlines(keepends=True)[: starts[-1]]) if starts else ""
        if finished.strip():
            self._finished += finished
            self._written.append(write(finished, allowed=self._allowed))
        return tail[len(finished) :]
