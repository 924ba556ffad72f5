"""Where the CPU of one answer goes: seconds by stack, summed by the part of the work that the stack belongs to."""

from collections import Counter
from collections.abc import Mapping

from bench.load.app_server import ROOT

LIVE_EVENTS = ("feed", "stream", "answer_diff", "blocks")
PARTS = (
    ("sanitising words", ("services/safety/markdown/", "services/diagrams/")),
    ("reading the model's stream", ("services/llm/", "services/runtime/loop_", "services/runtime/total_")),
    ("preparing the request", ("services/prompt/", "services/discovery/", "services/tools/", "services/integrations/")),
    (
        "live events",
        ("services/turns/stream.py", *(f"api/live/{name}" for name in LIVE_EVENTS)),
    ),
    ("taking the message in", ("services/turns/start.py", "services/turns/submissions.py", "api/live/")),
    ("snapshots and leases", ("services/turns/executor.py:_beat", "services/storage/leases.py")),
    ("the turn's steps and end", ("services/turns/",)),
    ("page scripts", ("pages/", "ui/", "/streamlit/runtime/")),
    ("HTTP, websockets and middleware", ("api/", "/uvicorn/", "/starlette/", "/websockets/", "/streamlit/web/")),
    ("event loops themselves", ("/asyncio/", "/uvloop/")),
)
"""Parts, and the files that stand for them; the innermost frame that is in one of these decides."""
AFTER = "after the end: accounting, title, learning, search words"
AFTER_FRAME = "services/runtime/deferred_work.py:run_each"
OTHER = "other"
STORE = "of all this, in the store"
STORE_PLACE = "services/storage/"


def by_part(stacks: Mapping[str, float]) -> Counter[str]:
    """Seconds of each part."""
    parts: Counter[str] = Counter()
    for stack, seconds in stacks.items():
        parts[part_of(stack)] += seconds
    return parts


def in_store(stacks: Mapping[str, float]) -> float:
    """Seconds that all parts spend in the store."""
    return sum(seconds for stack, seconds in stacks.items() if any(STORE_PLACE in frame for frame in stack.split(";")))


def part_of(stack: str) -> str:
    """Part that a stack belongs to: first by the innermost frame of ours, without one by the innermost library's."""
    frames = [_short(frame) for frame in reversed(stack.split(";"))]
    if AFTER_FRAME in frames:
        return AFTER
    for is_ours in (True, False):
        for frame in frames:
            for name, places in PARTS:
                if any(place.startswith("/") != is_ours and _is_in(frame, place) for place in places):
                    return name
    return OTHER


def inclusive(stacks: Mapping[str, float]) -> Counter[str]:
    """Seconds in which each function was running, itself or what it called."""
    totals: Counter[str] = Counter()
    for stack, seconds in stacks.items():
        for frame in {_short(frame) for frame in stack.split(";")}:
            totals[frame] += seconds
    return totals


def own(stacks: Mapping[str, float]) -> Counter[str]:
    """Seconds that each function spent itself."""
    totals: Counter[str] = Counter()
    for stack, seconds in stacks.items():
        totals[_short(stack.rpartition(";")[2])] += seconds
    return totals


def _short(frame: str) -> str:
    """`services/…:function`, or `/library/…:function` of an installed one."""
    short = frame.removeprefix(f"{ROOT}/")
    return (
        short.partition("site-packages")[2] or "/" + short.partition("/lib/python3.")[2] if short[0] in "./" else short
    )


def _is_in(frame: str, place: str) -> bool:
    return place in frame if place.startswith("/") else frame.startswith(place)
