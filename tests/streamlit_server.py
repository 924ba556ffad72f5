"""A small `st.App` of a test in a process of its own."""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from services.settings import process_environment

ROOT = Path(__file__).resolve().parent.parent
_START_S = 60


class StreamlitServer:
    """Runs `module` (such as "tests.safety.hostile_app:app") on a free port, with the project's own configuration."""

    def __init__(self, module: str, log: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self._log = log
        command = [sys.executable, "-m", "uvicorn", module, "--host", "127.0.0.1", "--port", str(self.port)]
        environment = {**process_environment(), "PYTHONPATH": str(ROOT)}
        with log.open("wb") as out:
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        try:
            self._await_answer()
        except AssertionError:
            self.stop()
            raise

    def stop(self) -> None:
        """End it."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _await_answer(self) -> None:
        deadline = time.monotonic() + _START_S
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=2) as answer:
                    if json.load(answer) == {"status": "ok"}:
                        return
            except (OSError, ValueError, urllib.error.URLError):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(self._log.read_text()[-3000:]) from None
                time.sleep(0.05)
