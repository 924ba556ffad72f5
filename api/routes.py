"""Every HTTP route of ours, as one list."""

from starlette.routing import Route

from api.health import health_routes
from services.container import ServiceContainer


def routes(container: ServiceContainer) -> list[Route]:
    return health_routes({"store": container.store.ping})
