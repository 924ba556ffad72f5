"""Trains what reads one text: a weight for each position and label, by logistic regression."""

from collections.abc import Sequence
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
class Linear:
    """table: a row for each position, a column for each label."""

    table: Floats
    bias: Floats

    def logits(self, rows: sparse.csr_matrix) -> Floats:
        return np.asarray(rows @ self.table + self.bias, np.float32)


def matrix(found: Sequence[Features]) -> sparse.csr_matrix:
    """A row for each text."""
    ends = np.concatenate(([0], np.cumsum([len(one.positions) for one in found])))
    values = np.concatenate([one.values for one in found])
    positions = np.concatenate([one.positions for one in found]).astype(np.int32)
    rows = sparse.csr_matrix((values, positions, ends), shape=(len(found), SIZE))
    rows.sum_duplicates()
    return rows


def train(rows: sparse.csr_matrix, wanted: Floats, *, strength: float = 20.0) -> Linear:
    """wanted: 1 where a row has a label, with a column for each. strength: how closely the rows are followed."""
    columns = [_column(rows, wanted[:, label], strength) for label in range(wanted.shape[1])]
    return Linear(
        table=np.stack([table for table, _ in columns], axis=1).astype(np.float32),
        bias=np.array([bias for _, bias in columns], np.float32),
    )


def _column(rows: sparse.csr_matrix, wanted: Floats, strength: float) -> tuple[Floats, float]:
    if wanted.sum() < FEWEST:
        return np.zeros(SIZE, np.float32), NEVER
    fitted = LogisticRegression(C=strength, solver="liblinear", tol=1e-2, random_state=0)
    fitted.fit(rows, wanted)
    return fitted.coef_[0], float(fitted.intercept_[0])
