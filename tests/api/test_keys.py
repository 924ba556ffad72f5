"""Every form of a key that is not good, in every header, on every route: one answer, and always a no."""

import base64
import hashlib
from collections.abc import Callable
from datetime import timedelta

import httpx2
import pytest

from api.routes import endpoints
from services.identity.api_keys import new_secret
from services.runtime.clock import utc_now
from tests.api.room import ALL, ApiRoom, error_of
from tests.fakes import FakeClock

GUARDED = [endpoint for endpoint in endpoints() if not endpoint.is_public]


def revoked(api: ApiRoom) -> str:
    program = api.program(api.maya.student)
    api.services.keys.revoke(api.maya.student.id, program.key.key.id)
    return program.key.secret


def of_a_disabled_student(api: ApiRoom) -> str:
    gone = api.room.sign_in("gone")
    secret = api.program(gone).key.secret
    api.services.students.disable(gone.id)
    return secret


HOSTILE: dict[str, Callable[[ApiRoom], str | bytes]] = {
    "empty": lambda _: "",
    "blank": lambda _: "   ",
    "word": lambda _: "undefined",
    "never made": lambda _: new_secret(),
    "revoked": revoked,
    "of a disabled student": of_a_disabled_student,
    "prefix only": lambda api: api.maya.key.key.prefix,
    "its id": lambda api: api.maya.key.key.id,
    "its hash": lambda api: hashlib.sha256(api.maya.key.secret.encode()).hexdigest(),
    "cut": lambda api: api.maya.key.secret[:-1],
    "longer": lambda api: api.maya.key.secret + "0",
    "other case": lambda api: api.maya.key.secret.swapcase(),
    "quoted": lambda api: f'"{api.maya.key.secret}"',
    "twice": lambda api: f"{api.maya.key.secret}, {api.maya.key.secret}",
    "two in one": lambda api: f"{api.maya.key.secret} {api.diego.key.secret}",
    "with a line": lambda api: f"{api.maya.key.secret}\tx",
    "with a NUL": lambda api: f"{api.maya.key.secret}\0",
    "not ASCII": lambda _: ("hr_" + "é" * 36).encode(),
    "full-width": lambda api: ("ｈｒ＿" + api.maya.key.secret[3:]).encode(),
    "query operator": lambda _: '{"$ne": ""}',
    "SQL": lambda _: "hr_' OR '1'='1",
    "endless": lambda _: "hr_" + "A" * 60_000,
    "student's id": lambda api: api.maya.student.id,
}
HEADERS: dict[str, Callable[[bytes], list[tuple[bytes, bytes]]]] = {
    "bearer": lambda key: [(b"authorization", b"Bearer " + key)],
    "bearer, small": lambda key: [(b"authorization", b"bearer " + key)],
    "x-api-key": lambda key: [(b"x-api-key", key)],
    "both": lambda key: [(b"authorization", b"Bearer " + key), (b"x-api-key", key)],
}


def ask(api: ApiRoom, method: str, path: str, headers: list[tuple[bytes, bytes]], **options: object) -> httpx2.Response:
    address = path.replace("{tool_name}", "board_read").replace("{id}", "homeroom")
    body = [(b"content-type", b"application/json")] if method == "POST" else []
    content = b'{"decision": "approve"}' if "approvals" in path else b"{}"
    return api.client.request(
        method,
        address,
        headers=[*headers, *body],
        content=content if body else None,
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("form", HOSTILE)
def test_a_bad_key_opens_no_route_in_any_header(api: ApiRoom, form: str) -> None:
    key = HOSTILE[form](api)
    raw = key if isinstance(key, bytes) else key.encode()

    answers = [ask(api, e.method, e.path, made(raw)) for e in GUARDED for made in HEADERS.values()]

    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.text for answer in answers}) == 1, "a refusal tells nothing apart"
    assert {error_of(answer) for answer in answers} == {"invalid_key"}
    assert all(answer.headers["www-authenticate"].startswith("Bearer ") for answer in answers)


@pytest.mark.parametrize("header", HEADERS)
def test_a_good_key_opens_in_every_header(api: ApiRoom, header: str) -> None:
    answer = ask(api, "GET", "/api/tools", HEADERS[header](api.maya.key.secret.encode()))

    assert answer.status_code == 200


@pytest.mark.parametrize("endpoint", GUARDED, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_a_route_without_a_key_is_closed(api: ApiRoom, endpoint: object) -> None:
    answer = ask(api, endpoint.method, endpoint.path, [])  # type: ignore[attr-defined]

    assert (answer.status_code, error_of(answer)) == (401, "missing_key")


@pytest.mark.parametrize("endpoint", GUARDED, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_a_key_counts_in_no_other_place(api: ApiRoom, endpoint: object) -> None:
    secret = api.maya.key.secret
    basic = base64.b64encode(f"{secret}:".encode())
    wrong = [
        [(b"cookie", f"authorization={secret}; x-api-key={secret}; _streamlit_user={secret}".encode())],
        [(b"authorization", b"Basic " + basic)],
        [(b"authorization", secret.encode())],
        [(b"authorization", b"Token " + secret.encode())],
        [(b"proxy-authorization", b"Bearer " + secret.encode())],
        [(b"x-auth-token", secret.encode())],
        [(b"api-key", secret.encode())],
    ]

    answers = [ask(api, endpoint.method, endpoint.path, headers) for headers in wrong]  # type: ignore[attr-defined]
    query = {"api_key": secret, "access_token": secret, "key": secret}
    answers.append(ask(api, endpoint.method, endpoint.path, [], params=query))  # type: ignore[attr-defined]

    assert {answer.status_code for answer in answers} == {401}


@pytest.mark.parametrize("good_first", [True, False])
def test_two_credentials_that_disagree_are_refused(api: ApiRoom, good_first: bool) -> None:
    good, other = api.maya.key.secret.encode(), api.diego.key.secret.encode()
    pair = (good, other) if good_first else (other, good)

    answers = [
        ask(api, "GET", "/api/tools", [(b"authorization", b"Bearer " + pair[0]), (b"x-api-key", pair[1])]),
        ask(api, "GET", "/api/tools", [(b"x-api-key", pair[0]), (b"x-api-key", pair[1])]),
        ask(api, "GET", "/api/tools", [(b"authorization", b"Bearer " + secret) for secret in pair]),
        ask(api, "GET", "/api/tools", [(b"authorization", b"Basic eDp5"), (b"x-api-key", good)]),
    ]

    assert {answer.status_code for answer in answers} == {401}


def test_a_revoked_key_is_out_at_the_next_request_everywhere(api: ApiRoom) -> None:
    elsewhere = api.replica()
    bearer = {"authorization": f"Bearer {api.maya.key.secret}"}
    before = [client.get("/api/tools", headers=bearer).status_code for client in (api.client, elsewhere)]

    api.services.keys.revoke(api.maya.student.id, api.maya.key.key.id)

    assert before == [200, 200]
    assert [client.get("/api/tools", headers=bearer).status_code for client in (api.client, elsewhere)] == [
        401,
        401,
    ]


def test_a_disabled_student_is_out_at_the_next_request(api: ApiRoom) -> None:
    assert api.maya.get("/api/tools").status_code == 200

    api.services.students.disable(api.maya.student.id)

    assert api.maya.get("/api/tools").status_code == 401


def test_an_expired_key_says_that_it_has(make_api: Callable[..., ApiRoom]) -> None:
    clock = FakeClock(utc_now())
    api = make_api(clock=clock)
    ends_at = clock() + timedelta(minutes=5)
    made = api.services.keys.create(api.maya.student, label="Trial", scopes=ALL, expires_at=ends_at)
    clock.advance(minutes=5)

    answer = api.client.get("/api/tools", headers={"x-api-key": made.secret})

    assert (answer.status_code, error_of(answer)) == (401, "invalid_key")
    assert "expired" in answer.text


OPENS = {
    ("GET", "/api/tools"): {"read"},
    ("POST", "/api/tools/execute/{tool_name}"): {"read"},
    ("GET", "/api/approvals"): {"read", "approve"},
    ("POST", "/api/approvals/{id}"): {"approve"},
    ("GET", "/api/assistants/{id}/config"): {"read"},
    ("GET", "/tools"): {"read", "admin"},
    ("GET", "/tools/metrics"): {"read", "admin"},
    ("POST", "/tools/metrics/reset"): {"write", "admin"},
    ("POST", "/api/contexts"): {"read", "admin"},
}


@pytest.mark.parametrize("scope", ["read", "write", "approve", "admin"])
@pytest.mark.parametrize("endpoint", GUARDED, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_a_scope_opens_its_own_routes_only(api: ApiRoom, endpoint: object, scope: str) -> None:
    route = (endpoint.method, endpoint.path)  # type: ignore[attr-defined]
    made = api.services.keys.create(api.maya.student, label="One", scopes=[scope], by_operator=True)

    answer = ask(api, *route, [(b"x-api-key", made.secret.encode())])

    assert (answer.status_code == 403) == (scope not in OPENS[route])
    if answer.status_code == 403:
        assert error_of(answer) == "insufficient_scope"
        assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]


def test_a_tool_that_writes_needs_write_and_one_that_reads_needs_read(api: ApiRoom) -> None:
    reader, writer = api.program(api.maya.student, "read"), api.program(api.maya.student, "write")

    assert reader.execute("board_read").status_code == 200
    assert reader.execute("board_pin", {"text": "hello"}).status_code == 403
    assert writer.execute("board_read").status_code == 403
    assert writer.execute("board_pin", {"text": "hello"}).status_code == 202
    assert api.board.pins == []
