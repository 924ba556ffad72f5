"""Liveness stays; readiness names what is down, and never waits for it."""

import threading
import time

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.health import Check, health_routes
from services.errors import SettingsError, StorageUnavailable, TurnBusy


def _client(check: Check, deadline_s: float = 5.0) -> TestClient:
    return TestClient(Starlette(routes=health_routes({"store": check}, deadline_s=deadline_s)))


def _up() -> None:
    return


def _down() -> None:
    raise StorageUnavailable("The store does not answer.")


def test_a_process_whose_store_is_down_is_alive_and_not_ready() -> None:
    client = _client(_down)

    ready = client.get("/ready")

    assert client.get("/health").json() == {"status": "ok"}
    assert (ready.status_code, ready.json()["down"]) == (503, ["store"])


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_they_can_only_be_asked_and_say_so_in_json(path: str) -> None:
    client = _client(_up)

    refused = client.request("REPORT", path)

    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")
    assert refused.json()["error"]["code"] == "method_not_allowed"
    assert client.head(path).status_code == 200


def test_a_process_with_its_store_is_ready() -> None:
    ready = _client(_up).get("/ready")

    assert (ready.status_code, ready.json()) == (200, {"status": "ok", "dependencies": {"store": "ok"}, "down": []})
    assert ready.headers["cache-control"] == "no-store"


def test_a_store_that_hangs_is_down_at_the_deadline_and_asked_only_once() -> None:
    released, asked = threading.Event(), []

    def hangs() -> None:
        asked.append(1)
        released.wait(10)

    with _client(hangs, deadline_s=0.05) as client:
        started = time.monotonic()
        codes = [client.get("/ready").status_code for _ in range(5)]
        seconds = time.monotonic() - started
        alive = client.get("/health").status_code
        released.set()

    assert codes == [503] * 5
    assert (alive, len(asked)) == (200, 1)
    assert seconds < 3


def test_a_store_that_comes_back_is_ready_again() -> None:
    answers = iter([_down, _up])
    client = _client(lambda: next(answers)())

    codes = [client.get("/ready").status_code, client.get("/ready").status_code]

    assert codes == [503, 200]


def test_a_setting_that_cannot_work_is_named() -> None:
    def differs() -> None:
        raise SettingsError("HOMEROOM_COOKIE_SECRET", "differs from the other replicas.", next_step="")

    answer = TestClient(Starlette(routes=health_routes({"store": _up, "cookie_secret": differs}))).get("/ready")

    assert (answer.status_code, answer.json()["down"]) == (503, ["cookie_secret"])
    assert answer.json()["reasons"] == {"cookie_secret": "HOMEROOM_COOKIE_SECRET: differs from the other replicas."}


def test_a_process_that_is_ending_asks_to_be_left_alone() -> None:
    """A balancer sends newcomers elsewhere, while whoever is inside is answered to the end."""

    def ends() -> None:
        raise TurnBusy("Homeroom is restarting.")

    ready = _client(ends).get("/ready")

    assert (ready.status_code, ready.json()["reasons"]) == (503, {"store": "Homeroom is restarting."})
