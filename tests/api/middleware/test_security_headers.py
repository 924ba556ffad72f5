"""Every response carries the security headers, whoever answered it."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from api.middleware.security_headers import SecurityHeaders, script_hashes


async def _page(_request: Request) -> Response:
    response = PlainTextResponse("hello", headers={"X-Frame-Options": "ALLOWALL"})
    response.set_cookie("plain", "1", httponly=True)
    response.set_cookie("sealed", "2", secure=True)
    return response


def _client(public_url: str) -> TestClient:
    app = Starlette(routes=[Route("/", _page)], middleware=[Middleware(SecurityHeaders, public_url=public_url)])
    return TestClient(app, base_url=public_url)


@pytest.mark.parametrize("path", ["/", "/missing"])
def test_every_response_has_them(path: str) -> None:
    headers = _client("http://localhost:8501").get(path).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers.get_list("x-frame-options") == ["DENY"]
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "strict-transport-security" not in headers


def test_the_policy_names_no_other_host() -> None:
    policy = _client("http://localhost:8501").get("/").headers["content-security-policy"]

    assert re.findall(r"https?:|\*|unsafe-eval(?<!wasm-unsafe-eval)", policy) == []
    assert "img-src 'self' data: blob:;" in policy
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]


def test_the_policy_lets_the_installed_page_run_its_own_script_and_no_other() -> None:
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text()
    inline = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)

    digests = [base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in inline]

    assert script_hashes() == tuple(f"'sha256-{digest}'" for digest in digests)
    assert len(inline) == 1


def test_behind_https_cookies_are_secure_and_the_host_stays_https() -> None:
    answer = _client("https://homeroom.example.edu").get("/")

    cookies = answer.headers.get_list("set-cookie")
    assert [cookie.lower().count("; secure") for cookie in cookies] == [1, 1]
    assert answer.headers["strict-transport-security"].startswith("max-age=31536000")


def test_without_https_cookies_stay_as_they_are() -> None:
    cookies = _client("http://localhost:8501").get("/").headers.get_list("set-cookie")

    assert [cookie.lower().count("; secure") for cookie in cookies] == [0, 1]
