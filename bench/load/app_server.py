"""The real app in a process of its own, for benchmarks and for tests that need a browser, a crash or a restart."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from services.settings import process_environment

ROOT = Path(__file__).resolve().parents[2]
START_S = 180.0
STOP_S = 120.0


class AppServer:
    """`python manage.py serve` in demo mode on a free port; the data directory outlives a kill.

    program: what Python runs instead of `manage.py serve`.
    """

    def __init__(
        self,
        data_dir: Path,
        settings: Mapping[str, str] | None = None,
        *,
        program: Sequence[str] = ("manage.py", "serve"),
    ) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self._settings = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir), **(settings or {})}
        self._program = program
        self._log = data_dir / "app.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "AppServer":
        given = process_environment()
        kept = {name: value for name, value in given.items() if not name.startswith(("HOMEROOM_", "ANTHROPIC_"))}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, *self._program],
                cwd=ROOT,
                env={**kept, **self._settings, "HOMEROOM_PORT": str(self.port)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait()
        return self

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def signal(self, number: int) -> None:
        """To the server alone, as a host does; `wait` tells how it ended."""
        os.kill(self.pid, number)

    def wait(self, timeout_s: float = STOP_S) -> int:
        """Its exit code; below 0 when a signal ended it."""
        assert self._process is not None
        return self._process.wait(timeout_s)

    def kill(self) -> None:
        """As a power cut would: SIGKILL, no warning."""
        self._signal(signal.SIGKILL)

    def stop(self) -> int:
        """As a deploy would: SIGTERM, then its exit code."""
        return self._signal(signal.SIGTERM)

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def campus(self, path: str, body: Mapping[str, Any] | None = None, method: str | None = None) -> Any:
        """Ask the campus's control routes: `campus("/log?writes=1")`, `campus("/faults", {...})`."""
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(
            f"{self.url}/sandbox{path}", data=data, method=method, headers={"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or "null")

    def _signal(self, number: int) -> int:
        assert self._process is not None
        os.killpg(self._process.pid, number)
        return self.wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            assert self._process is not None
            assert self._process.poll() is None, f"the app did not start:\n{self.log[-4000:]}"
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=2) as answer:
                    if json.load(answer).get("status") == "ok":
                        return
            except (OSError, ValueError, urllib.error.URLError):
                time.sleep(0.1)
        raise AssertionError(f"the app was not ready after {START_S:.0f} s:\n{self.log[-4000:]}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
