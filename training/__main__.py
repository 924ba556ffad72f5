"""`python -m training`: trains on everything in `data/`, and writes what the detector reads."""

import json
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.discovery import classifier
from services.discovery.contexts import CONTEXT_NAMES
from training import cross_validation, evaluation, models, thresholds
from training import models as linear
from training.dataset import assign_folds, fingerprint, read_dataset

FIGURES = Path(__file__).with_name("figures.json")
"""What cross-validation found, for `make bench` and the data card."""
_STEPS = 127

Floats = npt.NDArray[np.float32]


def main() -> None:
    rows = read_dataset()
    given = cross_validation.examples(rows, assign_folds(rows))
    unseen = cross_validation.unseen(given)
    chances, move = thresholds.evened(rows, unseen.chances)
    limits = thresholds.chosen(rows, chances)
    reader = cross_validation.train_reader(given, range(len(rows)))
    memory = models.train_history(unseen.lessons.rows, unseen.lessons.wanted)
    memory["out_bias"] += np.float32(move)
    write(reader, memory, limits, fingerprint())
    figures = evaluation.evaluate(rows, chances, limits)
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(evaluation.report_lines(figures)) + "\n")


def write(reader: linear.LinearModel, memory: dict[str, Floats], limits: Floats, trained_on: str) -> None:
    """Weights as whole numbers from -127 to 127: the same file for the same rows, byte for byte."""
    step = np.maximum(np.abs(reader.table).max(axis=0) / _STEPS, 1e-9).astype(np.float32)
    np.savez_compressed(
        classifier.FILE,
        allow_pickle=False,
        labels=np.array(CONTEXT_NAMES),
        thresholds=limits,
        trained_on=np.array(trained_on),
        reader_table=np.round(reader.table / step).astype(np.int8),
        reader_step=step,
        reader_bias=reader.bias,
        **{f"memory_{name}": part.astype(np.float32) for name, part in memory.items()},
    )


if __name__ == "__main__":
    main()
