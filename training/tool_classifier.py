"""Training of the tool classifier on the example messages in `tools/`."""

import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize

from services.discovery.features import BITS, features
from services.discovery.relevance.tool_classifier import FILE, TABLE_BITS
from training.dataset import mistype
from training.tool_examples import EXAMPLE, ToolExample, fingerprint, read_examples

MISTYPED_SHARE = 0.4
PENALTY = 5e-6
STEPS = 60
_LEVELS = 127

Floats = npt.NDArray[np.float32]


def train_tool_classifier(file: Path = FILE) -> None:
    """Train on all examples and write the file that the ranker loads: the same for the same examples."""
    examples = _with_typos(read_examples())
    names = sorted({name for example in examples for name in example.tools})
    table, bias = _fit(_matrix(examples), _targets(examples, names), np.array([each.weight for each in examples]))
    step = np.maximum(np.abs(table).max(axis=0) / _LEVELS, 1e-9).astype(np.float32)
    np.savez_compressed(
        file,
        allow_pickle=False,
        names=np.array(names),
        table=np.round(table / step).astype(np.int8),
        step=step,
        bias=bias,
        trained_on=np.array(fingerprint()),
    )
    sys.stdout.write(f"tool classifier: {len(examples):,} messages, {len(names)} tools\n")


def _with_typos(examples: Sequence[ToolExample], seed: int = 3) -> list[ToolExample]:
    chance = random.Random(seed)
    copied = [each for each in examples if each.weight == EXAMPLE and chance.random() < MISTYPED_SHARE]
    return [*examples, *(replace(each, message=mistype(chance, each.message)) for each in copied)]


def _matrix(examples: Sequence[ToolExample]) -> sparse.csr_matrix:
    texts = [features(example.message) for example in examples]
    ends = np.concatenate(([0], np.cumsum([len(text.positions) for text in texts])))
    values = np.concatenate([text.values for text in texts])
    positions = (np.concatenate([text.positions for text in texts]) >> (BITS - TABLE_BITS)).astype(np.int32)
    rows = sparse.csr_matrix((values, positions, ends), shape=(len(texts), 1 << TABLE_BITS))
    rows.sum_duplicates()
    return rows


def _targets(examples: Sequence[ToolExample], names: Sequence[str]) -> Floats:
    """A row for each message: its tools in even shares, or all of the last column where it needs none."""
    column = {name: at for at, name in enumerate(names)}
    targets = np.zeros((len(examples), len(names) + 1), np.float32)
    for row, example in enumerate(examples):
        for name in example.tools:
            targets[row, column[name]] = 1 / len(example.tools)
        targets[row, -1] = not example.tools
    return targets


def _fit(rows: sparse.csr_matrix, targets: Floats, weights: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Fit a multinomial logistic regression by L-BFGS: the table of weights and the bias."""
    width, count = rows.shape[1], targets.shape[1]
    turned = rows.T.tocsr()
    share = (weights / weights.sum()).astype(np.float32)[:, None]

    def loss(given: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        parts = given.astype(np.float32)
        table, bias = parts[: width * count].reshape(width, count), parts[width * count :]
        logits = rows @ table + bias
        logits -= logits.max(axis=1, keepdims=True)
        powers = np.exp(logits)
        sums = powers.sum(axis=1, keepdims=True)
        error = share * (powers / sums - targets)
        slope = np.concatenate(((turned @ error + PENALTY * table).ravel(), error.sum(axis=0)))
        entropy = float((share * targets * (np.log(sums) - logits)).sum())
        return entropy + 0.5 * PENALTY * float((table * table).sum()), slope.astype(np.float64)

    fitted = minimize(
        loss, np.zeros((width + 1) * count), jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": 6}
    )
    parts = fitted.x.astype(np.float32)
    return parts[: width * count].reshape(width, count), parts[width * count :]


if __name__ == "__main__":
    train_tool_classifier()
