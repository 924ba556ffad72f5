"""How long a start takes: on an empty data directory, and again."""

import time
from pathlib import Path

from bench.load.app_server import AppServer
from bench.load.process import cpu_seconds

HEAD = ("start", "until it answers", "CPU until then")
AGAIN = 3


def measure(data_dir: Path, again: int = AGAIN) -> list[list[str]]:
    """Rows of a table: which start, seconds until /health answers, and CPU seconds of that."""
    first = _start(data_dir)
    later = sorted(_start(data_dir) for _ in range(again))
    return [_row("first, empty data directory", first), _row(f"again, median of {again}", later[again // 2])]


def _row(name: str, start: tuple[float, float]) -> list[str]:
    return [name, *(f"{seconds:.2f} s" for seconds in start)]


def _start(data_dir: Path) -> tuple[float, float]:
    server = AppServer(data_dir)
    began = time.perf_counter()
    server.start()
    seconds, computed = time.perf_counter() - began, cpu_seconds(server.pid)
    server.stop()
    return seconds, computed
