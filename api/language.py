"""The language that a visitor chooses before they sign in: a cookie keeps it, as signing in leaves the page."""

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Route

from api.origin import is_begun_elsewhere
from services.language import COOKIE, LANGUAGES

KEEP_S = 365 * 24 * 3600


def language_routes() -> list[BaseRoute]:
    """`/language/es`: note it, and go to the first page.

    A language that we do not speak changes nothing, and neither does what another site's page chose.
    """
    return [Route("/language/{code}", _choose)]


async def _choose(request: Request) -> RedirectResponse:
    response = RedirectResponse("/", status_code=303, headers={"cache-control": "no-store"})
    code = request.path_params["code"]
    if code in LANGUAGES and not is_begun_elsewhere(request.headers):
        response.set_cookie(COOKIE, code, max_age=KEEP_S, path="/", httponly=True, samesite="lax")
    return response
