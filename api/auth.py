"""Authentication: API keys in a header, and the sign-in cookie of a browser."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from api.errors import ApiError, sentence_of
from services.errors import SignInRequired
from services.i18n import gettext
from services.identity.api_keys import ApiKey, ApiKeys, Caller, KeyScope
from services.identity.sign_in_sessions import SIGN_IN_ACCEPTED_FOR
from services.tools.tool import Tool

KEY_HEADERS = ("authorization", "x-api-key")
_BEARER = re.compile(r"bearer +(.*)", re.IGNORECASE | re.DOTALL)
_PARTS = re.compile(r"chunks-([1-9][0-9]?)")
"""What the cookie says when the claims are too long for one: how many others have a part of them each."""
_CHALLENGE = 'Bearer realm="Homeroom", error="{code}"'
SIGN_IN_COOKIE = "_streamlit_user"


def presented_key(headers: Headers) -> str:
    """API key of a request (RFC 6750, section 2.1, or `x-api-key`); cookies and queries do not count.

    Two headers may carry it only when they agree: otherwise each route might count another one.
    """
    bearers = [_BEARER.fullmatch(value.strip()) for value in headers.getlist("authorization")]
    found = {match[1] if match else "" for match in bearers} | {key.strip() for key in headers.getlist("x-api-key")}
    if not found:
        message = gettext("Send a key of yours as `Authorization: Bearer …`; Settings makes one.")
        raise ApiError(401, "missing_key", message)
    if len(found) > 1:
        raise _refused(gettext("The request carries two different credentials. Send one."))
    return found.pop()


def authenticate(keys: ApiKeys, key: str) -> Caller:
    """Caller of a key; every refusal looks the same, so that nobody learns which keys once existed."""
    try:
        return keys.authenticate(key)
    except SignInRequired as error:
        raise _refused(sentence_of(error)) from None


def require(caller: Caller, scopes: frozenset[KeyScope]) -> None:
    """Refuse a key that has none of these scopes."""
    if scopes & caller.key.scopes:
        return
    challenge = f'{_CHALLENGE.format(code="insufficient_scope")}, scope="{" ".join(sorted(scopes))}"'
    needed = reduce(
        lambda first, second: gettext("{one} or {other}", one=first, other=second),
        sorted(str(scope) for scope in scopes),
    )
    message = gettext("This key may not do that: it needs the scope {needed}.", needed=needed)
    raise ApiError(403, "insufficient_scope", message, headers={"www-authenticate": challenge})


def scope_of(tool: Tool) -> KeyScope:
    """Scope that a call of the tool needs."""
    return KeyScope.WRITE if tool.effect.is_change else KeyScope.READ


def may_use(key: ApiKey, tool: Tool) -> bool:
    return scope_of(tool) in key.scopes


def _refused(message: str) -> ApiError:
    return ApiError(401, "invalid_key", message, headers={"www-authenticate": _CHALLENGE.format(code="invalid_token")})


@dataclass(frozen=True, kw_only=True)
class SignInClaims:
    """Claims of OpenID Connect Core 1.0, section 5.1. session: when the identity was issued (`iat`); 0 when unknown.

    page_owner: mark of the student whose page asks (`owner_mark`); "" where it does not say.
    """

    issuer: str
    subject: str
    session: int
    page_owner: str = ""

    @property
    def lane(self) -> str:
        """Lane of this account in a pool of threads."""
        return f"{self.issuer} {self.subject}"


class SignInCookie:
    """Verifier of Streamlit's sign-in cookie: its signature alone, in some 20 µs without the store; the student may be
    signed out or deleted by now."""

    def __init__(self, secret: str) -> None:
        # As Streamlit seals it (starlette_app_utils.py, 1.67). One that is too long for a browser is sealed in parts,
        # each with its own cookie's name; this, the first, tells how many there are.
        self._secret = secret
        self._seal = URLSafeTimedSerializer(secret, salt=SIGN_IN_COOKIE)

    def is_good(self, request: HTTPConnection) -> bool:
        """Whether the request has a cookie that was signed here and has not expired."""
        return self._unsealed(request.cookies.get(SIGN_IN_COOKIE, "")) is not None

    def claims(self, request: HTTPConnection, *, origin: str) -> SignInClaims | None:
        """Claims of the signed-in identity; None without a good cookie that was made for this origin."""
        claims = self._identity(request)
        if claims is None or claims.get("origin") != origin or claims.get("is_logged_in") is not True:
            return None
        issuer, subject, issued_at = claims.get("iss"), claims.get("sub"), claims.get("iat")
        if not isinstance(issuer, str) or not isinstance(subject, str):
            return None
        return SignInClaims(issuer=issuer, subject=subject, session=issued_at if isinstance(issued_at, int) else 0)

    def account(self, request: HTTPConnection) -> str | None:
        """Account of a good cookie, the same for each sign-in of a student; None without one."""
        claims = self._identity(request)
        return None if claims is None else json.dumps([claims.get("iss"), claims.get("sub")])

    def _identity(self, request: HTTPConnection) -> dict[str, Any] | None:
        written = self._unsealed(request.cookies.get(SIGN_IN_COOKIE, "")) or ""
        if parts := _PARTS.fullmatch(written):
            names = [f"{SIGN_IN_COOKIE}_{part + 1}" for part in range(int(parts[1]))]
            written = "".join(self._part(request, name) for name in names)
        try:
            claims = json.loads(written)
        except ValueError:
            return None
        return claims if isinstance(claims, dict) else None

    def seal(self, claims: Mapping[str, Any]) -> str:
        """Value of the cookie for an identity that Homeroom vouches for itself: few claims, as they get one cookie."""
        return self._seal.dumps(json.dumps(claims))

    def _part(self, request: HTTPConnection, name: str) -> str:
        seal = URLSafeTimedSerializer(self._secret, salt=name)
        return self._unsealed(request.cookies.get(name, ""), seal) or ""

    def _unsealed(self, sealed: str, seal: URLSafeTimedSerializer | None = None) -> str | None:
        try:
            unsealed = (seal or self._seal).loads(sealed, max_age=int(SIGN_IN_ACCEPTED_FOR.total_seconds()))
        except BadData:
            return None
        return unsealed if isinstance(unsealed, str) else None
