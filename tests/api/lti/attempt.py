"""`Attempt`: a launch that a test spoils, and the ways of spoiling it."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from joserfc import jwt

from services.classes.lti import claim_names as names
from tests.api.lti.lti_room import PUBLIC, Browser, LtiRoom, refusal_of
from tests.api.lti.platform_server import INSTRUCTOR, KEY, OTHER_KEY

CANARY = "canary-of-this-launch"
Refused = Callable[["Attempt"], httpx2.Response]


class Attempt:
    """A launch of somebody, whose every part a test can replace."""

    def __init__(self, room: LtiRoom) -> None:
        self.room, self.platform, self.browser = room, room.platform, room.browser()

    def begin(self, **more: str) -> tuple[str, str]:
        """The nonce and the state of a login."""
        asked = parse_qs(urlsplit(self.browser.login(**more).headers["location"]).query)
        return asked["nonce"][0], asked["state"][0]

    def with_claims(self, **claims: Any) -> httpx2.Response:
        nonce, state = self.begin()
        return self.post(self.platform.sign(self.good(nonce, claims)), state)

    def without(self, name: str) -> httpx2.Response:
        return self.with_claims(**{name: None})

    def good(self, nonce: str, changed: Mapping[str, Any] | None = None) -> dict[str, Any]:
        told = {"name": CANARY, "email": f"{CANARY}@x.example", "nonce": nonce, **(changed or {})}
        claims = {**self.platform.claims(nonce), **told}
        return {name: value for name, value in claims.items() if value is not None}

    def signed(self, header: Mapping[str, Any], signature: Callable[[str], bytes]) -> httpx2.Response:
        """A token that is put together by hand."""
        nonce, state = self.begin()
        signed = f"{part(header)}.{part(self.good(nonce))}"
        return self.post(f"{signed}.{b64(signature(signed))}", state)

    def post(self, id_token: str, state: str, browser: Browser | None = None) -> httpx2.Response:
        return (browser or self.browser).post_launch(id_token, state)

    def send(self, method: str = "POST", path: str = "/lti/launch", **options: Any) -> httpx2.Response:
        return self.browser.send(method, path, **options)


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def part(value: Mapping[str, Any]) -> str:
    return b64(json.dumps(value).encode())


def now(seconds: int = 0) -> int:
    return int(time.time()) + seconds


def claim(code: str, **claims: Any) -> tuple[str, Refused]:
    return code, lambda attempt: attempt.with_claims(**claims)


def timed(code: str, **seconds: int) -> tuple[str, Refused]:
    """Times so many seconds from the launch, which may come long after the tests were collected."""
    return code, lambda attempt: attempt.with_claims(**{name: now(away) for name, away in seconds.items()})


def missing(code: str, name: str) -> tuple[str, Refused]:
    return code, lambda attempt: attempt.without(name)


def login(code: str, **fields: Any) -> tuple[str, Refused]:
    """A login with these parameters changed; None for one that is missing."""

    def refused(attempt: Attempt) -> httpx2.Response:
        given = {"iss": attempt.platform.origin, "client_id": "client-1", "login_hint": CANARY}
        asked = {**given, "target_link_uri": f"{PUBLIC}/lti/launch", **fields}
        return attempt.send("GET", "/lti/login", params={name: value for name, value in asked.items() if value})

    return code, refused


def replayed(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    token = attempt.platform.sign(attempt.good(nonce))
    assert refusal_of(attempt.post(token, state)) == ""
    return attempt.post(token, state)


def token_of_another_login(attempt: Attempt) -> httpx2.Response:
    """The nonce came before: a token that was caught, in a login of whoever caught it."""
    nonce, _ = attempt.begin()
    _, state = attempt.begin()
    return attempt.post(attempt.platform.sign(attempt.good(nonce)), state)


def nonce_twice(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    token = attempt.platform.sign(attempt.good(nonce))
    assert refusal_of(attempt.post(token, state)) == ""
    _, other = attempt.begin()
    return attempt.post(token, other)


def another_browser(attempt: Attempt) -> httpx2.Response:
    """Login swap: somebody's own launch is sent through the browser of a victim."""
    nonce, state = attempt.begin()
    return attempt.post(attempt.platform.sign(attempt.good(nonce)), state, attempt.room.browser())


def anothers_binding(attempt: Attempt) -> httpx2.Response:
    """The victim's browser has begun a login of its own, and keeps the value of that."""
    nonce, state = attempt.begin()
    victim = attempt.room.browser()
    victim.login()
    kept = {name.rpartition("_")[0]: value for name, value in victim.cookies.items()}
    victim.cookies = {f"{name}_{state[:8]}": value for name, value in kept.items()}
    return attempt.post(attempt.platform.sign(attempt.good(nonce)), state, victim)


def state_after_ten_minutes(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    shared, ago = attempt.room.services.store.shared, "2020-01-01T00:00:00+00:00"
    for found in shared.find("lti_logins", {}):
        shared.compare_and_set("lti_logins", found["id"], {}, {"expires_at": ago})
    return attempt.post(attempt.platform.sign(attempt.good(nonce)), state)


def platform_taken_out(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    platforms = attempt.room.lti.platforms
    platforms.remove(attempt.room.registered.id)
    try:
        return attempt.post(attempt.platform.sign(attempt.good(nonce)), state)
    finally:
        platforms.add(attempt.room.registration())


def second_registration(attempt: Attempt) -> str:
    """Another school under the same issuer, as hosted Canvas has it, with a deployment of its own."""
    attempt.room.lti.platforms.add(attempt.room.registration(client_id="client-2", deployments=("d2",)))
    return "client-2"


def another_schools_token(attempt: Attempt) -> httpx2.Response:
    other = second_registration(attempt)
    nonce, state = attempt.begin()
    return attempt.post(attempt.platform.sign(attempt.good(nonce, {"aud": other})), state)


def another_schools_deployment(attempt: Attempt) -> httpx2.Response:
    second_registration(attempt)
    return attempt.with_claims(**{names.DEPLOYMENT_ID: "d2"})


def no_client_among_two(attempt: Attempt) -> httpx2.Response:
    second_registration(attempt)
    return login("", client_id=None)[1](attempt)


def unknown_kid(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    return attempt.post(attempt.platform.sign(attempt.good(nonce), kid="k9", key=OTHER_KEY), state)


def strangers_key(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    return attempt.post(attempt.platform.sign(attempt.good(nonce), key=OTHER_KEY), state)


def key_in_the_header(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    header = {"alg": "RS256", "kid": "k1", "jwk": OTHER_KEY.as_dict(private=False)}
    return attempt.post(jwt.encode(header, attempt.good(nonce), OTHER_KEY), state)


def changed_after_signing(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    head, _, signature = attempt.platform.sign(attempt.good(nonce)).split(".")
    claims = attempt.good(nonce, {"sub": "teacher"})
    return attempt.post(f"{head}.{part(claims)}.{signature}", state)


def repeated(field: str) -> Refused:
    def refused(attempt: Attempt) -> httpx2.Response:
        nonce, state = attempt.begin()
        sound = {"id_token": attempt.platform.sign(attempt.good(nonce)), "state": state}
        return attempt.send(data={**sound, field: [sound[field], CANARY]})

    return refused


def as_json(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    return attempt.send(json={"id_token": attempt.platform.sign(attempt.good(nonce)), "state": state})


def by_address(attempt: Attempt) -> httpx2.Response:
    nonce, state = attempt.begin()
    given = {"id_token": attempt.platform.sign(attempt.good(nonce)), "state": state}
    return attempt.send("GET", params=given)


def error_posted(attempt: Attempt) -> httpx2.Response:
    _, state = attempt.begin()
    return attempt.send(data={"error": "login_required", "error_description": CANARY, "state": state})


def raw_token(token: str) -> Refused:
    def refused(attempt: Attempt) -> httpx2.Response:
        _, state = attempt.begin()
        return attempt.post(token, state)

    return refused


def with_public_key(signed: str) -> bytes:
    return hmac.new(KEY.as_pem(private=False), signed.encode(), hashlib.sha256).digest()


def deep_link(code: str, settings: Any = None, **more: Any) -> tuple[str, Refused]:
    """A deep linking request of an instructor with these settings changed; None for one that is missing."""
    good = {"deep_link_return_url": "https://school.example/return", "accept_types": ["ltiResourceLink"]}
    given = {**good, **(settings or {})} if not isinstance(settings, str) else settings
    kept = {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given
    fixed = {names.MESSAGE_TYPE: names.DEEP_LINKING_REQUEST, names.ROLES: [INSTRUCTOR]}
    return claim(code, **{**fixed, names.DEEP_LINKING_SETTINGS: kept, **more})
