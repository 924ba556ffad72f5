"""`normal`: one spelling for what people write in many ways: accents, capitals, drawn-out letters, curly quotes."""

import re
import unicodedata

UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
"""Letters of scripts that put no spaces between words: Han, kana and Thai."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_DRAWN_OUT = re.compile(r"(\w)\1{2,}")
_WEAK = re.compile(r"(?<=\S)[aeiouy]+")
_TWICE = re.compile(r"(\S)\1+")
_SPACES = re.compile(r"\s+")
_SIGNS = str.maketrans(
    {**dict.fromkeys("’‘´`", "'"), **dict.fromkeys("“”„«»", '"'), **dict.fromkeys("–—", "-"), "…": " "}
)
_LETTERS = str.maketrans("øđłıæœßðþ", "odlieosdt")


def normal(text: str) -> str:
    """Lower case, without accents, letters at most twice in a row, single spaces."""
    text = text.translate(_SIGNS).lower()
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        bare = "".join(letter for letter in parts if not unicodedata.combining(letter))
        text = unicodedata.normalize("NFC", bare.translate(_LETTERS))
    return _SPACES.sub(" ", _DRAWN_OUT.sub(r"\1\1", text)).strip()


def words_of(text: str) -> list[str]:
    """The words of a normalised text; numbers by their length only, signs of unspaced scripts one by one."""
    if UNSPACED.search(text):
        text = UNSPACED.sub(lambda match: f" {match.group()} ", text)
    return ["0" * min(len(word), 4) if word.isdigit() else word for word in _WORD.findall(text)]


def bones(text: str) -> str:
    """A normalised text without what slips most in typing: vowels inside its words, and doubled letters."""
    return _TWICE.sub(r"\1", _WEAK.sub("", text))
