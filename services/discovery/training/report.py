"""What cross-validation says of the detector, by kind of message, language and context."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from services.discovery.contexts import MAIN, NAMES
from services.discovery.quality import Pair, interval, measure
from services.discovery.training.rows import Row

Floats = npt.NDArray[np.float32]
FEWEST = 20
"""Messages below which a group is not reported alone."""


def figures(rows: Sequence[Row], chances: Floats, limits: Floats) -> dict[str, Any]:
    """Plain JSON: the thresholds, and the figures of each group of messages."""
    found = [frozenset(name for name, is_in in zip(NAMES, row, strict=True) if is_in) for row in chances >= limits]
    pairs = [(row.contexts, one) for row, one in zip(rows, found, strict=True)]
    groups = {group: _figures(some, MAIN) for group, some in _groups(rows, pairs) if len(some) >= FEWEST}
    contexts = {f"context {name}": _figures(pairs, (name,)) for name in NAMES}
    whole = {"all": _figures(pairs, MAIN, has_intervals=True)}
    thresholds = {name: round(float(limit), 3) for name, limit in zip(NAMES, limits, strict=True)}
    return {"messages": len(rows), "thresholds": thresholds, "groups": {**whole, **groups, **contexts}}


def lines(given: Mapping[str, Any]) -> Iterator[str]:
    """The same for a terminal."""
    yield f"{given['messages']} messages; thresholds {given['thresholds']}"
    for group, one in given["groups"].items():
        yield (
            f"{group:24} {one['messages']:6} recall {one['recall']:.3f} precision {one['precision']:.3f} "
            f"F1 {one['f1']:.3f} needless {one['needless']:.3f} of {one['needing_none']}"
        )


def _groups(rows: Sequence[Row], pairs: Sequence[Pair]) -> Iterator[tuple[str, list[Pair]]]:
    for prefix, values in (("", [row.kind for row in rows]), ("language ", [row.language for row in rows])):
        for value, _ in Counter(values).most_common():
            yield f"{prefix}{value}", [pair for its, pair in zip(values, pairs, strict=True) if its == value]


def _figures(pairs: Sequence[Pair], among: Sequence[str], *, has_intervals: bool = False) -> dict[str, Any]:
    quality = measure(pairs, among)
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
            "recall": interval(pairs, among, lambda one: one.recall),
            "f1": interval(pairs, among, lambda one: one.f1),
            "needless": interval(pairs, among, lambda one: one.needless_share),
        }
        found["intervals"] = {name: [round(low, 4), round(high, 4)] for name, (low, high) in bounds.items()}
    return found
