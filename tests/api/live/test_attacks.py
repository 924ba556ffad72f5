"""The live routes under attack: floods, odd requests, readers that take nothing, and sessions that end meanwhile."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from api.auth import SignInClaims
from api.errors import ApiError
from api.idle_connections import IdleConnections
from api.live import routes, stream
from api.live.answer_diff import AnswerDiff
from api.live.feed import LiveFeed
from api.live.rate_limits import FOLLOWS, SENDS, TOLD_EVERY, LiveLimits
from api.live.stream import EventStream
from services.conversations.items import AssistantText, TurnView
from services.conversations.turn_records import TurnStatus
from services.runtime.capacity import process_capacity
from services.runtime.clock import utc_now
from services.runtime.rate_limiter import RateLimiter, TokenBucket
from services.storage.store import Store
from services.turns import turn
from tests.agent_fakes import WAIT_S, FakeModel, Gate, says
from tests.api.live.browser import LiveBrowser, events_of
from tests.api.room import ApiRoom, error_of
from tests.fakes import FakeDocuments

SESSION = 1_700_000_000


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def room(make_api: Callable[..., ApiRoom], gate: Gate) -> ApiRoom:
    first, second = says("One two")[:-1], says("One two three")
    return make_api(model=FakeModel([*first, gate, *second[len(first) :]]))


@pytest.fixture
def maya(room: ApiRoom) -> LiveBrowser:
    return LiveBrowser(room.client, room.services)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *((method, "/live/a") for method in ("HEAD", "PUT", "DELETE", "OPTIONS", "POST")),
        *((method, "/live/messages") for method in ("PUT", "OPTIONS")),
        ("GET", "/live/a/messages"),
        ("GET", "/live/a/stop"),
    ],
)
def test_other_methods_are_refused_in_json_and_allow_no_other_origin(maya: LiveBrowser, method: str, path: str) -> None:
    asking = {"access-control-request-method": "POST", "access-control-request-headers": "x-requested-with"}
    answer = maya.client.request(method, path, headers={**maya.headers, **asking})
    assert answer.status_code == 405
    assert method == "HEAD" or error_of(answer) == "method_not_allowed"
    assert not [name for name in answer.headers if name.startswith("access-control")]


def _part(name: str, value: str, more: str = "") -> bytes:
    return f'--B\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{value}\r\n'.encode()


@pytest.mark.parametrize(
    "form",
    [
        b"".join(_part(f"field{n}", "x") for n in range(1_000)) + b"--B--\r\n",
        b"".join(_part("files", "x", f'; filename="{n}.txt"') for n in range(100)) + b"--B--\r\n",
        _part("text", "x" * 300_000) + b"--B--\r\n",
        b"--B\r\nX-Endless: " + b"a" * 1_000_000,
        b"--B\r\n" + b"X-Many: a\r\n" * 5_000,
        b"--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n",
        _part("text", "x").replace(b"--B", b"--C"),
    ],
    ids=["many fields", "many files", "long field", "endless header", "many headers", "no name", "wrong boundary"],
)
def test_a_form_that_is_none_is_refused_in_words(room: ApiRoom, maya: LiveBrowser, form: bytes) -> None:
    kind = {"content-type": "multipart/form-data; boundary=B"}
    answer = maya.send("", headers=kind, content=form)
    assert (answer.status_code, error_of(answer)) == (400, "bad_form")
    assert not room.services.conversations.list(room.room.maya.id, None)


def test_who_reconnects_for_ever_is_told_to_wait(
    room: ApiRoom, maya: LiveBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "FOLLOWS", TokenBucket(burst=40, per_second=0.1))
    answers = [maya.follow("no-such-chat") for _ in range(60)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.status_code for answer in answers[:40]} == {204}
    assert refused
    assert (error_of(refused[0]), int(refused[0].headers["retry-after"]) >= 1) == ("too_many_requests", True)
    assert LiveBrowser(room.client, room.services, "diego").follow("no-such-chat").status_code != 429


def test_a_limit_ends_by_itself() -> None:
    now = [0.0]
    limits, claims = LiveLimits(shared_limiter(), lambda: now[0]), SignInClaims(issuer="i", subject="s", session=0)
    for _ in range(int(FOLLOWS.burst)):
        limits.spend(claims, FOLLOWS)
    with pytest.raises(ApiError) as refused:
        limits.spend(claims, FOLLOWS)
    now[0] += int(refused.value.headers["retry-after"])
    limits.spend(claims, FOLLOWS)


def test_messages_are_counted_over_all_processes() -> None:
    now, limiter, claims = 0.0, shared_limiter(), SignInClaims(issuer="i", subject="s", session=0)
    processes, taken = [LiveLimits(limiter, lambda: now) for _ in range(3)], 0

    for number in range(3 * int(SENDS.burst)):
        with suppress(ApiError):
            processes[number % 3].spend_everywhere(claims)
            taken += 1
    now += 60
    processes[0].spend_everywhere(claims)

    assert SENDS.burst <= taken <= SENDS.burst + 3 * TOLD_EVERY + 30 * SENDS.per_second


def shared_limiter() -> RateLimiter:
    return RateLimiter(Store(FakeDocuments()).shared, utc_now)


def test_more_answers_at_once_than_a_student_may_have_are_refused_and_nothing_is_stored(
    room: ApiRoom, maya: LiveBrowser, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "MOST_RUNNING", 2)
    taken = [maya.send("Count", key=f"message-{n}") for n in range(2)]
    refused = maya.send("Count", key="message-3")
    again = maya.send("Count", key="message-0")
    other = LiveBrowser(room.client, room.services, "diego").send("Count")
    assert (refused.status_code, error_of(refused)) == (429, "too_many_requests")
    assert "2 of your chats" in refused.json()["error"]["message"]
    assert refused.headers["retry-after"] == "5"
    assert again.json() == taken[0].json()
    assert other.status_code == 202
    assert len(room.services.conversations.list(room.room.maya.id, None)) == 2
    gate.open()
    for answer in taken:
        room.room.watch(answer.json()["conversation_id"])
    assert maya.send("Count", key="message-3").status_code == 202


def test_signing_out_everywhere_cuts_an_open_stream(room: ApiRoom, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHECK_S", 0.0)
    room.services.students.sign_in(issuer="https://id.example", subject="maya", name="Maya", email="", session=SESSION)
    maya = LiveBrowser(room.client, room.services, session=SESSION)
    chat = maya.send("Count").json()["conversation_id"]
    gate.reached.wait(5)

    def sign_out() -> None:
        room.services.students.end_all_sessions(room.room.maya.id)
        gate.open()

    threading.Timer(0.5, sign_out).start()
    cut = maya.follow(chat)
    room.room.watch(chat)
    events = events_of(cut.text)
    assert "One two" in cut.text
    assert "three" not in cut.text
    assert "end" not in [event.name for event in events]
    assert error_of(maya.follow(chat)) == "signed_out"


@contextmanager
def _nobody() -> Iterator[None]:
    yield


async def _may() -> bool:
    return True


def _feed() -> LiveFeed:
    diff = AnswerDiff(addresses=frozenset, own_origin="http://localhost", service=lambda name: name)
    return LiveFeed(conversation_id="c", turn_id="t", locale="en", diff=diff)


def _view(text: str) -> TurnView:
    return TurnView(turn_id="t", status=TurnStatus.RUNNING, items=[AssistantText(text=text)])


def test_a_reader_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SEND_TIMEOUT_S", 0.05)
    feed = _feed()

    async def never(*_: Any) -> Any:
        await asyncio.Event().wait()

    async def follow() -> None:
        await feed.draw(_view("One"), is_crowded=False)
        answer = EventStream(feed, last_event_id="", following=_nobody, may_follow=_may)
        sent: list[Any] = []

        async def take_the_head_only(message: Any) -> None:
            if sent:
                await never()
            sent.append(message)

        async with asyncio.timeout(5):
            await answer({"type": "http"}, never, take_the_head_only)
        assert [message["type"] for message in sent] == ["http.response.start"]

    asyncio.run(follow())
    assert feed.followers == 0


def test_who_comes_while_a_thread_draws_hears_each_word_once() -> None:
    feed = _feed()
    begun, go_on = threading.Event(), threading.Event()
    update = feed._diff.update

    def slowly(view: TurnView, *, renders_growing: bool) -> Any:
        events = update(view, renders_growing=renders_growing)
        begun.set()
        assert go_on.wait(5)
        return events

    async def come_meanwhile() -> tuple[bytes, bytes]:
        feed._diff.update = slowly  # type: ignore[method-assign]
        drawing = asyncio.create_task(feed.draw(_view("word " * 1_000), is_crowded=True))
        await asyncio.to_thread(begun.wait, 5)
        asyncio.get_running_loop().call_later(0.05, go_on.set)
        position, snapshot = await feed.snapshot()
        await drawing
        return snapshot, feed.since(position)

    snapshot, later = asyncio.run(come_meanwhile())
    assert later == b""
    data = json.loads(snapshot.partition(b"data: ")[2])
    assert data["items"][0]["text"] == "word " * 1_000


def test_the_connection_of_a_reader_that_takes_nothing_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SEND_TIMEOUT_S", 0.1)
    feed = _feed()

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await feed.draw(_view("word " * 2_000_000), is_crowded=True)
        await EventStream(feed, last_event_id="", following=_nobody, may_follow=_may)(scope, receive, send)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(answer, http="h11", lifespan="off", ws="none", log_level="critical", log_config=None)
        server = uvicorn.Server(config)
        idle = IdleConnections(server, process_capacity(), monotonic=lambda: 100 * time.monotonic())
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        with socket.create_connection(listener.getsockname()) as reader:
            reader.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert reader.recv(1)
            deadline = time.monotonic() + WAIT_S
            while server.server_state.connections and time.monotonic() < deadline:
                for connection in list(server.server_state.connections):
                    connection.loop.call_soon_threadsafe(feed.beat)
                    connection.loop.call_soon_threadsafe(idle.sweep)
                time.sleep(0.05)
            assert not server.server_state.connections
        server.should_exit = True
        thread.join(WAIT_S)
