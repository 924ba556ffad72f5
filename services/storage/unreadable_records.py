"""`UnreadableRecords`: what is noted of stored records that lists leave out: each by its id once, and a count."""

import hashlib
import logging
import re
import threading
from collections import OrderedDict

from services.errors import RecordUnreadable
from services.runtime.metrics_registry import RECORDS_PASSED_OVER, MetricsRegistry

log = logging.getLogger(__name__)

JOB = "read"
"""The metric's job of whatever reads a list outside of the background jobs."""
_MOST_REMEMBERED = 10_000
_PLAIN_ID = re.compile(r"[\w.:/@+-]{1,160}", re.ASCII)


class UnreadableRecords:
    """Logs an unreadable record the first time that this process meets it, and counts it each time.

    A page that is drawn again and again would else fill the log with the same line.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._noted: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._registry: MetricsRegistry | None = None

    def count_in(self, registry: MetricsRegistry) -> None:
        """Count in this registry from now on, and begin to log anew."""
        with self._lock:
            self._registry = registry
            self._noted.clear()

    def note(self, error: RecordUnreadable) -> None:
        record = (error.collection, error.id)
        with self._lock:
            is_new = record not in self._noted
            self._noted[record] = None
            self._noted.move_to_end(record)
            if len(self._noted) > _MOST_REMEMBERED:
                self._noted.popitem(last=False)
            registry = self._registry
        if registry is not None:
            registry.count(RECORDS_PASSED_OVER, JOB, error.collection)
        if is_new:
            log.error("record_unreadable collection=%s id=%s", error.collection, log_id(error.id))


def log_id(id: str) -> str:
    """An id as it may stand in a log: what does not look like one may hold somebody's words."""
    return id if _PLAIN_ID.fullmatch(id) else f"sha256:{hashlib.sha256(id.encode()).hexdigest()[:16]}"


UNREADABLE_RECORDS = UnreadableRecords()
"""Those of this process: whoever reads a list has no more than its documents at hand."""
