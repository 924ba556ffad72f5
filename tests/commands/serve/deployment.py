"""A deployment of two workers in processes of its own, and browsers without a browser in front of it."""

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from bench.load.app_server import AppServer
from commands.serve.haproxy import COOKIE

WAIT_S = 40.0


class Deployment(AppServer):
    """`manage.py serve` with two workers."""

    def __init__(self, data_dir: Path, **settings: str) -> None:
        super().__init__(data_dir, {"HOMEROOM_WORKERS": "2", **settings})

    def worker(self, number: int) -> int:
        """Process id of a worker that serves."""
        return self._child(f"commands.serve.worker\0.*/{number}\\.sock")

    def kill_worker(self, number: int) -> None:
        """As the kernel does when memory is short; returns when it is dead."""
        pid = self.worker(number)
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not is_alive(pid), what="the worker is dead")

    def balancer(self) -> int:
        return self._child("haproxy\0-db")

    def children(self) -> list[int]:
        """Process ids of the workers and the balancer, as many as live."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal() and _parent(folder) == self.pid:
                found.append(int(folder.name))
        return found

    def _child(self, pattern: str) -> int:
        found = [pid for pid in self.children() if re.search(pattern, _command(pid))]
        assert len(found) == 1, f"{pattern!r} is not one of the processes"
        return found[0]


def bound_to(url: str, worker: int) -> httpx.Client:
    """A browser whose cookie names this worker."""
    return httpx.Client(base_url=url, cookies={COOKIE: str(worker)}, timeout=30, trust_env=False)


def new_worker(response: httpx.Response) -> str | None:
    """Number of the worker that the browser is told to stay with from now on; None while it stays where it was."""
    return response.cookies.get(COOKIE)


def wait_until(holds: Callable[[], bool], *, what: str) -> None:
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, f"waited too long until {what}"
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    """Whether a process lives; one that only waits to be asked for its exit code does not."""
    return os.path.exists(f"/proc/{pid}") and _state(Path(f"/proc/{pid}")) != "Z"


def _fields(folder: Path) -> list[str]:
    """Fields of `/proc/PID/stat` after the name (proc(5)); none for a process that is gone."""
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _state(folder: Path) -> str:
    return (_fields(folder) or ["Z"])[0]


def _parent(folder: Path) -> int:
    return int((_fields(folder) or ["", "0"])[1])


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
