"""OAuth 2 of Canvas: https://developerdocs.instructure.com/services/canvas/oauth2/file.oauth_endpoints"""

import base64
import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode
from zoneinfo import available_timezones

from requests.adapters import HTTPAdapter

from services.connections.connector import Account, Grant
from services.errors import ItemNotFound, PermissionMissing, ReconnectRequired, RequestRefused, ServiceUnavailable
from services.i18n import gettext, gettext_noop
from services.integrations.canvas import errors
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.payloads import read_time
from services.integrations.canvas.transport import CanvasSession, CanvasTimeouts
from services.runtime.clock import Clock, utc_now
from services.runtime.total_timeout import TotalTimeoutAdapter
from services.safety.text import one_line

LONGEST_ID = 100
_TOKEN_HINT = 5
"""Letters by which Canvas finds a token: its `token_hint`."""
PERMISSIONS = {
    f"url:GET|/api/v1/{path}": words
    for words, paths in (
        (gettext_noop("see announcements"), ("announcements",)),
        (gettext_noop("see your Canvas calendar"), ("calendar_events",)),
        (gettext_noop("see your courses"), ("courses", "courses/:id")),
        (
            gettext_noop("see assignments"),
            (
                "courses/:course_id/assignment_groups",
                "courses/:course_id/assignments",
                "courses/:course_id/assignments/:id",
                "courses/:course_id/quizzes",
            ),
        ),
        (
            gettext_noop("see what you handed in, and what is missing"),
            (
                "courses/:course_id/assignments/:assignment_id/submissions/:user_id",
                "courses/:course_id/students/submissions",
                "users/:user_id/missing_submissions",
            ),
        ),
        (
            gettext_noop("see discussions"),
            (
                "courses/:course_id/discussion_topics",
                "courses/:course_id/discussion_topics/:topic_id",
                "courses/:course_id/discussion_topics/:topic_id/view",
            ),
        ),
        (
            gettext_noop("see the files and pages of your courses"),
            (
                "courses/:course_id/files",
                "courses/:course_id/files/:id",
                "courses/:course_id/folders",
                "courses/:course_id/pages",
                "courses/:course_id/pages/:url_or_id",
            ),
        ),
        (gettext_noop("see grading periods"), ("courses/:course_id/grading_periods",)),
        (
            gettext_noop("see modules"),
            ("courses/:course_id/modules", "courses/:course_id/modules/:module_id/items"),
        ),
        (gettext_noop("see your Canvas to-do list"), ("planner/items",)),
        (gettext_noop("see your name"), ("users/:user_id/profile",)),
    )
    for path in paths
}
INSTRUCTURE = "https://canvas.instructure.com"
"""Issuer of every hosted Canvas, whatever its address."""
SCOPES = tuple(PERMISSIONS)
"""Scopes of exactly what the tools call; Canvas enforces them where its administrator switches that on."""


class CanvasOAuth:
    """OAuth 2 client with PKCE, for any of the operator's Canvas addresses, which share one client id and secret."""

    scopes = SCOPES
    ends_account = False

    def __init__(self, *, client_id: str, client_secret: str, timeouts: CanvasTimeouts, clock: Clock = utc_now) -> None:
        self._client = {"client_id": client_id, "client_secret": client_secret}
        self._timeouts, self._clock = timeouts, clock

    def issuers(self, origin: str) -> tuple[str, ...]:
        return (origin, INSTRUCTURE)

    def authorize_url(self, *, origin: str, redirect_uri: str, state: str, verifier: str) -> str:
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "client_id": self._client["client_id"],
            "response_type": "code",
            "redirect_uri": redirect_uri,
            "state": state,
            "scope": " ".join(self.scopes),
            "purpose": "Homeroom",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{origin}/login/oauth2/auth?{urlencode(query)}"

    def exchange(self, *, origin: str, redirect_uri: str, code: str, verifier: str) -> Grant:
        fields = {"redirect_uri": redirect_uri, "code": code, "code_verifier": verifier}
        try:
            answer = self._request_token(origin, grant_type="authorization_code", **fields)
        except RequestRefused:
            raise RequestRefused(
                LABEL,
                gettext("Canvas did not accept this sign-in."),
                next_step=gettext("Press Connect to start again."),
            ) from None
        return self._grant(origin, answer)

    def refresh(self, grant: Grant) -> Grant:
        """Refresh the grant; it keeps the old refresh token, which stays valid in Canvas, and its scopes."""
        try:
            answer = self._request_token(
                grant.origin, grant_type="refresh_token", refresh_token=grant.refresh_token or ""
            )
        except RequestRefused:
            raise ReconnectRequired(
                LABEL, gettext("Canvas ended the access. Homeroom may have been removed there.")
            ) from None
        return replace(self._grant(grant.origin, answer), scopes=grant.scopes)

    def revoke(self, grant: Grant) -> None:
        """Revoke the grant. Canvas needs a valid access token for that; the refresh token alone would stay valid."""
        try:
            end_token(grant, self._timeouts)
        except ReconnectRequired:
            end_token(self.refresh(grant), self._timeouts)

    def _request_token(self, origin: str, **fields: str) -> dict[str, Any]:
        try:
            with _session(origin, self._timeouts) as session:
                answer = session.post(f"{origin}/login/oauth2/token", data={**self._client, **fields}).json()
        except ReconnectRequired:
            # A 401 here is about our client id and secret: no student can mend it, and no connection should end by it.
            raise ServiceUnavailable(
                LABEL, gettext("Canvas does not know this Homeroom."), next_step=gettext("Tell whoever runs Homeroom.")
            ) from None
        except (ValueError, RecursionError):
            raise errors.unreadable_answer() from None
        if not isinstance(answer, dict) or not isinstance(answer.get("access_token"), str):
            raise errors.unreadable_answer()
        return answer

    def _grant(self, origin: str, answer: dict[str, Any]) -> Grant:
        lifetime_s = answer.get("expires_in")
        return Grant(
            origin=origin,
            access_token=answer["access_token"],
            refresh_token=answer.get("refresh_token"),
            expires_at=self._clock() + timedelta(seconds=lifetime_s) if isinstance(lifetime_s, int) else None,
            scopes=self.scopes,
        )


def end_token(grant: Grant, timeouts: CanvasTimeouts, adapter: HTTPAdapter | None = None) -> None:
    """Delete a token in Canvas, pasted or granted. adapter: the transport, when it is not the usual one."""
    with _session(grant.origin, timeouts, adapter) as session:
        session.delete(f"{grant.origin}/login/oauth2/token", headers={"Authorization": f"Bearer {grant.access_token}"})


def _session(origin: str, timeouts: CanvasTimeouts, adapter: HTTPAdapter | None = None) -> CanvasSession:
    """Session over a new connection: a POST on one that Canvas has just closed would not be retried."""
    return CanvasSession(origin, timeouts=timeouts, adapter=adapter or TotalTimeoutAdapter())


def canvas_account(client: CanvasClient, grant: Grant) -> Account:
    """Read the Canvas user behind a grant; for a pasted token also its expiry, where this Canvas shows it."""
    profile = client.profile()
    zone = profile.get("time_zone")
    is_pasted = grant.refresh_token is None and grant.expires_at is None
    try:
        token = client.token(quote(grant.access_token[:_TOKEN_HINT])) if is_pasted else {}
        ends_at, _ = read_time(token.get("expires_at"))
    except (ItemNotFound, PermissionMissing, RequestRefused, ServiceUnavailable):
        ends_at = None
    return Account(
        id=one_line(profile.get("id", ""), LONGEST_ID),
        name=one_line(profile.get("name") or "your Canvas account", 80),
        timezone=zone if zone in available_timezones() else None,
        expires_at=ends_at,
    )
