"""Models to train: logistic regression over one text, and a network over a message and its history."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from services.discovery.features import SIZE, Features

Floats = npt.NDArray[np.float32]
FEWEST = 5
"""Rows that a label must have in order to be learned."""
NEVER = -6.0


@dataclass(frozen=True, kw_only=True)
class LinearModel:
    """Trained weights. table: a row for each position, a column for each label."""

    table: Floats
    bias: Floats

    def logits(self, rows: sparse.csr_matrix) -> Floats:
        return np.asarray(rows @ self.table + self.bias, np.float32)


def feature_matrix(texts: Sequence[Features]) -> sparse.csr_matrix:
    """Sparse matrix with a row for each text."""
    ends = np.concatenate(([0], np.cumsum([len(text.positions) for text in texts])))
    values = np.concatenate([text.values for text in texts])
    positions = np.concatenate([text.positions for text in texts]).astype(np.int32)
    rows = sparse.csr_matrix((values, positions, ends), shape=(len(texts), SIZE))
    rows.sum_duplicates()
    return rows


def train_linear(rows: sparse.csr_matrix, labels: Floats, *, strength: float = 20.0) -> LinearModel:
    """Fit a logistic regression for each label.

    labels: 1 where a row has a label, with a column for each. strength: inverse of regularisation.
    """
    columns = [_train_label(rows, labels[:, label], strength) for label in range(labels.shape[1])]
    return LinearModel(
        table=np.stack([table for table, _ in columns], axis=1).astype(np.float32),
        bias=np.array([bias for _, bias in columns], np.float32),
    )


def _train_label(rows: sparse.csr_matrix, labels: Floats, strength: float) -> tuple[Floats, float]:
    if labels.sum() < FEWEST:
        return np.zeros(SIZE, np.float32), NEVER
    fitted = LogisticRegression(C=strength, solver="liblinear", tol=1e-2, random_state=0)
    fitted.fit(rows, labels)
    return fitted.coef_[0], float(fitted.intercept_[0])


@dataclass(frozen=True, kw_only=True)
class HistoryTraining:
    """Hyperparameters of the history network. input_dropout, unit_dropout: shares of inputs and hidden units."""

    hidden: int = 48
    epochs: int = 20
    batch: int = 128
    rate: float = 3e-3
    decay: float = 1e-4
    input_dropout: float = 0.15
    unit_dropout: float = 0.4


def train_history(
    rows: Floats, labels: Floats, *, seed: int = 0, settings: HistoryTraining | None = None
) -> dict[str, Floats]:
    """The parts of a `HistoryNetwork`. What a message says by itself goes around the hidden units from the start."""
    settings = settings or HistoryTraining()
    chance = np.random.default_rng(seed)
    mean, scale = rows.mean(0), np.maximum(rows.std(0), 0.2)
    even = ((rows - mean) / scale).astype(np.float32)
    width, count = even.shape[1], labels.shape[1]
    around = np.zeros((width, count), np.float32)
    around[np.arange(count), np.arange(count)] = 1
    parts = [
        (chance.standard_normal((width, settings.hidden)) / np.sqrt(width)).astype(np.float32),
        np.zeros(settings.hidden, np.float32),
        (chance.standard_normal((settings.hidden, count)) / np.sqrt(settings.hidden)).astype(np.float32),
        around,
        np.full(count, -1.5, np.float32),
    ]
    optimizer = AdamOptimizer(parts, rate=settings.rate, steps=settings.epochs * -(-len(even) // settings.batch))
    for _ in range(settings.epochs):
        for batch in _minibatches(chance, len(even), settings.batch):
            optimizer.step(_gradients(chance, parts, even[batch], labels[batch], settings))
    names = ("inner", "bias", "out", "around", "out_bias")
    return {"mean": mean, "scale": scale, **dict(zip(names, parts, strict=True))}


def history_logits(parts: dict[str, Floats], rows: Floats) -> Floats:
    even = (rows - parts["mean"]) / parts["scale"]
    hidden = np.maximum(even @ parts["inner"] + parts["bias"], 0)
    return np.asarray(hidden @ parts["out"] + even @ parts["around"] + parts["out_bias"], np.float32)


def _gradients(
    chance: np.random.Generator, parts: Sequence[Floats], rows: Floats, labels: Floats, settings: HistoryTraining
) -> list[Floats]:
    inner, bias, out, around, out_bias = parts
    rows = rows * _dropout(chance, rows.shape, settings.input_dropout)
    sums = rows @ inner + bias
    gate = (sums > 0) * _dropout(chance, sums.shape, settings.unit_dropout)
    hidden = sums * gate
    error = (1 / (1 + np.exp(-(hidden @ out + rows @ around + out_bias))) - labels) / len(labels)
    back = (error @ out.T) * gate
    return [
        rows.T @ back + settings.decay * inner,
        back.sum(0),
        hidden.T @ error + settings.decay * out,
        rows.T @ error + settings.decay * around,
        error.sum(0),
    ]


def _minibatches(chance: np.random.Generator, count: int, size: int) -> Iterator[npt.NDArray[np.int64]]:
    order = chance.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def _dropout(chance: np.random.Generator, shape: tuple[int, ...], share: float) -> Floats:
    """Mask of ones and zeros, scaled so that the sum stays the same on average."""
    return ((chance.random(shape, dtype=np.float32) >= share) / (1 - share)).astype(np.float32)


class AdamOptimizer:
    """Adam (Kingma and Ba, 2015) with a rate that falls linearly to nothing; updates the given parts in place."""

    def __init__(self, parts: Sequence[Floats], *, rate: float, steps: int) -> None:
        self._parts, self._rate, self._steps, self._taken = parts, rate, steps, 0
        self._means = [np.zeros_like(part) for part in parts]
        self._squares = [np.zeros_like(part) for part in parts]

    def step(self, gradients: Sequence[Floats]) -> None:
        self._taken += 1
        rate = self._rate * (1 - self._taken / (self._steps + 1))
        early, late = 1 - 0.9**self._taken, 1 - 0.999**self._taken
        for part, gradient, mean, square in zip(self._parts, gradients, self._means, self._squares, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            part -= np.float32(rate / early) * mean / (np.sqrt(square / np.float32(late)) + np.float32(1e-7))
