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
from services.runtime.metrics_registry import METRICS, PROCESSES, STORE_UP, Series
from services.runtime.prometheus_text import CONTENT_TYPE, prometheus_text
from services.storage.published_metrics import MetricsReport

PATH = "/metrics"
_METHODS = ("GET", "HEAD")


def metrics_route(key: str, report: Callable[[], MetricsReport]) -> Route:
    """The route. key: `HOMEROOM_METRICS_KEY`; without one there is no such page. report: may take a store's time."""
    return Route(PATH, _MetricsPage(key, report))


class _MetricsPage:
    """404 without a key in the settings, 401 for another key than that, and in constant time."""

    def __init__(self, key: str, report: Callable[[], MetricsReport]) -> None:
        self._key, self._report = key.encode(), report

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
        found = await asyncio.to_thread(self._report)
        return PlainTextResponse(prometheus_text(METRICS, _amounts(found)), media_type=CONTENT_TYPE, headers=FRESH)


def _key_of(request: Request) -> bytes:
    try:
        return presented_key(request.headers).encode()
    except ApiError:
        return b""


def _amounts(found: MetricsReport) -> Mapping[Series, float]:
    gauges = {
        (name, process): amount for process, measured in found.gauges.items() for name, amount in measured.items()
    }
    up = {(STORE_UP.name, process): float(found.is_store_up) for process in found.gauges}
    return {**found.totals, **gauges, **up, (PROCESSES.name,): len(found.gauges)}
