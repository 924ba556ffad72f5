"""Launches that must not be let in: a plain page with a code, nobody signed in, and nothing told of what came."""

from collections.abc import Iterator
from typing import Any

import pytest

from services.classes.lti import claim_names as names
from tests.api.lti.attempt import CANARY, Attempt, now
from tests.api.lti.lti_room import LtiRoom, refusal_of
from tests.api.lti.platform_server import platform_server
from tests.api.lti.refused_launches import LAUNCHES


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LtiRoom]:
    with platform_server() as platform:
        room = LtiRoom(tmp_path_factory.mktemp("lti"), platform)
        yield room
        room.services.store.close()


@pytest.fixture
def room(running: LtiRoom) -> LtiRoom:
    """As new: one registration."""
    platforms: Any = running.lti.platforms
    for platform in platforms.all():
        platforms.remove(platform.id)
    running.registered = platforms.add(running.registration())
    return running


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_launch_that_is_not_right_is_refused_with_a_plain_page(room: LtiRoom, name: str) -> None:
    code, refused = LAUNCHES[name]
    attempt = Attempt(room)
    people = len(room.services.store.shared.find("students", {}))
    page = refused(attempt)

    assert refusal_of(page) == code
    assert 400 <= page.status_code < 600
    assert page.headers["content-type"].startswith("text/html")
    assert (page.text.count("<h1>"), page.text.count("<p>") >= 1) == (1, True)
    assert not [word for word in (CANARY, "Traceback", "eyJ", "stranger.example", "evil.example") if word in page.text]
    assert "no-store" in page.headers["cache-control"]
    assert "frame-ancestors" in page.headers["content-security-policy"]
    assert attempt.browser.student is None
    assert len(room.services.store.shared.find("students", {})) == people


def test_what_a_good_launch_may_look_like_is_not_refused(room: LtiRoom) -> None:
    good = [
        {},
        {"aud": ["client-1"]},
        {"aud": ["client-1", "other"], "azp": "client-1"},
        {"azp": "client-1"},
        {"exp": now(-30), "iat": now(-50)},
        {"iat": now(30)},
        {names.ROLES: []},
        {names.CONTEXT: None},
        {names.CUSTOM: {names.MASQUERADING: names.MASQUERADING_VARIABLE}},
        {names.CUSTOM: {names.MASQUERADING: ""}},
        {"name": None, "email": None},
        {names.NAMES_AND_ROLES: None},
        {"https://school.example/claim/of/its/own": "A" * 60_000},
    ]
    answers = [Attempt(room).with_claims(**claims) for claims in good]

    assert [refusal_of(answer) for answer in answers] == [""] * len(good)


def test_a_platform_whose_keys_do_not_answer_is_told_apart(room: LtiRoom) -> None:
    origin = room.platform.origin
    room.lti.platforms.add(
        room.registration(client_id="client-3", issuer="https://away.example", jwks_url=f"{origin}/no")
    )
    attempt = Attempt(room)
    nonce, state = attempt.begin(iss="https://away.example", client_id="client-3")
    page = attempt.post(room.platform.sign(attempt.good(nonce)), state)

    assert (page.status_code, refusal_of(page)) == (503, "keys_unreachable")
