"""The outside web of the campus: pages, files, link targets, feeds and a search engine."""

from starlette.routing import BaseRoute

from sandbox.campus import Campus
from sandbox.web.feeds import feed_routes
from sandbox.web.pages import page_routes
from sandbox.web.search import search_routes
from sandbox.web.targets import target_routes


def routes(campus: Campus) -> list[BaseRoute]:
    """Everything below /sandbox/web; what matches nothing else is looked for among the articles."""
    return [*search_routes(campus), *feed_routes(campus), *target_routes(campus), *page_routes(campus)]


def seed(campus: Campus) -> None:
    """Nothing is kept: what stands here is the same for everyone."""
