"""`GET /metrics`: numbers of the whole deployment for Prometheus, with a key of its own; nobody's words or ids."""

import asyncio
import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from api.auth import presented_key
from api.errors import FRESH, ApiError, error_response
from services.classes.budgets.budget import Period
from services.classes.budgets.budgets import Budgets
from services.llm.chat_model import Payer
from services.llm.prices import MICRO
from services.runtime.metrics_registry import (
    BUDGET_LIMIT,
    BUDGET_SPENT,
    METRICS,
    PROCESSES,
    STORE_UP,
    SUM,
    Metric,
    MetricKind,
    Series,
)
from services.storage.published_metrics import MetricsReport

PATH = "/metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""Prometheus text format (prometheus.io/docs/instrumenting/exposition_formats)."""
_METHODS = ("GET", "HEAD")
Report = Callable[[], MetricsReport]
BudgetGauges = Callable[[], Mapping[Series, float]]


def metrics_route(key: str, report: Report, budget: BudgetGauges = dict) -> Route:
    """The route. key: `HOMEROOM_METRICS_KEY`; without one there is no such page. report, budget: read the store."""
    return Route(PATH, _MetricsPage(key, lambda: _amounts(report(), budget)))


def budget_gauges(budgets: Budgets) -> Mapping[Series, float]:
    """Dollars spent of the deployment's budget, and its limit where there is one, for the day and the term."""
    scope = budgets.scopes(Payer(student_id=""))[-1]
    ledger = budgets.spent(scope)
    found: dict[Series, float] = {}
    for period in Period:
        found[(BUDGET_SPENT.name, period.value)] = ledger.spent(period, scope.periods) / MICRO
        if (limit := scope.limits.of(period)) is not None:
            found[(BUDGET_LIMIT.name, period.value)] = limit / MICRO
    return found


class _MetricsPage:
    """404 without a key in the settings, 401 for another key than that, and in constant time."""

    def __init__(self, key: str, amounts: Callable[[], Mapping[Series, float]]) -> None:
        self._key, self._amounts = key.encode(), amounts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await self._answer(Request(scope))
        except ApiError as error:
            answer = error_response(error)
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if not self._key:
            raise ApiError(404, "not_found", "There are no metrics here: HOMEROOM_METRICS_KEY is not set.")
        if request.method not in _METHODS:
            allow = {"allow": "GET, HEAD"}
            raise ApiError(405, "method_not_allowed", "This address knows GET, HEAD only.", headers=allow)
        if not hmac.compare_digest(_key_of(request), self._key):
            challenge = {"www-authenticate": 'Bearer realm="Homeroom metrics"'}
            message = "Send HOMEROOM_METRICS_KEY as `Authorization: Bearer …`."
            raise ApiError(401, "invalid_key", message, headers=challenge)
        text = prometheus_text(METRICS, await asyncio.to_thread(self._amounts))
        return PlainTextResponse(text, media_type=CONTENT_TYPE, headers=FRESH)


def _key_of(request: Request) -> bytes:
    try:
        return presented_key(request.headers).encode()
    except ApiError:
        return b""


def _amounts(found: MetricsReport, budget: BudgetGauges) -> Mapping[Series, float]:
    gauges: dict[Series, float] = {(PROCESSES.name,): len(found.gauges)}
    for process, measured in found.gauges.items():
        gauges |= {(name, process): amount for name, amount in measured.items()}
        gauges[(STORE_UP.name, process)] = float(found.is_store_up)
    return {**found.totals, **gauges, **(budget() if found.is_store_up else {})}


def prometheus_text(metrics: Sequence[Metric], amounts: Mapping[Series, float]) -> str:
    """Write metrics in their order. amounts: by name and labels; of a histogram by bucket, numbered, and its sum."""
    by_name: dict[str, list[tuple[Series, float]]] = {metric.name: [] for metric in metrics}
    for (name, *labels), amount in sorted(amounts.items()):
        if name in by_name:
            by_name[name].append((tuple(labels), amount))
    return "".join(f"{line}\n" for metric in metrics for line in _metric_lines(metric, by_name[metric.name]))


def _metric_lines(metric: Metric, found: Sequence[tuple[Series, float]]) -> Iterator[str]:
    yield f"# HELP {metric.name} {_escaped(metric.help)}"
    yield f"# TYPE {metric.name} {metric.kind}"
    if metric.kind is MetricKind.HISTOGRAM:
        for labels in dict.fromkeys(labels[:-1] for labels, _ in found):
            yield from _histogram(metric, labels, {own[-1]: amount for own, amount in found if own[:-1] == labels})
        return
    for labels, amount in found:
        yield f"{metric.name}{_labels(metric.labels, labels)} {_number(amount)}"


def _histogram(metric: Metric, labels: Series, buckets: Mapping[str, float]) -> Iterator[str]:
    seen = 0.0
    for index, bound in enumerate((*metric.bounds, float("inf"))):
        seen += buckets.get(str(index), 0)
        shown = _labels((*metric.labels, "le"), (*labels, "+Inf" if bound == float("inf") else _number(bound)))
        yield f"{metric.name}_bucket{shown} {_number(seen)}"
    yield f"{metric.name}_sum{_labels(metric.labels, labels)} {_number(buckets.get(SUM, 0))}"
    yield f"{metric.name}_count{_labels(metric.labels, labels)} {_number(seen)}"


def _labels(names: Sequence[str], values: Sequence[str]) -> str:
    pairs = ",".join(
        f'{name}="{_escaped(value).replace(chr(34), chr(92) + chr(34))}"'
        for name, value in zip(names, values, strict=True)
    )
    return f"{{{pairs}}}" if pairs else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _number(amount: float) -> str:
    return str(int(amount)) if float(amount).is_integer() else repr(float(amount))
