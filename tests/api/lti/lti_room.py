"""Homeroom with one registered school's system, and a browser between the two."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from api.auth import SIGN_IN_COOKIE, SignInCookie
from api.middleware.security_headers import SecurityHeaders
from api.routes import routes
from services.classes.lti.platform import LtiPlatform
from services.identity.students import Student
from services.storage.sqlite import SqliteDocuments
from tests.agent_fakes import FakeModel, says
from tests.api.lti.platform_server import PlatformServer
from tests.rooms import Room

PUBLIC = "http://localhost:8501"
_TOKEN = re.compile(r'name="token" value="([^"]+)"')
_REFUSED = re.compile(r'data-lti-refused="([^"]+)"')


def refusal_of(answer: httpx2.Response) -> str:
    """The code of a refusal; "" for a page that is none."""
    found = _REFUSED.search(answer.text)
    return found[1] if found else ""


def token_of(answer: httpx2.Response) -> str:
    found = _TOKEN.search(answer.text)
    assert found, answer.text
    return unescape(found[1])


@dataclass
class Browser:
    """Cookies by name, which are sent whatever their flags: those are looked at in a real browser."""

    room: "LtiRoom"
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, *, headers: Mapping[str, str] = {}, **options: Any) -> httpx2.Response:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {**({"cookie": kept} if kept else {}), **headers}
        answer = self.room.client.request(method, f"{PUBLIC}{path}", headers=given, **options)
        for cookie in answer.headers.get_list("set-cookie"):
            name, _, rest = cookie.partition("=")
            value = rest.partition(";")[0].strip('"')
            self.cookies.pop(name, None)
            if value and "Max-Age=0" not in cookie:
                self.cookies[name] = value
        self.room.client.cookies.clear()
        return answer

    def login(self, **more: str) -> httpx2.Response:
        asked = {"iss": self.room.platform.origin, "client_id": "client-1", "login_hint": "h", **more}
        return self.send("GET", "/lti/login", params={"target_link_uri": f"{PUBLIC}/lti/launch", **asked})

    def launch(self, **claims: Any) -> httpx2.Response:
        """A whole launch with these claims changed."""
        asked = parse_qs(urlsplit(self.login().headers["location"]).query)
        id_token = self.room.platform.sign(self.room.platform.claims(asked["nonce"][0], **claims))
        return self.post_launch(id_token, asked["state"][0])

    def post_launch(self, id_token: str, state: str) -> httpx2.Response:
        return self.send("POST", "/lti/launch", data={"id_token": id_token, "state": state})

    def open(self, page: httpx2.Response, **fields: str) -> httpx2.Response:
        """Click the button of a page of ours."""
        given = {"token": token_of(page), **fields}
        return self.send("POST", "/lti/open", data=given, headers={"origin": PUBLIC, "sec-fetch-site": "same-origin"})

    def sign_in(self, student: Student) -> None:
        found = self.room.services.store.shared.get("students", student.id) or {}
        claims = {"iss": found["issuer"], "sub": found["subject"], "iat": 0, "origin": PUBLIC, "is_logged_in": True}
        self.cookies[SIGN_IN_COOKIE] = self.room.cookie.seal(claims)

    @property
    def student(self) -> Student | None:
        """Who is signed in in this browser."""

        class Request:
            cookies = self.cookies

        claims = self.room.cookie.claims(Request(), origin=PUBLIC)  # type: ignore[arg-type]
        if claims is None:
            return None
        return self.room.services.students.of_session(claims.issuer, claims.subject, claims.session)


class LtiRoom:
    def __init__(self, data_dir: Path, platform: PlatformServer, *, is_registered: bool = True) -> None:
        engine = SqliteDocuments(data_dir / "homeroom.sqlite")
        # The campus's own school would stand among those that a test registers.
        settings = {"HOMEROOM_EGRESS_ALLOW": platform.origin, "HOMEROOM_LTI_PLATFORMS": "[]"}
        self.room = Room(engine=engine, data_dir=data_dir, model=FakeModel(says("Hello.")), settings=settings)
        self.services, self.platform = self.room.services, platform
        self.lti = self.services.classroom.lti
        self.cookie = SignInCookie(self.services.settings.cookie_secret)
        app = Starlette(routes=routes(self.services), middleware=[Middleware(SecurityHeaders, public_url=PUBLIC)])
        self.client = TestClient(app, base_url=PUBLIC, raise_server_exceptions=False, follow_redirects=False)
        if is_registered:
            self.registered = self.lti.platforms.add(self.registration())

    def registration(self, **more: Any) -> LtiPlatform:
        origin = self.platform.origin
        given: dict[str, Any] = {
            "name": "Riverside",
            "issuer": origin,
            "client_id": "client-1",
            "authorization_url": f"{origin}/auth?tenant=4",
            "token_url": f"{origin}/token",
            "jwks_url": f"{origin}/jwks",
            "deployments": ("d1",),
        }
        return LtiPlatform(id="", **{**given, **more})

    def browser(self) -> Browser:
        return Browser(self)
