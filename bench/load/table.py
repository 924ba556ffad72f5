"""Tables of the benchmarks."""

from collections.abc import Sequence

Rows = Sequence[Sequence[str]]


def print_table(title: str, head: Sequence[str], rows: Rows) -> None:
    """Print rows in columns."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    print(f"\n{title}")
    for row in (head, ["-" * width for width in widths], *rows):
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)), flush=True)
