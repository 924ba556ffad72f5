"""Emphasis beside Chinese and Japanese: `**「重要」**です` is bold, though CommonMark wants a blank behind it.

Chinese and Japanese have no blanks between words. A letter of theirs counts as a boundary beside punctuation, as in
https://github.com/tats-u/markdown-cjk-friendly; everything else is CommonMark's rule of left- and right-flanking runs.
"""

import re

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)


def emphasis_marks(state: StateInline, silent: bool) -> bool:
    """Read a run of `*` or `_` as marks that may open or close; markdown-it pairs them later."""
    marker = state.src[state.pos]
    if silent or marker not in "_*":
        return False
    length = _run_length(state, marker)
    can_open, can_close = _roles(state, length, can_split_word=marker == "*")
    for _ in range(length):
        state.push("text", "", 0).content = marker
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=length,
                token=len(state.tokens) - 1,
                end=-1,
                open=can_open,
                close=can_close,
            )
        )
    state.pos += length
    return True


def _run_length(state: StateInline, marker: str) -> int:
    end = state.pos
    while end < state.posMax and state.src[end] == marker:
        end += 1
    return end - state.pos


def _roles(state: StateInline, length: int, *, can_split_word: bool) -> tuple[bool, bool]:
    """Whether the run may open and whether it may close emphasis (CommonMark 0.31, 6.2)."""
    before = state.src[state.pos - 1] if state.pos else " "
    after = state.src[state.pos + length] if state.pos + length < state.posMax else " "
    is_left = not isWhiteSpace(ord(after)) and (not _is_punctuation(after) or _is_boundary(before))
    is_right = not isWhiteSpace(ord(before)) and (not _is_punctuation(before) or _is_boundary(after))
    can_open = is_left and (can_split_word or not is_right or _is_punctuation(before))
    can_close = is_right and (can_split_word or not is_left or _is_punctuation(after))
    return can_open, can_close


def _is_punctuation(char: str) -> bool:
    return isMdAsciiPunct(ord(char)) or isPunctChar(char)


def _is_boundary(char: str) -> bool:
    return isWhiteSpace(ord(char)) or _is_punctuation(char) or bool(_CJK.match(char))
