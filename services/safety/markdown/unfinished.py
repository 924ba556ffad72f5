"""Unfinished end of a text that grows: a construct that has begun there but is not whole is held back.

A page draws a growing text a dozen times a second, so each way of looking is linear in what it looks at.
"""

import re
from collections.abc import Iterator

_WINDOW = 1_200
_LINK_TEXT = re.compile(r"!?\[[^\[\]\n]*\]?\Z")
_LINK_TARGET = re.compile(r"!?\[[^\[\]\n]*\]\(")
_TAG = re.compile(r"<[a-z/!?]", re.IGNORECASE)
_DOLLARS = re.compile(r"\$(?=[^$\n]*[\\^_{=])[^$\n]*\$?\Z")
"""A formula, not a price."""
_BRACKETED = re.compile(r"\\\[(?:(?!\\[\[\]])[\s\S])*\Z")
_BRACKET = re.compile(r"\\\(")
_ADDRESS = re.compile(r"https?:|www\.", re.IGNORECASE)
_LINE = re.compile(r"[ \t>]*(?:[-+*=_#]+|\d{1,9}[.)]?)[ \t]*|[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)*(?:`++|~{3,}+)[^\n]*+")
_BLOCK = re.compile(r"(?:^|\n)[ \t]*\$\$(?:(?!\$\$)[\s\S])*\$?\Z|(?:\A|\n(?<!\|\n))[ \t]*\|[^\n]*(?:\n[ \t|:-]*)?\Z")
_FENCE = re.compile(r"(?m)^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)*(`{3,}+|~{3,}+)([^\n`]*)\n")
_FENCE_END = re.compile(r"\n[ \t>]*(?:`+|~+)[ \t]*\Z")


def without_unfinished(text: str) -> str:
    """The text without a construct that has begun at its end but is not whole."""
    start = max(len(text) - _WINDOW, text.rfind("\n\n") + 2 if "\n\n" in text else 0)
    window = text[start:]
    if _is_in_fence(text):
        cut = _FENCE_END.search(window)
        return text[: start + cut.start() + 1] if cut else text
    if block := _BLOCK.search(window):
        window = window[: block.start()]
    window = _without_unfinished_line(window)
    window = window[: min(_unfinished_starts(window), default=len(window))]
    return text[:start] + _closed(_without_open_code(window))


def _without_unfinished_line(window: str) -> str:
    """Without a last line of marks alone, or one that begins a fence."""
    line_end = window.rfind("\n")
    return window[: max(line_end, 0)] if _LINE.fullmatch(window, line_end + 1) else window


def _unfinished_starts(window: str) -> Iterator[int]:
    """Where each kind of construct within a line begins, as far as one reaches to the end of the text."""
    if window.endswith("\\"):
        yield len(window) - 1
    for pattern in (_LINK_TEXT, _DOLLARS, _BRACKETED):
        if begun := pattern.search(window):
            yield begun.start()
    yield from _first_open(_LINK_TARGET, window, (")", "\n"))
    yield from _first_open(_TAG, window, (">", "\n"))
    yield from _first_open(_BRACKET, window, ("\\)", "\n"))
    word = window.split()[-1] if window and not window[-1].isspace() else ""
    if "@" in word[1:]:
        yield len(window) - len(word)
    if address := _ADDRESS.search(word):
        yield len(window) - len(word) + address.start()


def _first_open(opening: re.Pattern[str], window: str, ends: tuple[str, ...]) -> Iterator[int]:
    """Where the first opening stands that none of these ends closes."""
    last_end = max(window.rfind(end) for end in ends)
    yield from (match.start() for match in opening.finditer(window) if match.end() > last_end)


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
