"""`python -m services.discovery.training`: trains on everything in `data/`, and writes what the detector reads."""

import json
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.discovery import model
from services.discovery.contexts import NAMES
from services.discovery.training import crossing, linear, remembering, report, thresholds
from services.discovery.training.rows import all_rows, fingerprint, fold_of

FIGURES = Path(__file__).with_name("figures.json")
"""What cross-validation found, for `make bench` and the data card."""
_STEPS = 127

Floats = npt.NDArray[np.float32]


def main() -> None:
    rows = all_rows()
    given = crossing.examples(rows, fold_of(rows))
    unseen = crossing.unseen(given)
    chances, move = thresholds.evened(rows, unseen.chances)
    limits = thresholds.chosen(rows, chances)
    reader = crossing.train_reader(given, range(len(rows)))
    memory = remembering.train(unseen.lessons.rows, unseen.lessons.wanted)
    memory["out_bias"] += np.float32(move)
    write(reader, memory, limits, fingerprint())
    figures = report.figures(rows, chances, limits)
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(report.lines(figures)) + "\n")


def write(reader: linear.Linear, memory: dict[str, Floats], limits: Floats, trained_on: str) -> None:
    """Weights as whole numbers from -127 to 127: the same file for the same rows, byte for byte."""
    step = np.maximum(np.abs(reader.table).max(axis=0) / _STEPS, 1e-9).astype(np.float32)
    np.savez_compressed(
        model.FILE,
        allow_pickle=False,
        labels=np.array(NAMES),
        thresholds=limits,
        trained_on=np.array(trained_on),
        reader_table=np.round(reader.table / step).astype(np.int8),
        reader_step=step,
        reader_bias=reader.bias,
        **{f"memory_{name}": part.astype(np.float32) for name, part in memory.items()},
    )


if __name__ == "__main__":
    main()
