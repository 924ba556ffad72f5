"""Words as a search compares them: small letters without accents, the same whatever engine keeps them."""

import re
import unicodedata
from collections.abc import Iterator

LONGEST = 40
"""Characters of a word; what is longer is no word of a language."""
_SINGLE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Signs of scripts that set no spaces: each counts as a word."""
_WORD = re.compile(rf"[{_SINGLE}]|[^\W_{_SINGLE}]+(?:[\u0300-\u036f]+[^\W_{_SINGLE}]+)*")


def words_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Each word in its compared form, with where it begins and ends in `text`."""
    for found in _WORD.finditer(text):
        if folded := fold(found.group()):
            yield folded[:LONGEST], found.start(), found.end()


def words_of(text: str) -> list[str]:
    return [word for word, _, _ in words_in(text)]


def fold(text: str) -> str:
    """The same for "Café", "CAFE" and "cafe" with an accent of its own."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
