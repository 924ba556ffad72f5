"""Ctrl+C before a command has begun."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""Exit code, as shells tell of Ctrl+C."""


@contextmanager
def nothing_begun() -> Iterator[None]:
    """End this process at Ctrl+C without a word: for the seconds in which its modules are loaded, and nothing else."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
