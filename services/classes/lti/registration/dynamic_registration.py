"""`Registration`: a school's system registers Homeroom by itself (LTI Dynamic Registration 1.0)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from pydantic_core import from_json

from services.classes.lti import claim_names as names
from services.classes.lti.platform import LtiPlatform, origin_of
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.refusals import LaunchRefused
from services.classes.lti.registration.invites import Invites
from services.errors import BadArguments, HomeroomError, ServiceError
from services.i18n import gettext
from services.safety.fetch import SafeFetch
from services.safety.text import one_line

LIMIT_BYTES = 200_000
TIMEOUT_S = 10.0
LONGEST_NAME = 80
_PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
_TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
_CANVAS = "https://canvas.instructure.com/lti"
_CANVAS_ISSUERS = frozenset(
    {
        "https://canvas.instructure.com",
        "https://canvas.beta.instructure.com",
        "https://canvas.test.instructure.com",
    }
)
"""Issuers that all hosted Canvas schools share; each school's own address serves the configuration."""
_CANVAS_HOSTS = (".instructure.com", ".canvaslms.com")


@dataclass(frozen=True, kw_only=True)
class OpenIdConfiguration:
    """What a platform says of itself. family: "canvas", "moodle" or another word of its own, in small letters."""

    issuer: str
    authorization_url: str
    token_url: str
    jwks_url: str
    registration_url: str
    audience: str
    family: str
    name: str


class Registration:
    def __init__(self, fetch: SafeFetch, platforms: LtiPlatforms, invites: Invites, *, public_url: str) -> None:
        self._fetch, self._platforms, self._invites, self._public_url = fetch, platforms, invites, public_url

    def register(self, invite: str, configuration_url: str, registration_token: str) -> LtiPlatform:
        """Register with a platform by an invite; the same invite again gives what it registered.

        Raises `LaunchRefused`; nothing of what the platform sent is in it.
        """
        if done := self._invites.registered(invite):
            platform = self._platforms.get(done)
            if platform is None:
                raise LaunchRefused("invite_used")
            return platform
        if not configuration_url:
            raise LaunchRefused("configuration_missing")
        name, made = self._invites.begin(invite), ""
        try:
            platform = self._register(name, configuration_url, registration_token)
            made = platform.id
        finally:
            self._invites.end(invite, made)
        return platform

    def _register(self, name: str, configuration_url: str, registration_token: str) -> LtiPlatform:
        if not registration_token.isascii() or not registration_token.isprintable() or " " in registration_token:
            raise LaunchRefused("configuration_refused")
        found = self._configuration(configuration_url, registration_token)
        described = LtiPlatform(
            id="",
            name=name or found.name,
            issuer=found.issuer,
            client_id="-",
            authorization_url=found.authorization_url,
            token_url=found.token_url,
            jwks_url=found.jwks_url,
            audience=found.audience,
            frames=tuple(sorted({origin_of(configuration_url), origin_of(found.registration_url)})),
            family=found.family,
        )
        self._require_free(described)
        answer = self._post(found, registration_token)
        client_id = answer.get("client_id")
        if not isinstance(client_id, str | int) or isinstance(client_id, bool) or not str(client_id):
            raise LaunchRefused("registration_refused")
        tool = answer.get(_TOOL)
        deployment = tool.get("deployment_id") if isinstance(tool, dict) else None
        deployments = (str(deployment),) if isinstance(deployment, str | int) and str(deployment).strip() else ()
        try:
            return self._platforms.add(replace(described, client_id=str(client_id), deployments=deployments))
        except BadArguments:
            raise LaunchRefused("registration_refused") from None

    def _require_free(self, described: LtiPlatform) -> None:
        """Refuse before the platform is asked: another one with keys of its own must not come under a known issuer."""
        known = [other for other in self._platforms.all() if other.issuer == described.issuer]
        if any(other.jwks_url != described.jwks_url for other in known):
            raise LaunchRefused("issuer_taken")

    def _configuration(self, url: str, registration_token: str) -> OpenIdConfiguration:
        """What the platform says of itself; Canvas tells it only to whoever has its token."""
        if not self._platforms.is_reachable_address(url):
            raise LaunchRefused("configuration_refused")
        try:
            headers = _headers(registration_token)
            page = self._fetch.once("GET", url, headers=headers, limit_bytes=LIMIT_BYTES, timeout_s=TIMEOUT_S)
        except ServiceError:
            raise LaunchRefused("configuration_refused") from None
        found = _parsed(page.body) if page.is_good else None
        if found is None:
            raise LaunchRefused("configuration_malformed")
        configuration = _configuration_of(found)
        _require_own_issuer(configuration, url)
        endpoints = (
            configuration.authorization_url,
            configuration.token_url,
            configuration.jwks_url,
            configuration.registration_url,
        )
        if not all(self._platforms.is_reachable_address(endpoint) for endpoint in endpoints):
            raise LaunchRefused("endpoint_refused")
        return configuration

    def _post(self, found: OpenIdConfiguration, registration_token: str) -> Mapping[str, Any]:
        body = json.dumps(tool_registration(self._public_url, found.family)).encode()
        try:
            page = self._fetch.once(
                "POST",
                found.registration_url,
                headers={**_headers(registration_token), "content-type": "application/json"},
                body=body,
                limit_bytes=LIMIT_BYTES,
                timeout_s=TIMEOUT_S,
            )
        except HomeroomError:
            raise LaunchRefused("registration_refused") from None
        answer = _parsed(page.body) if page.is_good else None
        if answer is None:
            raise LaunchRefused("registration_refused")
        return answer


def _headers(registration_token: str) -> dict[str, str]:
    bearer = {"authorization": f"Bearer {registration_token}"} if registration_token else {}
    return {"accept": "application/json", **bearer}


def tool_registration(public_url: str, family: str) -> Mapping[str, Any]:
    """What Homeroom asks a platform for (section 3.5), with Canvas's own words where it is one."""
    is_canvas = family == "canvas"
    open_link: dict[str, Any] = {"type": names.RESOURCE_LINK_REQUEST, "target_link_uri": f"{public_url}/lti/launch"}
    choose: dict[str, Any] = {
        "type": names.DEEP_LINKING_REQUEST,
        "target_link_uri": f"{public_url}/lti/launch",
        "label": gettext("Homeroom"),
    }
    if is_canvas:
        open_link |= {
            "label": gettext("Homeroom"),
            "placements": ["course_navigation"],
            f"{_CANVAS}/course_navigation/default_enabled": True,
        }
        choose |= {"placements": ["link_selection", "editor_button"]}
    custom = {"custom_parameters": {names.MASQUERADING: names.MASQUERADING_VARIABLE}} if is_canvas else {}
    tool: dict[str, Any] = {
        "domain": urlsplit(public_url).netloc,
        "description": gettext("A student's assistant for courses, calendars and notes."),
        "target_link_uri": f"{public_url}/lti/launch",
        "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
        "messages": [open_link, choose],
        **custom,
    }
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": f"{public_url}/lti/login",
        "redirect_uris": [f"{public_url}/lti/launch"],
        "client_name": "Homeroom",
        "jwks_uri": f"{public_url}/lti/jwks",
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": names.ROSTER_SCOPE,
        _TOOL: tool | ({f"{_CANVAS}/privacy_level": "public"} if is_canvas else {}),
    }


def _parsed(body: bytes) -> Mapping[str, Any] | None:
    try:
        found = from_json(body)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _configuration_of(found: Mapping[str, Any]) -> OpenIdConfiguration:
    told = found.get(_PLATFORM)
    platform: Mapping[str, Any] = told if isinstance(told, dict) else {}
    fields = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint")
    texts = {name: found.get(name) for name in fields}
    if not all(isinstance(text, str) and text for text in texts.values()):
        raise LaunchRefused("configuration_malformed")
    family, audience = platform.get("product_family_code"), found.get("authorization_server")
    label = platform.get(f"{_CANVAS}/account_name") or family
    host = urlsplit(str(texts["issuer"])).hostname or ""
    return OpenIdConfiguration(
        issuer=str(texts["issuer"]),
        authorization_url=str(texts["authorization_endpoint"]),
        token_url=str(texts["token_endpoint"]),
        jwks_url=str(texts["jwks_uri"]),
        registration_url=str(texts["registration_endpoint"]),
        # Canvas names a host here, and wants the token endpoint as the audience all the same.
        audience=audience if isinstance(audience, str) and audience.startswith("https://") else "",
        family=family.lower() if isinstance(family, str) else "",
        name=(one_line(label, LONGEST_NAME) if isinstance(label, str) else "") or host,
    )


def _require_own_issuer(configuration: OpenIdConfiguration, url: str) -> None:
    """An issuer speaks for itself alone: it is at the host that was asked, or it is the one that hosted Canvas shares
    and every address is one of Canvas's.
    """
    host = urlsplit(url).hostname
    if urlsplit(configuration.issuer).hostname == host:
        return
    given = (configuration.authorization_url, configuration.token_url, configuration.jwks_url)
    hosts = [urlsplit(address).hostname or "" for address in given]
    if configuration.issuer in _CANVAS_ISSUERS and all(other.endswith(_CANVAS_HOSTS) for other in hosts):
        return
    raise LaunchRefused("issuer_mismatch")
