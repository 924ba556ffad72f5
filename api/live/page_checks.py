"""Checks of a live request: a page of ours asks, for a student whose session counts and whose page it is."""

from dataclasses import replace

from starlette.requests import Request

from api.auth import SignInClaims, SignInCookie
from api.errors import ApiError
from api.middleware.host import AllowedHosts, is_cross_site
from services.i18n import gettext
from services.identity.page_owner import owner_mark
from services.identity.students import Student, Students
from services.settings import Settings

PAGE_HEADER = "x-requested-with"
PAGE = "homeroom"
OWNER_HEADER = "x-page-owner"


class PageChecks:
    """A cookie comes along with whatever another site's page sends, so each request must prove where it comes from."""

    def __init__(self, settings: Settings) -> None:
        self._cookie, self._hosts = SignInCookie(settings.cookie_secret), AllowedHosts(settings.public_url)
        self._origin = settings.public_url

    def claims(self, request: Request, *, changes: bool) -> SignInClaims:
        """Claims of the sign-in behind the request; raises `ApiError` 401 or 403.

        changes: whether it changes something: then it needs a header that only a script of our own origin can set.
        """
        self._hosts.check_origin(request.headers)
        if is_cross_site(request.headers) or (changes and request.headers.get(PAGE_HEADER) != PAGE):
            raise ApiError(403, "wrong_origin", "Pages of other sites may not call this.")
        claims = self._cookie.claims(request, origin=self._origin)
        if claims is None:
            raise signed_out()
        return replace(claims, page_owner=request.headers.get(OWNER_HEADER, ""))


def student_of(students: Students, claims: SignInClaims) -> Student:
    """The student, read now; raises `ApiError` 401 when their session was ended, or the page that asks is somebody
    else's: whoever signs in in one tab must not get what is sent from an older one.
    """
    student = students.of_session(claims.issuer, claims.subject, claims.session)
    if student is None or claims.page_owner not in ("", owner_mark(student.id)):
        raise signed_out()
    return student


def signed_out() -> ApiError:
    return ApiError(401, "signed_out", gettext("You are not signed in here any more. Load the page again to sign in."))
