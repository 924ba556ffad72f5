"""What counting a model request costs, and reading the numbers of 90 days, by how many turns are in them."""

import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from services.discovery.accounting import Accounting, RequestFacts
from services.discovery.daily_counters import COLLECTION, DailyCounters
from services.discovery.metrics import Metrics
from services.identity.students import Students
from services.llm.chat_model import Usage
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store

HEAD = (
    "turns in 90 days",
    "documents",
    "kB",
    "note p50",
    "note p95",
    "page's read p50",
    "p95",
    "GET /tools/metrics p50",
)
SIZES = (1_000, 10_000, 100_000)
DAYS, TOOLS = 90, 60
NOTED, READ = 200, 20
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class _Day:
    """A clock that says noon of a day."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> datetime:
        return self.at


def measure(data_dir: Path) -> list[list[str]]:
    return [_row(turns, data_dir / f"{turns}.sqlite") for turns in SIZES]


def _row(turns: int, path: Path) -> list[str]:
    clock = _Day()
    store = Store(SqliteDocuments(path, clock=clock))
    students = Students(store, clock)
    counters = DailyCounters(store, students, clock)
    student = students.sign_in(issuer="bench", subject="maya", name="Maya", email="").id
    _fill(counters, student, turns, clock)
    noted = _noted(Accounting(counters, clock), student)
    metrics = Metrics(counters)
    read = [_timed(lambda: metrics.for_student(student, DAYS)) for _ in range(READ)]
    shaped = [_timed(lambda: metrics.documented_shape(student)) for _ in range(READ)]
    kept = store.for_student(student).find(COLLECTION, {"day": {"$gte": ""}})
    store.close()
    size = sum(len(str(document)) for document in kept) / 1_000
    times = [
        noted[len(noted) // 2],
        noted[-len(noted) // 20],
        statistics.median(read),
        max(read),
        statistics.median(shaped),
    ]
    return [f"{turns:,}", str(len(kept)), f"{size:.0f}", *(f"{1_000 * took:.1f} ms" for took in times)]


def _fill(counters: DailyCounters, student: str, turns: int, clock: _Day) -> None:
    """A term in which every tool and context was used each day; a day's turns are added at once."""
    each = turns // DAYS
    names = [f"tool_{verb}__server_{number}__a_tool_of_it" for number in range(TOOLS) for verb in ("loaded", "called")]
    numbers = ["turns", "requests", "tools", "all_tools", *names, *(f"context_turns__{number}" for number in range(12))]
    for ago in range(DAYS):
        clock.at = NOON - timedelta(days=ago)
        counters.add_amounts(student, dict.fromkeys(numbers, each))
    clock.at = NOON


def _noted(accounting: Accounting, student: str) -> list[float]:
    facts = RequestFacts(
        student_id=student,
        conversation_id="bench",
        turn_id="bench",
        is_first=True,
        model="claude-haiku-5-5",
        strategy="append",
        contexts=(),
        usage=Usage(input_tokens=5, cache_read_input_tokens=4_000, cache_creation_input_tokens=200, output_tokens=90),
        system_tokens=2_000,
        tools_tokens=900,
        messages_tokens=1_300,
        all_tools_tokens=18_000,
        matching_tools_tokens=900,
        offered=TOOLS,
        loaded=tuple(f"server_{number}__a_tool_of_it" for number in range(6)),
    )
    return sorted(_timed(lambda: accounting.record_request(facts)) for _ in range(NOTED))


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
