"""`MetricsRegistry`: what this process has counted and measured for its operator, and what it measures when asked."""

import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

Labels = tuple[str, ...]
Series = tuple[str, ...]
"""Name of a metric, and the values of its labels."""


class MetricKind(StrEnum):
    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, kw_only=True)
class Metric:
    """Metric of the deployment. bounds: of a histogram's buckets, in seconds.

    labels: their values come from the code and the settings, never from a person: there are only so many.
    """

    name: str
    kind: MetricKind
    help: str
    labels: Labels = ()
    bounds: tuple[float, ...] = ()


def _counter(name: str, help: str, *labels: str) -> Metric:
    return Metric(name=name, kind=MetricKind.COUNTER, help=help, labels=labels)


def _gauge(name: str, help: str, *labels: str) -> Metric:
    return Metric(name=name, kind=MetricKind.GAUGE, help=help, labels=labels)


def _histogram(name: str, help: str, *labels: str, bounds: tuple[float, ...]) -> Metric:
    return Metric(name=name, kind=MetricKind.HISTOGRAM, help=help, labels=labels, bounds=bounds)


ANSWERS = _counter("homeroom_answers_total", "Answers by how they ended.", "status")
FIRST_TEXT = _histogram(
    "homeroom_first_text_seconds",
    "Time from the start of an answer to its first text on the page.",
    bounds=(0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 30.0, 60.0),
)
MODEL_REQUESTS = _counter(
    "homeroom_model_requests_total", "Requests to the model by how they ended.", "model", "outcome"
)
MODEL_TOKENS = _counter("homeroom_model_tokens_total", "Tokens as the model's service counts them.", "model", "kind")
TOOL_CALLS = _counter(
    "homeroom_tool_calls_total", "Calls of tools; outcome is ok or the kind of failure.", "tool", "outcome"
)
TOOL_SECONDS = _histogram(
    "homeroom_tool_seconds", "Time that calls of tools took.", bounds=(0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
)
STORE_SECONDS = _histogram(
    "homeroom_store_seconds",
    "Time that operations of the store took.",
    "operation",
    bounds=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0),
)
STORE_ERRORS = _counter("homeroom_store_errors_total", "Operations of the store that failed.", "operation")
JOBS = _counter("homeroom_job_runs_total", "Runs of background jobs; outcome is ok or failed.", "job", "outcome")
RECORDS_PASSED_OVER = _counter(
    "homeroom_records_passed_over_total",
    "Records that a background job could not read or finish, or a list not read (job read), each time.",
    "job",
    "collection",
)
PROCESSES = _gauge("homeroom_processes", "Processes of this deployment that were alive in the last minute.")
STORE_UP = _gauge("homeroom_store_up", "1 where this process reaches the store.", "process")
RUNNING = _gauge("homeroom_answers_running", "Answers that are being written.", "process")
QUEUED = _gauge("homeroom_cpu_queue", "Pieces of work that wait for a CPU slot.", "process")
SHEDDING = _gauge("homeroom_shedding", "1 while new visitors are turned away for lack of memory or files.", "process")
OPEN_FILES = _gauge("homeroom_open_files", "Open files and connections.", "process")
BUDGET_SPENT = _gauge("homeroom_budget_spent_dollars", "Spent of the deployment's budget in a period.", "period")
BUDGET_LIMIT = _gauge("homeroom_budget_limit_dollars", "The deployment's budget for a period.", "period")
METRICS = (
    ANSWERS,
    FIRST_TEXT,
    MODEL_REQUESTS,
    MODEL_TOKENS,
    TOOL_CALLS,
    TOOL_SECONDS,
    STORE_SECONDS,
    STORE_ERRORS,
    JOBS,
    RECORDS_PASSED_OVER,
    PROCESSES,
    STORE_UP,
    RUNNING,
    QUEUED,
    SHEDDING,
    OPEN_FILES,
    BUDGET_SPENT,
    BUDGET_LIMIT,
)
SUM = "sum"
"""Place of a histogram's sum among its buckets, which are numbered."""


class MetricsRegistry:
    """Counters and histograms since they were last taken, and gauges that are read when they are wanted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._amounts: Counter[Series] = Counter()
        self._gauges: dict[str, Callable[[], float]] = {}

    def count(self, metric: Metric, *labels: str, amount: float = 1) -> None:
        """Add to a counter. labels: as declared."""
        with self._lock:
            self._amounts[(metric.name, *labels)] += amount  # type: ignore[assignment]

    def observe(self, metric: Metric, seconds: float, *labels: str) -> None:
        """Add a measurement to a histogram."""
        bucket = str(bisect_left(metric.bounds, seconds))
        with self._lock:
            self._amounts[(metric.name, *labels, bucket)] += 1
            self._amounts[(metric.name, *labels, SUM)] += seconds  # type: ignore[assignment]

    def stopwatch(self, metric: Metric) -> Callable[[], None]:
        """Begin to measure; what it returns ends it."""
        began = time.monotonic()
        return lambda: self.observe(metric, time.monotonic() - began)

    def watch(self, metric: Metric, read: Callable[[], float]) -> None:
        """Read a gauge of this process with `read`, each time that gauges are wanted."""
        self._gauges[metric.name] = read

    def take(self) -> Mapping[Series, float]:
        """The amounts since the last time; whoever takes them adds them to what all processes share."""
        with self._lock:
            taken, self._amounts = self._amounts, Counter()
        return taken

    def put_back(self, amounts: Mapping[Series, float]) -> None:
        """Give back amounts that could not be added."""
        with self._lock:
            self._amounts.update(amounts)

    def gauges(self) -> Mapping[str, float]:
        """The gauges of this process, by their metric's name."""
        return {name: float(read()) for name, read in self._gauges.items()}
