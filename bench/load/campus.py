"""The demo campus in a process of its own: a model and services that do not share the app's interpreter."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.load.app_server import ROOT


class Campus:
    """`python -m sandbox` on a free port. Use `with Campus(folder) as campus`; `url` ends in /sandbox."""

    url = ""

    def __init__(self, data_dir: Path) -> None:
        command = [sys.executable, "-m", "sandbox", "--port", "0", "--data", str(data_dir / "campus-alone.sqlite")]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)

    def __enter__(self) -> "Campus":
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        assert self.url, "the campus did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate(timeout=20)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def model_settings(self) -> dict[str, str]:
        """Settings of an app that asks this campus's model."""
        return {"ANTHROPIC_API_KEY": "demo", "ANTHROPIC_BASE_URL": f"{self.url}/anthropic"}


def set_pace(campus_url: str, words_per_second: float) -> None:
    """How fast the campus's model speaks, from now on."""
    pace = {"service": "anthropic", "fault": "pace", "words_per_second": words_per_second, "times": 0}
    _post(f"{campus_url}/faults", pace)


def _post(url: str, body: Mapping[str, Any]) -> None:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        answer.read()
