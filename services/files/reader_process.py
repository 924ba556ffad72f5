"""Processes that read files: a hostile file can use up only its own process's memory and time, not the app's.

Such a process (`python -m services.files`) takes one file after another from its input, each as a line of JSON and the
bytes, and answers in the same form: one record, or several of which the last has an "end". It gets none of the app's
settings, and ends when its input does.
"""

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

from services.files.reader_queue import ReaderQueue, reading_owner
from services.files.upload import FileRefused, Readable, Upload
from services.i18n import get_locale, gettext, locale_scope

Record = tuple[dict[str, Any], bytes]
Job = Callable[[Upload, Mapping[str, Any]], Iterator[Record]]
"""Reads a file; the mapping are the options of the request."""
PROCESSES = 2
MEMORY_LIMIT = 512 * 1024 * 1024
"""Bytes of address space of one process, of which the interpreter and its libraries take about a fifth."""
LIMIT_S = 20.0
WAIT_S = 40.0
"""Seconds that a file may wait for a free process; a whole class may attach at once."""
MOST_ANSWER = 256 * 1024 * 1024
"""Bytes of what a process answers for one file, whatever the file has made of it."""
LONGEST_HEADER = 40 * 1024 * 1024
"""Bytes of the JSON line of one record; a page of a document stands in it."""
MOST_FILES = 200
"""Files after which a process is replaced, whatever its libraries have kept."""
_ROOT = Path(__file__).parents[2]


class ProcessEnded(Exception):
    """The process ended while it read a file. is_fresh: it had read no other before."""

    def __init__(self, *, is_fresh: bool) -> None:
        super().__init__()
        self.is_fresh = is_fresh


class AllBusy(Exception):
    """No process was free within `WAIT_S`."""


class ReaderProcesses:
    """Pool of reader processes, each started when it is first needed. Thread-safe."""

    def __init__(
        self,
        *,
        processes: int = PROCESSES,
        memory_limit: int = MEMORY_LIMIT,
        limit_s: float = LIMIT_S,
        niceness: int = 0,
        program: str = "services.files",
        most_answer: int = MOST_ANSWER,
    ):
        """memory_limit: bytes of each process. limit_s: seconds that it may take for one file. niceness: how far it
        stands back for others. program: package that runs `serve_process`. most_answer: bytes of one file's answer.
        """
        self._queue, self._idle = ReaderQueue(processes), deque[_Process]()
        self._limit_s, self._most_answer = limit_s, most_answer
        self._command = [program, str(memory_limit), str(niceness)]

    def read(self, upload: Upload) -> Readable:
        """Read a file for a chat; raises `FileRefused`, also for one that takes too much memory or time."""
        try:
            # To the end of the answer: else its process would count as one that broke off.
            (readable,) = [
                Readable(content=content, **record) for record, content in self.records("attachment", upload)
            ]
            return readable
        except AllBusy:
            raise FileRefused(
                gettext("Many files are being read at the moment."), next_step=gettext("Attach it again in a moment.")
            ) from None
        except (ProcessEnded, TypeError, ValueError):
            raise FileRefused(
                gettext("This file takes too much memory or time to read."),
                next_step=gettext("Make it smaller, or attach the part you need."),
            ) from None

    def records(
        self, job: str, upload: Upload, options: Mapping[str, Any] | None = None, *, limit_s: float | None = None
    ) -> Iterator[Record]:
        """Records of a job's answer as they come; raises `FileRefused`, `ProcessEnded` or `AllBusy`.

        It waits behind other files of whom it counts for (`reading_for`), not behind all of theirs before another's.
        limit_s: seconds for this one, if not those of the pool.
        """
        owner = reading_owner()
        if not self._queue.acquire(owner, WAIT_S):
            raise AllBusy
        process = kept = None
        try:
            process = self._next_process()
            request = {**(options or {}), "job": job}
            yield from process.records(request, upload, limit_s or self._limit_s, self._most_answer)
            kept = process if process.files < MOST_FILES else None
        except FileRefused:
            kept = process
            raise
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            # It was ended by its limit, or what it answers makes no sense.
            raise ProcessEnded(is_fresh=process is None or process.files <= 1) from None
        finally:
            if kept is not None:
                self._idle.append(kept)
            elif process is not None:
                process.close()
            self._queue.release(owner)

    def close(self) -> None:
        """End the processes that are not at work."""
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _next_process(self) -> "_Process":
        """The one that was at work last, or a new one."""
        with contextlib.suppress(IndexError):
            return self._idle.pop()
        return _Process(self._command)


@cache
def shared_processes() -> ReaderProcesses:
    """The reader processes of this app process for what is attached to chats."""
    processes = ReaderProcesses()
    atexit.register(processes.close)
    return processes


class _Process:
    """One process, used by one thread at a time. files: those that it has read."""

    def __init__(self, command: Sequence[str]) -> None:
        self.files = 0
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            # One core each: numpy would start a thread for every one.
            env={"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"},
        )

    def records(self, request: dict[str, Any], upload: Upload, limit_s: float, most_answer: int) -> Iterator[Record]:
        """Raises `FileRefused` as the reader did, `OSError` or `ValueError` when the process ends instead, or answers
        more than `most_answer` bytes.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.files += 1
        timer = threading.Timer(limit_s, self._process.kill)
        timer.start()
        try:
            _write(self._process.stdin, {**request, "name": upload.name, "locale": get_locale()}, upload.content)
            is_ended, left = False, most_answer
            while not is_ended:
                record, content, left = _read_within(self._process.stdout, left)
                if "refused" in record:
                    raise FileRefused(record["refused"], next_step=record["next_step"])
                is_ended = record.pop("end", False)
                yield record, content
        finally:
            timer.cancel()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close() if pipe else None


def serve_process(jobs: Mapping[str, Job]) -> None:
    """Serve the app process that has started this one, within the memory limit and with the niceness of `sys.argv`.

    macOS refuses a limit of the address space (`ValueError`): there files are read without it, within their time all
    the same.
    """
    import resource  # Not on Windows, where the app starts all the same.

    limit, niceness = (int(argument) for argument in sys.argv[1:3])
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with contextlib.suppress(OSError):
        os.nice(niceness)
    serve(sys.stdin.buffer, sys.stdout.buffer, jobs)


def serve(files: IO[bytes], answers: IO[bytes], jobs: Mapping[str, Job]) -> None:
    """Answer each file of a stream, until it ends. jobs: what can be asked for, by name."""
    for request, content in _requests(files):
        with locale_scope(request["locale"]):
            try:
                for record, answer in jobs[request["job"]](Upload(name=request["name"], content=content), request):
                    _write(answers, record, answer)
            except FileRefused as refusal:
                _write(answers, {"refused": str(refusal), "next_step": refusal.next_step}, b"")


def _requests(files: IO[bytes]) -> Iterator[tuple[dict[str, Any], bytes]]:
    with contextlib.suppress(EOFError):
        while True:
            yield _read(files)


def _write(pipe: IO[bytes], header: dict[str, Any], content: bytes) -> None:
    pipe.write(json.dumps({**header, "size": len(content)}).encode() + b"\n")
    pipe.write(content)
    pipe.flush()


def _read(pipe: IO[bytes]) -> Record:
    record, content, _ = _read_within(pipe, sys.maxsize)
    return record, content


def _read_within(pipe: IO[bytes], most: int) -> tuple[dict[str, Any], bytes, int]:
    """A record, its content and the bytes that are left of `most`; raises `ValueError` for one that is larger."""
    line = pipe.readline(LONGEST_HEADER)
    if not line:
        raise EOFError
    header = json.loads(line)
    if not isinstance(header, dict):
        raise TypeError("no record")
    size = int(header.pop("size"))
    left = most - len(line) - size
    if size < 0 or left < 0:
        raise ValueError("too much")
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return header, content, left
