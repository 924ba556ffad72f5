"""A school's system on a loopback port: its keys, its OpenID configuration, registration, access tokens and rosters."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jws
from joserfc.jwk import RSAKey

from services.classes.lti import claim_names as names

KEY = RSAKey.generate_key(2048, private=True)
OTHER_KEY = RSAKey.generate_key(2048, private=True)
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
INSTRUCTOR = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"


class PlatformServer:
    """What the school's system answers, to be changed by a test, and what it was asked.

    keys: by kid. pages: of the roster. registered: what a tool sent to be registered.
    """

    def __init__(self) -> None:
        self.origin = ""
        self.keys: dict[str, RSAKey] = {"k1": KEY}
        self.asked: list[str] = []
        self.registered: list[Mapping[str, Any]] = []
        self.assertions: list[str] = []
        self.pages: list[list[Mapping[str, Any]]] = [[]]
        self.configuration: dict[str, Any] = {}
        self.registration_status = 200
        self.deployment_id: str | None = "d1"
        self.bearers: list[str] = []

    def sign(self, claims: Mapping[str, Any], *, kid: str = "k1", key: RSAKey | None = None) -> str:
        header = {"alg": "RS256", "kid": kid}
        return jws.serialize_compact(header, json.dumps(claims), key or self.keys.get(kid, KEY), algorithms=["RS256"])

    def answer(self, method: str, path: str, body: bytes, bearer: str) -> tuple[int, Any, Mapping[str, str]]:
        self.asked.append(path)
        self.bearers.append(bearer)
        parts = urlsplit(path)
        if parts.path == "/jwks":
            listed = [{**key.as_dict(private=False), "kid": kid, "alg": "RS256"} for kid, key in self.keys.items()]
            return 200, {"keys": listed}, {}
        if parts.path == "/openid":
            return 200, self.openid_configuration(), {}
        if parts.path == "/register":
            self.registered.append(json.loads(body))
            tool = {"deployment_id": self.deployment_id} if self.deployment_id else {}
            return self.registration_status, {**json.loads(body), "client_id": "client-1", TOOL: tool}, {}
        if parts.path == "/token" and method == "POST":
            self.assertions.append(parse_qs(body.decode())["client_assertion"][0])
            return 200, {"access_token": "roster-token", "token_type": "Bearer", "expires_in": 3600}, {}
        if parts.path == "/members":
            return self._roster(int(parse_qs(parts.query).get("page", ["0"])[0]))
        return 404, {}, {}

    def openid_configuration(self) -> Mapping[str, Any]:
        return {
            "issuer": self.origin,
            "authorization_endpoint": f"{self.origin}/auth",
            "token_endpoint": f"{self.origin}/token",
            "jwks_uri": f"{self.origin}/jwks",
            "registration_endpoint": f"{self.origin}/register",
            "https://purl.imsglobal.org/spec/lti-platform-configuration": {"product_family_code": "moodle"},
            **self.configuration,
        }

    def _roster(self, page: int) -> tuple[int, Any, Mapping[str, str]]:
        more = {"Link": f'<{self.origin}/members?page={page + 1}>; rel="next"'} if page + 1 < len(self.pages) else {}
        return 200, {"id": "x", "context": {"id": "bio"}, "members": self.pages[page]}, more

    def claims(self, nonce: str, **more: Any) -> dict[str, Any]:
        """The claims of a good launch of a learner; more: claims by name, None for one that is missing."""
        now = int(time.time())
        good: dict[str, Any] = {
            "iss": self.origin,
            "aud": "client-1",
            "sub": "user-7",
            "nonce": nonce,
            "iat": now,
            "exp": now + 300,
            "name": "Lena Park",
            "email": "lena@school.example",
            names.MESSAGE_TYPE: names.RESOURCE_LINK_REQUEST,
            names.VERSION: "1.3.0",
            names.DEPLOYMENT_ID: "d1",
            names.TARGET_LINK_URI: "http://localhost:8501/lti/launch",
            names.RESOURCE_LINK: {"id": "link-1"},
            names.ROLES: [LEARNER],
            names.CONTEXT: {"id": "bio", "title": "Biology 201"},
            names.NAMES_AND_ROLES: {"context_memberships_url": f"{self.origin}/members?rlid=link-1"},
        }
        return {name: value for name, value in {**good, **more}.items() if value is not None}


@contextmanager
def platform_server() -> Iterator[PlatformServer]:
    platform = PlatformServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            bearer = self.headers.get("authorization", "")
            status, body, headers = platform.answer(self.command, self.path, self.rfile.read(length), bearer)
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {**headers, "content-type": "application/json", "content-length": len(raw)}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(raw)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        platform.origin = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield platform
        finally:
            server.shutdown()
            thread.join()
