"""Route of a class's link: it leads to the page that says what one joins, which tells nothing to who is signed out."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Route

from services.classes.join_codes import JOIN_PATH, clean_join_code
from services.navigation import CLASSROOM_PAGE

UNREADABLE = "-"
"""In place of what is no code: the page then says so, and offers the field to type it."""


def join_routes() -> list[BaseRoute]:
    return [Route(JOIN_PATH, _open_page), Route(f"{JOIN_PATH}/{{code}}", _open_page)]


async def _open_page(request: Request) -> RedirectResponse:
    """No class is looked up here: only signed-in people may try codes, so many a minute."""
    code = clean_join_code(request.path_params.get("code", "")) or UNREADABLE
    address = f"{CLASSROOM_PAGE.path}?{urlencode({'join': code})}"
    headers = {"cache-control": "no-store", "referrer-policy": "same-origin", "x-robots-tag": "noindex"}
    return RedirectResponse(address, status_code=303, headers=headers)
