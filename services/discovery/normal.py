"""`normal`: one spelling for what people write in many ways: accents, capitals, drawn-out letters, curly quotes."""

import re
import unicodedata

_DRAWN_OUT = re.compile(r"(\w)\1{2,}")
_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": " "})
_LATIN_LETTERS = str.maketrans("øđłıæœßðþ", "odlieosdt")


def normal(text: str) -> str:
    """Lower case, without accents, letters at most twice in a row, single spaces."""
    text = text.translate(_QUOTES).lower()
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in parts if not unicodedata.combining(c)).translate(_LATIN_LETTERS)
        text = unicodedata.normalize("NFC", text)
    return _SPACES.sub(" ", _DRAWN_OUT.sub(r"\1\1", text)).strip()
