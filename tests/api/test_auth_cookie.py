"""Only a cookie that was sealed here, and has not run out, tells of somebody who signed in."""

import json
import secrets
import time
from datetime import timedelta

import pytest
from starlette.requests import HTTPConnection
from streamlit.auth_util import set_cookie_with_chunks
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from api.auth import SIGN_IN_COOKIE, SignInClaims, SignInCookie
from services.identity.sign_in_sessions import SIGN_IN_ACCEPTED_FOR
from tests.api.sealed import SECRET, sealed

A_DAY = timedelta(days=1).total_seconds()


def _is_good(value: str, name: str = SIGN_IN_COOKIE) -> bool:
    headers = [(b"cookie", f"{name}={value}".encode("latin-1"))]
    return SignInCookie(SECRET).is_good(HTTPConnection({"type": "http", "headers": headers}))


def test_what_streamlit_seals_with_our_secret_is_taken() -> None:
    assert _is_good(sealed())
    assert _is_good(f'"{sealed()}"')


@pytest.mark.parametrize(
    "value",
    ["", "maya", ".", "a.b.c", "\xff", sealed("another secret"), sealed()[:-1], "x" + sealed()],
    ids=["nothing", "a name", "a dot", "three parts", "no text", "another secret", "cut off", "longer"],
)
def test_what_nobody_here_has_sealed_is_not(value: str) -> None:
    assert not _is_good(value)


def test_another_cookie_of_ours_is_not() -> None:
    assert not _is_good(sealed(), "_streamlit_user_tokens")


def test_one_lasts_as_long_as_streamlit_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cookie, now = sealed(), time.time()
    monkeypatch.setattr(time, "time", lambda: now + SIGN_IN_ACCEPTED_FOR.total_seconds() - A_DAY)
    is_good_before = _is_good(cookie)
    monkeypatch.setattr(time, "time", lambda: now + SIGN_IN_ACCEPTED_FOR.total_seconds() + A_DAY)

    assert (is_good_before, _is_good(cookie)) == (True, False)


ORIGIN = "https://homeroom.example"
CLAIMS = json.dumps({"origin": ORIGIN, "is_logged_in": True, "iss": "https://id.example", "sub": "maya", "iat": 7})


def _subject(**cookies: str) -> str | None:
    """cookies: by what follows the name of the first one; sealed here."""
    names = {SIGN_IN_COOKIE + end: value for end, value in cookies.items()}
    sealed_here = [f"{name}={create_signed_value(SECRET, name, value).decode()}" for name, value in names.items()]
    headers = [(b"cookie", "; ".join(sealed_here).encode())]
    claims = SignInCookie(SECRET).claims(HTTPConnection({"type": "http", "headers": headers}), origin=ORIGIN)
    return claims.subject if claims else None


def test_claims_come_whole_or_in_parts() -> None:
    assert _subject(**{"": CLAIMS}) == "maya"
    assert _subject(**{"": "chunks-2", "_1": CLAIMS[:20], "_2": CLAIMS[20:]}) == "maya"


@pytest.mark.parametrize(
    "cookies",
    [
        {"": "chunks-2", "_1": CLAIMS[:20]},
        {"": "chunks-99", "_1": CLAIMS[:20], "_99": CLAIMS[20:-1]},
        {"": "chunks-2", "_2": CLAIMS[:20], "_1": CLAIMS[20:]},
        {"": "chunks-100", "_1": CLAIMS},
        {"": "chunks-0", "_1": CLAIMS},
        {"_1": CLAIMS},
        {"": CLAIMS.replace(ORIGIN, "https://elsewhere.example")},
        {"": CLAIMS.replace("true", "1")},
        {"": CLAIMS.replace('"maya"', "[7]")},
        {"": f"[{CLAIMS}]"},
        {"": "null"},
    ],
)
def test_no_claims_come_from_parts_that_are_missing_or_from_another_origin(cookies: dict[str, str]) -> None:
    assert _subject(**cookies) is None


def test_a_cookie_that_streamlit_itself_splits_is_put_together() -> None:
    made: dict[str, str] = {}

    def seal(name: str, value: str) -> bytes:
        return create_signed_value(SECRET, name, value)

    def keep(name: str, value: str) -> None:
        made[name] = seal(name, value).decode()

    claims = {**json.loads(CLAIMS), "groups": [secrets.token_hex(16) for _ in range(400)]}
    set_cookie_with_chunks(keep, seal, SIGN_IN_COOKIE, claims, cookie_attr_size=100)
    headers = [(b"cookie", "; ".join(f"{name}={value}" for name, value in made.items()).encode())]
    found = SignInCookie(SECRET).claims(HTTPConnection({"type": "http", "headers": headers}), origin=ORIGIN)

    assert len(made) > 2
    assert found == SignInClaims(issuer="https://id.example", subject="maya", session=7)
