"""`VoyageVectors`: vectors of a library from Voyage AI's API (docs.voyageai.com/reference/embeddings-api)."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import requests
from urllib3.exceptions import HTTPError

from services.errors import AnswerUnreadable, ServiceUnavailable, Throttled
from services.materials.embeddings.library_vectors import PassageText
from services.materials.search.library_index import IndexedMaterial
from services.materials.search.vectors import Vectors, decode_vectors, encode_vectors, quantise
from services.runtime.clock import utc_now
from services.runtime.retry_after import retry_after_s
from services.runtime.total_timeout import TotalTimeoutAdapter, answered_within

LABEL = "Voyage AI"
MODEL = "voyage-4-lite"
DIMENSIONS = 512
"""Voyage's vectors may be cut; beyond this many little is gained for passages of 150 words."""
MOST_TEXTS, MOST_LETTERS = 128, 100_000
"""Of one request: some 30,000 tokens, far below the million that the model takes."""
TRIES = 3
REQUEST_S = 30.0
LONGEST_WAIT_S = 20.0
QUESTION_S = 1.5
"""Seconds that a search waits for the vector of its question."""
LONGEST = 2_000
"""Characters of a passage with what stands above it."""
_LARGEST_ANSWER = 4_000_000

InputType = Literal["document", "query"]


class VoyageEmbeddings:
    """Client of the API; thread-safe. Raises `ServiceUnavailable`, without the texts and the key in it."""

    def __init__(self, api_key: str, base_url: str, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._api_key, self._url, self._sleep = api_key, f"{base_url}/embeddings", sleep
        self._ours = threading.local()

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, in their order; some seconds for hundreds, tried again where the API is busy."""
        parts = [self._with_retries(batch) for batch in _batches(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, DIMENSIONS), np.int8)

    def query(self, text: str, *, within_s: float) -> Vectors:
        """The vector of a question, of shape (1, dimensions); asked for once."""
        return self._ask([text], "query", within_s)

    def _with_retries(self, texts: Sequence[str]) -> Vectors:
        for attempt in range(1, TRIES + 1):
            try:
                return self._ask(texts, "document", REQUEST_S)
            except Throttled as busy:
                if attempt == TRIES:
                    raise
                self._sleep(min(busy.retry_after_s or 2.0**attempt, LONGEST_WAIT_S))
        raise AssertionError("unreachable")

    def _ask(self, texts: Sequence[str], input_type: InputType, within_s: float) -> Vectors:
        body = {
            "input": list(texts),
            "model": MODEL,
            "input_type": input_type,
            "truncation": True,
            "output_dimension": DIMENSIONS,
            "output_dtype": "int8",
        }
        try:
            with answered_within(within_s):
                answer = self._session().post(
                    self._url, json=body, timeout=within_s, allow_redirects=False, stream=True
                )
                content = answer.raw.read(_LARGEST_ANSWER + 1, decode_content=True)
        except (requests.RequestException, HTTPError, OSError) as error:
            # urllib3's own comes while a body is read.
            raise Throttled(LABEL, f"{LABEL} does not answer ({type(error).__name__}).") from None
        if answer.status_code != requests.codes.ok:
            raise _refusal(answer)
        if len(content) > _LARGEST_ANSWER:
            raise AnswerUnreadable(LABEL, f"{LABEL} answered with far too much.")
        return _vectors(content, len(texts))

    def _session(self) -> requests.Session:
        """The session of this thread: none may be shared."""
        if not hasattr(self._ours, "session"):
            session = requests.Session()
            session.trust_env = False
            session.headers["Authorization"] = f"Bearer {self._api_key}"
            for scheme in ("https://", "http://"):
                session.mount(scheme, TotalTimeoutAdapter())
            self._ours.session = session
        made: requests.Session = self._ours.session
        return made


class VoyageVectors:
    """Source of vectors; both rankings are merged by rank then."""

    def __init__(self, embeddings: VoyageEmbeddings) -> None:
        self._embeddings = embeddings

    def of_question(self, question: str) -> Vectors:
        return self._embeddings.query(question[:LONGEST], within_s=QUESTION_S)

    def of_material(self, title: str, passages: Sequence[PassageText]) -> str:
        texts = ["\n".join(filter(None, [title, own.label, own.text]))[:LONGEST] or "-" for own in passages]
        return encode_vectors(self._embeddings.documents(texts), MODEL)

    def with_vectors(self, entry: IndexedMaterial, encoded: str) -> IndexedMaterial:
        made = decode_vectors(encoded, model=MODEL, passages=len(entry.index.places))
        return replace(entry, vectors=made)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    letters = 0
    for text in texts:
        if batch and (len(batch) == MOST_TEXTS or letters + len(text) > MOST_LETTERS):
            yield batch
            batch, letters = [], 0
        batch.append(text)
        letters += len(text)
    if batch:
        yield batch


def _refusal(answer: requests.Response) -> ServiceUnavailable:
    """The error of a status; what the API says of it may quote the texts, and is left out."""
    status = answer.status_code
    if status == requests.codes.too_many_requests or status >= requests.codes.server_error:
        wait_s = retry_after_s(answer.headers.get("Retry-After"), utc_now())
        return Throttled(LABEL, f"{LABEL} answered with {status}.", retry_after_s=wait_s)
    return ServiceUnavailable(LABEL, f"{LABEL} answered with {status}.")


def _vectors(content: bytes, count: int) -> Vectors:
    try:
        rows: list[Any] = json.loads(content)["data"]
        ordered = sorted(rows, key=lambda row: int(row["index"]))
        numbers = np.array([row["embedding"] for row in ordered], np.float32)
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
        raise AnswerUnreadable(LABEL, f"{LABEL} answered with no vectors ({type(error).__name__}).") from None
    if numbers.shape != (count, DIMENSIONS) or not np.isfinite(numbers).all():
        raise AnswerUnreadable(LABEL, f"{LABEL} answered with other vectors than were asked for.")
    # A gateway that does not know `output_dtype` answers with fractions.
    is_bytes = np.array_equal(numbers, np.round(numbers)) and np.abs(numbers).max() <= 128
    return numbers.clip(-128, 127).astype(np.int8) if is_bytes else quantise(numbers.tolist())
