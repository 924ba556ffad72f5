"""Hyphens at a line's end: those that part a broken word are taken out, those that belong to it stay."""

import re
from collections.abc import Iterable

_HYPHENS = ("-", "\u2010", "\u00ad", "\ufffe", "\x02")
_SOFT = ("\u00ad", "\ufffe")
_MOST_WORDS = 50_000
_WORDS = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_LAST = re.compile(r"(?<![^\W_])(?:[^\W_]{1,60}[-\u2010]){0,6}[^\W_]{1,60}$")
_FIRST = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
_SHORTEST = 4
"""Letters of a part that is a word by itself."""
_SUSPENDED = re.compile(r"(?:and|or|to|und|oder|bis|y|o|u|e|et|ou|en|of)\s")
"""Words after a hyphen that stands for the end of a word to come: "mid- and long-term"."""
_KEEPING = frozenset(["self", "well", "mid", "quasi", "cross", "vice"])
"""First parts that keep their hyphen before a whole word."""
_ENDINGS = re.compile(
    "able|ably|age|al|ally|ance|ant|ary|ate|ated|ed|en|ence|ent|er|ered|ering|ers|es|est|ful|hood|ian|"
    "ing|ings|ion|ish|ism|ist|ity|ive|ization|less|like|ling|ly|ment|ness|ous|out|ship|sion|some|ster|"
    "tion|ual|ure|ward|ways|wise|dle|dles|night|field|land|stream|summer|ple|ples"
)
_KEPT = re.compile(
    "aged|aware|based|being|bound|called|centered|centred|class|colored|coloured|controlled|dependent|"
    "determined|determining|dimensional|driven|effective|efficient|esteem|free|friendly|generated|given|"
    "independent|intensive|known|level|linked|looking|made|making|minded|moving|oriented|party|planned|"
    "quality|range|rate|ready|related|rich|run|scale|sectional|shaped|side|sided|sized|solving|specific|"
    "speed|standing|taking|term|type|value|volume|weighted|wide|year"
)
"""Second parts that stand after a hyphen: "price-determining", "long-term"."""
_UNSPACED = re.compile("[\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Signs of scripts that have no spaces between words, and their punctuation."""


def is_unspaced(before: str, after: str) -> bool:
    """Whether no space stands between two pieces: both are Chinese or Japanese where they meet."""
    return bool(before and after and _UNSPACED.match(before[-1]) and _UNSPACED.match(after))


def is_broken(above: str, below: str) -> bool:
    """Whether a word begins at the end of one line and ends in the next."""
    return above.endswith(_HYPHENS) and len(above) > 2 and above[-2].isalpha() and below[:1].islower()


class SeenWords:
    """Words of the pages read so far, which tell whether a hyphen belongs to a word."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def add(self, lines: Iterable[str]) -> None:
        """Take in the words of lines, without those that are cut at a line's end."""
        is_cut = False
        for line in lines:
            words = _WORDS.findall(line.casefold()) if len(self._words) < _MOST_WORDS else []
            words = words[is_cut:]
            is_cut = line.endswith(_HYPHENS)
            self._words.update(words[:-1] if is_cut else words)

    def joined(self, above: str, below: str) -> str:
        """Two lines as one."""
        if is_unspaced(above, below):
            return above + below
        if not above.endswith(_HYPHENS) or len(above) < 3 or not above[-2].isalnum():
            return f"{above} {below}"
        stem = above[:-1]
        if not (stem[-1].isalpha() and below[:1].islower()):
            belongs = below[:1].isdecimal() or (below[:1].isupper() and stem[-1].isalpha())
            return f"{stem}-{below}" if belongs else f"{above} {below}"
        if _SUSPENDED.match(below) and not above.endswith(_SOFT):
            return f"{stem}- {below}"
        return f"{stem}-{below}" if self._belongs(above, stem, below) else stem + below

    def _belongs(self, above: str, stem: str, below: str) -> bool:
        before, after = _LAST.search(stem.casefold()), _FIRST.match(below.casefold())
        if before is None or after is None or above.endswith(_SOFT):
            return False
        first, second = before[0].replace("\u2010", "-"), after[0].replace("\u2010", "-")
        if f"{first}-{second}" in self._words or "-" in second:
            return True
        if first + second in self._words:
            return False
        if first in _KEEPING:
            return len(second) >= _SHORTEST and not _ENDINGS.fullmatch(second)
        if _KEPT.fullmatch(second) and len(first) >= _SHORTEST - 1:
            return True
        return (
            min(len(first), len(second)) >= _SHORTEST
            and not _ENDINGS.fullmatch(second)
            and {first, second} <= self._words
        )
