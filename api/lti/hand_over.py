"""Opening steps: a hand-over ticket becomes a signed-in tab, with a question in between where there is one."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api.auth import SIGN_IN_COOKIE, SignInCookie
from api.errors import FRESH
from api.locale import preferred_locale
from api.lti.launch_pages import (
    ACCOUNT_STEP,
    CLASS_STEP,
    OPEN,
    ROLE_STEP,
    account_page,
    class_page,
    notice_page,
    role_page,
)
from api.middleware.return_to import COOKIE as RETURN_TO
from api.middleware.return_to import RETURN_TO_LIFETIME_S
from services.classes.lti.accounts import LaunchedSession
from services.classes.lti.launch_completion import (
    SIGN_IN,
    AccountQuestion,
    ClassQuestion,
    LaunchCompletion,
    LaunchVisitor,
    RoleQuestion,
    Step,
)
from services.identity.browser_names import browser_name
from services.identity.sign_in_sessions import SIGN_IN_LIFETIME
from services.identity.students import Student, Students

CHOICE_COOKIE = "homeroom_lti_choice"


class CompletionSteps:
    def __init__(
        self, completion: LaunchCompletion, students: Students, cookie: SignInCookie, *, public_url: str
    ) -> None:
        self._completion, self._students, self._cookie, self._public_url = completion, students, cookie, public_url

    def take(self, request: Request, given: Mapping[str, str]) -> Response:
        """Take the step that a page of ours has posted; raises `LaunchRefused`."""
        token, step, visitor = given.get("token", ""), given.get("step", ""), self._visitor(request)
        if step == CLASS_STEP:
            return self._answer(request, self._completion.choose_class(token, given.get("class", ""), visitor))
        if step == ROLE_STEP:
            return self._answer(request, self._completion.choose_role(token, given.get("role", ""), visitor))
        if step == ACCOUNT_STEP and given.get("account") == SIGN_IN:
            return _to_sign_in(request, token)
        if step == ACCOUNT_STEP:
            return self._answer(request, self._completion.choose_account(token, given.get("account", ""), visitor))
        return self._answer(request, self._completion.open(token, visitor))

    def come_back(self, request: Request) -> Response:
        """Ask once more, now that the visitor has signed in to the account that they have; raises `LaunchRefused`."""
        asked = self._completion.ask_again(request.cookies.get(CHOICE_COOKIE, ""), self._visitor(request))
        page = account_page(asked)
        page.delete_cookie(CHOICE_COOKIE, path=OPEN)
        return page

    def _answer(self, request: Request, step: Step) -> Response:
        if isinstance(step, AccountQuestion):
            return account_page(step)
        if isinstance(step, ClassQuestion):
            response: Response = class_page(step)
        elif isinstance(step, RoleQuestion):
            response = role_page(step)
        else:
            response = notice_page(step) or RedirectResponse(step.page, status_code=303, headers=FRESH)
        self._sign_in(request, response, step.session)
        return response

    def _sign_in(self, request: Request, response: Response, session: LaunchedSession) -> None:
        """Set the sign-in cookie as Streamlit does (starlette_auth_routes.py, 1.67); parts of another one go."""
        if not session.claims:
            return
        _forget_sign_in(request, response)
        sealed = self._cookie.seal({**session.claims, "origin": self._public_url, "is_logged_in": True})
        lasts_s = int(SIGN_IN_LIFETIME.total_seconds())
        response.set_cookie(SIGN_IN_COOKIE, sealed, max_age=lasts_s, path="/", httponly=True, samesite="lax")

    def _visitor(self, request: Request) -> LaunchVisitor:
        return LaunchVisitor(
            signed_in=self._signed_in(request),
            locale=preferred_locale(request.headers),
            browser=browser_name(request.headers.get("user-agent", "")),
        )

    def _signed_in(self, request: Request) -> Student | None:
        claims = self._cookie.claims(request, origin=self._public_url)
        if claims is None:
            return None
        return self._students.of_session(claims.issuer, claims.subject, claims.session)


def _to_sign_in(request: Request, token: str) -> Response:
    """To the welcome page, whose button signs in; from there back to the question.

    A cookie of a session that is over goes: with it the welcome page would lead straight back.
    """
    response = RedirectResponse("/", status_code=303, headers=FRESH)
    _forget_sign_in(request, response)
    for name, value, path in ((CHOICE_COOKIE, token, OPEN), (RETURN_TO, OPEN, "/")):
        response.set_cookie(name, value, max_age=RETURN_TO_LIFETIME_S, path=path, httponly=True, samesite="lax")
    return response


def _forget_sign_in(request: Request, response: Response) -> None:
    for name in request.cookies:
        if name == SIGN_IN_COOKIE or name.startswith(f"{SIGN_IN_COOKIE}_"):
            response.delete_cookie(name, path="/")
