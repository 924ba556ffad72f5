"""Supervised processes: started again, told once to end, and gone with their parent."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commands.serve.supervised_process import Program, SupervisedProcess
from services.settings import ROOT, process_environment
from tests.commands.serve.deployment import is_alive, wait_until


def child(code: str, *arguments: str, is_up: bool = True) -> SupervisedProcess:
    """One that runs this Python code, and counts as up at once, or never."""

    async def told() -> bool:
        return is_up

    command = [sys.executable, "-c", code, *arguments]
    return SupervisedProcess(Program(name="child", command=command, environment=process_environment(), is_up=told))


def test_what_never_came_up_and_is_required_is_not_started_again() -> None:
    async def main() -> int:
        return await child("raise SystemExit(2)", is_up=False).run(is_required=True)

    assert asyncio.run(main()) == 2


def test_what_ends_is_started_again_and_its_lines_bear_its_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    starts = tmp_path / "starts"
    code = "import sys, time; open(sys.argv[1], 'a').write('x'); print('hello'); time.sleep(0.3); raise SystemExit(3)"

    async def main() -> int:
        process = child(code, str(starts))
        running = asyncio.create_task(process.run())
        while not (starts.exists() and len(starts.read_text()) == 2):
            await asyncio.sleep(0.02)
        process.stop(signal.SIGTERM)
        return await running

    assert asyncio.run(main()) != 0
    told = capfd.readouterr().err.splitlines()
    assert told[:2] == ["[child] hello", "[child] ended (exit code 3); starts again in 1 s"]


def test_a_grandchild_that_holds_the_output_open_delays_no_start(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    code = (
        "import subprocess, sys\n"
        "grandchild = subprocess.Popen(['/bin/sleep', '600'], start_new_session=True)\n"
        "open(sys.argv[1], 'a').write(f'{grandchild.pid}\\n')\n"
        "raise SystemExit(3)\n"
    )

    async def main() -> None:
        process = child(code, str(starts))
        running = asyncio.create_task(process.run())
        while not (starts.exists() and len(starts.read_text().splitlines()) == 2):
            await asyncio.sleep(0.02)
        process.stop(signal.SIGTERM)
        await running

    try:
        asyncio.run(asyncio.wait_for(main(), 20))
    finally:
        for pid in starts.read_text().splitlines():
            os.kill(int(pid), signal.SIGKILL)


def test_a_stop_between_two_starts_is_the_end(capfd: pytest.CaptureFixture[str]) -> None:
    async def main() -> int:
        process = child("import time; time.sleep(0.3); raise SystemExit(3)")
        running = asyncio.create_task(process.run())
        while "starts again" not in capfd.readouterr().err:
            await asyncio.sleep(0.02)
        process.stop(signal.SIGTERM)
        return await running

    assert asyncio.run(main()) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
def test_a_child_ends_when_its_parent_was_killed() -> None:
    code = (
        "import os, subprocess, sys\n"
        "program = [sys.executable, '-m', 'commands.serve.tied_process', str(os.getpid()), '/bin/sleep', '600']\n"
        "print(subprocess.Popen(program, start_new_session=True).pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        wait_until(lambda: Path(f"/proc/{pid}/comm").read_text() == "sleep\n", what="it has become the program")
        os.kill(parent.pid, signal.SIGKILL)

    wait_until(lambda: not is_alive(pid), what="the child has ended")
