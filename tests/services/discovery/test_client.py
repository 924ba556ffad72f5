"""The client of a student's own program, over real HTTP: current at each call, and sent again only when changed."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from starlette.applications import Starlette

from api.key_limits import RequestLimits
from api.routes import routes
from services.connections.connection import Health
from services.discovery.client import DynamicToolClient, extract_context_from_message
from services.errors import (
    BadArguments,
    HomeroomError,
    ItemNotFound,
    PermissionMissing,
    RequestRefused,
    ServiceUnavailable,
    SignInRequired,
    Throttled,
)
from services.settings import ROOT
from tests.api.room import ApiRoom
from tests.mcp.serving import bound, serving
from tests.services.integrations.kit.test_http_client import serving as answering

ABOUT_COURSES = "Which assignments are due this week?"


@dataclass
class Live:
    """The door on a real socket. clients: made by a test, closed after it."""

    room: ApiRoom
    url: str

    @contextmanager
    def client(self, key: str = "", **options: object) -> Iterator[DynamicToolClient]:
        with DynamicToolClient(self.url, key or self.room.maya.key.secret, **options) as client:  # type: ignore[arg-type]
            yield client


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    room = ApiRoom(tmp_path)
    app = Starlette(routes=routes(room.services, limits=RequestLimits(burst=10_000, at_once=100)))
    with bound() as listener, serving(app, listener):
        yield Live(room, f"http://127.0.0.1:{listener.getsockname()[1]}")
    room.close()


def names(tools: list[object]) -> list[str]:
    return [tool["name"] for tool in tools]  # type: ignore[index]


def test_a_context_gives_the_tools_that_the_route_lists(live: Live) -> None:
    with live.client() as client:
        found = client.get_tools(context="notes")
        several = client.get_tools(context=["planner", "notes"], category="notes")

    assert found == live.room.maya.get("/tools?context=notes").json()["tools"]
    assert names(several) == [tool["name"] for tool in found if "notes" in tool["categories"]] != []


def test_a_message_gives_the_tools_of_what_it_is_about(live: Live) -> None:
    told = live.room.maya.get("/tools", params={"message": ABOUT_COURSES}).json()["tools"]

    with live.client() as asking, live.client(detect=extract_context_from_message) as alone:
        asked, found_here = asking.get_tools_from_message(ABOUT_COURSES), alone.get_tools_from_message(ABOUT_COURSES)
        requests = asking.metrics.requests, alone.metrics.requests

    assert told
    assert asked == found_here == told
    assert requests == (2, 1)


@pytest.mark.parametrize("detect", [None, extract_context_from_message])
def test_what_a_student_lacks_is_made_up_for_where_a_message_asks_for_it(live: Live, detect: object) -> None:
    with live.client(detect=detect) as client:
        due, remind = (names(client.get_tools_from_message(text)) for text in (ABOUT_COURSES, "Remind me to read"))
        again = names(client.get_tools_from_message(ABOUT_COURSES))
        to_the_letter = names(client.get_tools("courses"))

        assert "planner_list_tasks" in due
        assert "planner_create_task" in remind
        assert (again, client.metrics.cache_hits) == (due, 1)
        assert "planner_list_tasks" not in to_the_letter


def test_without_a_context_nothing_is_asked_for_and_nothing_given(live: Live) -> None:
    with live.client(detect=extract_context_from_message) as client:
        found = [client.get_tools(), client.get_tools(context=" , "), client.get_tools(category="notes")]
        thanks = client.get_tools_from_message("Thanks!")

        assert [*found, thanks] == [[], [], [], []]
        assert client.metrics.requests == 0


def test_a_list_that_has_not_changed_is_not_sent_again(live: Live) -> None:
    with live.client() as client:
        first, again = client.get_tools(context="notes"), client.get_tools(context="Notes,notes")
        saved = client.metrics.tokens_saved
        client.get_tools()

        assert first == again
        assert (client.metrics.requests, client.metrics.cache_hits) == (2, 1)
        headers = live.room.maya.get("/tools?context=notes").headers
        whole, part = (int(headers[f"x-{which}-tools-tokens"]) for which in ("all", "listed"))
        assert saved == 2 * (whole - part) > 0
        assert client.metrics.tokens_saved == saved + whole


def test_what_a_program_does_to_its_list_stays_with_it(live: Live) -> None:
    with live.client() as client:
        client.get_tools(context="notes")[0]["inputSchema"].clear()

        assert client.get_tools(context="notes")[0]["inputSchema"]
        assert client.metrics.cache_hits == 1


def test_a_connection_that_ends_or_comes_back_counts_at_the_next_call(live: Live) -> None:
    mine = live.room.services.store.for_student(live.room.maya.student.id)
    with live.client() as client:
        before = names(client.get_tools(context="notes"))
        mine.compare_and_set("connections", "board", {}, {"health": Health.REVOKED.value})
        without = names(client.get_tools(context="notes"))
        mine.compare_and_set("connections", "board", {}, {"health": Health.HEALTHY.value})
        after = names(client.get_tools(context="notes"))

        assert "board_read" in before
        assert "board_read" not in without
        assert before == after
        assert client.metrics.cache_hits == 0


def test_many_threads_share_one_client(live: Live) -> None:
    found: list[list[str]] = []
    with live.client() as client:
        expected = {context: names(client.get_tools(context=context)) for context in ("notes", "planner")}

        def ask() -> None:
            for _ in range(5):
                found.extend([names(client.get_tools(context=context)) for context in expected])

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert sorted(found) == sorted(list(expected.values()) * 20)
        assert (client.metrics.requests, client.metrics.cache_hits) == (42, 40)


def test_odd_words_are_sent_as_far_as_they_can_be(live: Live) -> None:
    history = [{"role": "user", "content": "x" * 60_000, "id": "7"}, {"role": "assistant", "content": "\ud83d"}] * 40
    with live.client() as client:
        assert client.get_tools_from_message("\ud83d \0 \u202e", history) == []
        assert client.get_tools(context=["\ud83d", "a&context=notes#?"], category="\0") == []
        with pytest.raises(BadArguments, match="50,000"):
            client.get_tools_from_message("x" * 50_001)


def test_a_key_that_ends_is_a_typed_error_and_gives_no_kept_list(live: Live) -> None:
    with live.client() as client:
        client.get_tools(context="notes")
        live.room.services.keys.revoke(live.room.maya.student.id, live.room.maya.key.key.id)

        with pytest.raises(SignInRequired) as caught:
            client.get_tools(context="notes")

    assert caught.value.next_step
    assert live.room.maya.key.secret not in repr(caught.value) + repr(client.__dict__)


def test_another_student_is_for_admins(live: Live) -> None:
    services, maya = live.room.services, live.room.maya.student
    admin = services.keys.create(live.room.diego.student, label="Office", scopes=["admin"], by_operator=True).secret
    with live.client(admin, user_id=maya.id) as office, live.client(admin, user_id="nobody") as lost:
        assert "board_read" in names(office.get_tools(context="notes"))
        with pytest.raises(ItemNotFound):
            lost.get_tools(context="notes")
    with live.client(live.room.diego.key.secret, user_id=maya.id) as student, pytest.raises(PermissionMissing):
        student.get_tools(context="notes")


def hang(door: BaseHTTPRequestHandler) -> None:
    time.sleep(1.0)


def drip(door: BaseHTTPRequestHandler) -> None:
    send(200, b"", length=500)(door)
    for _ in range(20):
        door.wfile.write(b" ")
        door.wfile.flush()
        time.sleep(0.05)


def send(
    status: int, body: bytes, length: int | None = None, **headers: str
) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(door: BaseHTTPRequestHandler) -> None:
        door.send_response(status)
        for name, value in {"content-length": str(length or len(body)), **headers}.items():
            door.send_header(name.replace("_", "-"), value)
        door.end_headers()
        # Whoever has heard enough hangs up.
        with suppress(ConnectionError):
            door.wfile.write(body)

    return answer


ERROR = json.dumps({"error": {"code": "x", "message": "What happened."}}).encode()
FAILURES: dict[str, tuple[Callable[[BaseHTTPRequestHandler], None], type[HomeroomError], str]] = {
    "silent": (hang, ServiceUnavailable, "in time"),
    "slow": (drip, ServiceUnavailable, "in time"),
    "a page": (send(200, b"<!doctype html>"), ServiceUnavailable, "Something else"),
    "other JSON": (send(200, b'["tools"]'), ServiceUnavailable, "Something else"),
    "no list": (send(200, b'{"tools": {}}'), ServiceUnavailable, "Something else"),
    "unchanged unasked": (send(304, b""), ServiceUnavailable, "Something else"),
    "cut off": (send(200, b"{", length=100), ServiceUnavailable, "reached"),
    "endless": (send(200, b" " * 5_000_001), ServiceUnavailable, "too long"),
    "moved": (send(308, b"", location="https://evil.example/tools?key=1"), RequestRefused, "https://evil.example\\.$"),
    "busy": (send(429, ERROR, retry_after="7"), Throttled, "What happened"),
    "down": (send(503, ERROR), ServiceUnavailable, "What happened"),
    "bad gateway": (send(502, b"<html>"), ServiceUnavailable, "does not work"),
    "teapot": (send(418, b"\xff"), RequestRefused, "418"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_what_goes_wrong_is_one_typed_error_in_words(failure: str) -> None:
    answer, kind, words = FAILURES[failure]
    timeout_s = 0.3 if failure in {"silent", "slow"} else 10.0

    with answering(answer) as url, DynamicToolClient(url, "hr_x", timeout_s=timeout_s) as client:
        with pytest.raises(kind, match=words) as caught:
            client.get_tools(context="notes")

        assert type(caught.value) is kind
        assert caught.value.next_step
        assert not isinstance(caught.value, Throttled) or caught.value.retry_after_s == 7
        assert client.metrics.cache_hits == 0


@pytest.mark.parametrize(
    "address",
    ["", "localhost:8501", "ftp://x", "http://", "http://a:b@x", "http://x:99999", "http://x/?a=b", "http://[x"],
)
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(BadArguments):
        DynamicToolClient(address, "hr_x")


@pytest.mark.parametrize("key", ["", " ", "hr_…", "hr_x\r\nx-other: 1"])
def test_a_key_that_is_none_is_refused_at_once(key: str) -> None:
    with pytest.raises(BadArguments):
        DynamicToolClient("http://localhost:8501", key)


def test_contexts_are_found_here_as_homeroom_finds_them(live: Live) -> None:
    history = [{"role": "user", "content": ABOUT_COURSES}, {"role": "assistant", "content": "Two are due."}]
    for message, before in ((ABOUT_COURSES, []), ("and next week?", history), ("Thanks!", []), ("", [])):
        told = live.room.maya.post("/api/contexts", {"message": message, "history": before}).json()["contexts"]
        found = [context["name"] for context in told if "stands_in_for" not in context]
        assert extract_context_from_message(message, before) == found


def test_without_knowing_the_servers_an_issue_key_speaks_for_itself() -> None:
    assert "jira" in extract_context_from_message("I need to check PROJ-123 ticket comments")


def test_the_documented_program_works(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)

    exec(program.replace("http://localhost:8501", live.url).replace("hr_…", live.room.maya.key.secret), {})

    *tools, numbers, contexts = capsys.readouterr().out.splitlines()
    assert all(line.endswith(" object") for line in tools)
    assert re.fullmatch(r"4 1 \d+", numbers)
    assert "courses" in contexts
