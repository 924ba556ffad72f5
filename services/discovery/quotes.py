"""`without_quotes`: what somebody says, apart from what they only quote: a title, or a sentence to translate."""

import re

from services.discovery.normal import words_of

QUOTE = "xxquote"
"""The word that stands where a quotation was."""

_QUOTATION = re.compile(r"\"([^\"]+)\"|(?<!\w)'([^\"]+?)'(?!\w)")


def without_quotes(text: str) -> tuple[str, str]:
    """A normalised text with `QUOTE` for each quotation, and all that was quoted; a text that only quotes is whole."""
    if '"' not in text and "'" not in text:
        return text, ""
    said = _QUOTATION.sub(f" {QUOTE} ", text)
    if all(word == QUOTE for word in words_of(said)):
        return text, ""
    return said, " ".join(double or single for double, single in _QUOTATION.findall(text))
