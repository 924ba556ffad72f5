"""Quotation check: finds quoted words verbatim in a passage, whatever its line breaks, quotes, dashes and ligatures."""

import re
import unicodedata
from collections.abc import Iterator

from services.i18n.search_tokens import search_tokens
from services.safety.text import plain

FEWEST_WORDS, FEWEST_CHARACTERS = 3, 12
"""Fewer words, or of a script without spaces fewer characters, stand anywhere and prove nothing."""
LONGEST = 700
_QUOTES = dict.fromkeys(map(ord, "“”„‟«»″＂`´‘’‚‛′＇"), "'") | {ord('"'): "'"}
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_ELLIPSIS = {ord("…"): "..."}
_SAME = str.maketrans({**_QUOTES, **_DASHES, **_ELLIPSIS})
_MARKUP = str.maketrans("", "", "*_")
_LINE_END = re.compile(r"(?<=[^\W\d_])[-‐][ \t]*\n\s*(?=[^\W\d_])")
_STOPS = (".", "!", "?")
_ENDS = " \t\n'.…"


def find_quotation(words: str, passage: str) -> str:
    """Find quoted words in a passage; the passage's own words, on one line, or "" where they do not stand there.

    Compared without white space, hyphens between letters, and marks of emphasis; forms of quotes, dashes and letters
    (ligatures, full width) count as one. Letters of another alphabet that look alike do not. They begin and end with
    whole words, and are neither too few to prove anything nor longer than `LONGEST` characters.
    """
    clean, words = plain(passage), plain(words)
    wanted = "".join(sign for sign, _, _ in _signs(words.strip().strip("\"“”„«»'‘’").strip(_ENDS)))
    if not wanted:
        return ""
    signs = list(_signs(clean))
    joined = "".join(sign for sign, _, _ in signs)
    for found in re.finditer(re.escape(wanted), joined):
        start, end = signs[found.start()][1], signs[found.end() - 1][2]
        if words.rstrip().endswith(_STOPS) and clean.startswith(_STOPS, end):
            end += 1
        if _is_whole(clean, start, end) and end - start <= LONGEST:
            quoted = _one_line(clean[start:end], words)
            return quoted if is_telling(quoted) else ""
    return ""


def is_telling(words: str) -> bool:
    """Whether words are enough to be found in one place only."""
    tokens = search_tokens(words)
    return len(tokens) >= FEWEST_WORDS and sum(map(len, tokens)) >= FEWEST_CHARACTERS // 2


def same_words(text: str) -> str:
    """Text in the form in which quotations are compared: what differs only in white space, hyphens or case is equal."""
    return "".join(sign for sign, _, _ in _signs(plain(text))).casefold()


def _signs(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each sign in its compared form with its place in the text; a letter with its accents is one sign."""
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        form = unicodedata.normalize("NFKC", text[at:end]).translate(_SAME)
        form = form.translate(_MARKUP)
        if form == "-" and _joins(text, at, end):
            form = ""
        for sign in form:
            if not sign.isspace():
                yield sign, at, end
        at = end


def _joins(text: str, at: int, end: int) -> bool:
    """Whether a hyphen stands between two letters, as at the end of a line."""
    after = text[end : end + 40].lstrip(" \t\n")
    is_at_end = "\n" in text[end : end + 3]
    return at > 0 and text[at - 1].isalpha() and after[:1].isalpha() and (is_at_end or text[end : end + 1].isalpha())


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends with whole words."""
    begins = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    ends = end >= len(text) or not (text[end - 1].isalnum() and text[end].isalnum())
    return begins and ends


def _one_line(stretch: str, words: str) -> str:
    """A stretch of a passage on one line. A hyphen at a line's end goes, unless the quoted words have it."""

    def joined(found: re.Match[str]) -> str:
        before, after = found.string[: found.start()].split()[-1:], found.string[found.end() :].split()[:1]
        return "-" if f"{''.join(before)}-{''.join(after)}".translate(_SAME) in words.translate(_SAME) else ""

    return " ".join(_LINE_END.sub(joined, stretch).split())
