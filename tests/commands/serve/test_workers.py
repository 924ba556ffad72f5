"""Two workers behind one port: browsers stay, nothing is served past the balancer, and all live and end together."""

import asyncio
import os
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from bench.load.live_client import LiveStudent
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import XSRF_COOKIE, StreamlitClient
from commands.serve.command import require_port
from commands.serve.haproxy import COOKIE
from tests.commands.serve.deployment import Deployment, bound_to, is_alive, new_worker, wait_until

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes where Linux tells them")


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    server = Deployment(tmp_path_factory.mktemp("workers")).start()
    yield server
    if server.is_running:
        server.kill()


@pytest.fixture(scope="module")
def browsers(deployment: Deployment) -> list[dict[str, str]]:
    """Cookies of two browsers that have signed in, one with each worker."""
    found = {cookies[COOKIE]: cookies for cookies in (sign_in(deployment.url) for _ in range(2))}
    return [found["1"], found["2"]]


def test_new_browsers_are_spread_and_each_stays_where_it_is(deployment: Deployment) -> None:
    told = []
    for _ in range(4):
        with httpx.Client(base_url=deployment.url, trust_env=False) as browser:
            told += [new_worker(browser.get("/")), *(new_worker(browser.get("/_stcore/health")) for _ in range(3))]

    assert sorted(told[::4]) == ["1", "1", "2", "2"]
    assert told[1::4] + told[2::4] + told[3::4] == [None] * 12


def test_a_page_its_uploads_and_its_live_route_are_one_workers(
    deployment: Deployment, browsers: list[dict[str, str]]
) -> None:
    for cookies in browsers:
        assert asyncio.run(_upload(deployment, cookies, by=cookies)) == 204
        asyncio.run(_ask(deployment, cookies))
    assert asyncio.run(_upload(deployment, browsers[0], by={**browsers[0], COOKIE: "2"})) == 400
    for number in (1, 2):
        assert f"[worker {number}] " in deployment.log


async def _ask(deployment: Deployment, cookies: dict[str, str]) -> None:
    student = LiveStudent(url=deployment.url, cookies=cookies, words=20, text="/say-long 20")
    await student.ask()
    await student.leave()
    student.timing()


async def _upload(deployment: Deployment, cookies: dict[str, str], *, by: dict[str, str]) -> int:
    """Status of a file of 20 MB that is sent to the session of a page, with the cookies of `by`."""
    async with StreamlitClient(deployment.url, cookies) as tab:
        await tab.open()
        headers = {"X-Xsrftoken": cookies[XSRF_COOKIE]}
        async with httpx.AsyncClient(base_url=deployment.url, cookies=by, timeout=60, trust_env=False) as browser:
            files = {"file": ("notes.txt", b"x" * 19_000_000)}
            path = f"/_stcore/upload_file/{tab.page.session}/a-file"
            return (await browser.put(path, files=files, headers=headers)).status_code


def test_the_checks_of_host_and_origin_are_as_strict_as_without_a_balancer(deployment: Deployment) -> None:
    with httpx.Client(base_url=deployment.url, trust_env=False) as stranger:
        unknown = stranger.get("/", headers={"Host": "evil.example"})
        forwarded = stranger.get("/", headers={"Host": "evil.example", "X-Forwarded-Host": "localhost"})

    assert (unknown.status_code, forwarded.status_code) == (421, 421)


def test_nobody_else_reaches_a_worker(deployment: Deployment) -> None:
    sockets = [Path(f"/proc/{deployment.worker(number)}/cmdline").read_text().split("\0")[3] for number in (1, 2)]

    assert [Path(path).is_socket() for path in sockets] == [True, True]
    assert {stat.S_IMODE(Path(path).parent.stat().st_mode) for path in sockets} == {0o700}


def test_the_balancer_knows_no_secret(deployment: Deployment) -> None:
    environment = Path(f"/proc/{deployment.balancer()}/environ").read_text()

    # Python itself sets LC_CTYPE where no language is set (PEP 538).
    given = {line.partition("=")[0] for line in environment.split("\0") if line} - {"LC_CTYPE"}
    assert given <= {"PATH", "LANG", "TZ"}


def test_a_worker_that_dies_is_replaced_and_its_browsers_go_on_with_another(deployment: Deployment) -> None:
    first, second = deployment.worker(1), deployment.worker(2)
    os.kill(first, signal.SIGKILL)
    with bound_to(deployment.url, 1) as browser:
        wait_until(lambda: not is_alive(first), what="it is dead")
        moved = browser.get("/_stcore/health")

    assert (moved.status_code, new_worker(moved)) == (200, "2")
    wait_until(lambda: _serves(deployment, 1), what="worker 1 serves again")
    assert deployment.worker(1) != first
    assert deployment.worker(2) == second
    assert "[worker 1] ended (signal 9); starts again in 1 s" in deployment.log


def _serves(deployment: Deployment, worker: int) -> bool:
    with bound_to(deployment.url, worker) as browser:
        return new_worker(browser.get("/_stcore/health")) is None


def test_a_balancer_that_dies_is_replaced_and_nobody_is_refused(deployment: Deployment) -> None:
    before = deployment.balancer()
    os.kill(before, signal.SIGKILL)
    with bound_to(deployment.url, 2) as browser:
        wait_until(lambda: not is_alive(before), what="it is dead")
        answer = browser.get("/_stcore/health")

    assert (answer.status_code, new_worker(answer)) == (200, None)
    assert deployment.balancer() != before


def test_one_signal_ends_all_with_exit_code_0(deployment: Deployment) -> None:
    children = deployment.children()

    assert len(children) == 3
    assert deployment.stop() == 0
    assert [pid for pid in children if is_alive(pid)] == []
    assert deployment.log.count("stopping: running turns may finish") == 2


@pytest.mark.soak
def test_the_children_of_a_parent_that_was_killed_end_by_themselves(deployment: Deployment) -> None:
    if not deployment.is_running:
        deployment.start()
    children = deployment.children()
    deployment.kill()

    wait_until(lambda: not any(map(is_alive, children)), what="the children have ended")
    require_port(deployment.port, "localhost")
