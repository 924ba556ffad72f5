"""Where the CPU of one answer goes: seconds by stack, summed by the part of the work that the stack belongs to."""

from collections import Counter
from collections.abc import Mapping

from bench.load.app_server import ROOT

PARTS = (
    ("accounting, title, learning, search words", ("services/conversations/titles", "services/conversations/search")),
    ("sanitising words", ("services/safety/markdown/", "services/diagrams/")),
    ("reading the model's stream", ("services/llm/",)),
    ("the store", ("services/storage/",)),
    ("the live route: events", ("api/live/",)),
    ("the turn itself", ("services/turns/",)),
    ("preparing the request", ("services/prompt/", "services/discovery/", "services/tools/", "services/integrations/")),
    ("conversations, students and the rest of services", ("services/",)),
    ("page scripts", ("pages/", "ui/", "/streamlit/runtime/", "/streamlit/elements/", "/streamlit/delta_generator")),
    ("the rest of api/", ("api/",)),
    (
        "server: HTTP and websockets",
        ("/uvicorn/", "/starlette/", "/h11/", "/websockets/", "/streamlit/web/", "/anyio/"),
    ),
    ("event loops", ("/asyncio/", "/uvloop/")),
)
"""Parts, and the files that stand for them; the innermost frame that is in one of these decides."""
OTHER = "other"


def by_part(stacks: Mapping[str, float]) -> Counter[str]:
    """Seconds of each part."""
    parts: Counter[str] = Counter()
    for stack, seconds in stacks.items():
        parts[part_of(stack)] += seconds
    return parts


def part_of(stack: str) -> str:
    """Part that a stack belongs to: first by the innermost frame of ours, without one by the innermost library's."""
    frames = [_short(frame) for frame in reversed(stack.split(";"))]
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
