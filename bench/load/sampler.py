"""Sampler of CPU by stack, inside a process that the bench starts: the product knows nothing of it.

A thread of its own looks every half millisecond which threads have computed since the last look (each has a clock) and
adds that time to the stack they are in. It counts while a file exists; when
that is gone it writes what it has counted.
"""

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

EVERY_S = 0.0005
LOOK_S = 0.05
LONGEST_S = 30.0
DEEPEST = 100
WAITING = (
    "threading.py:wait",
    "socket.py:recv_into",
    "sync.py:read",
    "ssl.py:read",
    "selectors.py:select",
    "thread_pools.py:_serve",
    "thread.py:_worker",
    "queue.py:get",
)
"""Where a thread rests. A loop of uvloop rests where it also works for itself, and is not among them."""


class Sampled:
    """What starts the sampler in a process, and switches it on from this one. folder: an empty one of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._switch, self._out = folder / "on", folder / "samples.json"
        root = Path(__file__).resolve().parents[2]
        lines = ("import sys, pathlib", f"sys.path.append({str(root)!r})", "from bench.load.sampler import start")
        start_it = f"start(pathlib.Path({str(self._switch)!r}), pathlib.Path({str(self._out)!r}))"
        (folder / "sitecustomize.py").write_text("\n".join((*lines, start_it, "")))

    @property
    def settings(self) -> dict[str, str]:
        """Of the process that is sampled: Python runs a `sitecustomize` that it finds."""
        return {"PYTHONPATH": str(self._folder)}

    @contextmanager
    def counting(self) -> Iterator[Counter[str]]:
        """Seconds of CPU by stack, filled when the block ends; "file:function" from the outermost, joined by ";"."""
        counted: Counter[str] = Counter()
        self._switch.touch()
        time.sleep(2 * LOOK_S)
        yield counted
        self._switch.unlink()
        deadline = time.monotonic() + LONGEST_S
        while not self._out.exists():
            assert time.monotonic() < deadline, "no samples came"
            time.sleep(LOOK_S)
        counted.update(json.loads(self._out.read_text()))
        self._out.unlink()


def start(switch: Path, out: Path) -> None:
    """Start the sampler in this process."""
    threading.Thread(target=_sample, args=(switch, out), name="sampler", daemon=True).start()


def _sample(switch: Path, out: Path) -> None:
    while True:
        while not switch.exists():
            time.sleep(LOOK_S)
        counted = _count(switch)
        draft = out.with_suffix(".draft")
        draft.write_text(json.dumps(counted))
        draft.rename(out)


def _count(switch: Path) -> Mapping[str, float]:
    seen, clocks = Seen(), dict[int, float]()
    looked_at, usual_s = 0.0, sys.getswitchinterval()
    # Otherwise it would come to look only when a thread waits.
    sys.setswitchinterval(EVERY_S / 10)
    while time.monotonic() - looked_at < LOOK_S or switch.exists():
        if time.monotonic() - looked_at >= LOOK_S:
            looked_at = time.monotonic()
        for thread, frame in sys._current_frames().items():
            if thread != threading.get_ident() and (used := _cpu_seconds(thread)):
                if used > clocks.get(thread, used):
                    seen.add(_kind(thread), stack_of(frame), used - clocks[thread])
                clocks[thread] = used
        time.sleep(EVERY_S)
    sys.setswitchinterval(usual_s)
    return seen.counted()


class Seen:
    """Seconds by stack. A thread that has computed but waits now was missed while it did: its time is spread over the
    stacks in which threads of its kind were met at work."""

    def __init__(self) -> None:
        self._working: dict[str, Counter[str]] = {}
        self._waiting: dict[str, Counter[str]] = {}

    def add(self, kind: str, stack: str, seconds: float) -> None:
        """Add what a thread of this kind has computed since the last look."""
        side = self._waiting if stack.endswith(WAITING) else self._working
        side.setdefault(kind, Counter())[stack] += seconds

    def counted(self) -> Counter[str]:
        counted: Counter[str] = Counter()
        for kind in {*self._working, *self._waiting}:
            working, missed = self._working.get(kind, Counter()), self._waiting.get(kind, Counter())
            met = sum(working.values())
            for stack, seconds in (working or missed).items():
                counted[stack] += seconds * (1 + sum(missed.values()) / met) if working else seconds
        return counted


def _kind(thread: int) -> str:
    """The name of a thread without its number: threads of one pool do the same work."""
    found = threading._active.get(thread)  # type: ignore[attr-defined]
    return found.name.rstrip("0123456789-_") if found else ""


def _cpu_seconds(thread: int) -> float:
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    except OSError:  # it has just ended
        return 0.0


def stack_of(frame: FrameType | None) -> str:
    """The names of the functions that this frame is in."""
    names: list[str] = []
    while frame is not None and len(names) < DEEPEST:
        names.append(f"{frame.f_code.co_filename}:{frame.f_code.co_name}")
        frame = frame.f_back
    return ";".join(reversed(names))
