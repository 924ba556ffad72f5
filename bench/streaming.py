"""How late the first and the last word of an answer come, over the raw SDK against the same model server."""

import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.app_server import AppServer
from bench.campus import Campus, set_pace
from bench.crowd import Crowd, Timing
from bench.process import cpu_seconds
from bench.sign_in import sign_in
from bench.visitors import Program, Student

WORDS = 40
WORDS_PER_SECOND = 20
CROWDS = (1, 20, 50, 100)
ROUNDS = 3
HEAD = (
    "students at once",
    "ideal",
    "raw SDK: first, last word",
    "Homeroom: first, last word",
    "last ÷ raw",
    "last ÷ ideal",
    "first later by",
    "CPU an answer",
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
        crowd = opened.enter_context(Crowd())
        cookies = sign_in(server.url)
        crowd.ask([Student(url=server.url, cookies=cookies, words=1)])
        return [_row(crowd, size, rounds, words, server, f"{model}/anthropic", cookies) for size in crowds]


def _row(
    crowd: Crowd, size: int, rounds: int, words: int, server: AppServer, model_url: str, cookies: dict[str, str]
) -> list[str]:
    raw: list[Timing] = []
    ours: list[Timing] = []
    cpu = 0.0
    for _ in range(rounds):
        raw += crowd.ask([Program(model_url=model_url, words=words) for _ in range(size)])
        students = [Student(url=server.url, cookies=cookies, words=words) for _ in range(size)]
        at_the_gate: list[float] = []
        ours += crowd.ask(students, at_the_gate=lambda: at_the_gate.append(cpu_seconds(server.pid)))  # noqa: B023
        cpu += cpu_seconds(server.pid) - at_the_gate[0]
    ideal = words / WORDS_PER_SECOND
    last, raw_last = _median(t.last_s for t in ours), _median(t.last_s for t in raw)
    later = _median(t.first_s for t in ours) - _median(t.first_s for t in raw)
    return [
        str(size),
        f"{ideal:.2f} s",
        _cell(raw),
        _cell(ours),
        f"{last / raw_last:.2f}",
        f"{last / ideal:.2f} ({max(t.last_s for t in ours) / ideal:.2f})",
        f"{later:.2f} s",
        f"{cpu / (size * rounds) * 1000:.0f} ms",
    ]


def _cell(timings: Sequence[Timing]) -> str:
    first, last = [t.first_s for t in timings], [t.last_s for t in timings]
    return f"{_median(first):.2f} ({max(first):.2f}), {_median(last):.2f} ({max(last):.2f}) s"


_median = statistics.median
