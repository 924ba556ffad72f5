"""`GET /health`: the process lives and was not told to end. `GET /ready`: it can serve, or which dependency is down."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from api.errors import ApiError, error_response
from services.connections.key_rotation import SealCheck
from services.errors import HomeroomError, StorageError
from services.runtime.capacity import Capacity
from services.runtime.replica_secrets import COOKIE, VAULT, ReplicaSecrets
from services.wiring.container import ServiceContainer

Check = Callable[[], None]
"""Returns when the dependency answers; raises `StorageError` when it does not, another error when it cannot work."""

DEADLINE_S = 2.5


def readiness_checks(
    container: ServiceContainer,
    *,
    replicas: ReplicaSecrets | None = None,
    seals: SealCheck | None = None,
    capacity: Capacity | None = None,
) -> Mapping[str, Check]:
    """What `/ready` checks, by the name that it answers with."""
    checks: dict[str, Check] = {"store": container.store.ping, "turns": container.turns.refuse_while_draining}
    if replicas is not None:
        checks |= {"cookie_secret": lambda: replicas.check(COOKIE), "vault_keys": lambda: replicas.check(VAULT)}
    if seals is not None:
        checks["seals"] = seals.require
    if capacity is not None:
        checks["capacity"] = capacity.check
    return checks


def health_routes(
    checks: Mapping[str, Check],
    *,
    is_ending: Callable[[], bool] = lambda: False,
    deadline_s: float = DEADLINE_S,
) -> list[Route]:
    """The two routes. Checks run in threads, each at most `deadline_s`; one that hangs is not started a second time.

    is_ending: whether the process was told to end; from then on a proxy sends whatever is new to another replica.
    """
    probes = {name: _Probe(check, deadline_s) for name, check in checks.items()}

    async def health() -> JSONResponse:
        return _fresh({"status": "ending"}, status_code=503) if is_ending() else _fresh({"status": "ok"})

    async def ready() -> JSONResponse:
        answers = await asyncio.gather(*(probe.answers() for probe in probes.values()))
        parts: dict[str, str] = {name: "ok" if is_up else "down" for name, is_up in zip(probes, answers, strict=True)}
        down = [name for name, state in parts.items() if state == "down"]
        reasons = {name: probe.reason for name, probe in probes.items() if name in down and probe.reason}
        body = {"status": "down" if down else "ok", "dependencies": parts, "down": down}
        body |= {"reasons": reasons} if reasons else {}
        return _fresh(body, status_code=503 if down else 200)

    return [Route("/health", _Asked(health)), Route("/ready", _Asked(ready))]


class _Asked:
    """ASGI app for GET and HEAD that refuses other methods in JSON; Starlette would answer in plain text."""

    def __init__(self, reply: Callable[[], Awaitable[JSONResponse]]) -> None:
        self._reply = reply

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response: Response
        if Request(scope).method in ("GET", "HEAD"):
            response = await self._reply()
        else:
            message = "This address knows GET, HEAD only."
            response = error_response(ApiError(405, "method_not_allowed", message, headers={"allow": "GET, HEAD"}))
        await response(scope, receive, send)


class _Probe:
    """Health check of one dependency; concurrent callers share one run."""

    def __init__(self, check: Check, deadline_s: float) -> None:
        self._check = check
        self._deadline_s = deadline_s
        self._running: asyncio.Task[bool] | None = None
        self.reason = ""
        """Reason in words, when the dependency gives one."""

    async def answers(self) -> bool:
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(asyncio.to_thread(self._is_up))
        try:
            return await asyncio.wait_for(asyncio.shield(self._running), self._deadline_s)
        except TimeoutError:
            return False

    def _is_up(self) -> bool:
        try:
            self._check()
        except StorageError:
            return False
        except HomeroomError as error:
            self.reason = str(error)
            return False
        return True


def _fresh(body: Mapping[str, object], *, status_code: int = 200) -> JSONResponse:
    return JSONResponse(body, status_code=status_code, headers={"cache-control": "no-store"})
