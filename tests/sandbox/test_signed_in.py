"""Whoever has signed in at the campus, and is meant by a service's `login_hint`, is not asked again there."""

from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from tests.campus_server import CLIENT_ID, REDIRECT_URI, CampusServer

MAYA = "maya.chen@campus.example"
PKCE = {"code_challenge": "abc", "code_challenge_method": "S256"}
ADDRESSES: dict[str, tuple[str, dict[str, str]]] = {
    "canvas": ("/canvas/login/oauth2/auth", PKCE),
    "google": (
        "/google/o/oauth2/v2/auth",
        {**PKCE, "scope": "https://www.googleapis.com/auth/calendar.events", "access_type": "offline"},
    ),
    "notion": ("/notion/v1/oauth/authorize", {"owner": "user"}),
}


def asked(campus: CampusServer, service: str, *, hint: str = "", signed_in: str = "") -> httpx.Response:
    path, own = ADDRESSES[service]
    fields = {"client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "response_type": "code", "state": "s1", **own}
    query = urlencode({**fields, **({"login_hint": hint} if hint else {})})
    headers = {"cookie": f"campus_signed_in={signed_in}"} if signed_in else {}
    return campus.http.get(f"{campus.url}{path}?{query}", headers=headers)


@pytest.mark.parametrize("service", ADDRESSES)
def test_who_is_signed_in_and_meant_goes_straight_back_with_a_code(campus: CampusServer, service: str) -> None:
    answer = asked(campus, service, hint=MAYA, signed_in="maya")

    back = urlsplit(answer.headers["location"])
    assert (answer.status_code, f"{back.scheme}://{back.netloc}{back.path}") == (303, REDIRECT_URI)
    assert {"code", "state"} <= set(parse_qs(back.query))


@pytest.mark.parametrize("service", ADDRESSES)
@pytest.mark.parametrize(
    ("hint", "signed_in"), [("", "maya"), (MAYA, ""), (MAYA, "diego"), ("nobody@x.example", "maya"), (MAYA, "nobody")]
)
def test_everybody_else_is_asked(campus: CampusServer, service: str, hint: str, signed_in: str) -> None:
    answer = asked(campus, service, hint=hint, signed_in=signed_in)

    assert answer.status_code == 200
    assert "Allow" in answer.text
