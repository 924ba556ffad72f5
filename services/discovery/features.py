"""`features`: a text as positions in a table of weights: hashed words, pairs of words and runs of characters."""

import re
from zlib import crc32

import numpy as np
import numpy.typing as npt

from services.discovery.normal import normal
from services.discovery.patterns import marked

BITS = 16
SIZE = 1 << BITS
HEAD, TAIL = 480, 240
"""Of a long text only its beginning and its end are read: what is wanted stands there, what is pasted between."""

Positions = npt.NDArray[np.uint32]
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_MIX = np.uint64(0x9E3779B97F4A7C15)
_LENGTHS = (3, 4, 5)


def features(text: str, salt: int = 0) -> tuple[Positions, Positions]:
    """Positions of the text's words and of its runs of characters, each once; `salt` tells kinds of text apart."""
    read = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} {text[-TAIL:]}"
    plain, _ = marked(normal(read))
    words = _words(plain)
    return _word_positions(words, salt), _run_positions(" ".join(words), salt)


def _words(plain: str) -> list[str]:
    if _UNSPACED.search(plain):
        plain = _UNSPACED.sub(lambda match: f" {match.group()} ", plain)
    return [word if not word.isdigit() else "0" * min(len(word), 4) for word in _WORD.findall(plain)]


def _word_positions(words: list[str], salt: int) -> Positions:
    ends = ["<", *words, ">"]
    hashes = np.fromiter((crc32(word.encode()) for word in ends), np.uint64, len(ends))
    single = hashes[1:-1]
    pairs = hashes[:-1] * np.uint64(31) + hashes[1:] + np.uint64(1 << 34)
    apart = hashes[:-2] * np.uint64(37) + hashes[2:] + np.uint64(1 << 35)
    return _placed(np.concatenate((single, pairs, apart)), salt)


def _run_positions(text: str, salt: int) -> Positions:
    codes = np.frombuffer(f" {text} ".encode("utf-32-le"), np.uint32).astype(np.uint64)
    runs = []
    for length in _LENGTHS:
        if len(codes) < length:
            continue
        run = np.zeros(len(codes) - length + 1, np.uint64)
        for offset in range(length):
            run = run * np.uint64(0x100000001B3) + codes[offset : len(codes) - length + offset + 1]
        runs.append(run + np.uint64(length << 40))
    return _placed(np.concatenate(runs), salt) if runs else np.zeros(0, np.uint32)


def _placed(hashes: npt.NDArray[np.uint64], salt: int) -> Positions:
    mixed = (hashes + np.uint64(salt * 0x1234567)) * _MIX
    return np.unique((mixed >> np.uint64(64 - BITS)).astype(np.uint32))
