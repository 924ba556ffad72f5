"""`python -m training`: train on everything in `data/`, and write the files that the detector and the ranking load."""

import json
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.discovery.classifier import FILE
from services.discovery.contexts import LEARNED_CONTEXTS
from training import thresholds
from training.cross_validation import cross_validate, train_text_model, training_set
from training.dataset import assign_folds, fingerprint, read_dataset
from training.evaluation import evaluate, report_lines
from training.models import LinearModel, train_history
from training.tool_classifier import train_tool_classifier

FIGURES = Path(__file__).with_name("figures.json")
"""Figures of cross-validation, for `make bench` and the data card."""
_STEPS = 127

Floats = npt.NDArray[np.float32]


def main() -> None:
    messages = read_dataset()
    given = training_set(messages, assign_folds(messages))
    held_out = cross_validate(given)
    chances, shift = thresholds.align_chances(messages, held_out.chances)
    limits = thresholds.choose_thresholds(messages, chances)
    text = train_text_model(given, range(len(messages)))
    history = train_history(held_out.examples.rows, held_out.examples.labels)
    history["out_bias"] += np.float32(shift)
    write_detector(text, history, limits, fingerprint())
    figures = evaluate(messages, chances, limits)
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(report_lines(figures)) + "\n")
    train_tool_classifier()


def write_detector(text: LinearModel, history: dict[str, Floats], limits: Floats, trained_on: str) -> None:
    """Write the weights as whole numbers from -127 to 127: the same file for the same rows, byte for byte."""
    step = np.maximum(np.abs(text.table).max(axis=0) / _STEPS, 1e-9).astype(np.float32)
    np.savez_compressed(
        FILE,
        allow_pickle=False,
        labels=np.array(LEARNED_CONTEXTS),
        thresholds=limits,
        trained_on=np.array(trained_on),
        reader_table=np.round(text.table / step).astype(np.int8),
        reader_step=step,
        reader_bias=text.bias,
        **{f"memory_{name}": part.astype(np.float32) for name, part in history.items()},
    )


if __name__ == "__main__":
    main()
