"""The campus's Notion: consent, tokens, pages, blocks, databases and search, API version 2025-09-03."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.grants import Grants
from sandbox.notion.access import Access
from sandbox.notion.blocks import BlockMethods
from sandbox.notion.databases import DatabaseMethods
from sandbox.notion.errors import refused
from sandbox.notion.oauth import OAuthPages
from sandbox.notion.pages import PageMethods
from sandbox.notion.seed import seed_workspaces
from sandbox.notion.sources import SourceMethods
from sandbox.notion.web import WorkspacePages


def seed(campus: Campus) -> None:
    """Everyone's workspace on the first day."""
    seed_workspaces(campus)


def routes(campus: Campus) -> list[BaseRoute]:
    """The routes below /sandbox/notion."""
    grants = Grants(campus, "notion")
    access = Access(campus, grants)
    oauth, web = OAuthPages(campus, grants), WorkspacePages(campus)
    pages, blocks, sources = PageMethods(campus, access), BlockMethods(campus, access), SourceMethods(campus, access)
    databases = DatabaseMethods(campus, access)
    return [
        Route("/v1/oauth/authorize", oauth.ask, methods=["GET"]),
        Route("/v1/oauth/authorize", oauth.decide, methods=["POST"]),
        Route("/v1/oauth/token", oauth.token, methods=["POST"]),
        Route("/v1/oauth/introspect", oauth.introspect, methods=["POST"]),
        Route("/v1/oauth/revoke", oauth.revoke, methods=["POST"]),
        Route("/v1/users", sources.users, methods=["GET"]),
        Route("/v1/users/me", sources.me, methods=["GET"]),
        Route("/v1/users/{user_id}", sources.user, methods=["GET"]),
        Route("/v1/search", sources.search, methods=["POST"]),
        Route("/v1/databases", databases.create, methods=["POST"]),
        Route("/v1/databases/{database_id}", sources.database, methods=["GET"]),
        Route("/v1/databases/{database_id}", databases.update, methods=["PATCH"]),
        Route("/v1/data_sources/{data_source_id}", sources.source, methods=["GET"]),
        Route("/v1/data_sources/{data_source_id}/query", sources.query, methods=["POST"]),
        Route("/v1/pages", pages.create, methods=["POST"]),
        Route("/v1/pages/{page_id}", pages.retrieve, methods=["GET"]),
        Route("/v1/pages/{page_id}", pages.update, methods=["PATCH"]),
        Route("/v1/pages/{page_id}/markdown", pages.retrieve_markdown, methods=["GET"]),
        Route("/v1/pages/{page_id}/markdown", pages.update_markdown, methods=["PATCH"]),
        Route("/v1/blocks/{block_id}", blocks.retrieve, methods=["GET"]),
        Route("/v1/blocks/{block_id}", blocks.delete, methods=["DELETE"]),
        Route("/v1/blocks/{block_id}/children", blocks.list_children, methods=["GET"]),
        Route("/v1/blocks/{block_id}/children", blocks.append, methods=["PATCH"]),
        Route("/v1/{path:path}", _unknown, methods=["GET", "POST", "PATCH", "PUT", "DELETE"]),
        Route("/", web.index, methods=["GET"]),
        Route("/{slug}", web.show, methods=["GET"]),
        Route("/{slug}", web.change, methods=["POST"]),
    ]


async def _unknown(request: Request) -> Response:
    raise refused(400, "invalid_request_url", "Invalid request URL.")
