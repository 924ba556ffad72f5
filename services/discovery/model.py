"""`Weights`: the trained table, read from the shipped file when it is first needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.discovery.features import SIZE, features

FILE = Path(__file__).with_name("detector.npz")
"""Written by `make train`."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Weights:
    """table: a row for each position, a column for each label, in steps of `steps`. Scores are log-odds."""

    labels: tuple[str, ...]
    table: npt.NDArray[np.int8]
    steps: Floats
    bias: Floats
    thresholds: Floats
    trained_on: str

    def scores(self, message: str, history: Sequence[Mapping[str, str]]) -> Floats:
        positions, values = rows_of(message, history)
        sums = values @ self.table[positions].astype(np.float32)
        return np.asarray(sums * self.steps + self.bias, np.float32)


def rows_of(message: str, history: Sequence[Mapping[str, str]]) -> tuple[npt.NDArray[np.uint32], Floats]:
    """Positions and values of a message with what was said last before it."""
    said = {turn["role"]: turn["content"] for turn in history}
    parts = [(part, weight) for part, weight in zip(features(message), (1.0, 1.0), strict=True)]
    for salt, role, weight in ((1, "user", 0.6), (2, "assistant", 0.3)):
        if role in said:
            parts.append((features(said[role], salt)[0], weight))
    values = [np.full(len(part), weight / max(np.sqrt(len(part)), 1.0), np.float32) for part, weight in parts]
    return np.concatenate([part for part, _ in parts]), np.concatenate(values)


@cache
def shipped() -> Weights:
    """The file's weights; a few milliseconds, once for each process."""
    with np.load(FILE) as kept:
        table = kept["table"]
        assert table.shape[0] == SIZE
        return Weights(
            labels=tuple(kept["labels"].tolist()),
            table=table,
            steps=kept["steps"],
            bias=kept["bias"],
            thresholds=kept["thresholds"],
            trained_on=str(kept["trained_on"]),
        )
