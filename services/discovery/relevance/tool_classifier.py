"""Classifier of messages by the tools that they need: multinomial logistic regression, as `make train` trained it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.discovery.features import BITS, Features

FILE = Path(__file__).with_name("tool_classifier.npz")
"""Written by `make train` from `training/tools/`."""
TABLE_BITS = 15
"""The positions of `features` are folded to so many: as good as all of them, and a quarter of the size."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class ToolClassifier:
    """Multinomial logistic regression over one text.

    names: of the tools that it knows. table: a row for each position, a column for each tool and a last one for none,
    in steps of `step`.
    """

    names: tuple[str, ...]
    table: npt.NDArray[np.int8]
    step: Floats
    bias: Floats
    trained_on: str

    def logits(self, found: Features) -> Floats:
        rows = self.table[found.positions >> (BITS - TABLE_BITS)].astype(np.float32)
        return np.asarray(found.values @ rows * self.step + self.bias, np.float32)


@cache
def shipped_tool_classifier() -> ToolClassifier:
    """Load the shipped file; a few milliseconds, once for each process."""
    return load_tool_classifier(FILE)


def load_tool_classifier(file: Path) -> ToolClassifier:
    """Load the tables that `make train` wrote."""
    with np.load(file) as kept:
        return ToolClassifier(
            names=tuple(kept["names"].tolist()),
            table=kept["table"],
            step=kept["step"],
            bias=kept["bias"],
            trained_on=str(kept["trained_on"]),
        )
