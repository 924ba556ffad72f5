"""`WordPieces`: a text as numbers of pieces of words, as BERT's uncased models read it (arxiv.org/abs/1810.04805)."""

import unicodedata
from functools import cached_property
from pathlib import Path

VOCABULARY = Path(__file__).with_name("uncased_words.txt")
"""BERT's uncased vocabulary (Apache-2.0), a piece a line, numbered by their lines from 0."""
LONGEST_WORD = 100
"""Characters of a word; a longer one is unknown."""
_UNKNOWN, _START, _END = "[UNK]", "[CLS]", "[SEP]"
_GOES_ON = "##"
_IDEOGRAPHS = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


class WordPieces:
    """Tokenizer; its vocabulary is read when it is first used."""

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(VOCABULARY.read_text(encoding="utf-8").split("\n"))}

    def numbers(self, text: str, most: int) -> list[int]:
        """Numbers of the pieces with the marks of a beginning and an end, `most` in all; the rest is left out."""
        found: list[int] = []
        for word in _words(text):
            if len(found) >= most - 2:
                break
            found += self._pieces(word)
        return [self._numbers[_START], *found[: most - 2], self._numbers[_END]]

    def _pieces(self, word: str) -> list[int]:
        """The longest piece that the word begins with, then the longest that goes on with it."""
        pieces: list[int] = []
        start = 0
        while start < len(word) <= LONGEST_WORD:
            mark = _GOES_ON if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if f"{mark}{word[start:end]}" in self._numbers), 0)
            if not end:
                break
            pieces.append(self._numbers[f"{mark}{word[start:end]}"])
            start = end
        return pieces if start == len(word) else [self._numbers[_UNKNOWN]]


def _words(text: str) -> list[str]:
    """Split at blanks and around each mark and ideograph, in small letters without accents."""
    kept: list[str] = []
    for letter in unicodedata.normalize("NFD", text).lower():
        category = unicodedata.category(letter)
        if letter in "\t\n\r" or category == "Zs":
            kept.append(" ")
        elif _stands_alone(letter, category):
            kept.append(f" {letter} ")
        elif category != "Mn" and not category.startswith("C"):
            kept.append(letter)
    return "".join(kept).split()


def _stands_alone(letter: str, category: str) -> bool:
    is_sign = letter.isascii() and letter.isprintable() and not letter.isalnum()
    return is_sign or category.startswith("P") or any(low <= ord(letter) <= high for low, high in _IDEOGRAPHS)
