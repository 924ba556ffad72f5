"""Google's OAuth 2: the consent page, codes, tokens and revocation (https://developers.google.com/identity/protocols/oauth2/web-server)."""

import base64
import binascii
from typing import Any
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox.campus import CLIENT_ID, CLIENT_SECRET, Campus, acting_as
from sandbox.class_list.claims import Claims
from sandbox.google.discovery import scope_words
from sandbox.grants import Grants, pkce_matches
from sandbox.pages import consent_page, message_page
from sandbox.refusals import Refused

SITE = "Google"
ACCESS_LIFETIME_S = 3600
SIGN_IN_SCOPES = {
    "openid": "Associate you with your personal info on Google",
    "email": "See your primary Google Account email address",
    "profile": "See your personal info, including any personal info you've made publicly available",
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class OAuthPages:
    """Answers /o/oauth2/v2/auth, /token and /revoke."""

    def __init__(self, campus: Campus, grants: Grants) -> None:
        self._campus = campus
        self._grants = grants

    async def ask(self, request: Request) -> Response:
        """The consent page: who you are, what Homeroom may do, Allow or Deny. It says yes by itself to whoever is
        signed in and meant.
        """
        wish = self._read_wish(request.query_params)
        if person := Claims(self._campus).signed_in_as(request):
            return self._allowed(request, wish, person.id)
        words = scope_words() | SIGN_IN_SCOPES
        people = Claims(self._campus).people_for(request)
        return consent_page(request, people, site=SITE, asks=[words[scope] for scope in wish["scopes"]])

    async def decide(self, request: Request) -> Response:
        """What the person pressed: back to Homeroom with a code, or with access_denied."""
        form = await request.form()
        wish = self._read_wish(form)
        person = form.get("person")
        if form.get("decision") != "allow":
            return _back(wish, error="access_denied")
        if person not in Claims(self._campus).people_for(request):
            raise _blocked("invalid_request", "Choose an account to continue.")
        return self._allowed(request, wish, str(person))

    def _allowed(self, request: Request, wish: dict[str, Any], person: str) -> Response:
        acting_as(request, person, write=False)
        code = self._grants.code(person=person, **wish)
        issuer = f"{request.url.scheme}://{request.url.netloc}"
        return _back(wish, code=code, scope=" ".join(wish["scopes"]), authuser="0", prompt="consent", iss=issuer)

    async def token(self, request: Request) -> Response:
        """POST /token: a code or a refresh token for an access token."""
        form = await request.form()
        if _client(request, form) != (CLIENT_ID, CLIENT_SECRET):
            return _refusal("invalid_client", "The OAuth client was not found.", status=401)
        kind = form.get("grant_type")
        if kind == "authorization_code":
            return self._trade_code(request, form)
        if kind == "refresh_token":
            return self._refresh(request, form)
        return _refusal("unsupported_grant_type", f"Invalid grant_type: {kind or ''}")

    async def revoke(self, request: Request) -> Response:
        """POST /revoke: take the app off the account's list, by an access or a refresh token: all its tokens end."""
        form = await request.form()
        token = str(form.get("token") or request.query_params.get("token") or "")
        grant = self._grants.holder(token) or self._grants.holder(token, "refresh")
        if grant is None or not self._grants.revoke_person(grant["person"]):
            return _refusal("invalid_token", "Token expired or revoked")
        return JSONResponse({})

    def _trade_code(self, request: Request, form: FormData) -> Response:
        facts = self._grants.redeem(str(form.get("code") or ""))
        if facts is None:
            return _refusal("invalid_grant", "Malformed auth code.")
        if form.get("redirect_uri") != facts["redirect_uri"]:
            return _refusal("redirect_uri_mismatch", "Bad Request")
        verifier = form.get("code_verifier")
        if not pkce_matches(facts["challenge"], str(verifier) if verifier else None, facts["challenge_method"]):
            return _refusal("invalid_grant", "Invalid code verifier." if verifier else "Missing code verifier.")
        acting_as(request, facts["person"], write=False)
        is_known = bool(self._campus.state.all("google.grants", person=facts["person"]))
        grant = self._grants.open(person=facts["person"], scopes=facts["scopes"])
        answer = self._access_token(grant)
        # Google hands out a refresh token on the first consent only, unless the consent was asked for again.
        if facts["offline"] and (facts["consent_again"] or not is_known):
            answer["refresh_token"] = self._grants.token(grant, "refresh", lifetime_s=None, prefix="1//0demo")
        return JSONResponse(answer)

    def _refresh(self, request: Request, form: FormData) -> Response:
        grant = self._grants.holder(str(form.get("refresh_token") or ""), "refresh")
        if grant is None:
            return _refusal("invalid_grant", "Token has been expired or revoked.")
        asked = str(form.get("scope") or "").split()
        if not set(asked) <= set(grant["scopes"]):
            return _refusal("invalid_scope", "Bad Request")
        acting_as(request, grant["person"], write=False)
        return JSONResponse(self._access_token(grant))

    def _access_token(self, grant: dict[str, Any]) -> dict[str, Any]:
        token = self._grants.token(grant, "access", lifetime_s=ACCESS_LIFETIME_S, prefix="ya29.demo")
        scope = " ".join(grant["scopes"])
        return {"access_token": token, "expires_in": ACCESS_LIFETIME_S - 1, "scope": scope, "token_type": "Bearer"}

    def _read_wish(self, given: Any) -> dict[str, Any]:
        """What an authorization request asks for; raises Refused with the page that Google shows instead."""
        redirect_uri = str(given.get("redirect_uri") or "")
        scopes = str(given.get("scope") or "").split()
        if given.get("client_id") != CLIENT_ID:
            raise _blocked("invalid_client", "The OAuth client was not found.", status=401)
        if not self._may_return_to(redirect_uri):
            raise _blocked("redirect_uri_mismatch", "Homeroom sent an address to return to that is not registered.")
        if given.get("response_type") != "code":
            raise _blocked("unsupported_response_type", "Only response_type=code is offered.")
        unknown = [scope for scope in scopes if scope not in scope_words() | SIGN_IN_SCOPES]
        if unknown or not scopes:
            raise _blocked("invalid_scope", f"Some requested scopes were invalid: {unknown}")
        method = given.get("code_challenge_method") or "plain"
        if method not in ("plain", "S256"):
            raise _blocked("invalid_request", f"Unknown code_challenge_method: {method}")
        return {
            "redirect_uri": redirect_uri,
            "state": given.get("state"),
            "scopes": scopes,
            "challenge": given.get("code_challenge"),
            "challenge_method": method,
            "offline": given.get("access_type") == "offline",
            "consent_again": "consent" in str(given.get("prompt") or "").split(),
        }

    def _may_return_to(self, redirect_uri: str) -> bool:
        target, home = urlsplit(redirect_uri), urlsplit(self._campus.origin)
        is_web = target.scheme in ("http", "https") and not target.fragment
        return is_web and (target.hostname in LOOPBACK or target.netloc == home.netloc)


def _client(request: Request, form: FormData) -> tuple[str, str]:
    """Client id and secret, from the form or from the Basic header."""
    kind, _, encoded = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "basic":
        try:
            client_id, _, secret = base64.b64decode(encoded).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return "", ""
        return client_id, secret
    return str(form.get("client_id") or ""), str(form.get("client_secret") or "")


def _back(wish: dict[str, Any], **answer: str) -> Response:
    facts = ({"state": wish["state"]} if wish["state"] else {}) | answer
    joint = "&" if urlsplit(wish["redirect_uri"]).query else "?"
    return RedirectResponse(f"{wish['redirect_uri']}{joint}{urlencode(facts)}", status_code=303)


def _refusal(error: str, description: str, *, status: int = 400) -> Response:
    return JSONResponse({"error": error, "error_description": description}, status, {"cache-control": "no-store"})


def _blocked(error: str, sentence: str, *, status: int = 400) -> Refused:
    title = f"Access blocked: Error {status}: {error}"
    return Refused(message_page(title, sentence, site=SITE, status=status))
