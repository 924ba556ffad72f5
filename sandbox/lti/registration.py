"""Dynamic registration: a tool reads what the platform is, and installs itself (LTI Dynamic Registration 1.0)."""

import secrets
from typing import Any
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.grants import Grants
from sandbox.lti.flavour import CANVAS, FLAVOURS, Flavour
from sandbox.lti.tools import ROSTER_SCOPE, LmsTools, deployment_id

PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
SCOPES = (ROSTER_SCOPE, "https://purl.imsglobal.org/spec/lti-ags/scope/score")
MESSAGES = ("LtiResourceLinkRequest", "LtiDeepLinkingRequest")
PLACEMENTS = ("course_navigation", "link_selection", "editor_button", "assignment_selection")
LIFETIME_S = 3600


class LmsRegistration:
    """The configuration and the endpoint that takes a tool in, once for each token."""

    def __init__(self, campus: Campus) -> None:
        self._campus, self._tools, self._grants = campus, LmsTools(campus), Grants(campus, "lti.registration")

    def routes(self) -> list[BaseRoute]:
        """Both addresses of each flavour."""
        return [
            Route(f"/{flavour.name}/{{school}}{path}", self._of(flavour, verb), methods=[method])
            for flavour in FLAVOURS.values()
            for path, method, verb in (
                (flavour.configuration, "GET", self.configuration),
                (flavour.registrations, "POST", self.register),
            )
        ]

    def address(self, flavour: Flavour, school: str, tool_url: str) -> str:
        """The tool's own registration address with what it needs to begin."""
        grant = self._grants.open(person="", flavour=flavour.name, school=school)
        token = self._grants.token(grant, "access", lifetime_s=LIFETIME_S)
        configuration = f"{flavour.site(self._campus, school)}{flavour.configuration}"
        given = {"openid_configuration": configuration, "registration_token": token}
        return f"{tool_url}{'&' if urlsplit(tool_url).query else '?'}{urlencode(given)}"

    def _of(self, flavour: Flavour, verb: Any) -> Any:
        async def answer(request: Request) -> Response:
            found: Response = await verb(request, flavour)
            return found

        return answer

    async def configuration(self, request: Request, flavour: Flavour) -> Response:
        """OpenID configuration with the platform's own part; Canvas gives it only to whoever has the token."""
        school = request.path_params["school"]
        if school not in flavour.schools or (flavour is CANVAS and not self._grant(request, flavour)):
            return JSONResponse({"error": "unauthorized"}, 401)
        issuer = flavour.issuer(self._campus, school)
        messages: list[dict[str, Any]] = [{"type": message} for message in MESSAGES]
        platform: dict[str, Any] = {"product_family_code": flavour.name, "messages_supported": messages}
        if flavour is CANVAS:
            platform |= {
                "version": "vCloud",
                "https://canvas.instructure.com/lti/account_name": school.title(),
                "https://canvas.instructure.com/lti/account_lti_guid": f"{school}:canvas-lms",
                "messages_supported": [{**message, "placements": list(PLACEMENTS)} for message in messages],
                "variables": ["Canvas.course.id", "Canvas.user.id"],
            }
        else:
            platform |= {"version": "5.2 (Build: 20260413)", "variables": ["basic-lti-launch-request"]}
        return JSONResponse(
            {
                "issuer": issuer,
                "authorization_endpoint": flavour.endpoint(self._campus, school, flavour.authorization),
                "token_endpoint": flavour.endpoint(self._campus, school, flavour.token),
                "jwks_uri": flavour.endpoint(self._campus, school, flavour.keys),
                "registration_endpoint": f"{flavour.site(self._campus, school)}{flavour.registrations}",
                "token_endpoint_auth_methods_supported": ["private_key_jwt"],
                "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
                "scopes_supported": ["openid", *SCOPES],
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public", "pairwise"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "claims_supported": ["sub", "iss", "name", "given_name", "family_name", "email"],
                **({"authorization_server": urlsplit(issuer).netloc} if flavour is CANVAS else {}),
                PLATFORM: platform,
            }
        )

    async def register(self, request: Request, flavour: Flavour) -> Response:
        """Install the tool that is described, or say what is wrong with its description."""
        grant = self._grant(request, flavour)
        if grant is None or grant["school"] != request.path_params["school"]:
            return JSONResponse({"error": "invalid_token", "error_description": "registration token"}, 401)
        try:
            wish = dict(await request.json())
            self._check(wish)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return JSONResponse({"error": "invalid_client_metadata", "error_description": str(error)}, 400)
        if not self._grants.close(grant["id"]):
            return JSONResponse({"error": "invalid_token", "error_description": "used"}, 401)
        school, digits = grant["school"], secrets.randbelow(10**10)
        client_id = f"1700{digits:011d}" if flavour is CANVAS else secrets.token_urlsafe(11)
        deployment = deployment_id(flavour, school, client_id)
        scopes = [scope for scope in wish["scope"].split() if scope in SCOPES]
        self._tools.install(
            {
                "client_id": client_id,
                "flavour": flavour.name,
                "school": school,
                "name": wish["client_name"],
                "initiate_login_uri": wish["initiate_login_uri"],
                "redirect_uris": wish["redirect_uris"],
                "target_link_uri": wish[TOOL]["target_link_uri"],
                "jwks_uri": wish["jwks_uri"],
                "deployments": [deployment],
                "scopes": scopes,
                "domain": wish[TOOL]["domain"],
                "custom": wish[TOOL].get("custom_parameters", {}),
            }
        )
        installed = {**wish, "client_id": client_id, "scope": " ".join(scopes)}
        return JSONResponse({**installed, TOOL: {**wish[TOOL], "deployment_id": deployment}})

    def _grant(self, request: Request, flavour: Flavour) -> dict[str, Any] | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        found = self._grants.holder(token) if scheme.lower() == "bearer" else None
        return found if found and found["flavour"] == flavour.name else None

    def _check(self, wish: dict[str, Any]) -> None:
        exact = {
            "application_type": "web",
            "response_types": ["id_token"],
            "token_endpoint_auth_method": "private_key_jwt",
        }
        for name, value in exact.items():
            if wish[name] != value:
                raise ValueError(f"{name} must be {value}")
        if not {"implicit", "client_credentials"} <= set(wish["grant_types"]):
            raise ValueError("grant_types must have implicit and client_credentials")
        tool = wish[TOOL]
        addresses = [wish["initiate_login_uri"], wish["jwks_uri"], tool["target_link_uri"], *wish["redirect_uris"]]
        hosts = {urlsplit(address).netloc for address in addresses}
        if hosts != {tool["domain"]}:
            raise ValueError("every address must be at the domain")
        if not wish["client_name"].strip() or not wish["redirect_uris"]:
            raise ValueError("client_name and redirect_uris are needed")
        for message in tool["messages"]:
            if message["type"] not in MESSAGES or not set(message.get("placements", ())) <= set(PLACEMENTS):
                raise ValueError("a message or its placement is not supported")
