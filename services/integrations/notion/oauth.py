"""OAuth 2 flow of Notion, which has no PKCE and no scopes: the student chooses the pages on Notion's own page.

https://developers.notion.com/guides/get-started/authorization
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import httpx
import notion_client
from notion_client.errors import HTTPResponseError, NotionClientErrorBase

from services.connections.connector import Account, Grant
from services.errors import RequestRefused
from services.i18n import gettext
from services.integrations.kit.payloads import parse_id, parse_text, payload_guard
from services.integrations.notion.client import NONSENSE, NotionClient
from services.integrations.notion.errors import (
    LABEL,
    error_code,
    no_response_error,
    reconnect_error,
    response_error,
    unreadable_error,
)


class NotionOAuth:
    """The `OAuth` protocol for Notion's endpoints."""

    scopes: tuple[str, ...] = ()
    ends_account = True

    def __init__(self, *, client_id: str, client_secret: str, base: str, library: notion_client.Client) -> None:
        self._client_id = client_id
        self._client_secret = client_secret
        self._base = base
        self._library = library

    def issuers(self, origin: str) -> tuple[str, ...]:
        return (self._base,)

    def authorize_url(self, *, origin: str, redirect_uri: str, state: str, verifier: str) -> str:
        """Address of the consent page; `verifier` is not used, because Notion has no PKCE."""
        query = {
            "client_id": self._client_id,
            "response_type": "code",
            "owner": "user",
            "redirect_uri": redirect_uri,
            "state": state,
        }
        return f"{self._base}/v1/oauth/authorize?{urlencode(query)}"

    def exchange(self, *, origin: str, redirect_uri: str, code: str, verifier: str) -> Grant:
        """Trade the code for a grant; raises `RequestRefused` for one that is used or too old, `ServiceUnavailable`."""
        return self._request_grant(grant_type="authorization_code", code=code, redirect_uri=redirect_uri)

    def refresh(self, grant: Grant) -> Grant:
        """Refresh the grant; raises `ReconnectRequired` when Notion refuses for good."""
        if grant.refresh_token is None:
            raise reconnect_error()
        try:
            return self._request_grant(grant_type="refresh_token", refresh_token=grant.refresh_token)
        except _TokenExpired:
            raise reconnect_error() from None

    def revoke(self, grant: Grant) -> None:
        """Revoke the grant at Notion; one that is revoked already is fine."""
        try:
            self._call(self._library.oauth.revoke, token=grant.access_token)
        except _TokenRefused:
            return

    def _request_grant(self, **fields: str) -> Grant:
        answer = self._call(self._library.oauth.token, **fields)
        if not isinstance(answer, dict):
            raise unreadable_error()
        token, refresh_token = answer.get("access_token"), answer.get("refresh_token")
        if not isinstance(token, str) or not token or not isinstance(refresh_token, str | None):
            raise unreadable_error()
        return Grant(origin=self._base, access_token=token, refresh_token=refresh_token)

    def _call(self, endpoint: Callable[..., Any], **fields: str) -> Any:
        try:
            return endpoint(self._client_id, self._client_secret, **fields)
        except HTTPResponseError as error:
            if error.status in (400, 401):
                raise _refused(error.status, error_code(error)) from None
            raise response_error(error) from None
        except (NotionClientErrorBase, httpx.HTTPError, *NONSENSE) as error:
            raise no_response_error(error) from None


class _TokenRefused(RequestRefused):
    """Notion knows the client, but refuses the code or token."""


class _TokenExpired(_TokenRefused):
    """The code or the refresh token is used up, revoked or too old."""


def _refused(status: int, problem: str) -> RequestRefused:
    if problem in ("invalid_grant", "invalid_token"):
        return _TokenExpired(
            LABEL,
            gettext("That consent took too long or was used already."),
            next_step=gettext("Press Connect and try once more."),
        )
    kind = _TokenRefused if status == 400 and problem != "invalid_client" else RequestRefused
    return kind(
        LABEL,
        gettext(
            "Notion did not accept Homeroom's own registration ({reason}).",
            reason=problem or gettext("no reason given"),
        ),
        next_step=gettext("Tell whoever runs Homeroom: NOTION_CLIENT_ID and NOTION_CLIENT_SECRET need a look."),
    )


def notion_account(notion: NotionClient) -> Account:
    """Name of the account: the person who connected it, else the workspace itself."""
    me = notion.me()
    with payload_guard(LABEL):
        bot = me.get("bot") or {}
        person = (bot.get("owner") or {}).get("user") or {}
        name = person.get("name") or bot.get("workspace_name") or me.get("name")
        return Account(id=parse_id(me["id"]), name=parse_text(name) or LABEL)
