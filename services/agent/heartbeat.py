"""`Heartbeat`: one daemon thread that beats while there is something to keep alive."""

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class Heartbeat:
    def __init__(self, beat: Callable[[], None], every_s: float) -> None:
        self._beat = beat
        self._every_s = every_s
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to beat, unless it does already."""
        with self._lock:
            if self._thread is None:
                self._stopped.clear()
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
        self._stopped.set()
        if thread is not None:
            thread.join(timeout=self._every_s * 5)

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            try:
                self._beat()
            except Exception as error:
                # An outer door: a heartbeat that stopped for one bad beat would let every lease run out.
                log.error("heartbeat_skipped kind=%s", type(error).__name__)
