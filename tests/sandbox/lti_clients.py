"""A tool on pylti1p3next as the other side of the campus's LTI platforms, and the browser between the two."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import httpx
from pylti1p3.cookie import CookieService
from pylti1p3.message_launch import MessageLaunch
from pylti1p3.oidc_login import OIDCLogin
from pylti1p3.redirect import Redirect
from pylti1p3.request import Request
from pylti1p3.service_connector import ServiceConnector
from pylti1p3.session import SessionService
from pylti1p3.tool_config import ToolConfDict

from sandbox.lti.flavour import Flavour
from tests.api.lti.platform_server import KEY, PlatformServer
from tests.campus_server import CampusServer

CLIENT = "library-tool"


class Fields(Request):
    """What was sent to the tool."""

    def __init__(self, fields: Mapping[str, str], session: dict[str, Any]) -> None:
        self._fields, self._session = fields, session

    @property
    def session(self) -> dict[str, Any]:
        return self._session

    def is_secure(self) -> bool:
        return False

    def get_param(self, key: str) -> str:
        return self._fields.get(key, "")


class Cookies(CookieService):
    def __init__(self, kept: dict[str, str]) -> None:
        self._kept = kept

    def get_cookie(self, name: str) -> str | None:
        return self._kept.get(name)

    def set_cookie(self, name: str, value: str | int, exp: int | None = 3600) -> None:
        self._kept[name] = str(value)


class Address(Redirect[str]):
    def __init__(self, address: str) -> None:
        self._address = address

    def do_redirect(self) -> str:
        return self._address


class Login(OIDCLogin[Any, Any, Any, Any, Any]):
    def get_redirect(self, url: str) -> Redirect[str]:
        return Address(url)


class Message(MessageLaunch[Any, Any, Any, Any]):
    def _get_request_param(self, key: str) -> str:
        return str(self._request.get_param(key))


class Connector(ServiceConnector):
    """Asks for a token each time."""

    def _get_cached_access_token(self, scope_key: str) -> None:
        return None

    def _cache_access_token(self, scope_key: str, access_token: str, expires_in: float) -> None: ...


class LibraryTool:
    """The tool as its school has installed it; its keys are at another server's address."""

    def __init__(self, campus: CampusServer, keys: PlatformServer, flavour: Flavour, base: str) -> None:
        school = flavour.schools[0]
        site, shared = f"{base}/{flavour.name}/{school}", f"{base}/{flavour.name}/{flavour.shared or school}"
        self.issuer, self.site = f"{base}/{flavour.name}" + ("" if flavour.shared else f"/{school}"), site
        self._flavour, self._http = flavour, campus.http
        conf = {
            "client_id": CLIENT,
            "auth_login_url": f"{shared}{flavour.authorization}",
            "auth_token_url": f"{shared}{flavour.token}",
            "key_set_url": f"{shared}{flavour.keys}",
            "deployment_ids": ["7:library"],
        }
        self.conf = ToolConfDict({self.issuer: [{**conf, "default": True}]})
        self.conf.set_private_key(self.issuer, KEY.as_pem(private=True).decode(), client_id=CLIENT)
        self.conf.set_public_key(self.issuer, KEY.as_pem(private=False).decode(), client_id=CLIENT)
        [listed] = self.conf.get_jwks(self.issuer, CLIENT)["keys"]
        keys.keys = {str(listed["kid"]): KEY}
        self.home = keys.origin
        installed = {
            "client_id": CLIENT,
            "flavour": flavour.name,
            "school": school,
            "name": "Library",
            "initiate_login_uri": f"{self.home}/lti/login",
            "redirect_uris": [f"{self.home}/launch"],
            "target_link_uri": f"{self.home}/launch",
            "jwks_uri": f"{self.home}/jwks",
            "deployments": ["7:library"],
            "scopes": ["https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"],
            "domain": self.home.partition("://")[2],
        }
        assert campus.http.post(f"{campus.url}/lti/tools", json=installed).status_code == 201
        self.cookies: dict[str, str] = {}
        self.session: dict[str, Any] = {}

    def begin(self, person: str, **more: str) -> str:
        """Launch from the course page; the address that the tool sends the browser to."""
        _, fields = self.page("courses/4201/launch", person, client_id=CLIENT, **more)
        request = self._request(fields)
        login = Login(request, self.conf, session_service=SessionService(request), cookie_service=Cookies(self.cookies))
        address: str = login.redirect(f"{self.home}/launch")
        return address

    def launch(self, person: str, **more: str) -> Message:
        """The whole launch, verified by the library."""
        address, fields = form_of(self._get(self.begin(person, **more), person))
        assert address == f"{self.home}/launch"
        return self.message(fields)

    def message(self, fields: Mapping[str, str]) -> Message:
        request = self._request(fields)
        session, cookies = SessionService(request), Cookies(self.cookies)
        found = Message(
            request, self.conf, session_service=session, cookie_service=cookies, service_connector_cls=Connector
        )
        found.validate()
        return found

    def answer(self, launch: Message, person: str, *titles: str) -> httpx.Response:
        """Deep linking: post the library's own signed answer to where the platform wants it."""
        from pylti1p3.deep_link_resource import DeepLinkResource

        links = [DeepLinkResource().set_url(f"{self.home}/read/{title}").set_title(title) for title in titles]
        page = launch.get_deep_link().output_response_form(links)
        address, fields = form_of(page)
        return self._http.post(address, data=fields, headers={"cookie": f"campus_lms={person}"})

    def page(self, path: str, person: str, **query: str) -> tuple[str, dict[str, str]]:
        return form_of(self._get(f"{self.site}/{path}", person, **query))

    def course(self, person: str) -> str:
        return self._get(f"{self.site}/courses/4201", person)

    def _get(self, address: str, person: str, **query: str) -> str:
        url = httpx.URL(address).copy_merge_params(query)
        return self._http.get(url, headers={"cookie": f"campus_lms={person}"}).text

    def _request(self, fields: Mapping[str, str]) -> Fields:
        return Fields(fields, self.session)


def form_of(page: str) -> tuple[str, dict[str, str]]:
    """The address and the fields of a page's form."""
    action = re.search(r'<form[^>]* action="([^"]+)"', page)
    assert action, page[-600:]
    inputs = re.findall(r"<input[^>]*>", page)
    pairs = [(re.search(r'name="([^"]*)"', text), re.search(r'value="([^"]*)"', text)) for text in inputs]
    return unescape(action[1]), {unescape(name[1]): unescape(value[1]) for name, value in pairs if name and value}
