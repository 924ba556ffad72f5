"""Logins are counted by platform and address: a flood of one takes none from another."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from api.lti import routes
from api.lti.routes import network_of
from services.runtime.rate_limiter import KeyedRateLimiter, TokenBucket
from tests.api.lti.lti_room import PUBLIC, LtiRoom, refusal_of

Login = Callable[..., str]


@pytest.fixture
def login(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Login:
    """Begins a launch from an address; the code of its refusal."""
    monkeypatch.setattr(routes, "LOGINS", TokenBucket(burst=2, per_second=0.001))
    monkeypatch.setattr(routes, "ADDRESS_LOGINS", TokenBucket(burst=5, per_second=0.001))
    lti: LtiRoom = request.getfixturevalue("lti")

    def begin(address: str, **more: str) -> str:
        client = TestClient(lti.client.app, client=(address, 4_000), follow_redirects=False)
        asked = {"iss": lti.platform.origin, "client_id": "client-1", "login_hint": "h", **more}
        params = {"target_link_uri": f"{PUBLIC}/lti/launch", **asked}
        return refusal_of(client.get(f"{PUBLIC}/lti/login", params=params))

    return begin


def test_a_flood_from_one_address_refuses_nobody_elsewhere(login: Login) -> None:
    flood = [login("203.0.113.7") for _ in range(4)]

    assert flood == ["", "", "too_many", "too_many"]
    assert login("198.51.100.9") == ""


def test_a_flood_of_one_platform_refuses_no_other_at_the_same_address(login: Login) -> None:
    flood = [login("203.0.113.7", iss="https://made.up") for _ in range(3)]

    assert flood == ["platform_unknown", "platform_unknown", "too_many"]
    assert login("203.0.113.7") == ""


def test_who_makes_platforms_up_is_counted_by_address(login: Login) -> None:
    flood = [login("203.0.113.7", iss=f"https://made.up/{number}") for number in range(7)]

    assert flood == ["platform_unknown"] * 5 + ["too_many"] * 2


def test_a_household_of_ipv6_counts_as_one_address() -> None:
    assert network_of("2001:db8:1:2::7") == network_of("2001:db8:1:2:ffff::1")
    assert network_of("2001:db8:1:2::7") != network_of("2001:db8:1:3::7")
    assert (network_of("::ffff:192.0.2.1"), network_of("192.0.2.1"), network_of("")) == ("192.0.2.1", "192.0.2.1", "")


def test_the_keys_that_a_limiter_remembers_are_bounded() -> None:
    limiter = KeyedRateLimiter(TokenBucket(burst=1, per_second=0.001), most_keys=3, clock=lambda: 0.0)

    spent = [limiter.spend(number) for number in range(100)]

    assert all(spent)
    assert not limiter.spend(99)
    assert len(limiter._states) == 3
