"""The proxy of compose.yaml, from Debian's package, with the very Caddyfile that is shipped."""

import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from bench.load.app_server import free_port
from services.settings import ROOT

_START_S = 20.0


def program() -> str | None:
    """Path of Caddy; installed where this process may install packages, None where it is not to be had."""
    if shutil.which("caddy") is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "-y", "--no-install-recommends", "caddy"]):
            subprocess.run(["apt-get", "-qq", *command], env=quiet, capture_output=True, check=False)
    return shutil.which("caddy")


class Proxy:
    """Caddy in front of replicas, over plain HTTP on a port of its own; `/sandbox` leads to the campus alone."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, replicas: Sequence[int], *, campus: int) -> None:
        """Serve these ports of this machine; returns when somebody answers."""
        caddy = program()
        assert caddy, "there is no Caddy here"
        text = (ROOT / "deploy" / "Caddyfile").read_text()
        # The administration's port is one for the whole machine.
        (self._folder / "Caddyfile").write_text(text.replace("{\n", "{\n\tadmin off\n", 1))
        environment = {
            "HOME": str(self._folder),
            "HOMEROOM_SITE": self.url,
            "HOMEROOM_UPSTREAMS": " ".join(f"localhost:{port}" for port in replicas),
            "HOMEROOM_TLS": f"reverse_proxy /sandbox* localhost:{campus}",
        }
        command = [caddy, "run", "--adapter", "caddyfile", "--config", str(self._folder / "Caddyfile")]
        with (self._folder / "caddy.log").open("ab") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + _START_S
        while not self._answers():
            assert time.monotonic() < deadline, (self._folder / "caddy.log").read_text()[-3000:]
            time.sleep(0.1)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False
