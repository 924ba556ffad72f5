"""Capacity of this process: how many more files it may open, and how much memory is free."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from services.errors import SettingsError
from services.runtime.metrics_registry import OPEN_FILES, SHEDDING, MetricsRegistry

MOST_FILES = 65_536
"""Asked for where the machine sets no limit of its own."""
KEPT_FILES = 256
"""For what runs already: connections to the services and the model, the database, running servers of tools."""
KEPT_BYTES = 48 * 1024 * 1024
MEASURE_EVERY_S = 0.5

_KIB = 1024


class Capacity:
    """Free file descriptors and memory, measured twice a second at most.

    limit: how many files may be open; None where the system has no limit. opened: how many are.
    free_bytes: of memory, None where the system does not say.
    """

    def __init__(
        self,
        *,
        limit: int | None,
        opened: Callable[[], int],
        free_bytes: Callable[[], int | None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit = limit
        self._opened = opened
        self._free_bytes = free_bytes
        self._monotonic = monotonic
        self._measured_at = float("-inf")
        self._open = 0
        self._has_memory = True

    def admits(self, files: int, *, is_stranger: bool) -> bool:
        """Whether a newcomer may begin what keeps so many files open; then these count, before they are open.

        Strangers get half of what there is, so that a crowd of them locks no student out.
        """
        self._measure()
        has_files = self._limit is None or self._open + files <= _share(self._limit, is_stranger=is_stranger)
        if has_files and self._has_memory:
            self._open += files
            return True
        return False

    def is_short(self) -> bool:
        """Whether a student would be turned away just now."""
        self._measure()
        return not self._has_memory or (self._limit is not None and self._open > _share(self._limit, is_stranger=False))

    def watch(self, registry: MetricsRegistry) -> None:
        """Tell the operator of the files that are open, and whether newcomers wait."""
        registry.watch(SHEDDING, lambda: float(self.is_short()))
        registry.watch(OPEN_FILES, lambda: float(self._open))

    def check(self) -> None:
        """Raise `SettingsError` while newcomers wait, so that a balancer sends them elsewhere."""
        if self.is_short():
            remedy = "Raise the limit for the user that runs Homeroom, give it more memory, or add a replica."
            raise SettingsError("ulimit -n", "is nearly used up, or memory is: newcomers wait.", next_step=remedy)

    def __str__(self) -> str:
        return f"open_files={self._open} limit={self._limit} has_memory={self._has_memory}"

    def _measure(self) -> None:
        now = self._monotonic()
        if now - self._measured_at < MEASURE_EVERY_S:
            return
        self._measured_at = now
        try:
            self._open = self._opened()
        except OSError:
            # Measuring opens a file, too. Where there is nothing to measure, there is no limit either.
            self._open = self._limit or 0
        free = self._free_bytes()
        self._has_memory = free is None or free >= KEPT_BYTES


def process_capacity() -> Capacity:
    """Capacity of this process, with its limit on open files raised as far as it may."""
    limit = raise_file_limit()
    return Capacity(limit=limit if os.path.isdir("/dev/fd") else None, opened=_open_files, free_bytes=free_memory)


def _share(limit: int, *, is_stranger: bool) -> int:
    return limit // 2 if is_stranger else limit - min(KEPT_FILES, limit // 4)


def _open_files() -> int:
    return len(os.listdir("/dev/fd"))


def raise_file_limit() -> int | None:
    """The soft limit, now as high as the hard one: 256 on a Mac and 1,024 on Linux are 60 and 250 open tabs."""
    try:
        import resource
    except ImportError:  # Windows counts otherwise.
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    # A Mac without a limit still refuses what its kernel does not grant; 10,240 is what it grants to everybody.
    for value in (wanted, min(wanted, 10_240)):
        if value <= soft:
            break
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (value, hard))
            return value
    return soft


def free_memory(root: Path = Path("/")) -> int | None:
    """Bytes that this machine, and this process's cgroup (v2), can still give, swap included; None off Linux."""
    free = [free_bytes for free_bytes in (_machines(root), _cgroups(root)) if free_bytes is not None]
    return min(free, default=None)


def _machines(root: Path) -> int | None:
    lines = _text(root / "proc/meminfo").splitlines()
    kib = {name: value.split()[0] for name, _, value in (line.partition(":") for line in lines) if value.split()}
    return (int(kib["MemAvailable"]) + int(kib.get("SwapFree", 0))) * _KIB if "MemAvailable" in kib else None


def _cgroups(root: Path) -> int | None:
    """Free memory of the cgroup; the page cache that may be dropped is free (kernel.org, cgroup-v2, memory.stat)."""
    path = next((p[3:] for p in _text(root / "proc/self/cgroup").splitlines() if p.startswith("0::/")), None)
    folder = root / "sys/fs/cgroup" / (path or "/").lstrip("/")
    most, used = _text(folder / "memory.max").strip(), _text(folder / "memory.current").strip()
    if path is None or not most.isdecimal() or not used.isdecimal():
        return None
    stat = dict(line.split() for line in _text(folder / "memory.stat").splitlines())
    return int(most) - int(used) + int(stat.get("inactive_file", 0))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
