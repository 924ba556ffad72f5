"""How well the detector finds what a message is about, how fast, and how much it has to load."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from services.discovery import classifier, lexicon
from services.discovery.contexts import MAIN_CONTEXTS, FoundContext
from services.discovery.detector import Detector
from services.settings import ROOT
from training.dataset import DATA, LabelledMessage, read_file
from training.evaluation import Pair, Quality, bootstrap_interval, measure_quality

TITLE = "Discovery: contexts found in messages that training has not seen"
HEAD = ("messages", "how many", "recall", "precision", "F1", "found for none")
REPORTED = ROOT.parent / "shared" / "contexts" / "dev.jsonl"
"""For reporting only: never trained on, nor any threshold chosen by it."""
FIGURES = ROOT / "training" / "figures.json"
ROUNDS = 5
_LOADING = """
import time
import numpy
from services.discovery.detector import Detector
from services.discovery.classifier import shipped_classifier
began = time.process_time()
shipped_classifier()
Detector().detect("What is due this week?")
print(time.process_time() - began)
"""


def measured(data: Path = REPORTED) -> list[tuple[str, ...]]:
    """The rows of the table. data: labelled messages, one JSON object a line, as in the training's own folder."""
    rows = list(read_file(data)) if data.is_file() else []
    if not rows:
        sys.stdout.write(f"There are no labelled messages at {data}; only cross-validation is shown.\n")
    return [*_quality(data.name, rows), *_crossed(), *_speed(rows or _examples())]


def _quality(name: str, rows: Sequence[LabelledMessage]) -> Iterator[tuple[str, ...]]:
    detector = Detector()
    pairs = [(row.contexts, frozenset(found.name for found in _find(detector, row))) for row in rows]
    if pairs:
        yield _row(f"{name}, all", pairs, has_interval=True)
    for prefix, values in (("", [row.kind for row in rows]), ("language ", [row.language for row in rows])):
        for value in sorted(set(values)) if len(set(values)) > 1 else ():
            yield _row(f"  {prefix}{value}", [pair for its, pair in zip(values, pairs, strict=True) if its == value])


def _row(title: str, pairs: Sequence[Pair], *, has_interval: bool = False) -> tuple[str, ...]:
    quality = measure_quality(pairs, MAIN_CONTEXTS)
    bounds: Callable[[Callable[[Quality], float]], str] = partial(_bounds, pairs) if has_interval else lambda _: ""
    return (
        title,
        f"{quality.messages:,}",
        f"{quality.recall:.3f}{bounds(lambda measured: measured.recall)}" if quality.right + quality.missed else "",
        f"{quality.precision:.3f}{bounds(lambda measured: measured.precision)}"
        if quality.right + quality.missed
        else "",
        f"{quality.f1:.3f}{bounds(lambda measured: measured.f1)}" if quality.right + quality.missed else "",
        f"{quality.needless} of {quality.needing_none}{bounds(lambda measured: measured.needless_share)}",
    )


def _bounds(pairs: Sequence[Pair], figure: Callable[[Quality], float]) -> str:
    low, high = bootstrap_interval(pairs, MAIN_CONTEXTS, figure)
    return f" ({low:.2f}–{high:.2f})"


def _crossed() -> Iterator[tuple[str, ...]]:
    """What `make train` wrote: messages of themes that training had not seen, far harder than most on purpose."""
    given = json.loads(FIGURES.read_text(encoding="utf-8"))
    kinds = ("all", "plain", "terse", "implicit", "followup", "multi", "typo", "slang", "adversarial", "none")
    for group in (*kinds, "language en", "language es"):
        if group in given["groups"]:
            yield _crossed_row(group, given["groups"][group])


def _crossed_row(group: str, measured: Mapping[str, float]) -> tuple[str, ...]:
    is_asked = measured["messages"] > measured["needing_none"]
    figures = [f"{measured[name]:.3f}" if is_asked else "" for name in ("recall", "precision", "f1")]
    needless = f"{measured['needless'] * measured['needing_none']:.0f} of {measured['needing_none']:,}"
    return (f"cross-validation, {group}", f"{measured['messages']:,}", *figures, needless)


def _speed(rows: Sequence[LabelledMessage]) -> Iterator[tuple[str, ...]]:
    detector = Detector()
    detector.detect("hello")
    seconds = [_seconds(detector, row) for _ in range(ROUNDS) for row in rows]
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    p50, p95 = f"p50 {cuts[9] * 1000:.2f} ms", f"p95 {cuts[18] * 1000:.2f} ms"
    yield ("time of a message on one core", f"{len(rows):,}", p50, p95, "", "")
    size = classifier.FILE.stat().st_size + lexicon.FILE.stat().st_size
    yield (
        "data",
        "",
        f"{size / 1e6:.2f} MB on disk",
        f"{classifier.shipped_classifier().size / 1e6:.2f} MB in memory",
        "",
        "",
    )
    yield ("loading, at the first message", "", f"{_loading_s() * 1000:.0f} ms", "", "", "")


def _seconds(detector: Detector, row: LabelledMessage) -> float:
    """Of this thread's own work: what else runs on the machine does not count."""
    began = time.thread_time()
    _find(detector, row)
    return time.thread_time() - began


def _find(detector: Detector, row: LabelledMessage) -> Sequence[FoundContext]:
    return detector.detect(row.message, row.history)


def _loading_s() -> float:
    """Of a new process's own work, the best of several."""
    program = [sys.executable, "-c", _LOADING]
    runs = [subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(ROUNDS)]
    return min(float(run.stdout) for run in runs)


def _examples() -> list[LabelledMessage]:
    return [row for path in sorted(DATA.glob("*.jsonl"))[:3] for row in read_file(path)][:200]
