"""OAuth 2 of Google: endpoints, consent page, code for grant, refresh, revoke.

https://developers.google.com/identity/protocols/oauth2/web-server
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import requests
from google_auth_oauthlib.flow import Flow
from oauthlib.oauth2 import MissingTokenError, OAuth2Error

from services.connections.connector import Account, Grant
from services.errors import PermissionMissing, RequestRefused, ServiceError, ServiceUnavailable
from services.i18n import gettext, gettext_noop
from services.integrations.google_calendar.errors import LABEL, reconnect_error
from services.integrations.google_calendar.provider import GoogleCalendarProvider
from services.integrations.kit.payloads import parse_id, parse_text, payload_guard
from services.runtime.clock import Clock
from services.runtime.total_timeout import TotalTimeoutAdapter

EVENTS = "https://www.googleapis.com/auth/calendar.events"
CALENDAR_LIST = "https://www.googleapis.com/auth/calendar.calendarlist.readonly"
NEEDED = (EVENTS, CALENDAR_LIST)
PERMISSIONS = {
    EVENTS: gettext_noop("see and change the events of your calendars"),
    CALENDAR_LIST: gettext_noop("see the list of your calendars"),
}
TIMEOUT_S = 8.0


@dataclass(frozen=True, kw_only=True)
class GoogleEndpoints:
    """Addresses of Google's endpoints; `origin` is the one that a grant belongs to."""

    origin: str
    authorize: str
    token: str
    revoke: str
    api: str
    account: str


GOOGLE_ENDPOINTS = GoogleEndpoints(
    origin="https://www.googleapis.com",
    authorize="https://accounts.google.com/o/oauth2/v2/auth",
    token="https://oauth2.googleapis.com/token",  # noqa: S106 - an address
    revoke="https://oauth2.googleapis.com/revoke",
    api="https://www.googleapis.com/calendar/v3/",
    account="https://myaccount.google.com/connections",
)


def endpoints_at(base: str) -> GoogleEndpoints:
    """Endpoints under a base address that the operator set, or Google's own when it is empty."""
    if not base:
        return GOOGLE_ENDPOINTS
    base = base.rstrip("/")
    return GoogleEndpoints(
        origin=base,
        authorize=f"{base}/o/oauth2/v2/auth",
        token=f"{base}/token",
        revoke=f"{base}/revoke",
        api=f"{base}/calendar/v3/",
        account=base,
    )


class GoogleOAuth:
    """OAuth 2 client with PKCE (S256), and only the scopes that the tools need."""

    scopes: tuple[str, ...] = NEEDED
    ends_account = True

    def __init__(self, *, client_id: str, client_secret: str, endpoints: GoogleEndpoints, clock: Clock) -> None:
        self._client_id = client_id
        self._client_secret = client_secret
        self._endpoints = endpoints
        self._clock = clock
        # At DEBUG it writes tokens into the log.
        logging.getLogger("requests_oauthlib").setLevel(logging.INFO)

    def issuers(self, origin: str) -> tuple[str, ...]:
        parts = urlsplit(self._endpoints.authorize)
        return (f"{parts.scheme}://{parts.netloc}", self._endpoints.origin)

    def authorize_url(self, *, origin: str, redirect_uri: str, state: str, verifier: str) -> str:
        """Build the consent address; asks for a refresh token, and shows the consent page every time to get one."""
        flow = self._flow(redirect_uri, verifier, scopes=self.scopes)
        with flow.oauth2session:
            url, _ = flow.authorization_url(state=state, access_type="offline", prompt="consent")
        return str(url).replace(_as_https(self._endpoints.authorize), self._endpoints.authorize, 1)

    def exchange(self, *, origin: str, redirect_uri: str, code: str, verifier: str) -> Grant:
        """Exchange the code for a grant that covers what the tools cannot do without.

        Raises `PermissionMissing` when the student ticked only part of them (nothing is kept then, at Google either),
        `RequestRefused` for a code that is used or too old, `ServiceUnavailable`.
        """
        # Without scopes of its own, or oauthlib would turn a partial consent into a bare `Warning`.
        flow = self._flow(redirect_uri, verifier, scopes=None)
        try:
            with flow.oauth2session:
                flow.oauth2session.register_compliance_hook("access_token_response", _checked_answer)
                token = flow.fetch_token(code=code, timeout=TIMEOUT_S, include_client_id=True)
        except MissingTokenError:
            raise _no_json_error() from None
        except OAuth2Error as error:
            raise _refused(error.error) from None
        except requests.RequestException as error:
            raise _error_of_failed_request(error) from None
        return self._checked(self._grant(token, refresh_token=None))

    def refresh(self, grant: Grant) -> Grant:
        """Refresh the grant; raises `ReconnectRequired` when Google refuses for good."""
        if grant.refresh_token is None:
            raise reconnect_error()
        answer = self._post(
            self._endpoints.token,
            grant_type="refresh_token",
            refresh_token=grant.refresh_token,
            client_id=self._client_id,
            client_secret=self._client_secret,
        )
        token = _json(_checked_answer(answer))
        if "access_token" in token:
            return self._grant({"scope": " ".join(grant.scopes), **token}, refresh_token=grant.refresh_token)
        raise reconnect_error() if token.get("error") == "invalid_grant" else _refused(str(token.get("error", "")))

    def revoke(self, grant: Grant) -> None:
        """Revoke the grant at Google; one that has already ended is fine."""
        answer = self._post(self._endpoints.revoke, token=grant.refresh_token or grant.access_token)
        if answer.status_code not in (200, 400):
            raise ServiceUnavailable(LABEL, gettext("Google did not confirm that the access has ended."))

    def _flow(self, redirect_uri: str, verifier: str, *, scopes: tuple[str, ...] | None) -> Flow:
        config = {
            "client_id": self._client_id,
            "client_secret": self._client_secret,
            "auth_uri": _as_https(self._endpoints.authorize),
            "token_uri": _as_https(self._endpoints.token),
        }
        flow = Flow.from_client_config(
            {"web": config}, scopes=scopes, redirect_uri=redirect_uri, code_verifier=verifier
        )
        flow.oauth2session.trust_env = False
        is_plain = self._endpoints.token.startswith("http://")
        flow.oauth2session.mount("https://", _PlainHttp() if is_plain else TotalTimeoutAdapter())
        return flow

    def _grant(self, token: dict[str, Any], *, refresh_token: str | None) -> Grant:
        scope = token.get("scope", "")
        return Grant(
            origin=self._endpoints.origin,
            access_token=token["access_token"],
            refresh_token=token.get("refresh_token", refresh_token),
            expires_at=self._ends(token.get("expires_in")),
            scopes=tuple(scope.split() if isinstance(scope, str) else scope),
        )

    def _ends(self, expires_in: int | None) -> datetime | None:
        return None if expires_in is None else self._clock() + timedelta(seconds=int(expires_in))

    def _checked(self, grant: Grant) -> Grant:
        missing = [scope for scope in NEEDED if scope not in grant.scopes]
        if not missing:
            return grant
        with suppress(ServiceError):
            self.revoke(grant)
        boxes = {EVENTS: gettext("view and edit events"), CALENDAR_LIST: gettext("see the list of your calendars")}
        raise PermissionMissing(
            LABEL,
            gettext(
                "Google shared only a part: permission to {boxes} is missing.",
                boxes=gettext(" and to ").join(gettext(boxes[m]) for m in missing),
            ),
            next_step=gettext("Connect Google Calendar again and tick every box on Google's page."),
        )

    def _post(self, url: str, **form: str) -> requests.Response:
        try:
            with requests.Session() as session:
                # No proxy and no .netrc of the environment.
                session.trust_env = False
                for scheme in ("https://", "http://"):
                    session.mount(scheme, TotalTimeoutAdapter())
                return session.post(url, data=form, timeout=TIMEOUT_S, allow_redirects=False)
        except requests.RequestException as error:
            raise _error_of_failed_request(error) from None


class _PlainHttp(TotalTimeoutAdapter):
    """Transport adapter that sends what oauthlib takes for https to the http address that the operator set.

    oauthlib refuses http addresses; its only switch is an environment variable, for the whole process.
    """

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        request.url = str(request.url).replace("https://", "http://", 1)
        return super().send(request, *args, **kwargs)


def _as_https(url: str) -> str:
    return url.replace("http://", "https://", 1) if url.startswith("http://") else url


def _checked_answer(answer: requests.Response) -> requests.Response:
    """Check that this is an answer of the token endpoint; raises `ServiceUnavailable` otherwise."""
    if answer.status_code >= 500 or answer.status_code == 429:
        raise ServiceUnavailable(LABEL, gettext("Google is having trouble with sign-ins right now."))
    if answer.is_redirect:
        raise ServiceUnavailable(LABEL, gettext("Google sent us to another address instead of answering."))
    _json(answer)
    return answer


def _json(answer: requests.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except (ValueError, RecursionError):
        raise _no_json_error() from None
    # RFC 6749, 5.1 and 5.2: a token comes with a good status alone, an error with a bad one.
    own = body.get("access_token" if answer.ok else "error") if isinstance(body, dict) else None
    if not isinstance(own, str) or not own:
        raise ServiceUnavailable(LABEL, gettext("Google sent an answer that cannot be read."))
    return dict(body)


def _refused(reason: str) -> RequestRefused:
    if reason == "invalid_grant":
        return RequestRefused(
            LABEL,
            gettext("That consent took too long or was used already."),
            next_step=gettext("Press Connect and try once more."),
        )
    return RequestRefused(
        LABEL,
        gettext(
            "Google did not accept Homeroom's own registration ({reason}).", reason=reason or gettext("no reason given")
        ),
        next_step=gettext("Tell whoever runs Homeroom: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET need a look."),
    )


def _error_of_failed_request(error: requests.RequestException) -> ServiceUnavailable:
    if isinstance(error, requests.Timeout):
        return ServiceUnavailable(LABEL, gettext("Google did not answer in time."))
    if isinstance(error, requests.TooManyRedirects):
        return ServiceUnavailable(LABEL, gettext("Google kept sending us in circles."))
    return ServiceUnavailable(LABEL, gettext("Google cannot be reached."))


def _no_json_error() -> ServiceUnavailable:
    return ServiceUnavailable(LABEL, gettext("Google is in maintenance: it sent a web page instead of data."))


def google_account(calendars: GoogleCalendarProvider) -> Account:
    """Read the account: the main calendar's id is the account's address."""
    entry = calendars.google.calendar_entry()
    with payload_guard(LABEL):
        id = parse_id(entry["id"])
        return Account(
            id=id, name=parse_text(entry.get("summary")) or id, timezone=parse_text(entry.get("timeZone")) or None
        )
