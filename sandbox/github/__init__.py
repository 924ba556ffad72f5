"""The campus's GitHub: a few repositories, read only, in the shapes of the REST API of version 2022-11-28."""

from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.github.api import RepositoryMethods
from sandbox.github.search import CodeSearch
from sandbox.github.web import show


def seed(campus: Campus) -> None:
    """Nothing changes here, so there is nothing to keep."""


def routes(campus: Campus) -> list[BaseRoute]:
    """The routes below /sandbox/github; the pages for people are at /{owner}/{repo}/…."""
    api, search = RepositoryMethods(campus), CodeSearch(campus)
    return [
        Route("/repos/{owner}/{repo}", api.repository, methods=["GET"]),
        Route("/repos/{owner}/{repo}/contents", api.contents, methods=["GET"]),
        Route("/repos/{owner}/{repo}/contents/{path:path}", api.contents, methods=["GET"]),
        Route("/repos/{owner}/{repo}/readme", api.readme, methods=["GET"]),
        Route("/repos/{owner}/{repo}/releases", api.releases, methods=["GET"]),
        Route("/repos/{owner}/{repo}/issues/{number:int}", api.issue, methods=["GET"]),
        Route("/repos/{owner}/{repo}/issues/{number:int}/comments", api.comments, methods=["GET"]),
        Route("/search/code", search.find, methods=["GET"]),
        Route("/{owner}/{repo}/{rest:path}", show, methods=["GET"]),
        Route("/{path:path}", api.unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    ]
