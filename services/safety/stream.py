"""The sanitiser for an answer that is still being written."""

import re
from collections.abc import Container

from services.safety.dialect import parse
from services.safety.markdown import LONGEST, write
from services.safety.text import plain

_SMALL = 400
_WINDOW = 1_200

_UNFINISHED = re.compile(
    r"\\\Z"
    r"|!?\[[^\[\]\n]*(?:\](?:\([^)\n]*)?)?\Z"  # a link or an image
    r"|<[a-z/!?][^>\n]*\Z"
    r"|\$(?=[^$\n]*[\\^_{=])[^$\n]*\$?\Z"  # a formula, not a price
    r"|(?:https?:|www\.)[^\s]*\Z|[^\s]+@[^\s]*\Z",
    re.IGNORECASE,
)
_UNFINISHED_LINE = re.compile(
    r"(?:^|\n)(?:[ \t>]*(?:[-+*=_#]+|\d{1,9}[.)]?)[ \t]*|[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)*(?:`+|~{3,})[^\n]*)\Z"
)
_UNFINISHED_BLOCK = re.compile(
    r"(?:^|\n)[ \t]*\$\$(?:(?!\$\$)[\s\S])*\$?\Z|(?:\A|\n(?<!\|\n))[ \t]*\|[^\n]*(?:\n[ \t|:-]*)?\Z"
)
_FENCE = re.compile(r"(?m)^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)*(`{3,}+|~{3,}+)([^\n`]*)\n")


class StreamSanitiser:
    """Sanitises a text that grows. What `render` returns is safe at every moment; blocks that are finished are
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
        written = write(held_back(tail), allowed=self._allowed)
        return "\n\n".join([*self._written, written] if written else self._written)

    def _open_end(self, text: str) -> str:
        """What may still change, after writing down what cannot: all blocks before the last one that has begun."""
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


def held_back(text: str) -> str:
    """The text without a construct that has begun at its end but is not whole."""
    start = max(len(text) - _WINDOW, text.rfind("\n\n") + 2 if "\n\n" in text else 0)
    window = text[start:]
    if _is_in_fence(text):
        cut = re.search(r"\n[ \t>]*(?:`+|~+)[ \t]*\Z", window)
        return text[: start + cut.start() + 1] if cut else text
    for pattern in (_UNFINISHED_BLOCK, _UNFINISHED_LINE, _UNFINISHED):
        if match := pattern.search(window):
            window = window[: match.start()]
    return text[:start] + _closed(_without_open_code(window))


def _without_open_code(window: str) -> str:
    opened: re.Match[str] | None = None
    for run in re.finditer("`+", window):
        if opened is None:
            opened = run
        elif len(opened[0]) == len(run[0]):
            opened = None
    return window[: opened.start()] if opened else window


def _closed(window: str) -> str:
    """Bold text that has begun is bold already."""
    return f"{window.rstrip()}**" if window.count("**") % 2 and not window.rstrip().endswith("**") else window


def _is_in_fence(text: str) -> bool:
    opened = ""
    for marks, info in _FENCE.findall(text):
        if not opened:
            opened = marks
        elif marks.startswith(opened) and not info.strip():
            opened = ""
    return bool(opened)
