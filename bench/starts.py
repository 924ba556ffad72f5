"""How long a start takes: on an empty data directory, and again."""

import time
from pathlib import Path

from bench.app_server import AppServer

AGAIN = 3


def measure(data_dir: Path) -> list[list[str]]:
    """Rows of a table: which start, and seconds until /health answers."""
    rows = [["first, empty data directory", f"{_start(data_dir):.2f} s"]]
    again = sorted(_start(data_dir) for _ in range(AGAIN))
    return [*rows, [f"again, median of {AGAIN}", f"{again[AGAIN // 2]:.2f} s"]]


def _start(data_dir: Path) -> float:
    server = AppServer(data_dir)
    began = time.perf_counter()
    server.start()
    seconds = time.perf_counter() - began
    server.stop()
    return seconds
