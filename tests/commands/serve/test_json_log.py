"""A log of JSON lines is one with several workers, too: each line of all processes is an object, whoever wrote it."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.load.sign_in import sign_in
from commands.serve.supervised_process import Program, SupervisedProcess
from services.runtime.logs import Redaction
from services.settings import process_environment
from tests.commands.serve.deployment import Deployment, wait_until
from tests.spoiled_bodies import fault_of

PROGRAM = """
import logging, sys, warnings
print("plain words", flush=True)
print('{"event": "own_line", "level": "info"}', flush=True)
print("{half of an object", flush=True)
print("", flush=True)
sys.stderr.write("a-long-secret without its end")
sys.stderr.flush()
sys.stdout.write("x" * 200_000 + "\\n")
sys.stdout.flush()
warnings.warn("mind\\nthis")
logging.error("of a library", exc_info=ValueError("a\\nb"))
try:
    raise KeyError("words of a student")
except KeyError as first:
    raise RuntimeError("more words") from first
"""
NOT_OURS = ("[worker", "[balancer", "words of a student")


def test_whatever_a_process_prints_is_an_object_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    async def is_up() -> bool:
        return True

    program = Program(
        name="worker 1",
        command=[sys.executable, "-c", PROGRAM],
        environment=process_environment(),
        is_up=is_up,
        redaction=Redaction(["a-long-secret"]),
    )

    async def main() -> None:
        process = SupervisedProcess(program)
        running = asyncio.create_task(process.run())
        while "starts again" not in (seen.append(capfd.readouterr().err) or "".join(seen)):
            await asyncio.sleep(0.02)
        process.stop(signal.SIGTERM)
        await running

    seen: list[str] = []
    asyncio.run(main())

    told = objects("".join([*seen, capfd.readouterr().err]))
    assert {line["process"] for line in told} == {"worker 1"}
    assert {"plain words", "{half of an object"} <= {line.get("message") for line in told}
    assert "own_line" in {line.get("event") for line in told}
    assert [line["at"].partition("@")[0] for line in told if line.get("event") == "uncaught_error"][
        -1
    ] == "RuntimeError"


@pytest.mark.soak
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes where Linux tells them")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_writes_one_log_of_objects(tmp_path: Path, workers: int) -> None:
    server = Deployment(tmp_path, HOMEROOM_LOG_FORMAT="json", HOMEROOM_WORKERS=str(workers)).start()
    try:
        # Streamlit logs a sign-in that fails with the library's traceback.
        server.campus("/faults", {"service": "oidc", "path": "/token", **fault_of("web page")})
        assert "_streamlit_user" not in sign_in(server.url)
        server.campus("/faults", method="DELETE")
        assert "_streamlit_user" in sign_in(server.url)
        if workers > 1:
            server.kill_worker(2)
            wait_until(lambda: "starts again" in server.log, what="the dead worker is told")
        server.stop()
    finally:
        if server.is_running:
            server.kill()

    told = objects(server.log)
    named = {"worker 1", "worker 2"} if workers > 1 else set()
    assert named <= {line.get("process") for line in told}
    assert [line for line in told if "level" not in line or "time" not in line] == []


def objects(log: str) -> list[Mapping[str, Any]]:
    """Each line of a log, which is an object."""
    lines = log.splitlines()
    assert [line for line in lines if any(words in line for words in NOT_OURS)] == []
    told = [json.loads(line) for line in lines]
    assert [line for line in told if not isinstance(line, dict)] == []
    return told
