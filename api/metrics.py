"""`GET /metrics`: numbers of the whole deployment for Prometheus, with a key of its own; nobody's words or ids."""

import asyncio
import hmac
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from api.auth import presented_key
from api.errors import FRESH, ApiError, error_response
from services.classes.budgets.budget import Period
from services.classes.budgets.budgets import Budgets
from services.llm.chat_model import Payer
from services.llm.request_cost import MICRO
from services.runtime.metrics_registry import BUDGET_LIMIT, BUDGET_SPENT, METRICS, PROCESSES, STORE_UP, Series
from services.runtime.prometheus_text import CONTENT_TYPE, prometheus_text
from services.storage.published_metrics import MetricsReport

PATH = "/metrics"
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
