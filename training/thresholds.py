"""Thresholds: the chance from which on a context is found, chosen on messages that training had not seen."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from services.discovery.contexts import LEARNED_CONTEXTS, MAIN_CONTEXTS, SERVER_CONTEXT
from training.dataset import LabelledMessage

Floats = npt.NDArray[np.float32]
GRID = np.round(np.arange(0.1, 0.96, 0.01), 2)
PRECISION = 0.85
"""Precision that a context outside the main ones must have: it is found sparingly or not at all."""
NEAR_PRECISION, FEWEST = 0.8, 20
NEVER = 1.01
BETA = 0.78
"""Weight of recall against precision in the F-measure: a tool that was missed can still be searched."""


def choose_thresholds(rows: Sequence[LabelledMessage], chances: Floats) -> Floats:
    """Choose one for each of `LEARNED_CONTEXTS`: of main ones the best F-measure, half-way to the best shared one."""
    weights = message_weights(rows)
    wanted = np.array([[name in row.contexts for name in LEARNED_CONTEXTS] for row in rows])
    main = [LEARNED_CONTEXTS.index(name) for name in MAIN_CONTEXTS]
    shared = _best(np.repeat(weights, len(main)), wanted[:, main].ravel(), chances[:, main].ravel())
    limits = [
        (shared + _best(weights, wanted[:, label], chances[:, label])) / 2
        if name in MAIN_CONTEXTS
        else _best(weights, wanted[:, label], chances[:, label])
        if name == SERVER_CONTEXT
        else _precise(weights, wanted[:, label], chances[:, label])
        for label, name in enumerate(LEARNED_CONTEXTS)
    ]
    return np.array(limits, np.float32)


def align_chances(rows: Sequence[LabelledMessage], chances: Floats) -> tuple[Floats, float]:
    """Shift the chances of messages that have a history so that one threshold suits both; also returns the shift.

    The history network is surer of itself, as most of what it learned from does follow up. The shift is in log-odds.
    """
    weights = message_weights(rows)
    wanted = np.array([[name in row.contexts for name in MAIN_CONTEXTS] for row in rows])
    of_main = chances[:, [LEARNED_CONTEXTS.index(name) for name in MAIN_CONTEXTS]]
    has_history = np.array([bool(row.history) for row in rows])
    first, later = (
        _best(np.repeat(weights[some], len(MAIN_CONTEXTS)), wanted[some].ravel(), of_main[some].ravel())
        for some in (~has_history, has_history)
    )
    shift = float(np.log(first / (1 - first)) - np.log(later / (1 - later)))
    odds = chances[has_history] / np.maximum(1 - chances[has_history], 1e-6) * np.exp(shift)
    shifted = chances.copy()
    shifted[has_history] = odds / (1 + odds)
    return shifted, shift


def message_weights(rows: Sequence[LabelledMessage]) -> Floats:
    """Weights by which every kind of message counts the same, however many of it were written."""
    kinds = [row.kind if row.language == "en" else "other language" for row in rows]
    counts = Counter(kinds)
    return np.array([len(rows) / len(counts) / counts[kind] for kind in kinds], np.float32)


def _best(weights: Floats, wanted: npt.NDArray[np.bool_], chances: Floats) -> float:
    return float(max(GRID, key=lambda limit: _f_measure(weights, wanted, chances >= limit)))


def _precise(weights: Floats, wanted: npt.NDArray[np.bool_], chances: Floats) -> float:
    """The lowest threshold of enough precision; the highest one that still finds something when there is none."""
    highest = NEVER
    for limit in GRID:
        found = chances >= limit
        if found.sum() < FEWEST:
            break
        precision = weights[found & wanted].sum() / weights[found].sum()
        if precision >= PRECISION:
            return float(limit)
        highest = float(limit) if precision >= NEAR_PRECISION else NEVER
    return highest


def _f_measure(weights: Floats, wanted: npt.NDArray[np.bool_], found: npt.NDArray[np.bool_]) -> float:
    """The F-measure in which precision counts somewhat more than recall."""
    right, more = weights[wanted & found].sum(), BETA**2
    return float((1 + more) * right / max(more * weights[wanted].sum() + weights[found].sum(), 1e-9))
