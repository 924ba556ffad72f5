"""`LiveFollowers`: registry of the open live streams of this process, by the tab that follows and by student."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from services.errors import UsedTooOften
from services.i18n import gettext

MOST_OF_A_STUDENT = 250
"""Streams of one student at once: one for each tab that shows a running answer. A whole class may share one account in
a demo."""


class LiveFollowers:
    """A page script asks here whether the browser draws the answer by itself, so that it need not."""

    def __init__(self) -> None:
        self._tabs: Counter[str] = Counter()
        self._students: Counter[str] = Counter()
        self._changed = threading.Condition()

    def require_room(self, student_id: str) -> None:
        """Raise `UsedTooOften` when the student has too many open."""
        if self._students.get(student_id, 0) >= MOST_OF_A_STUDENT:
            raise UsedTooOften(gettext("Too many of your tabs follow an answer."), retry_after_s=5.0)

    @contextmanager
    def following(self, student_id: str, tab: str) -> Iterator[None]:
        """Count a stream for as long as this lasts.

        tab: the random token that a page gave its component; "" for a program.
        """
        with self._changed:
            self._students[student_id] += 1
            self._tabs[tab] += 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                for counts, key in ((self._students, student_id), (self._tabs, tab)):
                    counts[key] -= 1
                    if not counts[key]:
                        del counts[key]

    def wait_for(self, tab: str, timeout_s: float) -> bool:
        """Wait until this tab follows an answer, for so long; whether it does."""
        with self._changed:
            return self._changed.wait_for(lambda: tab in self._tabs, timeout_s)
