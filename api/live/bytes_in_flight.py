"""Bytes in flight: how much of messages may be on its way or waiting to be taken in, by student and in all."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial

from api.auth import SignInClaims
from api.errors import ApiError
from services.i18n import gettext

MOST_OF_STUDENT = 64_000_000
"""Bytes: two of the largest messages."""
MOST_IN_ALL = 256_000_000
MOST_WITH_FILES = 4
"""Messages with files of one student at once: each keeps a thread while its files are read."""
RETRY_AFTER_S = 3
AGAIN = "send_again"
"""Code of the refusal: the page keeps the message and sends it again by itself for a while."""


class BytesInFlight:
    """Quota over the bodies of messages, from before they are read until they are taken in. Thread-safe."""

    def __init__(
        self,
        *,
        of_student: int = MOST_OF_STUDENT,
        in_all: int = MOST_IN_ALL,
        with_files: int = MOST_WITH_FILES,
    ) -> None:
        self._of_student, self._in_all, self._with_files = of_student, in_all, with_files
        self._lock = threading.Lock()
        self._bytes: Counter[tuple[str, str]] = Counter()
        self._files: Counter[tuple[str, str]] = Counter()

    @property
    def total(self) -> int:
        """Bytes of all that is on its way."""
        with self._lock:
            return self._bytes.total()

    def hold(self, claims: SignInClaims, size: int, *, has_files: bool) -> Callable[[], None]:
        """Hold room for a body of so many bytes; what gives it back, where a second call does nothing.

        Raises `ApiError` 429 where the student has too much on its way, and 503 where all have together.
        """
        owner = (claims.issuer, claims.subject)
        with self._lock:
            if self._bytes[owner] + size > self._of_student or self._files[owner] + has_files > self._with_files:
                raise _send_again(429, gettext("Your other messages are still arriving. Send it again in a moment."))
            if self._bytes.total() + size > self._in_all:
                raise _send_again(503, gettext("Many files are arriving just now. Send it again in a moment."))
            self._bytes[owner] += size
            self._files[owner] += has_files
        return partial(self._give_back, [(owner, size, has_files)])

    def _give_back(self, held: list[tuple[tuple[str, str], int, bool]]) -> None:
        with self._lock:
            while held:
                owner, size, has_files = held.pop()
                self._bytes[owner] -= size
                self._files[owner] -= has_files
            # Takes out whoever has nothing on its way any more.
            self._bytes += Counter()
            self._files += Counter()


def _send_again(status: int, sentence: str) -> ApiError:
    # The body was not read: its bytes would be parsed as the next request.
    return ApiError(status, AGAIN, sentence, headers={"retry-after": str(RETRY_AFTER_S), "connection": "close"})
