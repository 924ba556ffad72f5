"""Only a cookie that was sealed here, and has not run out, tells of somebody who signed in."""

import time
from datetime import timedelta

import pytest
from starlette.requests import HTTPConnection

from api.auth import SIGN_IN_COOKIE, SIGN_IN_LIFETIME, SignInCookie
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
    monkeypatch.setattr(time, "time", lambda: now + SIGN_IN_LIFETIME.total_seconds() - A_DAY)
    is_good_before = _is_good(cookie)
    monkeypatch.setattr(time, "time", lambda: now + SIGN_IN_LIFETIME.total_seconds() + A_DAY)

    assert (is_good_before, _is_good(cookie)) == (True, False)
