"""Upload quota: how much of a visitor's files Streamlit may hold in memory, for each tab and for each student."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

UPLOAD = "/_stcore/upload_file"
LARGEST_TAB = 40 * 1024 * 1024
"""Bytes: the files of two messages, since those of a sent one stay until the tab's next run."""
LARGEST_STUDENT = 2 * LARGEST_TAB
MOST_ON_THEIR_WAY = 256 * 1024 * 1024
"""Bytes of all uploads together that are arriving."""
_UNTOLD = 20 * 1024 * 1024
"""Bytes of a body that does not say how long it is; Streamlit takes no larger one."""

HeldBytes = Callable[[str], int]
"""Bytes that Streamlit holds for the tab with this session id; none any more once the tab is closed."""


class UploadQuota:
    """Quota over what Streamlit holds and what is on its way. For the event loop's thread."""

    def __init__(self, held: HeldBytes) -> None:
        self._held = held
        self._arriving: dict[str, int] = {}
        self._tabs: dict[str, set[str]] = {}

    @contextmanager
    def admit(self, request: HTTPConnection, *, account: str) -> Iterator[int]:
        """Make room for this upload while it arrives: 200, 413 beside too many files of its own, 503 beside others'.

        account: of the student, whose tabs share a quota however often they signed in.
        """
        tab = request.url.path.removeprefix(f"{UPLOAD}/").partition("/")[0]
        size = _size(request)
        tabs = self._tabs[account] = {tab, *(known for known in self._tabs.get(account, ()) if self._bytes(known))}
        fits = self._bytes(tab) + size <= LARGEST_TAB and sum(map(self._bytes, tabs)) + size <= LARGEST_STUDENT
        has_room = sum(self._arriving.values()) + size <= MOST_ON_THEIR_WAY
        if not fits or not has_room:
            yield 503 if fits else 413
            return
        self._arriving[tab] = self._arriving.get(tab, 0) + size
        try:
            yield 200
        finally:
            self._arriving[tab] -= size
            if not self._arriving[tab]:
                del self._arriving[tab]
            self._tabs = {owner: known for owner, known in self._tabs.items() if any(map(self._bytes, known))}

    def _bytes(self, tab: str) -> int:
        return self._held(tab) + self._arriving.get(tab, 0)


def _size(request: HTTPConnection) -> int:
    written = request.headers.get("content-length", "")
    return int(written) if written.isdecimal() and len(written) < 16 else _UNTOLD
