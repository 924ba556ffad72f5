"""Notion's OAuth 2: consent page, tokens, introspection, revocation (https://developers.notion.com/docs/authorization)."""

import base64
import binascii
import uuid
from datetime import datetime
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox.campus import CLIENT_ID, CLIENT_SECRET, Campus, acting_as
from sandbox.class_list.claims import Claims
from sandbox.grants import Grants
from sandbox.notion.access import read_json
from sandbox.notion.bodies import Body, read_body
from sandbox.notion.shapes import Shapes
from sandbox.notion.workspace import Workspace
from sandbox.pages import consent_page, message_page
from sandbox.refusals import Refused

SITE = "Notion"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
ASKS = (
    "See the pages and databases that you share with it",
    "Change and add content in them",
    "See who you are, with your e-mail address",
)


class TokenWish(Body):
    """POST /v1/oauth/token"""

    grant_type: Literal["authorization_code", "refresh_token"]
    code: str | None = None
    redirect_uri: str | None = None
    refresh_token: str | None = None
    external_account: dict[str, str] | None = None


class TokenNamed(Body):
    """POST /v1/oauth/introspect and /v1/oauth/revoke"""

    token: str


class OAuthPages:
    """Answers /v1/oauth/authorize, token, introspect and revoke."""

    def __init__(self, campus: Campus, grants: Grants) -> None:
        self._campus = campus
        self._grants = grants

    async def ask(self, request: Request) -> Response:
        """The consent page, which says yes by itself to whoever is signed in and meant."""
        self._check_wish(request.query_params)
        claims = Claims(self._campus)
        if person := claims.signed_in_as(request):
            return self._allowed(request, request.query_params, person.id)
        return consent_page(request, claims.people_for(request), site=SITE, asks=ASKS)

    async def decide(self, request: Request) -> Response:
        """What the person pressed: back to Homeroom with a code, or with access_denied."""
        form = await request.form()
        self._check_wish(form)
        person = str(form.get("person") or "")
        if form.get("decision") != "allow":
            return _back(form, error="access_denied")
        if person not in Claims(self._campus).people_for(request):
            raise _blocked("Choose an account to continue.")
        return self._allowed(request, form, person)

    def _allowed(self, request: Request, fields: Any, person: str) -> Response:
        acting_as(request, person, write=False)
        return _back(fields, code=self._grants.code(person=person, redirect_uri=str(fields.get("redirect_uri"))))

    async def token(self, request: Request) -> Response:
        """A code or a refresh token for tokens; the refresh token changes with every use."""
        wish = read_body(TokenWish, await self._client_body(request))
        if wish.grant_type == "authorization_code":
            facts = self._grants.redeem(wish.code or "")
            if facts is None or facts["redirect_uri"] != wish.redirect_uri:
                return _refusal(
                    "invalid_grant", "Invalid code: the code is unknown, used, expired or for another redirect_uri."
                )
            grant = self._grants.open(person=facts["person"])
        else:
            held = self._grants.holder(wish.refresh_token or "", "refresh")
            if held is None:
                return _refusal("invalid_grant", "Invalid refresh token.")
            self._grants.forget_token(wish.refresh_token or "")
            grant = held
        acting_as(request, grant["person"], write=False)
        return JSONResponse(self._tokens(grant))

    async def introspect(self, request: Request) -> Response:
        """Whether a token is alive."""
        named = read_body(TokenNamed, await self._client_body(request))
        grant = self._grants.holder(named.token) or self._grants.holder(named.token, "refresh")
        if grant is None:
            return JSONResponse({"active": False, "request_id": str(uuid.uuid4())})
        issued = int(datetime.fromisoformat(grant["at"]).timestamp())
        scope = "read_content update_content insert_content"
        return JSONResponse({"active": True, "scope": scope, "iat": issued, "request_id": str(uuid.uuid4())})

    async def revoke(self, request: Request) -> Response:
        """End the grant behind a token."""
        named = read_body(TokenNamed, await self._client_body(request))
        if not self._grants.revoke(named.token):
            return _refusal("invalid_request", "The token is invalid or was revoked already.")
        return JSONResponse({"request_id": str(uuid.uuid4())})

    def _tokens(self, grant: dict[str, Any]) -> dict[str, Any]:
        workspace = Workspace(self._campus, grant["person"])
        return {
            "access_token": self._grants.token(grant, "access", lifetime_s=None, prefix="ntn_"),
            "refresh_token": self._grants.token(grant, "refresh", lifetime_s=None, prefix="nrt_"),
            "token_type": "bearer",
            "bot_id": workspace.bot_id,
            "workspace_icon": None,
            "workspace_name": workspace.name,
            "workspace_id": workspace.id,
            "owner": {"type": "user", "user": Shapes(self._campus, workspace).owner()},
            "duplicated_template_id": None,
            "request_id": str(uuid.uuid4()),
        }

    async def _client_body(self, request: Request) -> Any:
        kind, _, encoded = request.headers.get("authorization", "").partition(" ")
        try:
            client = base64.b64decode(encoded).decode() if kind.lower() == "basic" else ""
        except (binascii.Error, UnicodeDecodeError):
            client = ""
        if client != f"{CLIENT_ID}:{CLIENT_SECRET}":
            raise Refused(_refusal("invalid_client", "Client authentication failed.", status=401))
        return read_json(await request.body())

    def _check_wish(self, given: Any) -> None:
        target, home = urlsplit(str(given.get("redirect_uri") or "")), urlsplit(self._campus.origin)
        if given.get("client_id") != CLIENT_ID:
            raise _blocked("Missing or invalid client_id.")
        is_registered = target.hostname in LOOPBACK or target.netloc == home.netloc
        if target.scheme not in ("http", "https") or target.fragment or not is_registered:
            raise _blocked("Missing or invalid redirect_uri.")
        if given.get("response_type") != "code" or given.get("owner") != "user":
            raise _blocked("response_type must be code, and owner must be user.")


def _back(form: Any, **answer: str) -> Response:
    redirect_uri, state = str(form["redirect_uri"]), form.get("state")
    facts = answer | ({"state": str(state)} if state else {})
    joint = "&" if urlsplit(redirect_uri).query else "?"
    return RedirectResponse(f"{redirect_uri}{joint}{urlencode(facts)}", status_code=303)


def _refusal(error: str, description: str, *, status: int = 400) -> Response:
    body = {"error": error, "error_description": description, "request_id": str(uuid.uuid4())}
    return JSONResponse(body, status)


def _blocked(sentence: str) -> Refused:
    return Refused(message_page("Homeroom cannot be connected", sentence, site=SITE, status=400))
