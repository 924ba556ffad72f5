"""The OpenID provider: discovery, "Choose a person", tokens and claims (OpenID Connect Core 1.0, code flow)."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import ImmutableMultiDict
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import CLIENT_ID, Campus, acting_as
from sandbox.class_list.claims import (
    PRESENTER_COOKIE,
    SIGNED_IN_COOKIE,
    VISITOR_COOKIE,
    Claims,
    new_visitor,
    remember,
)
from sandbox.class_list.personas import PRESENTER
from sandbox.clients import is_registered, knows_secret, with_query
from sandbox.grants import Grants, pkce_matches
from sandbox.oidc.keys import SigningKey
from sandbox.oidc.persona_page import SITE, class_is_full, persona_page
from sandbox.pages import esc, hidden_fields, message_page, page
from sandbox.people import Person
from sandbox.refusals import Refused

REDIRECT_PATH = "/oauth2callback"
PRESENTER_HOME = "/presenter"
CODE_LIFETIME_S = 120
TOKEN_LIFETIME_S = 3600
NO_STORE = {"cache-control": "no-store", "pragma": "no-cache"}


@dataclass(frozen=True, kw_only=True)
class SignIn:
    """A checked authorization request."""

    redirect_uri: str
    scopes: tuple[str, ...]
    state: str | None
    nonce: str | None
    code_challenge: str | None


class Provider:
    """Signs in whichever person is picked; strict about client, address, code and PKCE."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus
        self._issuer = f"{campus.origin}/oidc"
        self._grants, self._claims = Grants(campus, "oidc"), Claims(campus)

    def routes(self) -> list[BaseRoute]:
        """Every route, relative to the issuer."""
        return [
            Route("/.well-known/openid-configuration", self.discovery, methods=["GET"]),
            Route("/jwks", self.keys, methods=["GET"]),
            Route("/authorize", self.choose, methods=["GET"]),
            Route("/authorize", self.chosen, methods=["POST"]),
            Route("/present", self.present, methods=["GET"]),
            Route("/token", self.token, methods=["POST"]),
            Route("/userinfo", self.userinfo, methods=["GET", "POST"]),
        ]

    async def discovery(self, request: Request) -> Response:
        """The provider's metadata (OpenID Connect Discovery 1.0)."""
        return JSONResponse(
            {
                "issuer": self._issuer,
                "authorization_endpoint": f"{self._issuer}/authorize",
                "token_endpoint": f"{self._issuer}/token",
                "userinfo_endpoint": f"{self._issuer}/userinfo",
                "jwks_uri": f"{self._issuer}/jwks",
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "scopes_supported": ["openid", "email", "profile"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
                "code_challenge_methods_supported": ["S256"],
                "claims_supported": ["sub", "email", "email_verified", "name", "given_name", "family_name", "zoneinfo"],
            }
        )

    async def keys(self, request: Request) -> Response:
        """The public key set."""
        return JSONResponse(SigningKey.of(self._campus.state).public())

    async def choose(self, request: Request) -> Response:
        """The page on which a person is chosen."""
        fields = request.query_params
        wish = self._checked(fields)
        if fields.get("prompt") == "none":
            raise _sent_back(wish, "login_required", "nobody is signed in here; a person must be chosen")
        if self._claims.is_class:
            return self._of_class(request, wish)
        buttons = "".join(
            f'<button class="wide" name="person" value="{esc(person.id)}">{esc(person.name)}'
            f"<small>{esc(person.role)} · {esc(person.email)}</small></button>"
            for person in self._campus.people.values()
        )
        return page(
            "Choose a person",
            f"<p>You are signing in to Homeroom. These people are made up: no password is needed.</p>"
            f'<form method="post" action="{esc(request.url.path)}">{hidden_fields(fields.multi_items())}{buttons}'
            '<button name="cancel" value="1">Cancel</button></form>',
            site=SITE,
        )

    async def chosen(self, request: Request) -> Response:
        """Send the browser back with a code for the person, or with the refusal."""
        form = ImmutableMultiDict((name, str(value)) for name, value in (await request.form()).multi_items())
        wish = self._checked(form)
        if form.get("cancel"):
            raise _sent_back(wish, "access_denied", "the person cancelled")
        if self._claims.is_class:
            return self._entered(request, form, wish)
        person = self._campus.people.get(form.get("person", ""))
        if person is None:
            return message_page("Nobody by that name", "Go back and choose a person of the campus.", site=SITE)
        return self._signed_in(request, person, wish)

    async def present(self, request: Request) -> Response:
        """The presenter's link: this browser is that of whoever presents, and goes where they begin."""
        key = request.query_params.get("key", "")
        if not self._claims.is_presenter_key(key):
            sentence = "This is not the link of this demo. The terminal that runs it shows the right one."
            return message_page("Nobody presents here", sentence, site=SITE, status=403)
        home = f"{self._campus.origin.removesuffix('/sandbox')}{PRESENTER_HOME}"
        return remember(RedirectResponse(home, 303, NO_STORE), PRESENTER_COOKIE, key)

    def _signed_in(self, request: Request, person: Person, wish: SignIn) -> Response:
        acting_as(request, person.id)
        code = self._grants.code(
            lifetime_s=CODE_LIFETIME_S,
            person=person.id,
            redirect_uri=wish.redirect_uri,
            scopes=wish.scopes,
            nonce=wish.nonce,
            code_challenge=wish.code_challenge,
        )
        back = RedirectResponse(with_query(wish.redirect_uri, code=code, state=wish.state), 303, NO_STORE)
        return remember(back, SIGNED_IN_COOKIE, person.id)

    def _of_class(self, request: Request, wish: SignIn) -> Response:
        """A visitor of a class: the student that they are, or one to be."""
        if self._claims.is_presenter(request):
            return self._signed_in(request, PRESENTER, wish)
        visitor = self._claims.visitor(request) or new_visitor()
        return self._offered(request, request.query_params.multi_items(), visitor)

    def _entered(self, request: Request, form: ImmutableMultiDict[str, str], wish: SignIn) -> Response:
        visitor = self._claims.visitor(request) or new_visitor()
        fields = [(name, value) for name, value in form.multi_items() if name not in ("person", "another")]
        if form.get("another"):
            self._claims.release(visitor)
        elif person := self._claims.claim(visitor, form.get("person", "")):
            return remember(self._signed_in(request, person, wish), VISITOR_COOKIE, visitor)
        return self._offered(request, fields, visitor, is_second=not form.get("another"))

    def _offered(
        self, request: Request, fields: Iterable[tuple[str, str]], visitor: str, *, is_second: bool = False
    ) -> Response:
        own = self._claims.claimed_by(visitor)
        person = own or self._claims.offer(visitor)
        if person is None:
            return class_is_full(self._campus)
        shown = persona_page(
            self._campus,
            person,
            free=self._claims.free(),
            fields=hidden_fields(fields),
            is_own=own is not None,
            is_second=is_second,
        )
        return remember(shown, VISITOR_COOKIE, visitor)

    async def token(self, request: Request) -> Response:
        """Exchange a code for an access token and an ID token."""
        fields = await _form_once(request)
        if not knows_secret(request, fields):
            challenge = {"www-authenticate": 'Basic realm="campus sign-in"'}
            return _refusal(401, "invalid_client", "unknown client or wrong secret", challenge)
        if fields.get("grant_type") != "authorization_code":
            return _refusal(400, "unsupported_grant_type", "only authorization_code is supported")
        facts = self._grants.redeem(fields.get("code", ""))
        if facts is None:
            return _refusal(400, "invalid_grant", "the code is unknown, was used already or is too old")
        if fields.get("redirect_uri") != facts["redirect_uri"]:
            return _refusal(400, "invalid_grant", "redirect_uri differs from the one the code was made for")
        if not pkce_matches(facts["code_challenge"], fields.get("code_verifier")):
            return _refusal(400, "invalid_grant", "code_verifier does not match the challenge")
        acting_as(request, facts["person"])
        return JSONResponse(self._tokens(facts), headers=NO_STORE)

    async def userinfo(self, request: Request) -> Response:
        """The person's claims, as far as the token's scopes go."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        grant = self._grants.holder(token) if scheme.lower() == "bearer" else None
        if grant is None:
            return _refusal(401, "invalid_token", "the token is unknown or expired", {"www-authenticate": "Bearer"})
        acting_as(request, grant["person"], write=False)
        return JSONResponse(_claims(self._campus.people[grant["person"]], grant["scopes"]), headers=NO_STORE)

    def _checked(self, fields: ImmutableMultiDict[str, str]) -> SignIn:
        # Before the client and the address are known to be right, nothing is sent to that address (RFC 6749 §4.1.2.1).
        doubled = [name for name in fields if len(fields.getlist(name)) > 1]
        redirect_uri = fields.get("redirect_uri", "")
        if doubled or fields.get("client_id") != CLIENT_ID:
            raise Refused(message_page("This sign-in cannot start", "The program's client_id is unknown.", site=SITE))
        if not is_registered(self._campus, redirect_uri, REDIRECT_PATH):
            sentence = "The address to return to (redirect_uri) is not registered."
            raise Refused(message_page("This sign-in cannot start", sentence, site=SITE))
        wish = SignIn(
            redirect_uri=redirect_uri,
            scopes=tuple(fields.get("scope", "").split()),
            state=fields.get("state"),
            nonce=fields.get("nonce"),
            code_challenge=fields.get("code_challenge"),
        )
        if fields.get("response_type") != "code":
            raise _sent_back(wish, "unsupported_response_type", "only response_type=code is supported")
        if "openid" not in wish.scopes:
            raise _sent_back(wish, "invalid_scope", "the scope openid is missing")
        if wish.code_challenge and fields.get("code_challenge_method") != "S256":
            raise _sent_back(wish, "invalid_request", "code_challenge_method must be S256")
        return wish

    def _tokens(self, facts: dict[str, Any]) -> dict[str, Any]:
        person, scopes = self._campus.people[facts["person"]], facts["scopes"]
        grant = self._grants.open(person=person.id, scopes=scopes)
        # Real time, not the campus's: the other side checks these against its own clock.
        now = int(time.time())
        claims = {"iss": self._issuer, "aud": CLIENT_ID, "iat": now, "exp": now + TOKEN_LIFETIME_S, "auth_time": now}
        if facts["nonce"]:
            claims["nonce"] = facts["nonce"]
        return {
            "access_token": self._grants.token(grant, "access", lifetime_s=TOKEN_LIFETIME_S),
            "token_type": "Bearer",
            "expires_in": TOKEN_LIFETIME_S,
            "scope": " ".join(scopes),
            "id_token": SigningKey.of(self._campus.state).sign({**claims, **_claims(person, scopes)}),
        }


def _claims(person: Person, scopes: list[str]) -> dict[str, Any]:
    claims: dict[str, Any] = {"sub": person.id}
    if "email" in scopes:
        claims |= {"email": person.email, "email_verified": True}
    if "profile" in scopes:
        given, _, family = person.name.partition(" ")
        claims |= {"name": person.name, "given_name": given, "family_name": family, "zoneinfo": person.timezone}
    return claims


def _sent_back(wish: SignIn, error: str, description: str) -> Refused:
    address = with_query(wish.redirect_uri, error=error, error_description=description, state=wish.state)
    return Refused(RedirectResponse(address, 303, NO_STORE))


def _refusal(status: int, error: str, description: str, headers: dict[str, str] | None = None) -> Response:
    body = {"error": error, "error_description": description}
    return JSONResponse(body, status, {**NO_STORE, **(headers or {})})


async def _form_once(request: Request) -> dict[str, str]:
    form = await request.form()
    if len(form.multi_items()) != len(form):
        raise Refused(_refusal(400, "invalid_request", "a parameter is repeated"))
    return {name: str(value) for name, value in form.items()}
