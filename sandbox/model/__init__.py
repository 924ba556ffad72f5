"""The demo model: the Anthropic Messages API played by rules, for a machine without a key."""

from starlette.routing import BaseRoute

from sandbox.campus import Campus
from sandbox.model.api import MessagesApi


def routes(campus: Campus) -> list[BaseRoute]:
    """The API's routes, relative to /sandbox/anthropic."""
    return MessagesApi(campus).routes()


def seed(campus: Campus) -> None:
    """The model knows nothing beforehand."""
