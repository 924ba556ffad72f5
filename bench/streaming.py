"""How late the first and the last word of an answer come, over the raw SDK against the same model server.

Beside them a bare Streamlit page that asks by the SDK alone: the least that any page of this framework takes here.
"""

import statistics
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.load.app_server import AppServer
from bench.load.bare_app import BarePage
from bench.load.campus import Campus, set_pace
from bench.load.crowd import Crowd, Timing, Visitor
from bench.load.process import cpu_seconds
from bench.load.sign_in import sign_in
from bench.load.visitors import Program, Student

WORDS = 40
WORDS_PER_SECOND = 20
CROWDS = (1, 20, 50, 100)
ROUNDS = 3
HEAD = (
    "students at once",
    "ideal",
    "raw SDK: first, last word",
    "bare Streamlit: first, last word",
    "Homeroom: first, last word",
    "last ÷ raw",
    "last ÷ bare",
    "last ÷ ideal",
    "first later by",
    "CPU an answer: bare, Homeroom",
)
FOOT = f"{WORDS} words at {WORDS_PER_SECOND} a second, {ROUNDS} rounds: medians, the slowest in brackets"


def measure(
    data_dir: Path,
    *,
    crowds: Sequence[int] = CROWDS,
    rounds: int = ROUNDS,
    words: int = WORDS,
    is_model_inside: bool = False,
) -> list[list[str]]:
    """One row for each crowd. is_model_inside: the model's server shares the app's process, as in the demo."""
    with ExitStack() as opened:
        campus = opened.enter_context(Campus(data_dir))
        server = AppServer(data_dir, {} if is_model_inside else campus.model_settings).start()
        opened.callback(server.stop)
        model = f"{server.url}/sandbox" if is_model_inside else campus.url
        set_pace(model, WORDS_PER_SECOND)
        bare = opened.enter_context(BarePage(f"{model}/anthropic"))
        crowd = opened.enter_context(Crowd())
        cookies = sign_in(server.url)
        crowd.ask([Student(url=server.url, cookies=cookies, words=1), Student(url=bare.url, cookies={}, words=1)])
        sides = (
            Side(visitor=lambda: Program(model_url=f"{model}/anthropic", words=words), pid=campus.pid),
            Side(visitor=lambda: Student(url=bare.url, cookies={}, words=words), pid=bare.pid),
            Side(visitor=lambda: Student(url=server.url, cookies=cookies, words=words), pid=server.pid),
        )
        return [_row(crowd, sides, size, rounds, ideal=words / WORDS_PER_SECOND) for size in crowds]


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of what is compared. visitor: makes a new one. pid: of the process that serves them."""

    visitor: Callable[[], Visitor]
    pid: int


@dataclass(kw_only=True)
class Heard:
    """What a side's visitors heard in all rounds, and how many seconds its process computed for them."""

    timings: list[Timing] = field(default_factory=list)
    cpu_s: float = 0.0

    @property
    def first_s(self) -> float:
        return statistics.median(timing.first_s for timing in self.timings)

    @property
    def last_s(self) -> float:
        return statistics.median(timing.last_s for timing in self.timings)

    @property
    def slowest_s(self) -> float:
        return max(timing.last_s for timing in self.timings)

    def __str__(self) -> str:
        slowest_first = max(timing.first_s for timing in self.timings)
        return f"{self.first_s:.2f} ({slowest_first:.2f}), {self.last_s:.2f} ({self.slowest_s:.2f}) s"


def _row(crowd: Crowd, sides: Sequence[Side], size: int, rounds: int, *, ideal: float) -> list[str]:
    raw, bare, ours = heard = [Heard() for _ in sides]
    for _ in range(rounds):
        for side, its in zip(sides, heard, strict=True):
            _listen(crowd, side, size, its)
    return [
        str(size),
        f"{ideal:.2f} s",
        *map(str, heard),
        f"{ours.last_s / raw.last_s:.2f}",
        f"{ours.last_s / bare.last_s:.2f}",
        f"{ours.last_s / ideal:.2f} ({ours.slowest_s / ideal:.2f})",
        f"{ours.first_s - raw.first_s:.2f} s",
        ", ".join(f"{its.cpu_s / (size * rounds) * 1000:.0f} ms" for its in (bare, ours)),
    ]


def _listen(crowd: Crowd, side: Side, size: int, heard: Heard) -> None:
    at_the_gate: list[float] = []
    visitors = [side.visitor() for _ in range(size)]
    heard.timings += crowd.ask(visitors, at_the_gate=lambda: at_the_gate.append(cpu_seconds(side.pid)))
    heard.cpu_s += cpu_seconds(side.pid) - at_the_gate[0]
