"""The MCP server of one Homeroom on a real port."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from starlette.applications import Starlette

from api.key_limits import RequestLimits
from api.routes import routes
from tests.api.mcp.place import McpPlace
from tests.api.room import ApiRoom
from tests.mcp.serving import bound, serving


@pytest.fixture
def place(make_api: Callable[..., ApiRoom]) -> Iterator[McpPlace]:
    api = make_api()
    with bound() as listener:
        url = f"http://localhost:{listener.getsockname()[1]}"
        api.services.settings = replace(api.services.settings, public_url=url)
        app = Starlette(routes=routes(api.services, limits=RequestLimits(burst=10_000, at_once=100)))
        with serving(app, listener):
            yield McpPlace(api, url)
