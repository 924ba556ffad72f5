"""Routes of LTI 1.3. A refusal is a plain page with a code, and a line in the log with the code alone."""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from api.auth import SignInCookie
from api.errors import FRESH, ApiError, api_error, error_response
from api.lti.hand_over import CompletionSteps
from api.lti.launch_pages import DEEP_LINK, OPEN, link_answer_page, link_list_page, open_page, registered_page
from api.lti.login_cookies import BindingCookies, begin_page, binding_page, kept_binding
from api.lti.page import refusal_page
from api.method_route import method_refused
from api.router import respond
from api.workers import Workers
from services.classes.lti.launch_validation import VerifiedLaunch
from services.classes.lti.login_initiation import LAUNCH, LOGIN, LoginRequest, StartedLogin
from services.classes.lti.lti_tool import LtiTool
from services.classes.lti.refusals import LaunchRefused
from services.classes.lti.registration.invites import REGISTER
from services.errors import HomeroomError
from services.runtime.logs import error_location
from services.runtime.rate_limiter import KeyedRateLimiter, TokenBucket
from services.wiring.container import ServiceContainer

log = logging.getLogger(__name__)

JWKS = "/lti/jwks"
DEADLINE_S = 30.0
MOST_IN_LINE = 400
"""A lecture hall that opens its course at the same minute waits in line."""
LOGINS = TokenBucket(burst=1_000, per_second=50.0)
"""Logins of one platform from one address, of this process: each one is stored for ten minutes. A whole school may come
from one address.
"""
ADDRESS_LOGINS = TokenBucket(burst=4_000, per_second=200.0)
"""Logins of one address, whatever platforms it names: who makes platforms up gains no more by that."""
_KEYS_FRESH = {"cache-control": "public, max-age=300"}
MOST_BYTES = 256 * 1024
MOST_FIELDS = 100
READ_DEADLINE_S = 10.0
_FORM_TYPE = "application/x-www-form-urlencoded"
_LOGIN_FIELDS = frozenset(LoginRequest.__dataclass_fields__)

_TEXT_HTML = "text/html"
_FRAMES = ("iframe", "frame", "fencedframe")

Result = TypeVar("Result")
Answer = Callable[[Request], Awaitable[Response]]


def lti_routes(services: ServiceContainer) -> list[BaseRoute]:
    pages = _LtiPages(services)
    answers: Mapping[str, Mapping[str, Answer]] = {
        LOGIN: {"GET": pages.login, "POST": pages.login},
        LAUNCH: {"POST": pages.launch, "GET": pages.come_again},
        OPEN: {"GET": pages.come_back, "POST": pages.open},
        DEEP_LINK: {"POST": pages.deep_link},
        REGISTER: {"GET": pages.register},
        JWKS: {"GET": pages.jwks},
    }
    return [Route(path, _LtiEndpoint(path, methods, pages.refusal)) for path, methods in answers.items()]


class _LtiEndpoint:
    """ASGI app of one path: Starlette would call a plain function with a request."""

    def __init__(
        self, path: str, answers: Mapping[str, Answer], refusal: Callable[[LaunchRefused], Awaitable[Response]]
    ) -> None:
        self._path, self._answers, self._refusal = path, answers, refusal
        # Who reloads a launch gets a page, but it is no method of it.
        self._methods = sorted(set(answers) - ({"GET"} if path == LAUNCH else set()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await respond(scope, receive, send, answer=self._answer, path=self._path, event="lti_answered")

    async def _answer(self, request: Request) -> Response:
        answer = self._answers.get(request.method)
        try:
            if answer is None and _TEXT_HTML not in request.headers.get("accept", ""):
                return error_response(method_refused(self._methods))
            if answer is None:
                raise LaunchRefused("method_not_allowed")
            return await answer(request)
        except LaunchRefused as error:
            refused = error
        except (HomeroomError, ApiError) as error:
            known = error if isinstance(error, ApiError) else api_error(error)
            refused = LaunchRefused("too_many" if known.status == 429 else "unavailable")
            log.warning("lti_failed kind=%s", type(error).__name__)
        except ClientDisconnect:
            raise
        except Exception as error:
            # A person reads this in their course: the API's JSON would tell them nothing.
            refused = LaunchRefused("crashed", reference=secrets.token_hex(4))
            log.error("lti_crashed id=%s at=%s", refused.reference, error_location(error))
        log.info("lti_refused code=%s", refused.code)
        page = await self._refusal(refused)
        if refused.status == 405:
            page.headers["allow"] = ", ".join(sorted(self._methods))
        return page


class _LtiPages:
    def __init__(self, services: ServiceContainer) -> None:
        self._lti: LtiTool = services.classroom.lti
        self._workers = Workers(size=4, most_in_line=MOST_IN_LINE)
        self._cookies = BindingCookies(services.settings.public_url)
        self._logins, self._address_logins = KeyedRateLimiter(LOGINS), KeyedRateLimiter(ADDRESS_LOGINS)
        self._origin = services.settings.public_url
        cookie = SignInCookie(services.settings.cookie_secret)
        self._steps = CompletionSteps(self._lti.completion, services.students, cookie, public_url=self._origin)

    async def login(self, request: Request) -> Response:
        given = await _parameters(request)
        self._require_room(request, given)
        asked = LoginRequest(**{"iss": "", "login_hint": "", "target_link_uri": "", **_of_login(given)})
        begun = await self._run(self._lti.logins.begin, asked)
        if asked.lti_storage_target or request.headers.get("sec-fetch-dest") in _FRAMES:
            response: Response = begin_page(begun, asked)
        else:
            response = RedirectResponse(begun.address, status_code=302, headers=FRESH)
        self._cookies.set(response, begun)
        return response

    def _require_room(self, request: Request, given: Mapping[str, str]) -> None:
        """Refuse a login where its address has begun too many, of this platform or of all."""
        address = network_of(request.client.host if request.client else "")
        named = f"{len(given.get('iss', ''))} {given.get('iss', '')} {given.get('client_id', '')}"
        platform = hashlib.sha256(named.encode("utf-8", "replace")).digest()
        if not self._address_logins.spend(address) or not self._logins.spend((address, platform)):
            raise LaunchRefused("too_many")

    async def launch(self, request: Request) -> Response:
        given = await _parameters(request)
        if "ticket" in given:
            verified = await self._run(self._bound, request, given["ticket"], given.get("binding", ""))
        else:
            login = await self._run(self._lti.launches.login_of, given.get("state", ""))
            # In threads of its own: a school whose keys do not come takes none from the launches of others.
            place = f"lti-{login.platform_id}"
            verified = await self._workers.run(place, DEADLINE_S, self._verified, request, login, given)
        if verified.binding_ticket:
            log.info("lti_unbound")
            return binding_page(verified)
        page = await self._run(self._arrived, verified)
        self._cookies.clear(page, verified.mark)
        return page

    async def come_again(self, _request: Request) -> Response:
        """A launch is posted; whoever opens the address by hand, or reloads a tab, begins in the course."""
        raise LaunchRefused("method_not_allowed")

    async def open(self, request: Request) -> Response:
        self._require_own_page(request)
        given = dict(await _form(request))
        return await self._run(self._steps.take, request, given)

    async def come_back(self, request: Request) -> Response:
        return await self._run(self._steps.come_back, request)

    async def deep_link(self, request: Request) -> Response:
        self._require_own_page(request)
        pairs = await _form(request)
        token = next((value for name, value in pairs if name == "token"), "")
        chosen = [value for name, value in pairs if name == "choice"]
        answer = await self._run(self._lti.deep_linking.answer, token, chosen)
        return link_answer_page(answer, await self._run(self._frames))

    async def register(self, request: Request) -> Response:
        given = await _parameters(request)
        named = (given.get(name, "") for name in ("invite", "openid_configuration", "registration_token"))
        # Asks a system that nobody knows yet, which may answer late or never.
        work = self._workers.run("lti-registration", DEADLINE_S, self._lti.registration.register, *named)
        return registered_page(await work)

    async def jwks(self, _request: Request) -> Response:
        return JSONResponse(await self._run(self._lti.keys.public_keys), headers=_KEYS_FRESH)

    async def refusal(self, error: LaunchRefused) -> Response:
        """A refusal may stand in a frame of any registered platform: of which one it came from is not always known."""
        try:
            frames: Iterable[str] = await self._run(self._frames)
        except Exception as failure:
            log.warning("lti_frames_unknown kind=%s", type(failure).__name__)
            frames = ()
        return refusal_page(error, frames)

    def _verified(self, request: Request, login: StartedLogin, given: Mapping[str, str]) -> VerifiedLaunch:
        if "error" in given:
            raise LaunchRefused("platform_refused")
        binding = kept_binding(request, login.mark)
        return self._lti.launches.verify(login, given.get("id_token", ""), binding=binding)

    def _bound(self, request: Request, ticket: str, binding: str) -> VerifiedLaunch:
        """The second try of a page of ours, with what the platform's storage kept or the cookie for a tab."""
        self._require_own_page(request)
        return self._lti.launches.bind(ticket, lambda mark: binding or kept_binding(request, mark))

    def _arrived(self, verified: VerifiedLaunch) -> Response:
        if verified.launch.deep_link is not None:
            links = self._lti.deep_linking.offer(verified.launch, verified.platform)
            return link_list_page(links, verified.platform)
        return open_page(self._lti.completion.hand_over(verified.launch), verified.platform)

    def _frames(self) -> tuple[str, ...]:
        return tuple({origin for platform in self._lti.platforms.all() for origin in platform.frame_origins})

    def _require_own_page(self, request: Request) -> None:
        """Refuse what another site's page sends: it could have its own launch opened in a stranger's browser.

        `Origin` tells whose page it is (RFC 6454, section 7; "null" behind a redirect of another site). Safari calls
        what our page in a school's frame opens in a tab cross-site, by the page around the frame.
        """
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
        is_program = origin is None and site is None
        if not is_program and (origin is None or _place(origin) != _place(self._origin)):
            raise LaunchRefused("origin_foreign")

    async def _run(self, function: Callable[..., Result], *arguments: object) -> Result:
        return await self._workers.run("lti", DEADLINE_S, function, *arguments)


def network_of(address: str) -> str:
    """What one household or one host has: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))
    return str(found)


def _of_login(given: Mapping[str, str]) -> Mapping[str, str]:
    """Parameters of a login, by its own names; what a platform adds beyond them is ignored."""
    return {name: value for name, value in given.items() if name in _LOGIN_FIELDS}


def _place(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc.lower()


async def _parameters(request: Request) -> Mapping[str, str]:
    """Parameters of a GET's address, or of a POST's form with what its address adds.

    Raises `LaunchRefused` "request_malformed" for one that comes twice, or for what is no form.
    """
    pairs = list(request.query_params.multi_items())
    if request.method == "POST":
        pairs += await _form(request)
    found = dict(pairs)
    if len(found) < len(pairs):
        raise LaunchRefused("request_malformed")
    return found


async def _form(request: Request) -> list[tuple[str, str]]:
    """Fields of a posted form, in their order; raises `LaunchRefused` "request_malformed"."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM_TYPE:
        raise LaunchRefused("request_malformed")
    try:
        raw = await asyncio.wait_for(_bytes(request), READ_DEADLINE_S)
        return parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, strict_parsing=bool(raw))
    except (ValueError, TimeoutError):
        raise LaunchRefused("request_malformed") from None


async def _bytes(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MOST_BYTES:
            raise LaunchRefused("request_malformed")
    return bytes(raw)
