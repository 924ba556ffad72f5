"""`make bench`: starts, streaming, store reads and memory, printed as one set of tables."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import resolution, sessions, starts, store_reads, streaming
from bench.app_server import AppServer

STREAMING_HEAD = ("students at once", "raw SDK, last word", "Homeroom, last word", "ratio", "first word later by")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        table("Start", ("start", "until it answers"), starts.measure(data_dir))
        table("Store reads", ("what", "reads", "writes"), store_reads.measure())
        table("Resolution, ten assistants", resolution.HEAD, resolution.measure())
        server = AppServer(data_dir).start()
        try:
            table("Idle tabs", ("tabs", "before", "with them", "each"), sessions.measure(server))
            table("Streaming: median (slowest)", STREAMING_HEAD, streaming.measure(server))
        finally:
            server.stop()


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    print(f"\n{title}")
    for row in (head, ["-" * width for width in widths], *rows):
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


main()
