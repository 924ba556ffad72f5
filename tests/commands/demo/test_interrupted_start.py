"""Ctrl+C while a demo starts: no traceback, exit code 130, and nothing of it lives on or lies about (R97)."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.load.app_server import free_port
from services.settings import ROOT

DEADLINE_S = 120.0
IMPORTED = "import time:"
"""Begin of a line that Python writes with `-X importtime` as soon as a module is loaded."""
MOMENTS = (
    pytest.param(" pydantic_core._pydantic_core", id="loading-others"),
    pytest.param(" commands.demo.networks", id="loading-the-command"),
    pytest.param("Preparing", id="preparing"),
    pytest.param(" commands.serve.command", id="loading-ours", marks=pytest.mark.soak),
    pytest.param("campus.sqlite", id="campus-made", marks=pytest.mark.soak),
    pytest.param("homeroom.sqlite", id="first-data", marks=pytest.mark.soak),
    pytest.param("server.log", id="server-started", marks=pytest.mark.soak),
)


def living(folder: Path) -> list[str]:
    """Commands of the processes that were started with this temporary folder."""
    mark, found = f"TMPDIR={folder}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_during_the_start_is_quiet_and_leaves_nothing(tmp_path: Path, moment: str) -> None:
    temporary, told = tmp_path / "t", tmp_path / "told.txt"
    temporary.mkdir()
    with told.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-X", "importtime", "manage.py", "demo", "--port", str(free_port()), "--students", "3"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(temporary), "HOME": str(tmp_path)},
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    ends_at = time.monotonic() + DEADLINE_S
    while moment not in told.read_text() and not any(temporary.rglob(moment.strip())):
        assert process.poll() is None, told.read_text()[-2000:]
        assert time.monotonic() < ends_at
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    code = process.wait(DEADLINE_S)

    words = "\n".join(line for line in told.read_text().splitlines() if not line.startswith(IMPORTED))
    assert code == 130
    assert "Traceback" not in words
    assert "KeyboardInterrupt" not in words
    assert "Ctrl+C ends the demo" not in words
    while living(temporary):
        assert time.monotonic() < ends_at, living(temporary)
        time.sleep(0.05)
    assert list(temporary.iterdir()) == []
