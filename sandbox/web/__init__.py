"""The outside web of the campus: pages, files, link targets, feeds, registries of works and a search engine."""

from starlette.routing import BaseRoute

from sandbox.campus import Campus
from sandbox.web.feeds import feed_routes
from sandbox.web.pages import page_routes
from sandbox.web.registries import registry_routes
from sandbox.web.search import search_routes
from sandbox.web.shared_documents import shared_document_routes
from sandbox.web.targets import target_routes


def routes(campus: Campus) -> list[BaseRoute]:
    """Everything below /sandbox/web; what matches nothing else is looked for among the articles."""
    own = [*search_routes(campus), *feed_routes(campus), *registry_routes(campus), *target_routes(campus)]
    own += shared_document_routes(campus)
    return [*own, *page_routes(campus)]


def seed(campus: Campus) -> None:
    """Nothing is kept: what stands here is the same for everyone."""
