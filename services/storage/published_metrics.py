"""`PublishedMetrics`: metrics of all processes, added up in the store for whoever asks one of them."""

import logging
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from services.errors import StorageError
from services.runtime.clock import Clock, stamp
from services.runtime.metrics_registry import METRICS, MetricsRegistry, Series
from services.storage.counter_fields import counter_name, counter_parts
from services.storage.store import Store

log = logging.getLogger(__name__)

COLLECTION = "operator_metrics"
PUBLISH_EVERY_S = 10.0
ALIVE = timedelta(seconds=60)
_TOTALS = "totals"


@dataclass(frozen=True, kw_only=True)
class MetricsReport:
    """totals: counters and histograms since this store was made, of all processes, whichever have ended since.

    gauges: of each living process, by its name. is_store_up: False where only this process's own gauges are known.
    """

    totals: Mapping[Series, float]
    gauges: Mapping[str, Mapping[str, float]]
    is_store_up: bool


class PublishedMetrics:
    """A balancer leads a scraper to any process, so each adds what it has counted to one document, every 10 s.

    Counters never go back, neither with a restart nor with a replica that is gone. A process that is killed loses what
    it has counted since it last added.
    """

    def __init__(self, store: Store, registry: MetricsRegistry, clock: Clock) -> None:
        self._documents, self._registry, self._clock = store.shared, registry, clock
        self._process = f"p{secrets.token_hex(4)}"
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Publish every 10 s, on a thread of its own."""
        if self._thread is None:
            self._stopped.clear()
            self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Publish what is left, and count as gone."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
            self._thread = None
        if self.publish():
            self._documents.delete(COLLECTION, {"id": self._process})

    def publish(self) -> bool:
        """Add what this process has counted; False when the store was not there: it is added the next time."""
        amounts, gauges = self._registry.take(), self._registry.gauges()
        try:
            if amounts:
                fields = {counter_name(*series): amount for series, amount in amounts.items()}
                self._documents.increment(COLLECTION, _TOTALS, fields, defaults={"id": _TOTALS})
                amounts = {}
            alive = {"id": self._process, "kept_until": stamp(self._clock() + ALIVE)}
            self._documents.put(COLLECTION, {**alive, **gauges})
        except StorageError:
            self._registry.put_back(amounts)
            return False
        return True

    def report(self) -> MetricsReport:
        """What all processes have published, this one up to now."""
        own = {self._process: self._registry.gauges()}
        if not self.publish():
            return MetricsReport(totals={}, gauges=own, is_store_up=False)
        try:
            found = {document["id"]: document for document in self._documents.find(COLLECTION, {})}
        except StorageError:
            return MetricsReport(totals={}, gauges=own, is_store_up=False)
        totals = found.pop(_TOTALS, {})
        gauges = {id: {name: document[name] for name in document if name in _NAMES} for id, document in found.items()}
        return MetricsReport(totals=_read_totals(totals), gauges=gauges, is_store_up=True)

    def _run(self) -> None:
        while not self._stopped.wait(PUBLISH_EVERY_S):
            if not self.publish():
                log.warning("metrics_not_published")


_NAMES = frozenset(metric.name for metric in METRICS)


def _read_totals(document: Mapping[str, object]) -> Mapping[Series, float]:
    found: dict[Series, float] = {}
    for field, value in document.items():
        name = field.partition("__")[0]
        if name in _NAMES and isinstance(value, int | float):
            found[(name, *(counter_parts(field, name) or ()))] = value
    return found
