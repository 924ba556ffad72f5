"""Whatever a program sends, it gets JSON of one shape, and never a trace."""

import threading
from collections.abc import Callable, Iterator

import httpx2
import pytest

from api.body import MOST_BYTES
from api.key_limits import RequestLimits
from services.errors import StorageUnavailable
from tests.agent_fakes import WAIT_S
from tests.api.room import ApiRoom, Program, error_of
from tests.fakes import FakeClock

EXECUTE = "/api/tools/execute/board_read"


def send(api: ApiRoom, content: bytes | Iterator[bytes], kind: str | None = "application/json") -> httpx2.Response:
    return api.maya.call("POST", EXECUTE, content=content, headers={"content-type": kind} if kind else {})


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/tools/", "/api/tools/execute", "/api//tools"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_an_address_without_a_route_is_not_found(api: ApiRoom, method: str, path: str) -> None:
    answer = api.maya.call(method, path)

    assert (answer.status_code, error_of(answer)) == (404, "not_found")


@pytest.mark.parametrize(("method", "path", "allowed"), [("POST", "/api/tools", "GET, HEAD"), ("GET", EXECUTE, "POST")])
def test_another_method_is_told_which_ones_there_are(api: ApiRoom, method: str, path: str, allowed: str) -> None:
    answer = api.maya.call(method, path)

    assert (answer.status_code, error_of(answer)) == (405, "method_not_allowed")
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_body_of_another_kind_is_refused(api: ApiRoom, kind: str | None) -> None:
    """What a page elsewhere could send without asking first is never taken."""
    answer = send(api, b"{}", kind)

    assert (answer.status_code, error_of(answer)) == (415, "unsupported_media_type")


def test_a_compressed_body_is_refused(api: ApiRoom) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    answer = api.maya.call("POST", EXECUTE, content=b"\x1f\x8b", headers=headers)

    assert answer.status_code == 415


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b'{"arguments": NaN}', b'{"arguments": {"topic": "\\ud800"}}', b"[" * 5000]
)
def test_a_body_that_is_not_json_is_refused(api: ApiRoom, content: bytes) -> None:
    answer = send(api, content)

    assert (answer.status_code, error_of(answer)) == (400, "bad_json")


@pytest.mark.parametrize(
    "content", [b"[]", b"null", b'"x"', b'{"arguments": []}', b'{"x": 1}', b'{"assistant": 1}', b'{"arguments": null}']
)
def test_json_that_does_not_fit_is_refused_without_repeating_it(api: ApiRoom, content: bytes) -> None:
    answer = send(api, content)

    assert (answer.status_code, error_of(answer)) == (422, "bad_request")


@pytest.mark.parametrize("is_declared", [True, False])
def test_a_body_that_is_too_large_is_not_read(api: ApiRoom, is_declared: bool) -> None:
    sent: list[int] = []

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            sent.append(1)
            yield b" " * (MOST_BYTES // 10)

    answer = send(api, b" " * (MOST_BYTES + 1) if is_declared else pieces())

    assert (answer.status_code, error_of(answer)) == (413, "too_large")


def test_a_store_that_is_down_is_unavailable(api: ApiRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StorageUnavailable("The store does not answer.")

    monkeypatch.setattr(api.room.engine, "find", fail)

    answer = api.maya.get("/api/tools")

    assert (answer.status_code, error_of(answer)) == (503, "unavailable")
    assert answer.headers["retry-after"]


def test_a_crash_of_ours_has_a_number_and_no_text(
    api: ApiRoom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("periwinkle")

    monkeypatch.setattr(api.services.gateway, "list_tools", crash)

    answer = api.maya.get("/api/tools")

    assert (answer.status_code, error_of(answer)) == (500, "internal")
    assert "periwinkle" not in answer.text + caplog.text
    assert caplog.records[-1].message.startswith("api_crashed id=")


def test_a_key_that_asks_too_much_waits_and_others_do_not(make_api: Callable[..., ApiRoom]) -> None:
    clock = FakeClock()
    api = make_api(clock=clock, limits=RequestLimits(burst=3, per_second=0.5))

    codes = [api.maya.get("/api/tools").status_code for _ in range(4)]
    refused = api.maya.get("/api/tools")
    clock.advance(seconds=2)

    assert codes == [200, 200, 200, 429]
    assert (error_of(refused), refused.headers["retry-after"]) == ("too_many_requests", "2")
    assert api.diego.get("/api/tools").status_code == 200
    assert [api.maya.get("/api/tools").status_code for _ in range(2)] == [200, 429]


def test_a_program_may_ask_120_times_in_a_row_as_the_docs_tell(make_api: Callable[..., ApiRoom]) -> None:
    api = make_api(clock=FakeClock(), limits=RequestLimits())

    answers = [api.maya.get("/api/approvals") for _ in range(121)]

    assert {answer.status_code for answer in answers[:120]} == {200}
    assert "Wait 1 s" in answers[120].json()["error"]["message"]


def test_a_keys_requests_count_in_every_replica(make_api: Callable[..., ApiRoom]) -> None:
    limits = RequestLimits(burst=3, per_second=0.5)
    api = make_api(clock=FakeClock(), limits=limits)
    elsewhere = Program(api.replica(limits), api.services, api.maya.student)
    elsewhere.key = api.maya.key

    codes = [program.get("/api/tools").status_code for program in (api.maya, elsewhere, api.maya, elsewhere, api.maya)]

    assert codes == [200, 200, 200, 429, 429]


def test_a_key_has_so_many_requests_at_once(make_api: Callable[..., ApiRoom]) -> None:
    api = make_api(limits=RequestLimits(at_once=1))
    begun, may_end = threading.Event(), threading.Event()

    def hang(_: str) -> None:
        begun.set()
        may_end.wait(WAIT_S)

    api.board.after = hang
    waiting = api.maya.ask_to_pin("slowly")
    with api.client:
        first = threading.Thread(target=api.maya.decide, args=(waiting,))
        first.start()
        assert begun.wait(WAIT_S)
        second = api.maya.get("/api/tools")
        may_end.set()
        first.join(WAIT_S)
        third = api.maya.get("/api/tools")

    assert (second.status_code, error_of(second)) == (429, "too_many_requests")
    assert third.status_code == 200


def test_answers_are_kept_by_nobody(api: ApiRoom) -> None:
    answers = [api.maya.get("/api/tools"), api.maya.get("/api/nothing"), api.client.get("/api/tools")]

    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


def test_head_tells_what_get_would_without_the_body(api: ApiRoom) -> None:
    answer = api.maya.call("HEAD", "/api/tools")

    assert (answer.status_code, answer.content) == (200, b"")


def test_a_tools_failure_is_told_in_the_students_language_and_its_kind_in_every_language(api: ApiRoom) -> None:
    api.services.students.set_language(api.maya.student.id, "es", "es-MX")

    told = api.maya.execute("planner_complete_task", {"task": "feed the cat"}).json()

    assert told["message"] == "No se encontró nada con ese nombre."
    assert told["error"].startswith("task: none is called “feed the cat”")
    assert told["error_kind"] == "not_found"
