"""`bare_page.py` served with Homeroom's own Streamlit options: what the framework alone costs on this machine."""

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from bench.load.app_server import ROOT, START_S, free_port
from services.settings import process_environment


class BarePage:
    """Use `with BarePage(...) as page`. model_url: where the model's server answers, as `ANTHROPIC_BASE_URL`."""

    def __init__(self, model_url: str) -> None:
        port = free_port()
        self.url = f"http://localhost:{port}"
        page = Path(__file__).with_name("bare_page.py")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(page), "--server.port", str(port)],
            cwd=ROOT,
            env={**process_environment(), "ANTHROPIC_BASE_URL": model_url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> "BarePage":
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                    return self
            except OSError:
                time.sleep(0.1)
        self.__exit__()
        raise AssertionError(f"the bare page was not ready after {START_S:.0f} s")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)
