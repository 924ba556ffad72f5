"""Supervised process: a child that is started again when it ends, its output passed on line by line under its name."""

import asyncio
import os
import sys
import time
from asyncio.subprocess import DEVNULL, STDOUT, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from services.runtime.log_output import JsonOutput
from services.runtime.logs import Redaction
from services.settings import ROOT

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
STEADY_S = 60.0
"""One that lived so long begins anew with the first pause."""
_LONGEST_LINE = 65_536
_LOOK_EVERY_S = 0.1
_LAST_LINES_S = 1.0


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to run: its name in the log, its command and environment, and how to see that it is up.

    redaction: of a log of JSON lines, each of which then names the process; None for a log of plain lines.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(repr=False)
    is_up: Callable[[], Awaitable[bool]]
    open_files: tuple[int, ...] = ()
    redaction: Redaction | None = None


class SupervisedProcess:
    """A program that runs until `stop`. For the event loop of the main thread: its end is what children hear of."""

    def __init__(self, program: Program) -> None:
        self._program = program
        redaction = program.redaction
        self._json = JsonOutput(sys.stderr, redaction, process=program.name) if redaction else None
        self._process: Process | None = None
        self._stopping = asyncio.Event()
        self.is_up = asyncio.Event()

    async def run(self, *, is_required: bool = False) -> int:
        """Run it, and again when it ends; the exit code when it was stopped, or is required and never came up."""
        pause_s = FIRST_PAUSE_S
        while True:
            began = time.monotonic()
            code = await self._run_once()
            if self._stopping.is_set() or (is_required and not self.is_up.is_set()):
                return code
            lived_s = time.monotonic() - began
            if lived_s > STEADY_S:
                pause_s = FIRST_PAUSE_S
            if code or lived_s < pause_s:
                self._say(f"ended ({_ending(code)}); starts again in {pause_s:.0f} s")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            if self._stopping.is_set():
                return 0

    def stop(self, signal_number: int) -> None:
        """Send the signal, and do not start it again."""
        self._stopping.set()
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal_number)

    def _say(self, line: str) -> None:
        """Write one line into the log; where nobody reads it any more, the children live on."""
        with suppress(OSError):
            if self._json is None:
                sys.stderr.write(f"[{self._program.name}] {line}\n")
            else:
                self._json.write(f"{line}\n")
            sys.stderr.flush()

    async def _run_once(self) -> int:
        program = self._program
        tied = [sys.executable, "-m", "commands.serve.tied_process", str(os.getpid()), *program.command]
        # A pipe of our own: asyncio's `wait` would last until whoever the child started has closed its output, too.
        ours, its = os.pipe()
        output = asyncio.create_task(self._pass_on(ours))
        try:
            # In a session of its own: Ctrl+C reaches us alone, and we tell the children once and in order.
            self._process = await asyncio.create_subprocess_exec(
                *tied,
                cwd=ROOT,
                env=dict(program.environment),
                stdin=DEVNULL,
                stdout=its,
                stderr=STDOUT,
                pass_fds=program.open_files,
                start_new_session=True,
            )
        except OSError as error:
            self._say(f"cannot start: {error.strerror}")
            return 1
        finally:
            os.close(its)
        if self._stopping.is_set():
            self._process.terminate()
        watch = asyncio.create_task(self._watch(self._process))
        code = await self._process.wait()
        watch.cancel()
        await asyncio.wait([output], timeout=_LAST_LINES_S)
        output.cancel()
        return code

    async def _watch(self, process: Process) -> None:
        """Note when it is up for the first time."""
        while not self.is_up.is_set() and process.returncode is None:
            if await self._program.is_up():
                self.is_up.set()
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _pass_on(self, pipe: int) -> None:
        """Write what comes out of the pipe into the log, until it is closed."""
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(pipe, "rb"))
        kept = b""
        try:
            while more := await reader.read(_LONGEST_LINE):
                *lines, kept = (kept + more).split(b"\n")
                if len(kept) > _LONGEST_LINE:
                    lines, kept = [*lines, kept], b""
                for line in lines:
                    self._say(line.decode(errors="replace"))
        finally:
            transport.close()
            if kept:
                self._say(kept.decode(errors="replace"))


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
