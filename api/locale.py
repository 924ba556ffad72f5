"""Locale negotiation for HTTP requests, and the cookie for a language that a visitor chose before signing in."""

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute

from api.method_route import MethodRoute
from api.middleware.host import is_cross_site
from services.i18n import LANGUAGE_COOKIE, LANGUAGES, negotiate_locale

LONGEST = 1_000
MOST = 20
LANGUAGE_LIFETIME_S = 365 * 24 * 3600


def preferred_locale(headers: Headers) -> str:
    """Best supported locale by `Accept-Language` (RFC 9110, 12.5.4), or the default."""
    ranges = headers.get("accept-language", "")[:LONGEST].split(",")[:MOST]
    wanted = sorted(
        ((_weight(language_range), language_range.partition(";")[0].strip()) for language_range in ranges),
        key=lambda weighted: -weighted[0],
    )
    spoken = (tag for weight, tag in wanted if weight > 0 and tag.lower().partition("-")[0] in LANGUAGES)
    return negotiate_locale(next(spoken, None))


def _weight(language_range: str) -> float:
    parameters = language_range.replace(" ", "").lower().partition(";")[2]
    try:
        return float(parameters.removeprefix("q=")) if parameters else 1.0
    except ValueError:
        return 0.0


def language_routes() -> list[BaseRoute]:
    """`/language/es`: store the language in a cookie and redirect to the first page.

    A language that we do not speak changes nothing, and neither does what another site's page chose.
    """
    return [MethodRoute("/language/{code}", _choose)]


async def _choose(request: Request) -> RedirectResponse:
    response = RedirectResponse("/", status_code=303, headers={"cache-control": "no-store"})
    code = request.path_params["code"]
    if code in LANGUAGES and not is_cross_site(request.headers):
        response.set_cookie(LANGUAGE_COOKIE, code, max_age=LANGUAGE_LIFETIME_S, path="/", httponly=True, samesite="lax")
    return response
