"""Launches that must not be let in: each is a plain page with a code, signs nobody in, and tells nothing of what came."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from joserfc import jwt

from services.classes.lti import claim_names as names
from tests.api.lti.lti_room import PUBLIC, Browser, LtiRoom, refusal_of
from tests.api.lti.platform_server import KEY, OTHER_KEY, PlatformServer, platform_server

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
        return self.post(self.platform.sign(self.good(nonce, **claims)), state)

    def without(self, name: str) -> httpx2.Response:
        return self.with_claims(**{name: None})

    def good(self, nonce: str, **claims: Any) -> dict[str, Any]:
        return self.platform.claims(nonce, **{"name": CANARY, "email": f"{CANARY}@x.example", **claims})

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
    return attempt.post(attempt.platform.sign(attempt.good(nonce, aud=other)), state)


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
    return attempt.post(f"{head}.{part(attempt.good(nonce, sub='teacher'))}.{signature}", state)


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


def deep_link(code: str, settings: Any = ..., **more: Any) -> tuple[str, Refused]:
    """A deep linking request of an instructor with these settings changed; None for one that is missing."""
    good = {"deep_link_return_url": "https://school.example/return", "accept_types": ["ltiResourceLink"]}
    given = good if settings is ... else settings and {**good, **settings}
    kept = {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given
    teacher = ["http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"]
    fixed = {names.MESSAGE_TYPE: names.DEEP_LINKING_REQUEST, names.ROLES: teacher}
    return claim(code, **{**fixed, names.DEEP_LINKING_SETTINGS: kept, **more})


DEEP = "A" * 60_000
LAUNCHES: dict[str, tuple[str, Refused]] = {
    # The login.
    "login without issuer": login("request_incomplete", iss=None),
    "login without hint": login("request_incomplete", login_hint=None),
    "login without target": login("request_incomplete", target_link_uri=None),
    "login of an unknown issuer": login("platform_unknown", iss="https://stranger.example"),
    "login of an unknown client": login("platform_unknown", client_id="client-9"),
    "login without client where two are": ("client_ambiguous", no_client_among_two),
    "login for a target elsewhere": login("target_foreign", target_link_uri="https://stranger.example/lti/launch"),
    "login for a target that begins like ours": login("target_foreign", target_link_uri=f"{PUBLIC}.evil.example/"),
    "login for a target with our name as user": login(
        "target_foreign", target_link_uri="http://localhost:8501@evil.example/"
    ),
    "login for a script": login("target_foreign", target_link_uri="javascript:alert(1)"),
    "login with two hints": login("request_malformed", login_hint=["a", "b"]),
    "login with a hint of a book": login("request_malformed", login_hint="h" * 9_000),
    # The state and the browser.
    "no state": ("state_unknown", lambda attempt: attempt.send(data={"id_token": "a.b.c"})),
    "a state that was never given": ("state_unknown", lambda attempt: attempt.post("a.b.c", "s" * 43)),
    "a state for the second time": ("state_unknown", replayed),
    "a state after ten minutes": ("state_unknown", state_after_ten_minutes),
    "two states": ("request_malformed", repeated("state")),
    "two tokens": ("request_malformed", repeated("id_token")),
    "JSON instead of a form": ("request_malformed", as_json),
    "in the address instead of a form": ("method_not_allowed", by_address),
    "the platform's error": ("platform_refused", error_posted),
    "a registration that was taken out meanwhile": ("platform_unknown", platform_taken_out),
    "another browser": ("browser_unknown", another_browser),
    "another browser with a login of its own": ("browser_unknown", anothers_binding),
    # The signature.
    "no token": ("token_missing", raw_token("")),
    "no token at all": ("token_malformed", raw_token("hello")),
    "a token of two parts": ("token_malformed", raw_token("e30.e30")),
    "a token of five parts, encrypted": ("token_malformed", raw_token("e30.e30.e30.e30.e30")),
    "a header that is no object": ("token_malformed", raw_token(f"{b64(b'[]')}.e30.e30")),
    "a header of deep lists": ("token_malformed", raw_token(f"{b64(b'[' * 50_000)}.e30.e30")),
    "a token of a megabyte": ("request_malformed", raw_token("a" * 1_000_000)),
    "a token of 200 kB": ("token_malformed", raw_token("a" * 200_000)),
    "algorithm none": (
        "algorithm_refused",
        lambda attempt: attempt.signed({"alg": "none", "kid": "k1"}, lambda _: b""),
    ),
    "algorithm nOnE": (
        "algorithm_refused",
        lambda attempt: attempt.signed({"alg": "nOnE", "kid": "k1"}, lambda _: b""),
    ),
    "HS256 with the public key": (
        "algorithm_refused",
        lambda attempt: attempt.signed({"alg": "HS256", "kid": "k1"}, with_public_key),
    ),
    "RS256 by name, HS256 by signature": (
        "signature_invalid",
        lambda attempt: attempt.signed({"alg": "RS256", "kid": "k1"}, with_public_key),
    ),
    "algorithm PS256": ("algorithm_refused", lambda attempt: attempt.signed({"alg": "PS256", "kid": "k1"}, str.encode)),
    "no algorithm": ("algorithm_refused", lambda attempt: attempt.signed({"kid": "k1"}, lambda _: b"x")),
    "no key id": ("key_id_missing", lambda attempt: attempt.signed({"alg": "RS256"}, lambda _: b"x")),
    "a key id that is a number": (
        "key_id_missing",
        lambda attempt: attempt.signed({"alg": "RS256", "kid": 1}, lambda _: b"x"),
    ),
    "an unknown key id": ("key_unknown", unknown_kid),
    "a stranger's key under a known id": ("signature_invalid", strangers_key),
    "a key that the token brings itself": ("signature_invalid", key_in_the_header),
    "no signature": (
        "signature_invalid",
        lambda attempt: attempt.signed({"alg": "RS256", "kid": "k1"}, lambda _: b""),
    ),
    "a critical header that nobody knows": (
        "signature_invalid",
        lambda attempt: attempt.signed({"alg": "RS256", "kid": "k1", "crit": ["x"], "x": 1}, lambda _: b"x"),
    ),
    "claims changed after signing": ("signature_invalid", changed_after_signing),
    # Who speaks, to whom, and when.
    "no issuer": missing("issuer_wrong", "iss"),
    "another issuer": claim("issuer_wrong", iss="https://stranger.example"),
    "an issuer with a slash more": claim("issuer_wrong", iss="http://127.0.0.1/"),
    "no audience": missing("audience_wrong", "aud"),
    "another audience": claim("audience_wrong", aud="client-9"),
    "an empty list of audiences": claim("audience_wrong", aud=[]),
    "an audience that is an object": claim("audience_wrong", aud={"client-1": 1}),
    "a number among the audiences": claim("audience_wrong", aud=["client-1", 5], azp="client-1"),
    "another school's token under the shared issuer": ("audience_wrong", another_schools_token),
    "two audiences without a party": claim("party_wrong", aud=["client-1", "client-9"]),
    "two audiences, the other one as party": claim("party_wrong", aud=["client-1", "client-9"], azp="client-9"),
    "one audience, another party": claim("party_wrong", azp="client-9"),
    "an empty party": claim("party_wrong", azp=""),
    "no expiry": missing("claims_malformed", "exp"),
    "no time of issue": missing("claims_malformed", "iat"),
    "expired": claim("expired", exp=now(-120), iat=now(-30)),
    "expired long ago": claim("expired", exp=1),
    "an expiry in words": claim("claims_malformed", exp="tomorrow"),
    "an expiry that is true": claim("claims_malformed", exp=True),
    "an expiry at the end of all numbers": claim("claims_malformed", exp=1e300),
    "issued in the future": claim("not_yet_valid", iat=now(600), exp=now(900)),
    "valid from the future": claim("not_yet_valid", nbf=now(600)),
    "issued before the login began": claim("stale", iat=now(-600)),
    "no nonce": missing("nonce_wrong", "nonce"),
    "another nonce": claim("nonce_wrong", nonce="n" * 43),
    "a nonce that is a list": claim("nonce_wrong", nonce=["n"]),
    "a nonce with an accent": claim("nonce_wrong", nonce="é"),
    "the nonce of another login": ("nonce_wrong", token_of_another_login),
    "a nonce for the second time": ("nonce_wrong", nonce_twice),
    # What is said.
    "no version": missing("version_wrong", names.VERSION),
    "LTI 1.1": claim("version_wrong", **{names.VERSION: "LTI-1p0"}),
    "no message type": missing("message_unknown", names.MESSAGE_TYPE),
    "a message of another kind": claim("message_unknown", **{names.MESSAGE_TYPE: "LtiSubmissionReviewRequest"}),
    "a message that is an object": claim("message_unknown", **{names.MESSAGE_TYPE: {"a": 1}}),
    "no deployment": missing("deployment_missing", names.DEPLOYMENT_ID),
    "a deployment of blanks": claim("deployment_missing", **{names.DEPLOYMENT_ID: "  "}),
    "a deployment that is a number": claim("deployment_missing", **{names.DEPLOYMENT_ID: 1}),
    "a deployment of 300 letters": claim("deployment_missing", **{names.DEPLOYMENT_ID: "d" * 300}),
    "an unknown deployment": claim("deployment_unknown", **{names.DEPLOYMENT_ID: "d9"}),
    "another school's deployment": ("deployment_unknown", another_schools_deployment),
    "nobody": missing("subject_missing", "sub"),
    "nobody in blanks": claim("subject_missing", sub=" "),
    "somebody of 300 letters": claim("subject_missing", sub="u" * 300),
    "somebody with a line break": claim("subject_missing", sub="user\n7"),
    "somebody who is a number": claim("subject_missing", sub=7),
    "no roles": missing("roles_malformed", names.ROLES),
    "roles in one text": claim("roles_malformed", **{names.ROLES: "Instructor"}),
    "a role that is an object": claim("roles_malformed", **{names.ROLES: [{"Instructor": 1}]}),
    "a thousand roles": claim("roles_malformed", **{names.ROLES: ["Learner"] * 1_000}),
    "no resource link": missing("resource_link_missing", names.RESOURCE_LINK),
    "a resource link without id": claim("resource_link_missing", **{names.RESOURCE_LINK: {"title": "x"}}),
    "a resource link that is a text": claim("resource_link_missing", **{names.RESOURCE_LINK: "link-1"}),
    "no target": missing("target_missing", names.TARGET_LINK_URI),
    "a target elsewhere": claim("target_foreign", **{names.TARGET_LINK_URI: "https://stranger.example/"}),
    "a target with a backslash": claim("target_foreign", **{names.TARGET_LINK_URI: f"{PUBLIC}\\@evil.example/"}),
    "a target at another port": claim("target_foreign", **{names.TARGET_LINK_URI: "http://localhost:9/"}),
    "a target without an address": claim("target_foreign", **{names.TARGET_LINK_URI: "//evil.example/"}),
    "a course that is a text": claim("context_malformed", **{names.CONTEXT: "bio"}),
    "a course without id": claim("context_malformed", **{names.CONTEXT: {"title": "Biology"}}),
    # Deep linking.
    "deep linking without settings": deep_link("return_refused", {"deep_link_return_url": None}),
    "deep linking with settings in a text": deep_link("claims_malformed", "settings"),
    "deep linking back to plain http": deep_link("return_refused", {"deep_link_return_url": "http://school.example/"}),
    "deep linking back to a script": deep_link("return_refused", {"deep_link_return_url": "javascript:alert(1)"}),
    "deep linking for images": deep_link("content_refused", {"accept_types": ["image"]}),
    "deep linking for nothing": deep_link("content_refused", {"accept_types": None}),
    "deep linking with data that is an object": deep_link("claims_malformed", {"data": {"a": 1}}),
    "deep linking by a learner": deep_link("role_insufficient", **{names.ROLES: ["Learner"]}),
    "deep linking by a teaching assistant": deep_link(
        "role_insufficient",
        **{names.ROLES: ["http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"]},
    ),
    "deep linking by the school's administrator": deep_link(
        "role_insufficient",
        **{names.ROLES: ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"]},
    ),
}


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
        {"name": None, "email": None},
        {names.NAMES_AND_ROLES: None},
        {"https://school.example/claim/of/its/own": DEEP},
    ]
    answers = [Attempt(room).with_claims(**claims) for claims in good]

    assert [refusal_of(answer) for answer in answers] == [""] * len(good)


def test_a_platform_whose_keys_do_not_answer_is_told_apart(room: LtiRoom, platform: PlatformServer) -> None:
    away = "http://127.0.0.1:1"
    room.lti.platforms.add(room.registration(client_id="client-3", issuer="https://away.example", jwks_url=f"{away}/k"))
    attempt = Attempt(room)
    asked = parse_qs(
        urlsplit(attempt.browser.login(iss="https://away.example", client_id="client-3").headers["location"]).query
    )
    page = attempt.post(platform.sign(attempt.good(asked["nonce"][0])), asked["state"][0])

    assert (page.status_code, refusal_of(page)) == (503, "keys_unreachable")
