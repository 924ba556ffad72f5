"""Every HTTP route of ours, as one list."""

from starlette.routing import BaseRoute

from api.door import Checks, api_routes
from api.health import health_routes
from api.limits import Limits
from api.mcp.door import mcp_routes
from api.table import endpoints
from api.workers import Workers
from services.container import ServiceContainer


def routes(
    container: ServiceContainer, *, limits: Limits | None = None, workers: Workers | None = None
) -> list[BaseRoute]:
    """What is given replaces the usual limits and threads."""
    checks = Checks(services=container, workers=workers or Workers(), limits=limits or Limits())
    health = health_routes({"store": container.store.ping})
    return [*health, *api_routes(endpoints(), checks), *mcp_routes(checks)]
