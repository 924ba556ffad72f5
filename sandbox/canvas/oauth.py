"""Canvas's OAuth2: consent, tokens of one hour, refresh, revocation (doc/api/oauth.md of canvas-lms)."""

import json
from typing import Any

from starlette.datastructures import ImmutableMultiDict
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import CLIENT_ID, acting_as
from sandbox.canvas.answers import answer, bad_token, no_token
from sandbox.canvas.school import School
from sandbox.class_list.claims import Claims
from sandbox.clients import is_registered, knows_secret, with_query
from sandbox.grants import Grants, pkce_matches
from sandbox.pages import consent_page, message_page
from sandbox.refusals import Refused

REDIRECT_PATH = "/connections"
TOKEN_LIFETIME_S = 3600
TOKEN_PREFIX = "7~"
ASKS = (
    "See your courses, assignments, announcements and calendar",
    "See your own grades and submissions",
    "It cannot hand in work, post, or change anything",
)
NO_STORE = {"cache-control": "no-store", "pragma": "no-cache"}


class OAuth:
    """The /login/oauth2 routes."""

    def __init__(self, school: School, grants: Grants) -> None:
        self._school = school
        self._grants = grants

    def routes(self) -> list[BaseRoute]:
        """Every route, relative to Canvas's base."""
        return [
            Route("/login/oauth2/auth", self.ask, methods=["GET"]),
            Route("/login/oauth2/auth", self.decide, methods=["POST"]),
            Route("/login/oauth2/token", self.token, methods=["POST"]),
            Route("/login/oauth2/token", self.revoke, methods=["DELETE"]),
        ]

    async def ask(self, request: Request) -> Response:
        """The consent page, which says yes by itself to whoever is signed in and meant."""
        self._check(request.query_params)
        claims = Claims(self._school.campus)
        if person := claims.signed_in_as(request):
            return self._allowed(request, request.query_params, person.id)
        return consent_page(request, claims.people_for(request), site="Canvas", asks=ASKS)

    async def decide(self, request: Request) -> Response:
        """Send the browser back with a code, or with the refusal."""
        form = ImmutableMultiDict((name, str(value)) for name, value in (await request.form()).multi_items())
        self._check(form)
        redirect_uri, state = form["redirect_uri"], form.get("state")
        if form.get("decision") != "allow":
            description = "The resource owner or authorization server denied the request"
            address = with_query(redirect_uri, error="access_denied", error_description=description, state=state)
            return RedirectResponse(address, 303, NO_STORE)
        person = Claims(self._school.campus).people_for(request).get(form.get("person", ""))
        if person is None:
            return message_page("Nobody by that name", "Go back and choose a person of the campus.", site="Canvas")
        return self._allowed(request, form, person.id)

    def _allowed(self, request: Request, fields: ImmutableMultiDict[str, str], person: str) -> Response:
        acting_as(request, person, write=False)
        redirect_uri = fields["redirect_uri"]
        challenge: dict[str, Any] = {name: fields.get(name) for name in ("code_challenge", "code_challenge_method")}
        scopes = fields.get("scope", "").split()
        asked = {"redirect_uri": redirect_uri, "purpose": fields.get("purpose"), "scopes": scopes}
        code = self._grants.code(person=person, **asked, **challenge)
        return RedirectResponse(with_query(redirect_uri, code=code, state=fields.get("state")), 303, NO_STORE)

    async def token(self, request: Request) -> Response:
        """Exchange a code, or a refresh token, for an access token of one hour."""
        fields = await _fields(request)
        if fields.get("client_id", CLIENT_ID) != CLIENT_ID:
            raise _refusal("invalid_client", "unknown client", 401)
        if not knows_secret(request, fields):
            raise _refusal("invalid_client", "invalid client", 401)
        if fields.get("grant_type") == "authorization_code":
            return self._from_code(request, fields)
        if fields.get("grant_type") == "refresh_token":
            return self._from_refresh_token(request, fields)
        raise _refusal("unsupported_grant_type", "The grant_type you requested is not currently supported")

    async def revoke(self, request: Request) -> Response:
        """DELETE with the access token: the grant is over, its refresh token too."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise no_token()
        grant = self._grants.holder(token)
        if grant is None:
            raise bad_token()
        acting_as(request, grant["person"], write=False)
        self._grants.revoke(token)
        return answer({})

    def _check(self, fields: ImmutableMultiDict[str, str]) -> None:
        if fields.get("client_id") != CLIENT_ID:
            raise _refusal("invalid_client", "unknown client", 401)
        if not is_registered(self._school.campus, fields.get("redirect_uri", ""), REDIRECT_PATH):
            raise _refusal("invalid_request", "redirect_uri does not match client settings")
        wrong = None
        if fields.get("response_type") != "code":
            wrong = ("unsupported_response_type", "Only response_type=code is permitted")
        elif fields.get("prompt", "none") != "none":
            wrong = ("unsupported_prompt_type", 'prompt must be "none" (or omitted)')
        elif fields.get("prompt") == "none":
            wrong = ("login_required", "prompt=none but there is no current session")
        if wrong:
            error, description = wrong
            back = {"error": error, "error_description": description, "state": fields.get("state")}
            raise Refused(RedirectResponse(with_query(fields["redirect_uri"], **back), 303, NO_STORE))

    def _from_code(self, request: Request, fields: dict[str, str]) -> Response:
        if not fields.get("code"):
            message = "You must provide the code parameter when using the authorization_code grant type"
            raise _refusal("invalid_request", message)
        facts = self._grants.redeem(fields["code"])
        is_proved = facts is not None and pkce_matches(
            facts["code_challenge"], fields.get("code_verifier"), facts["code_challenge_method"]
        )
        # Canvas lets the exchange leave redirect_uri out, but not change it.
        if facts is None or not is_proved or fields.get("redirect_uri", facts["redirect_uri"]) != facts["redirect_uri"]:
            raise _refusal("invalid_grant", "authorization_code not found")
        acting_as(request, facts["person"])
        given = {"purpose": facts["purpose"] or "Homeroom", "scopes": facts["scopes"], "is_oauth": True}
        grant = self._grants.open(person=facts["person"], **given)
        refresh_token = self._grants.token(grant, "refresh", lifetime_s=None, prefix=TOKEN_PREFIX)
        return JSONResponse({**self._answer(grant), "refresh_token": refresh_token}, headers=NO_STORE)

    def _from_refresh_token(self, request: Request, fields: dict[str, str]) -> Response:
        if not fields.get("refresh_token"):
            message = "You must provide the refresh_token parameter when using the refresh_token grant type"
            raise _refusal("invalid_request", message)
        grant = self._grants.holder(fields["refresh_token"], "refresh")
        if grant is None:
            raise _refusal("invalid_request", "refresh_token not found")
        acting_as(request, grant["person"])
        return JSONResponse(self._answer(grant), headers=NO_STORE)

    def _answer(self, grant: dict[str, str]) -> dict[str, object]:
        user = self._school.user_of(grant["person"])
        return {
            "access_token": self._grants.token(grant, "access", lifetime_s=TOKEN_LIFETIME_S, prefix=TOKEN_PREFIX),
            "token_type": "Bearer",
            "user": {
                "id": user["id"],
                "name": user["name"],
                "global_id": str(10_000_000_000_000 + user["id"]),
                "effective_locale": "en",
            },
            "canvas_region": "us-east-1",
            "expires_in": TOKEN_LIFETIME_S,
        }


def _refusal(error: str, description: str, status: int = 400) -> Refused:
    headers = {"www-authenticate": "Canvas OAuth 2.0"} if status == 401 else {}
    body = {"error": error, "error_description": description}
    return Refused(JSONResponse(body, status, {**NO_STORE, **headers}))


async def _fields(request: Request) -> dict[str, str]:
    if request.headers.get("content-type", "").startswith("application/json"):
        try:
            body = json.loads(await request.body())
        except ValueError:
            raise _refusal("invalid_request", "the body is not JSON") from None
        return {name: str(value) for name, value in body.items()} if isinstance(body, dict) else {}
    return {name: str(value) for name, value in {**request.query_params, **await request.form()}.items()}
