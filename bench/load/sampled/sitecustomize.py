"""Sampler of CPU by stack, for a process that the bench starts with this folder on its PYTHONPATH.

A thread of its own looks every millisecond which threads have computed since the last look (each has a clock) and adds
that time to the stack they are in. It counts while the file `BENCH_SAMPLES` + ".on" exists; when that goes it writes
what it has counted: JSON, seconds by stack ("file:function" from the outermost to the innermost, joined by ";").
"""

import json
import os
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

EVERY_S = 0.001
LOOK_S = 0.05
DEEPEST = 80


def _sample(out: Path) -> None:
    switch = out.with_name(out.name + ".on")
    while True:
        while not switch.exists():
            time.sleep(LOOK_S)
        counted = _count(switch)
        draft = out.with_name(out.name + ".draft")
        draft.write_text(json.dumps(counted))
        draft.rename(out)


def _count(switch: Path) -> Counter[str]:
    counted: Counter[str] = Counter()
    clocks: dict[int, float] = {}
    me, looked_at = threading.get_ident(), 0.0
    usual_s = sys.getswitchinterval()
    # Otherwise it would come to look only when a thread waits, and find all time spent on waiting calls.
    sys.setswitchinterval(EVERY_S / 4)
    while time.monotonic() - looked_at < LOOK_S or switch.exists():
        if time.monotonic() - looked_at >= LOOK_S:
            looked_at = time.monotonic()
        for thread, frame in sys._current_frames().items():
            if thread == me:
                continue
            used = time.clock_gettime(time.pthread_getcpuclockid(thread))
            before = clocks.get(thread, used)
            clocks[thread] = used
            if used > before:
                counted[_stack(frame)] += used - before
        time.sleep(EVERY_S)
    sys.setswitchinterval(usual_s)
    return counted


def _stack(frame: FrameType | None) -> str:
    names: list[str] = []
    while frame is not None and len(names) < DEEPEST:
        code = frame.f_code
        names.append(f"{code.co_filename}:{code.co_name}")
        frame = frame.f_back
    return ";".join(reversed(names))


if os.environ.get("BENCH_SAMPLES"):
    threading.Thread(target=_sample, args=(Path(os.environ["BENCH_SAMPLES"]),), name="samples", daemon=True).start()
