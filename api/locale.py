"""Which language a program is answered in: its student's; before its key is known, the one its request prefers."""

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Route

from api.middleware.origin import is_begun_elsewhere
from services.i18n import LANGUAGE_COOKIE, LANGUAGES, negotiate_locale

LONGEST = 1_000
MOST = 20


def preferred_locale(headers: Headers) -> str:
    """The locale that `Accept-Language` prefers of those that we speak (RFC 9110, 12.5.4), or the default."""
    ranges = headers.get("accept-language", "")[:LONGEST].split(",")[:MOST]
    wanted = sorted(((_weight(one), one.partition(";")[0].strip()) for one in ranges), key=lambda one: -one[0])
    spoken = (tag for weight, tag in wanted if weight > 0 and tag.lower().partition("-")[0] in LANGUAGES)
    return negotiate_locale(next(spoken, None))


def _weight(one: str) -> float:
    parameters = one.replace(" ", "").lower().partition(";")[2]
    try:
        return float(parameters.removeprefix("q=")) if parameters else 1.0
    except ValueError:
        return 0.0


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
        response.set_cookie(LANGUAGE_COOKIE, code, max_age=KEEP_S, path="/", httponly=True, samesite="lax")
    return response
