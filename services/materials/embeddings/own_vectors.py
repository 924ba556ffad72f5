"""`OwnVectors`: vectors that are made on this machine, by a small model; nothing leaves it for them.

Passages are read by a process that stands back, a question by this one. Where the model cannot be loaded, words alone
are searched. It knows English: a question in Spanish is read word by word in English.
"""

import atexit
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from services.errors import ServiceUnavailable, Throttled
from services.files.reader_process import AllBusy, ProcessEnded, ReaderProcesses, Record
from services.files.upload import FileRefused, Upload
from services.i18n.search_tokens import search_tokens
from services.materials.embeddings.library_vectors import PassageText
from services.materials.embeddings.sentence_encoder import SentenceEncoder
from services.materials.search.library_index import IndexedMaterial
from services.materials.search.meanings import (
    QuestionMeaning,
    Signs,
    decode_meanings,
    encode_meanings,
    sentences,
    signs_of,
)
from services.materials.search.stems import STOP_WORDS, question_language
from services.materials.search.translations import in_english

LABEL = "The model of meaning"
MODEL = "all-minilm-l6-v2-signs"
LONGEST = 2_000
"""Characters of a passage with what stands above it, and of a question."""
NICENESS = 10
AT_ONCE = 16
"""Passages of one request, some two seconds of work."""
LIMIT_S = 120.0
TRANSLATED = 0.5
"""Trust in the vector of a question that was translated word by word."""
MOST_REMEMBERED = 8_000_000
"""Characters of vectors that are kept for the next student with the same text, some 20,000 pages."""


class OwnVectors:
    """Thread-safe. Raises `ServiceUnavailable` where the model is not there, or its process is busy or ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoder: SentenceEncoder | None = None
        self._known: OrderedDict[bytes, str] = OrderedDict()

    def of_question(self, question: str) -> QuestionMeaning:
        text = question[:LONGEST]
        words = search_tokens(text)
        if question_language(words) == "en":
            return QuestionMeaning(vector=self._loaded().encode([text])[0])
        translated = in_english([word for word in words if word not in STOP_WORDS["es"]])
        return QuestionMeaning(vector=self._loaded().encode([translated])[0], trust=TRANSLATED)

    def of_material(self, title: str, passages: Sequence[PassageText]) -> str:
        """Vectors of passages with title and label, and of their sentences; of the very same texts, those known."""
        rows = [
            ["\n".join(filter(None, [title, own.label, own.text]))[:LONGEST], *sentences(own.text)] for own in passages
        ]
        key = hashlib.sha256(json.dumps(rows).encode()).digest()
        with self._lock:
            if known := self._known.get(key):
                self._known.move_to_end(key)
                return known
        made = encode_meanings(
            [signs for at in range(0, len(rows), AT_ONCE) for signs in _asked(rows[at : at + AT_ONCE])], MODEL
        )
        with self._lock:
            self._known[key] = made
            while sum(map(len, self._known.values())) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        return made

    def with_vectors(self, entry: IndexedMaterial, encoded: str) -> IndexedMaterial:
        made = decode_meanings(encoded, model=MODEL, passages=len(entry.index.places))
        return replace(entry, meanings=made)

    def _loaded(self) -> SentenceEncoder:
        """The encoder, loaded at the first question: 0.2 s and 70 MB."""
        with self._lock:
            if self._encoder is None:
                self._encoder = _encoder()
            return self._encoder


def _encoder() -> SentenceEncoder:
    try:
        return SentenceEncoder()
    except (OSError, ValueError) as error:
        raise ServiceUnavailable(LABEL, f"{LABEL} cannot be loaded ({type(error).__name__}).") from None


def _asked(rows: Sequence[Sequence[str]]) -> list[Signs]:
    request = Upload(name="", content=json.dumps(rows).encode())
    try:
        try:
            (told, content), *_ = _processes().records("embed", request)
        except ProcessEnded:
            # Once more: the system may have ended it for its memory, which says nothing of the texts.
            (told, content), *_ = _processes().records("embed", request)
    except AllBusy:
        raise Throttled(LABEL, f"{LABEL} is busy.") from None
    except (ProcessEnded, FileRefused):
        raise ServiceUnavailable(LABEL, f"{LABEL} has ended.") from None
    signs = np.frombuffer(content, np.uint8).reshape(sum(told["counts"]), -1)
    return np.split(signs, np.cumsum(told["counts"])[:-1])


def serve_embed(upload: Upload, _options: Mapping[str, Any]) -> Iterator[Record]:
    """Answer a request of `_asked`, in its process."""
    encoder = _shared_encoder()
    rows = json.loads(upload.content)
    signs = [signs_of(encoder.encode(texts)) for texts in rows]
    yield {"end": True, "counts": [len(own) for own in signs]}, b"".join(own.tobytes() for own in signs)


@cache
def _shared_encoder() -> SentenceEncoder:
    return SentenceEncoder()


@cache
def _processes() -> ReaderProcesses:
    processes = ReaderProcesses(
        processes=1, limit_s=LIMIT_S, niceness=NICENESS, program="services.materials.embeddings"
    )
    atexit.register(processes.close)
    return processes
