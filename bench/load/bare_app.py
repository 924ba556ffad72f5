"""The least of each way, served in a process of its own: what a framework alone costs on this machine."""

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from bench.load.app_server import ROOT, START_S, free_port
from services.settings import process_environment


class BareApp:
    """Use `with BareApp.page(model_url) as app`. model_url: as `ANTHROPIC_BASE_URL`."""

    def __init__(self, command: list[str], *, port: int, health: str, model_url: str) -> None:
        self.url = f"http://localhost:{port}"
        self._health = f"{self.url}{health}"
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            env={**process_environment(), "ANTHROPIC_BASE_URL": model_url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @classmethod
    def page(cls, model_url: str) -> "BareApp":
        """`bare_page.py`, with Homeroom's own Streamlit options."""
        port, page = free_port(), Path(__file__).with_name("bare_page.py")
        command = ["streamlit", "run", str(page), "--server.port", str(port)]
        return cls(command, port=port, health="/_stcore/health", model_url=model_url)

    @classmethod
    def route(cls, model_url: str) -> "BareApp":
        """`bare_route.py`."""
        port = free_port()
        command = ["bench.load.bare_route", str(port), model_url]
        return cls(command, port=port, health="/health", model_url=model_url)

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> "BareApp":
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(self._health, timeout=2):
                    return self
            except OSError:
                time.sleep(0.1)
        self.__exit__()
        raise AssertionError(f"{self.url} was not ready after {START_S:.0f} s")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)
