"""Search tokens: the words of a text in a form that is the same whatever their case and accents."""

import re
import unicodedata
from collections.abc import Iterator

LONGEST = 40
"""Characters of a word; longer ones are no words of a language."""
_SINGLE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Characters of scripts without spaces: each counts as a word."""
_WORD = re.compile(rf"[{_SINGLE}]|[^\W_{_SINGLE}]+(?:[\u0300-\u036f]+[^\W_{_SINGLE}]+)*")


def token_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word in its normalised form, with its start and end in `text`."""
    for found in _WORD.finditer(text):
        if folded := fold(found.group()):
            yield folded[:LONGEST], found.start(), found.end()


def search_tokens(text: str) -> list[str]:
    """List the words of a text in their normalised form."""
    return [word for word, _, _ in token_spans(text)]


def fold(text: str) -> str:
    """Normalise case and accents: the same for "Café", "CAFE" and "cafe" with a combining accent."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
