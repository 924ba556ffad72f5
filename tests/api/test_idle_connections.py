"""The door on a real socket: programs that hang up, dawdle, or send what is not HTTP for us."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPResponse

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette

from api import body
from api.key_limits import RequestLimits
from api.routes import routes
from tests.agent_fakes import WAIT_S
from tests.api.room import ApiRoom


@pytest.fixture
def address(api: ApiRoom) -> Iterator[tuple[str, int]]:
    """Host and port of the door."""
    app = Starlette(routes=routes(api.services, limits=RequestLimits(at_once=2)))
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, lifespan="off", ws="none", log_level="critical", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join(WAIT_S)
    listener.close()


def request(api: ApiRoom, path: str, content: bytes, length: int | None = None) -> bytes:
    head = [
        f"POST {path} HTTP/1.1",
        "host: localhost",
        "content-type: application/json",
        f"authorization: Bearer {api.maya.key.secret}",
        f"content-length: {len(content) if length is None else length}",
    ]
    return "\r\n".join([*head, "", ""]).encode() + content


def tools_status(api: ApiRoom, address: tuple[str, int]) -> int:
    headers = {"authorization": f"Bearer {api.maya.key.secret}"}
    url = f"http://{address[0]}:{address[1]}/api/tools"
    return httpx2.get(url, headers=headers, trust_env=False).status_code


def test_a_program_that_hangs_up_in_the_middle_leaves_one_write_and_no_lock(
    api: ApiRoom, address: tuple[str, int]
) -> None:
    waiting = api.maya.ask_to_pin("once")
    begun, may_end = threading.Event(), threading.Event()

    def slowly(_: str) -> None:
        begun.set()
        may_end.wait(WAIT_S)

    api.board.after = slowly
    with socket.create_connection(address) as connection:
        connection.sendall(request(api, f"/api/approvals/{waiting}", b'{"decision": "approve"}'))
        assert begun.wait(WAIT_S)
    may_end.set()
    settle(api, waiting)

    assert api.board.pins == [waiting]
    assert api.maya.decide(waiting).status_code == 409
    assert [tools_status(api, address) for _ in range(3)] == [200, 200, 200]


def test_a_body_that_never_arrives_is_given_up(
    api: ApiRoom, address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "DEADLINE_S", 0.1)

    with socket.create_connection(address, timeout=WAIT_S) as connection:
        connection.sendall(request(api, "/api/tools/execute/board_read", b"{", length=1000))
        answer = HTTPResponse(connection)
        answer.begin()
        said = json.load(answer)

    assert answer.status == 408
    assert said["error"]["code"] == "too_slow"


def test_a_body_that_is_cut_off_changes_nothing(api: ApiRoom, address: tuple[str, int]) -> None:
    waiting = api.maya.ask_to_pin("never")

    with socket.create_connection(address) as connection:
        connection.sendall(request(api, f"/api/approvals/{waiting}", b'{"decision": "approve"}', length=24))

    assert [tools_status(api, address) for _ in range(3)] == [200, 200, 200]
    assert api.services.approvals.get(api.maya.student.id, waiting).status.value == "pending"


def settle(api: ApiRoom, approval_id: str) -> None:
    """Wait until the write is done; the store has no bell to ring."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        if api.services.approvals.get(api.maya.student.id, approval_id).status.value == "done":
            return
        time.sleep(0.01)
    raise AssertionError("the write never came to an end")
