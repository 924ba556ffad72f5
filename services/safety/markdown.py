"""The one sanitiser for Markdown from the model and from tools, used before anything is given to `st.markdown`.

The text is parsed and written anew. Only what the writers know is written, everything else is escaped text, so that a
construct that two parsers read differently cannot slip through: images become words, links stay only with a known
address, HTML and directives stay text, diagrams stay code.
"""

import re
from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import accumulate

from markdown_it.token import Token

from services.safety.blocks import BlockWriter
from services.safety.dialect import parse
from services.safety.escape import without_links
from services.safety.text import plain

LONGEST = 100_000
_CUT = "… (cut here: the rest is too long to show)"
_LONGEST_TEXT = (LONGEST - len(_CUT) - 2) // 2
_SHORT = 10_000
_ROUNDS = 4


def sanitise(text: str, *, allowed: Container[str]) -> str:
    """Markdown that is safe to render, and reads as the text does; `sanitise(sanitise(x)) == sanitise(x)`.

    allowed: the exact addresses that may be links, because the student or a tool result named them
    (`services.safety.provenance`). At most 100,000 characters come back; a longer text is cut, with a note.
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


def as_read(text: str) -> str:
    """The words as a reader sees them, without a mark of Markdown, each block on a line of its own; plain text."""
    try:
        return "\n".join(filter(None, map(_words, parse(_shortened(text)))))
    except RecursionError:
        return text


def _words(block: Token) -> str:
    if block.children is None:
        return block.content.strip()
    return "".join(" " if one.type.endswith("break") else one.content for one in block.children).strip()


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
