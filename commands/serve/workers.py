"""Several workers behind a balancer: started in order, ended together."""

import asyncio
import fcntl
import os
import shutil
import signal
import socket
import sys
import tempfile
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path

from commands.serve import haproxy
from commands.serve.server_environment import server_environment
from commands.serve.supervised_process import Program, SupervisedProcess
from services.runtime.capacity import raise_file_limit
from services.runtime.logs import Redaction, secrets_of
from services.settings import Settings

SIGNALS = (signal.SIGTERM, signal.SIGINT)
OPEN_S = 60.0
"""Workers that are not up by then are not waited for: the port opens for those that are."""
STOP_S = 45.0
"""Running turns get 20 s (`api.app_factory.DRAIN_S`), then what is open is closed; whatever still lives is killed."""
BALANCER_STOP_S = 1.0
_HEALTH_S = 5.0
_HEALTH_REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
_LOCAL = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}


async def run(settings: Settings, environment: Mapping[str, str], *, program: str, listener: socket.socket) -> int:
    """Serve until a signal; the exit code. `program`: path of HAProxy; `listener`: the port's socket."""
    raise_file_limit()
    # Sockets have short paths (108 bytes), and a folder that only this user may enter.
    folder = Path(tempfile.mkdtemp(prefix="homeroom-workers-"))
    lock = os.open(folder, os.O_RDONLY)
    try:
        # What sweeps old files out of /tmp leaves a locked folder alone (tmpfiles.d(5)).
        fcntl.flock(lock, fcntl.LOCK_SH)
        sockets = [folder / f"{number}.sock" for number in range(1, settings.workers + 1)]
        file = haproxy.write_configuration(
            folder, sockets, listener=listener.fileno(), public_url=settings.public_url, has_campus=settings.demo
        )
        haproxy.require_configuration(program, file, listener.fileno())
        workers = [_worker(number, path, settings, environment) for number, path in enumerate(sockets, 1)]
        balancer = _balancer(program, file, listener, environment, _redaction(settings))
        return await Deployment(workers, balancer).run()
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _worker(number: int, path: Path, settings: Settings, environment: Mapping[str, str]) -> SupervisedProcess:
    command = [sys.executable, "-m", "commands.serve.worker", str(path)]
    given = server_environment(settings, environment)
    return SupervisedProcess(
        Program(
            name=f"worker {number}",
            command=command,
            environment=given,
            is_up=lambda: _is_healthy_at(path),
            redaction=_redaction(settings),
        )
    )


def _redaction(settings: Settings) -> Redaction | None:
    """What goes over a log of JSON lines; None for a log of plain ones."""
    return Redaction(secrets_of(settings)) if settings.operations.log_format == "json" else None


def _balancer(
    program: str, file: Path, listener: socket.socket, environment: Mapping[str, str], redaction: Redaction | None
) -> SupervisedProcess:
    return SupervisedProcess(
        Program(
            name="balancer",
            command=[program, "-db", "-f", str(file)],
            # It needs no setting, so it gets no secret.
            environment={name: environment[name] for name in ("PATH", "LANG", "TZ") if name in environment},
            is_up=lambda: _is_healthy_behind(listener),
            open_files=(listener.fileno(),),
            redaction=redaction,
        )
    )


class Deployment:
    """The workers and their balancer, from the first start to the last end."""

    def __init__(self, workers: Sequence[SupervisedProcess], balancer: SupervisedProcess) -> None:
        self._workers, self._balancer = workers, balancer
        self._stopped = asyncio.Event()

    async def run(self) -> int:
        """Serve until a signal: 0, or the exit code of what could not start at all."""
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._stop)
        # The first alone lays out the store and the demo's secrets, and tells once what is in the way of all.
        first, *others = self._workers
        running = [asyncio.create_task(first.run(is_required=True))]
        if not await _comes_up(first, running[0]) and running[0].done():
            return 0 if self._stopped.is_set() else max(1, running[0].result())
        running += [asyncio.create_task(worker.run()) for worker in others]
        # Opened for all of them at once: else every browser that comes back after a restart would stay with the first.
        await asyncio.gather(*map(_comes_up, self._workers, running))
        if self._stopped.is_set():
            await _end(running, STOP_S, self._workers)
            return 0
        return await self._balance(running)

    async def _balance(self, running: Sequence["asyncio.Task[int]"]) -> int:
        """Open the port, and end everything in order after a signal or when the balancer cannot start."""
        balancing = asyncio.create_task(self._balancer.run(is_required=True))
        stopped = asyncio.create_task(self._stopped.wait())
        await asyncio.wait([stopped, balancing], return_when=asyncio.FIRST_COMPLETED)
        code = balancing.result() if balancing.done() else 0
        if not stopped.done():
            self._stop()
        await _end(running, STOP_S, self._workers)
        # The balancer goes last: what the workers still say reaches the browsers.
        self._balancer.stop(signal.SIGUSR1)
        await _end([balancing], BALANCER_STOP_S, [self._balancer])
        return 1 if code else 0

    def _stop(self) -> None:
        """Handle a signal: running turns may finish; a second one cuts that short."""
        self._stopped.set()
        for worker in self._workers:
            worker.stop(signal.SIGTERM)


async def _comes_up(process: SupervisedProcess, task: "asyncio.Task[int]") -> bool:
    """Whether it came up before it ended, and in time."""
    up = asyncio.create_task(process.is_up.wait())
    await asyncio.wait([up, task], return_when=asyncio.FIRST_COMPLETED, timeout=OPEN_S)
    up.cancel()
    return process.is_up.is_set()


async def _end(tasks: Sequence["asyncio.Task[int]"], timeout_s: float, processes: Sequence[SupervisedProcess]) -> None:
    """Wait for processes that were told to end; what is left after the time is killed."""
    _, pending = await asyncio.wait(tasks, timeout=timeout_s)
    if pending:
        for process in processes:
            process.stop(signal.SIGKILL)
        await asyncio.wait(pending)


async def _is_healthy_at(path: Path) -> bool:
    """Whether the worker on this Unix socket answers."""
    return path.exists() and await _answers(asyncio.open_unix_connection(path))


async def _is_healthy_behind(listener: socket.socket) -> bool:
    """Whether somebody answers on the port of this socket, which is open even while nobody listens to it."""
    host, port = listener.getsockname()[:2]
    local = _LOCAL[listener.family] if host in ("::", "0.0.0.0") else host  # noqa: S104 - compared, not bound
    return await _answers(asyncio.open_connection(local, port))


async def _answers(connecting: Awaitable[tuple[StreamReader, StreamWriter]]) -> bool:
    try:
        async with asyncio.timeout(_HEALTH_S):
            reader, writer = await connecting
            try:
                writer.write(_HEALTH_REQUEST)
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError):
        return False
