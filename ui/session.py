"""Session of a page: the services, and the signed-in student."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

import streamlit as st

from services import bootstrap
from services.classes.lti.accounts import LAUNCH_METHOD
from services.errors import SignInRequired, StorageError
from services.i18n import gettext, locale_scope
from services.identity.browser_names import browser_name
from services.identity.students import Student
from services.wiring.container import ServiceContainer
from ui.page_locale import visitor_locale
from ui.streamlit_compat import redirect_browser

T = TypeVar("T")
LAST_LOOK_UP = "seen_student"
GRACE_S = 30.0
"""Age of the last look-up that still counts while the store does not answer."""


@dataclass(frozen=True, kw_only=True)
class OidcClaims:
    """Claims of OpenID Connect Core 1.0, section 5.1; issuer and subject are never blank, the others may be "".

    session: when the provider issued this identity (`iat`), which tells sign-ins apart; 0 when missing.
    is_email_verified: only when the provider says so; a missing claim counts as no. is_launched: a school's system
    began the session (`services.classes.lti.accounts`).
    """

    issuer: str
    subject: str
    name: str = field(repr=False)
    email: str = field(repr=False)
    is_email_verified: bool
    timezone: str
    session: int
    is_launched: bool = False


def services() -> ServiceContainer:
    """Services of this process."""
    return bootstrap.container()


def look_up_student() -> Student | None:
    """Look up the signed-in student; None for a visitor, when disabled or unnamed, and before sign-in is set up.

    The frame does so in each run: a student who was signed out elsewhere or deleted is out with the next click.
    """
    if not st.user.get("is_logged_in") or (claims := read_claims()) is None:
        return None
    now = services().clock()
    try:
        seen = (_record_sign_in(claims), now)
    except StorageError:
        seen = st.session_state.get(LAST_LOOK_UP)
        if seen is None or abs((now - seen[1]).total_seconds()) > GRACE_S:
            raise
    st.session_state[LAST_LOOK_UP] = seen
    return _unless_disabled(seen[0])


def is_signed_out() -> bool:
    """Whether the last look-up found that this session was ended, although its cookie is still valid."""
    seen = st.session_state.get(LAST_LOOK_UP)
    return seen is not None and seen[0].is_signed_out


def sign_out(student: Student) -> None:
    """End this session on the server, so that no copy of its cookie is valid; then forget it here."""
    claims = read_claims()
    if claims is not None:
        with suppress(StorageError):
            services().students.end_session(student.id, claims.session)
    forget_student()
    st.logout()


def sign_out_everywhere(student: Student) -> None:
    """End all sessions of the student, then leave by Streamlit's own sign-out, after which the welcome page says so.

    Raises `StorageError`; then all sessions stay, this one too.
    """
    services().students.end_all_sessions(student.id)
    forget_student()
    redirect_browser("/auth/logout?everywhere")


def delete_everything(student: Student) -> None:
    """Delete all data of the student, clear this session, and leave for the welcome page, which says so.

    Raises `StorageError` when it could not be completed; once begun, the jobs loop completes it.
    """
    unanswered = services().account_deletion.delete(student.id)
    st.session_state.clear()
    redirect_browser("/auth/logout?deleted-later" if unanswered else "/auth/logout?deleted")


def current_student() -> Student:
    """Student of a page that only signed-in students reach, as the frame has looked them up in this run."""
    seen = st.session_state.get(LAST_LOOK_UP)
    found = _unless_disabled(seen[0]) if seen else look_up_student()
    if found is None:
        st.stop()
    return found


def require_signed_in(student: Student) -> Student:
    """The student, read now; raises `SignInRequired` when the session was ended, or they were deleted or disabled,
    since the look-up: for code that runs before the frame. Pages reach it through `ui.session_guard`.
    """
    return _require_sign_in(student, _sign_in_number())


def while_signed_in(student: Student, read: Callable[[], T]) -> Callable[[], T]:
    """Wrap `read` for a button that works without a run: in the student's locale, refused once they are signed out."""
    number = _sign_in_number()

    def checked() -> T:
        with locale_scope(student.locale):
            _require_sign_in(student, number)
            return read()

    return checked


def _require_sign_in(student: Student, number: int) -> Student:
    if (found := services().students.in_session(student.id, number)) is None:
        raise SignInRequired(gettext("You are not signed in here any more."))
    return found


def _sign_in_number() -> int:
    """Number of the sign-in that began this session; 0 when the provider does not give any."""
    claims = read_claims()
    return claims.session if claims else 0


def forget_student() -> None:
    """Look the student up again, after a change of their settings."""
    st.session_state.pop(LAST_LOOK_UP, None)


def _unless_disabled(found: Student) -> Student | None:
    return None if found.is_disabled or found.is_signed_out else found


def _record_sign_in(claims: OidcClaims) -> Student:
    student = services().students.sign_in(
        issuer=claims.issuer,
        subject=claims.subject,
        name=claims.name,
        email=claims.email,
        is_email_verified=claims.is_email_verified,
        timezone=claims.timezone or st.context.timezone,
        locale=visitor_locale(),
        session=claims.session,
        browser=browser_name(st.context.headers.get("User-Agent") or ""),
    )
    return replace(student, is_launched=claims.is_launched)


def read_claims() -> OidcClaims | None:
    """Claims of this session; None without issuer and subject, as all such people would be one."""
    issuer, subject = _text("iss"), _text("sub")
    if not issuer or not subject:
        return None
    return OidcClaims(
        issuer=issuer,
        subject=subject,
        name=_text("name"),
        email=_text("email"),
        # Some providers send a string instead of a boolean.
        is_email_verified=st.user.get("email_verified") in (True, "true"),
        timezone=_text("zoneinfo"),
        session=issued if isinstance(issued := st.user.get("iat"), int) else 0,
        is_launched=st.user.get("amr") == [LAUNCH_METHOD],
    )


def _text(claim: str) -> str:
    """Claim as text; "" when it is missing, blank or not a string. Identifiers are compared exactly."""
    value = st.user.get(claim)
    return value if isinstance(value, str) and value.strip() else ""
