"""The campus's sign-in provider."""

from starlette.routing import BaseRoute

from sandbox.campus import Campus


def routes(campus: Campus) -> list[BaseRoute]:
    """Every route, relative to the service's base."""
    return []


def seed(campus: Campus) -> None:
    """Write the first data."""
