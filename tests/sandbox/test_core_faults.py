"""Scripted failures, each seen through a real client."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Mount, Route

from sandbox.app import campus_app
from sandbox.faults import FaultMiddleware, Faults
from sandbox.log import LogMiddleware, RequestLog
from sandbox.serve import listen
from sandbox.state import State
from tests.campus_server import CampusServer

EVENTS = [
    'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": {"text": "one two "}}\n\n',
    'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": {"text": "three four "}}\n\n',
    'event: message_delta\ndata: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\n\n',
    'event: message_stop\ndata: {"type": "message_stop"}\n\n',
]


def page(campus: CampusServer) -> str:
    """An address that answers 200 when nothing is wrong."""
    return f"{campus.url}/canvas/courses/4201"


def test_a_status_happens_as_often_as_asked_and_then_no_more(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="status", status=503, times=2)

    assert [campus.http.get(page(campus)).status_code for _ in range(3)] == [503, 503, 200]


def test_a_status_can_carry_a_body_and_headers(campus: CampusServer) -> None:
    text = "403 Forbidden (Rate Limit Exceeded)"
    headers = {"X-Rate-Limit-Remaining": "0.0"}
    campus.fault(service="canvas", fault="status", status=403, body=text, headers=headers)

    answer = campus.http.get(page(campus))

    assert (answer.status_code, answer.text, answer.headers["x-rate-limit-remaining"]) == (403, text, "0.0")


@pytest.mark.parametrize("service", ["canvas", "google", "notion", "anthropic", "oidc"])
def test_a_status_without_a_body_speaks_the_services_own_json(campus: CampusServer, service: str) -> None:
    campus.fault(service=service, fault="status", status=529)

    answer = campus.http.get(f"{campus.url}/{service}/anything")

    assert answer.status_code == 529
    assert {"errors", "error", "code"} & set(answer.json())


def test_only_the_method_and_path_that_were_named_fail(campus: CampusServer) -> None:
    campus.fault(service="canvas", method="GET", path="/courses/*", fault="status", status=500, times=0)

    assert campus.http.get(f"{campus.url}/canvas/").status_code == 200
    assert campus.http.post(page(campus)).status_code != 500
    assert campus.http.get(page(campus)).status_code == 500


def test_skipped_requests_are_left_alone(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="status", status=500, skip=2)

    assert [campus.http.get(page(campus)).status_code for _ in range(4)] == [200, 200, 500, 200]


def test_for_ever_lasts_until_it_is_cleared(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="status", status=500, times=0)
    failing = [campus.http.get(page(campus)).status_code for _ in range(3)]
    campus.clear_faults()

    assert failing == [500, 500, 500]
    assert campus.http.get(page(campus)).status_code == 200


def test_a_delay_answers_late_but_truly(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="delay", seconds=0.2)
    began = time.monotonic()

    assert campus.http.get(page(campus)).status_code == 200
    assert time.monotonic() - began >= 0.2


def test_a_hanging_request_is_in_the_log_without_a_status_and_is_let_go_by_clearing(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="hang")
    with pytest.raises(httpx.ReadTimeout):
        campus.http.get(page(campus), timeout=0.2)
    waiting = [entry["status"] for entry in campus.log()]
    outcome: list[Exception] = []

    def wait() -> None:
        try:
            campus.http.get(page(campus), timeout=10)
        except httpx.RemoteProtocolError as error:
            outcome.append(error)

    campus.fault(service="canvas", fault="hang")
    thread = threading.Thread(target=wait)
    thread.start()
    wait_until(lambda: len(campus.log()) == 2)
    campus.clear_faults()
    thread.join(timeout=5)

    assert waiting == [None]
    assert len(outcome) == 1


def test_html_is_a_maintenance_page_with_status_200(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="html")

    answer = campus.http.get(f"{campus.url}/canvas/api/v1/courses")

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_a_truncated_answer_promises_more_than_it_sends(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="truncate")

    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        campus.http.get(page(campus))


def test_a_lost_response_is_work_that_was_done(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="lose_response", path="/profile/settings")

    with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
        campus.http.post(f"{campus.url}/canvas/profile/settings", data={"person": "maya", "purpose": "lost one"})

    assert "lost one" in campus.http.get(f"{campus.url}/canvas/profile/settings").text
    assert (campus.log()[0]["status"], campus.log()[0]["fault"]) == (200, "lose_response")


def test_a_redirect_loop_leads_to_itself(campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="redirect_loop", times=0)

    with pytest.raises(httpx.TooManyRedirects):
        campus.http.get(f"{page(campus)}?a=1", follow_redirects=True)


def test_revoking_tokens_ends_one_persons_grants_at_one_service(campus: CampusServer) -> None:
    maya, diego = campus.token("canvas", "maya"), campus.token("canvas", "diego")
    campus.fault(service="canvas", fault="revoke_tokens", person="maya")
    address = f"{campus.url}/canvas/api/v1/users/self"

    statuses = [
        campus.http.get(address, headers={"authorization": f"Bearer {token}"}).status_code for token in (maya, diego)
    ]

    assert statuses == [401, 200]


@pytest.mark.parametrize(
    "wish",
    [
        {"service": "canvas", "fault": "explode"},
        {"service": "canvas", "fault": "overloaded"},
        {"service": "canvas", "fault": "status"},
        {"service": "canvas", "fault": "hang", "sometimes": True},
        {"fault": "hang"},
        {"service": "canvas", "fault": "revoke_tokens", "person": "nobody"},
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(campus: CampusServer, wish: dict[str, object]) -> None:
    assert campus.http.post(f"{campus.url}/faults", json=wish).status_code == 400


@pytest.mark.parametrize(("kind", "status"), [("overloaded", 529), ("refuse", 400), ("billing", 402)])
def test_the_model_can_refuse_before_it_speaks(campus: CampusServer, kind: str, status: int) -> None:
    campus.fault(service="anthropic", fault=kind)

    answer = campus.http.post(f"{campus.url}/anthropic/v1/messages", json={})

    assert (answer.status_code, answer.json()["type"]) == (status, "error")


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[tuple[str, Faults]]:
    """A tiny model that streams four words, behind the real middleware: its address, and the failures to set."""

    async def speak(request: Request) -> StreamingResponse:
        return StreamingResponse((event for event in EVENTS), media_type="text/event-stream")

    state = State(tmp_path / "faults.sqlite")
    faults = Faults(state)
    inner = FaultMiddleware(Starlette(routes=[Route("/anthropic/v1/messages", speak)]), faults=faults)
    app = Starlette(routes=[Mount("/sandbox", app=LogMiddleware(inner, log=RequestLog(state)))])
    with serving(app) as origin:
        yield f"{origin}/sandbox/anthropic/v1/messages", faults
        faults.clear()


def test_an_overload_in_mid_stream_is_an_error_event_after_so_many_words(stream: tuple[str, Faults]) -> None:
    address, faults = stream
    faults.add({"service": "anthropic", "fault": "overloaded_midstream", "after_words": 2})

    text = httpx.get(address).text

    assert "one two" in text
    assert "three" not in text
    assert "overloaded_error" in text


def test_an_early_end_never_names_a_stop_reason(stream: tuple[str, Faults]) -> None:
    address, faults = stream
    faults.add({"service": "anthropic", "fault": "early_end", "after_words": 100})

    text = httpx.get(address).text

    assert "three four" in text
    assert "stop_reason" not in text


def test_a_stalled_stream_ends_when_it_is_cleared(stream: tuple[str, Faults]) -> None:
    address, faults = stream
    faults.add({"service": "anthropic", "fault": "stall", "after_words": 3})

    with httpx.stream("GET", address) as answer:
        pieces = answer.iter_text()
        first = next(pieces)
        faults.clear()
        rest = "".join(pieces)

    assert "one two" in first
    assert "message_stop" not in first + rest


def test_a_paused_stream_goes_on_when_it_is_cleared(stream: tuple[str, Faults]) -> None:
    address, faults = stream
    whole = httpx.get(address).text
    faults.add({"service": "anthropic", "fault": "pause", "after_words": 2})

    with httpx.stream("GET", address) as answer:
        pieces = answer.iter_text()
        first = next(pieces)
        faults.clear()
        rest = "".join(pieces)

    assert "three" not in first
    assert first + rest == whole


def test_inside_another_server_a_lost_response_is_an_answer_without_end(tmp_path: Path) -> None:
    campus = campus_app(origin="http://localhost:8501", database=tmp_path / "campus.sqlite")
    with serving(Starlette(routes=[Mount("/sandbox", app=campus)])) as origin:
        httpx.post(f"{origin}/sandbox/faults", json={"service": "canvas", "fault": "lose_response"})

        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{origin}/sandbox/canvas/")


def wait_until(is_true: Callable[[], bool]) -> None:
    """Return as soon as the condition holds; fail after five seconds."""
    deadline = time.monotonic() + 5
    while not is_true():
        assert time.monotonic() < deadline


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """The app's origin on a real socket, as a server that is not the campus's own would run it."""
    listener = listen("127.0.0.1", 0)
    listener.listen()
    config = uvicorn.Config(app, lifespan="off", ws="none", log_level="critical", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(timeout=5)
    listener.close()
