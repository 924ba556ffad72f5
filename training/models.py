"""Trains the network that reads a message together with what was said before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from services.discovery.features import SIZE, Features

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class HistoryTraining:
    """left_out: of what a row says, and of the hidden units, in each step, so that none is relied on alone."""

    hidden: int = 48
    epochs: int = 20
    batch: int = 128
    rate: float = 3e-3
    decay: float = 1e-4
    left_out: float = 0.15
    units_left_out: float = 0.4


def train_history(
    rows: Floats, wanted: Floats, *, seed: int = 0, recipe: HistoryTraining | None = None
) -> dict[str, Floats]:
    """The parts of a `HistoryNetwork`. What a message says by itself goes around the hidden units from the start."""
    recipe = recipe or HistoryTraining()
    chance = np.random.default_rng(seed)
    mean, scale = rows.mean(0), np.maximum(rows.std(0), 0.2)
    even = ((rows - mean) / scale).astype(np.float32)
    width, labels = even.shape[1], wanted.shape[1]
    around = np.zeros((width, labels), np.float32)
    around[np.arange(labels), np.arange(labels)] = 1
    parts = [
        (chance.standard_normal((width, recipe.hidden)) / np.sqrt(width)).astype(np.float32),
        np.zeros(recipe.hidden, np.float32),
        (chance.standard_normal((recipe.hidden, labels)) / np.sqrt(recipe.hidden)).astype(np.float32),
        around,
        np.full(labels, -1.5, np.float32),
    ]
    descent = AdamOptimizer(parts, rate=recipe.rate, steps=recipe.epochs * -(-len(even) // recipe.batch))
    for _ in range(recipe.epochs):
        for batch in _minibatches(chance, len(even), recipe.batch):
            descent.step(_gradients(chance, parts, even[batch], wanted[batch], recipe))
    names = ("inner", "bias", "out", "around", "out_bias")
    return {"mean": mean, "scale": scale, **dict(zip(names, parts, strict=True))}


def history_logits(parts: dict[str, Floats], rows: Floats) -> Floats:
    even = (rows - parts["mean"]) / parts["scale"]
    hidden = np.maximum(even @ parts["inner"] + parts["bias"], 0)
    return np.asarray(hidden @ parts["out"] + even @ parts["around"] + parts["out_bias"], np.float32)


def _gradients(
    chance: np.random.Generator, parts: Sequence[Floats], rows: Floats, wanted: Floats, recipe: HistoryTraining
) -> list[Floats]:
    inner, bias, out, around, out_bias = parts
    rows = rows * _dropout(chance, rows.shape, recipe.left_out)
    sums = rows @ inner + bias
    gate = (sums > 0) * _dropout(chance, sums.shape, recipe.units_left_out)
    hidden = sums * gate
    wrong = (1 / (1 + np.exp(-(hidden @ out + rows @ around + out_bias))) - wanted) / len(wanted)
    back = (wrong @ out.T) * gate
    return [
        rows.T @ back + recipe.decay * inner,
        back.sum(0),
        hidden.T @ wrong + recipe.decay * out,
        rows.T @ wrong + recipe.decay * around,
        wrong.sum(0),
    ]


def _minibatches(chance: np.random.Generator, count: int, size: int) -> Iterator[npt.NDArray[np.int64]]:
    order = chance.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def _dropout(chance: np.random.Generator, shape: tuple[int, ...], left_out: float) -> Floats:
    """Ones with zeros where something is left out, scaled so that the sum stays the same on average."""
    return ((chance.random(shape, dtype=np.float32) >= left_out) / (1 - left_out)).astype(np.float32)


class AdamOptimizer:
    """Adam (Kingma and Ba, 2015) with a rate that falls to nothing; changes the parts it was given."""

    def __init__(self, parts: Sequence[Floats], *, rate: float, steps: int) -> None:
        self._parts, self._rate, self._steps, self._taken = parts, rate, steps, 0
        self._means = [np.zeros_like(part) for part in parts]
        self._squares = [np.zeros_like(part) for part in parts]

    def step(self, slopes: Sequence[Floats]) -> None:
        self._taken += 1
        rate = self._rate * (1 - self._taken / (self._steps + 1))
        early, late = 1 - 0.9**self._taken, 1 - 0.999**self._taken
        for part, slope, mean, square in zip(self._parts, slopes, self._means, self._squares, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            part -= np.float32(rate / early) * mean / (np.sqrt(square / np.float32(late)) + np.float32(1e-7))


FEWEST = 5
"""Rows that a label must have in order to be learned."""


NEVER = -6.0


@dataclass(frozen=True, kw_only=True)
class LinearModel:
    """table: a row for each position, a column for each label."""

    table: Floats
    bias: Floats

    def logits(self, rows: sparse.csr_matrix) -> Floats:
        return np.asarray(rows @ self.table + self.bias, np.float32)


def feature_matrix(found: Sequence[Features]) -> sparse.csr_matrix:
    """A row for each text."""
    ends = np.concatenate(([0], np.cumsum([len(one.positions) for one in found])))
    values = np.concatenate([one.values for one in found])
    positions = np.concatenate([one.positions for one in found]).astype(np.int32)
    rows = sparse.csr_matrix((values, positions, ends), shape=(len(found), SIZE))
    rows.sum_duplicates()
    return rows


def train_linear(rows: sparse.csr_matrix, wanted: Floats, *, strength: float = 20.0) -> LinearModel:
    """wanted: 1 where a row has a label, with a column for each. strength: how closely the rows are followed."""
    columns = [_train_label(rows, wanted[:, label], strength) for label in range(wanted.shape[1])]
    return LinearModel(
        table=np.stack([table for table, _ in columns], axis=1).astype(np.float32),
        bias=np.array([bias for _, bias in columns], np.float32),
    )


def _train_label(rows: sparse.csr_matrix, wanted: Floats, strength: float) -> tuple[Floats, float]:
    if wanted.sum() < FEWEST:
        return np.zeros(SIZE, np.float32), NEVER
    fitted = LogisticRegression(C=strength, solver="liblinear", tol=1e-2, random_state=0)
    fitted.fit(rows, wanted)
    return fitted.coef_[0], float(fitted.intercept_[0])
