"""Evaluation of the detector: precision, recall, F1 and their intervals, by kind of message, language and context."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from services.discovery.contexts import LEARNED_CONTEXTS, MAIN_CONTEXTS
from training.dataset import LabelledMessage

Floats = npt.NDArray[np.float32]
FEWEST = 20
"""Messages below which a group is not reported alone."""
Pair = tuple[frozenset[str], frozenset[str]]
"""What was wanted for a message, and what was found."""
DRAWS = 400


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Counts over messages.

    right, wrong, missed: contexts. needless: messages that need none for which some was found.
    """

    messages: int
    right: int
    wrong: int
    missed: int
    needing_none: int
    needless: int

    @property
    def precision(self) -> float:
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return _share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        return _share(2 * self.right, 2 * self.right + self.wrong + self.missed)

    @property
    def needless_share(self) -> float:
        """Of the messages that need none; 0 when there is no such message."""
        return self.needless / self.needing_none if self.needing_none else 0.0


_FIELDS = [field.name for field in fields(Quality)]


def measure_quality(pairs: Sequence[Pair], among: Collection[str]) -> Quality:
    """Measure over these messages; contexts that are not `among` those that count are left out on both sides."""
    counted = frozenset(among)
    same = [(wanted & counted, found & counted) for wanted, found in pairs]
    return Quality(
        messages=len(same),
        right=sum(len(wanted & found) for wanted, found in same),
        wrong=sum(len(found - wanted) for wanted, found in same),
        missed=sum(len(wanted - found) for wanted, found in same),
        needing_none=sum(not wanted for wanted, _ in same),
        needless=sum(bool(found) for wanted, found in same if not wanted),
    )


def bootstrap_interval(
    pairs: Sequence[Pair], among: Collection[str], figure: Callable[[Quality], float], *, seed: int = 0
) -> tuple[float, float]:
    """The 95 % interval of a figure (percentile bootstrap: the messages drawn anew from these)."""
    each = np.array([astuple(measure_quality([pair], among)) for pair in pairs], np.int64)
    chance = np.random.default_rng(seed)
    samples = (chance.multinomial(len(pairs), np.full(len(pairs), 1 / len(pairs))) for _ in range(DRAWS))
    drawn = sorted(figure(Quality(**dict(zip(_FIELDS, (sample @ each).tolist(), strict=True)))) for sample in samples)
    return drawn[round(0.025 * (DRAWS - 1))], drawn[round(0.975 * (DRAWS - 1))]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def evaluate(rows: Sequence[LabelledMessage], chances: Floats, limits: Floats) -> dict[str, Any]:
    """The thresholds, and the figures of each group of messages, as plain JSON."""
    found = [
        frozenset(name for name, is_in in zip(LEARNED_CONTEXTS, row, strict=True) if is_in) for row in chances >= limits
    ]
    pairs = [(row.contexts, names) for row, names in zip(rows, found, strict=True)]
    groups = {group: _group_figures(some, MAIN_CONTEXTS) for group, some in _groups(rows, pairs) if len(some) >= FEWEST}
    contexts = {f"context {name}": _group_figures(pairs, (name,)) for name in LEARNED_CONTEXTS}
    whole = {"all": _group_figures(pairs, MAIN_CONTEXTS, has_intervals=True)}
    thresholds = {name: round(float(limit), 3) for name, limit in zip(LEARNED_CONTEXTS, limits, strict=True)}
    return {"messages": len(rows), "thresholds": thresholds, "groups": {**whole, **groups, **contexts}}


def report_lines(given: Mapping[str, Any]) -> Iterator[str]:
    """Format the figures of `evaluate` for a terminal."""
    yield f"{given['messages']} messages; thresholds {given['thresholds']}"
    for group, figures in given["groups"].items():
        yield (
            f"{group:24} {figures['messages']:6} recall {figures['recall']:.3f} precision {figures['precision']:.3f} "
            f"F1 {figures['f1']:.3f} needless {figures['needless']:.3f} of {figures['needing_none']}"
        )


def _groups(rows: Sequence[LabelledMessage], pairs: Sequence[Pair]) -> Iterator[tuple[str, list[Pair]]]:
    for prefix, values in (("", [row.kind for row in rows]), ("language ", [row.language for row in rows])):
        for value, _ in Counter(values).most_common():
            yield f"{prefix}{value}", [pair for its, pair in zip(values, pairs, strict=True) if its == value]


def _group_figures(pairs: Sequence[Pair], among: Sequence[str], *, has_intervals: bool = False) -> dict[str, Any]:
    quality = measure_quality(pairs, among)
    found: dict[str, Any] = {
        "messages": quality.messages,
        "recall": round(quality.recall, 4),
        "precision": round(quality.precision, 4),
        "f1": round(quality.f1, 4),
        "needless": round(quality.needless_share, 4),
        "needing_none": quality.needing_none,
    }
    if has_intervals:
        bounds = {
            "recall": bootstrap_interval(pairs, among, lambda quality: quality.recall),
            "f1": bootstrap_interval(pairs, among, lambda quality: quality.f1),
            "needless": bootstrap_interval(pairs, among, lambda quality: quality.needless_share),
        }
        found["intervals"] = {name: [round(low, 4), round(high, 4)] for name, (low, high) in bounds.items()}
    return found
