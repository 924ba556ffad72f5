"""Every HTTP route of ours, as one list."""

from starlette.routing import BaseRoute

from api.health import Check, health_routes
from api.limits import Limits
from api.mcp.route import mcp_routes
from api.router import RequestChecks, endpoint_routes
from api.table import endpoints
from api.workers import Workers
from services.container import ServiceContainer
from services.runtime.capacity import Headroom
from services.runtime.replicas import COOKIE, VAULT, Replicas


def routes(
    container: ServiceContainer,
    *,
    limits: Limits | None = None,
    workers: Workers | None = None,
    replicas: Replicas | None = None,
    headroom: Headroom | None = None,
) -> list[BaseRoute]:
    """What is given replaces the usual limits and threads; of `replicas` and `headroom`, `/ready` tells as well."""
    checks = RequestChecks(services=container, workers=workers or Workers(), limits=limits or Limits())
    ready: dict[str, Check] = {"store": container.store.ping}
    if replicas is not None:
        ready |= {"cookie_secret": lambda: replicas.check(COOKIE), "vault_keys": lambda: replicas.check(VAULT)}
    if headroom is not None:
        ready["capacity"] = headroom.check
    return [*health_routes(ready), *endpoint_routes(endpoints(), checks), *mcp_routes(checks)]
