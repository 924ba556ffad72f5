"""How late the first and the last word of an answer come when a class asks at once, and what one costs the server.

Each student sends the first message of a new chat within the same half second; side by side in one run: the SDK alone,
a bare Streamlit page, a POST and a server-sent stream alone, and Homeroom's live route.
`python -m bench.live 100 --rounds 1 --only ours` measures a part of it.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.cpu_parts import STORE, by_part, in_store, inclusive, own
from bench.load.bare_app import BareApp
from bench.load.crowd import Crowd, Visitor
from bench.load.homeroom_app import QUESTION, HomeroomApp
from bench.load.live_client import LiveStudent, ModelListener
from bench.load.paced_model import BEGINS_S, IDEAL_LAST_S, TOKENS, PacedModel
from bench.load.process import cpu_seconds
from bench.load.sampler import Sampled
from bench.load.table import print_table
from bench.load.visitors import Program, Tab

CROWDS = (1, 20, 50, 100, 200)
ROUNDS = 5
WITHIN_S = 0.5
SETTLE_S = 3.0
"""After the last word, when what an answer leaves to do is still done and still counts."""
SIDES = {
    "model": "the model alone",
    "sdk": "raw SDK",
    "page": "bare Streamlit page",
    "route": "bare route",
    "ours": "Homeroom, live route",
    "pages": "Homeroom, with pages",
    "fallback": "Homeroom, page script",
}
OURS = {"ours", "pages", "fallback"}
PARTS_SIZE = 50
SIZES = {"sdk": range(21), "fallback": (50,)}
"""Crowds of the sides that not all ask: more of the SDK are late by themselves, at 16 ms of CPU each; and the way for
when the component cannot load is measured once."""
HEAD = ("at once", "side", "first late by", "last ÷ ideal", "CPU an answer", "to its last word", "client's CPU")
TITLE = (
    f"Live answers: {TOKENS} tokens from {BEGINS_S} s on, the last after {IDEAL_LAST_S:.2f} s;"
    " 95th percentiles, medians of the rounds (the slowest round in brackets)"
)
PARTS_TITLE = "Live answers: CPU of one answer by part, {} at once, sampled (which itself takes some)"
PARTS_HEAD = ("part", "share", "an answer")
Visitors = Callable[[int], Sequence[Visitor]]


@dataclass(frozen=True, kw_only=True)
class Round:
    """One crowd's 95th percentiles, and seconds of CPU for each answer."""

    first_late_s: float
    last_ratio: float
    cpu_s: float
    cpu_to_last_word_s: float
    client_cpu_s: float


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of what is compared. visitors: makes so many new ones. pid: of the process that serves them."""

    visitors: Visitors
    pid: int


def measure(
    data_dir: Path,
    *,
    crowds: Sequence[int] = CROWDS,
    rounds: int = ROUNDS,
    only: Sequence[str] = tuple(SIDES),
    is_model_inside: bool = False,
) -> list[list[str]]:
    """One row for each crowd and side. is_model_inside: the model's server shares the app's process, as in the demo."""
    with ExitStack() as opened:
        bench = LiveBench.open(opened, data_dir, size=max(crowds), only=only, is_model_inside=is_model_inside)
        return [row for size in crowds for row in bench.rows(size, rounds)]


@dataclass(kw_only=True)
class LiveBench:
    """All sides, running and warm."""

    crowd: Crowd
    sides: Mapping[str, Side]
    settle_s: float = SETTLE_S
    rounds: dict[tuple[int, str], list[Round]] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        opened: ExitStack,
        data_dir: Path,
        *,
        size: int,
        only: Sequence[str] = tuple(SIDES),
        settings: Mapping[str, str] | None = None,
        is_model_inside: bool = False,
    ) -> "LiveBench":
        """Start everything; `opened` ends it. size: of the largest crowd. settings: more of them for the app."""
        model = opened.enter_context(PacedModel())
        sides: dict[str, Side] = {}
        if "model" in only:
            listeners = _many(lambda: ModelListener(url=model.url, words=TOKENS))
            sides["model"] = Side(visitors=listeners, pid=model.pid)
        if "sdk" in only:
            sides["sdk"] = Side(visitors=_many(lambda: Program(model_url=model.url, words=TOKENS)), pid=model.pid)
        if "page" in only:
            page = opened.enter_context(BareApp.page(model.url))
            sides["page"] = Side(visitors=_many(lambda: _tab(page.url)), pid=page.pid)
        if "route" in only:
            route = opened.enter_context(BareApp.route(model.url))
            sides["route"] = Side(visitors=_many(lambda: _student(route.url, {})), pid=route.pid)
        if OURS & set(only):
            app = HomeroomApp(
                data_dir, model_url="" if is_model_inside else model.url, size=size, settings=settings or {}
            )
            opened.callback(app.start().stop)
            ways = {"ours": app.students, "pages": app.browsers, "fallback": app.tabs}
            sides |= {name: Side(visitors=ways[name], pid=app.pid) for name in only if name in ways}
        bench = cls(crowd=opened.enter_context(Crowd()), sides=sides)
        for side in sides.values():
            bench.crowd.ask(side.visitors(2))
        return bench

    def rows(self, size: int, rounds: int) -> list[list[str]]:
        """Measure a crowd of this size: a row for each side."""
        heard: dict[str, list[Round]] = {name: [] for name in self.sides}
        for number in range(rounds):
            for name, side in self.sides.items():
                if len(self.sides) > 1 and size not in SIZES.get(name, (size,)):
                    continue
                heard[name].append(self.listen(side, size, seed=number))
        return [_row(size, SIDES[name], its) for name, its in heard.items() if its]

    def listen(self, side: Side, size: int, *, seed: int) -> Round:
        """One crowd of this size asks one side."""
        cpu_s: list[float] = []
        delays_s = [random.Random(f"{seed} {n}").uniform(0, WITHIN_S) if size > 1 else 0.0 for n in range(size)]

        def read_clock() -> None:
            cpu_s.append(cpu_seconds(side.pid))

        heard = self.crowd.ask(side.visitors(size), delays_s=delays_s, at_the_gate=read_clock, at_the_end=read_clock)
        time.sleep(self.settle_s)
        read_clock()
        before, at_last_word, after = cpu_s
        return Round(
            first_late_s=percentile_95([timing.first_s for timing in heard.timings]) - BEGINS_S,
            last_ratio=percentile_95([timing.last_s for timing in heard.timings]) / IDEAL_LAST_S,
            cpu_s=(after - before) / size,
            cpu_to_last_word_s=(at_last_word - before) / size,
            client_cpu_s=heard.cpu_s,
        )


def measure_parts(data_dir: Path, *, size: int = PARTS_SIZE, hot: int = 0) -> list[list[str]]:
    """One row for each part of the work of an answer of ours, `size` at once; then so many of the hottest functions."""
    sampled = Sampled(data_dir / "sampled")
    with ExitStack() as opened:
        bench = LiveBench.open(opened, data_dir, size=size, only=("ours",), settings=sampled.settings)
        with sampled.counting() as stacks:
            bench.listen(bench.sides["ours"], size, seed=0)
    whole = sum(stacks.values())
    found = [*by_part(stacks).most_common(), ("whole", whole), (STORE, in_store(stacks))]
    if hot:
        found += [("", 0.0), *inclusive(stacks).most_common(hot), ("", 0.0), *own(stacks).most_common(hot)]
    return [[name, f"{s / whole:.0%}", f"{s / size * 1000:.2f} ms"] if name else ["", "", ""] for name, s in found]


def percentile_95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed (nearest rank)."""
    return sorted(values)[-(-95 * len(values) // 100) - 1]


def _many(visitor: Callable[[], Visitor]) -> Visitors:
    return lambda count: [visitor() for _ in range(count)]


def _tab(url: str) -> Tab:
    return Tab(url=url, cookies={}, words=TOKENS, text=QUESTION)


def _student(url: str, cookies: Mapping[str, str]) -> LiveStudent:
    return LiveStudent(url=url, cookies=cookies, words=TOKENS, text=QUESTION)


def _row(size: int, name: str, rounds: Sequence[Round]) -> list[str]:
    def middle(read: Callable[[Round], float]) -> float:
        return statistics.median(read(round_) for round_ in rounds)

    is_served = name not in (SIDES["model"], SIDES["sdk"])
    return [
        str(size),
        name,
        f"{middle(lambda r: r.first_late_s) * 1000:.0f} ({max(r.first_late_s for r in rounds) * 1000:.0f}) ms",
        f"{middle(lambda r: r.last_ratio):.3f} ({max(r.last_ratio for r in rounds):.3f})",
        f"{middle(lambda r: r.cpu_s) * 1000:.1f} ms" if is_served else "",
        f"{middle(lambda r: r.cpu_to_last_word_s) * 1000:.1f} ms" if is_served else "",
        f"{middle(lambda r: r.client_cpu_s) * 1000:.1f} ms",
    ]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.live", description=__doc__)
    parser.add_argument("crowds", nargs="*", type=int, default=CROWDS, metavar="STUDENTS", help="at once")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", action="append", choices=SIDES, help="some of the sides")
    parser.add_argument("--parts", action="store_true", help="where the CPU goes, instead")
    parser.add_argument("--hot", type=int, default=0, metavar="N", help="with --parts: hottest functions")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes wanted one when this began.")
        if options.parts:
            size = options.crowds[0]
            rows = measure_parts(Path(folder), size=size, hot=options.hot)
            print_table(PARTS_TITLE.format(size), PARTS_HEAD, rows)
            return
        rows = measure(Path(folder), crowds=options.crowds, rounds=options.rounds, only=options.only or tuple(SIDES))
    print_table(TITLE, HEAD, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
