"""Trains the network that reads a message together with what was said before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """left_out: of what a row says, and of the hidden units, in each step, so that none is relied on alone."""

    hidden: int = 48
    epochs: int = 20
    batch: int = 128
    rate: float = 3e-3
    decay: float = 1e-4
    left_out: float = 0.15
    units_left_out: float = 0.4


def train(rows: Floats, wanted: Floats, *, seed: int = 0, recipe: Recipe | None = None) -> dict[str, Floats]:
    """The parts of a `MemoryNetwork`. What a message says by itself goes around the hidden units from the start."""
    recipe = recipe or Recipe()
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
    descent = Descent(parts, rate=recipe.rate, steps=recipe.epochs * -(-len(even) // recipe.batch))
    for _ in range(recipe.epochs):
        for batch in _batches(chance, len(even), recipe.batch):
            descent.step(_slopes(chance, parts, even[batch], wanted[batch], recipe))
    names = ("inner", "bias", "out", "around", "out_bias")
    return {"mean": mean, "scale": scale, **dict(zip(names, parts, strict=True))}


def logits(parts: dict[str, Floats], rows: Floats) -> Floats:
    even = (rows - parts["mean"]) / parts["scale"]
    hidden = np.maximum(even @ parts["inner"] + parts["bias"], 0)
    return np.asarray(hidden @ parts["out"] + even @ parts["around"] + parts["out_bias"], np.float32)


def _slopes(
    chance: np.random.Generator, parts: Sequence[Floats], rows: Floats, wanted: Floats, recipe: Recipe
) -> list[Floats]:
    inner, bias, out, around, out_bias = parts
    rows = rows * _kept(chance, rows.shape, recipe.left_out)
    sums = rows @ inner + bias
    gate = (sums > 0) * _kept(chance, sums.shape, recipe.units_left_out)
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


def _batches(chance: np.random.Generator, count: int, size: int) -> Iterator[npt.NDArray[np.int64]]:
    order = chance.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def _kept(chance: np.random.Generator, shape: tuple[int, ...], left_out: float) -> Floats:
    """Ones with zeros where something is left out, scaled so that the sum stays the same on average."""
    return ((chance.random(shape, dtype=np.float32) >= left_out) / (1 - left_out)).astype(np.float32)


class Descent:
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
