"""Classifier of messages by context: logistic regression and a small network, as `make train` trained them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.discovery.features import NO_TEXT, Features, PriorTexts, features, history_features, prior_texts
from services.discovery.lexicon import lexicon

FILE = Path(__file__).with_name("detector.npz")
"""Written by `make train`."""

_PARTS = {
    "reader": ("table", "step", "bias"),
    "memory": ("mean", "scale", "inner", "bias", "out", "around", "out_bias"),
}

Floats = npt.NDArray[np.float32]
_LOGIT_LIMIT = 6.0
"""Log-odds beyond this say no more."""


@dataclass(frozen=True, kw_only=True)
class TextClassifier:
    """Logistic regression over one text.

    table: a row for each position, a column for each label, in steps of `step`.
    """

    table: npt.NDArray[np.int8]
    step: Floats
    bias: Floats

    def logits(self, found: Features) -> Floats:
        sums = found.values @ self.table[found.positions].astype(np.float32)
        return np.asarray(np.clip(sums * self.step + self.bias, -_LOGIT_LIMIT, _LOGIT_LIMIT), np.float32)


@dataclass(frozen=True, kw_only=True)
class HistoryNetwork:
    """Network over a message and what was said before it: a hidden layer, and a linear way around it."""

    mean: Floats
    scale: Floats
    inner: Floats
    bias: Floats
    out: Floats
    around: Floats
    out_bias: Floats

    def logits(self, row: Floats) -> Floats:
        even = (row - self.mean) / self.scale
        hidden = np.maximum(even @ self.inner + self.bias, 0)
        return np.asarray(hidden @ self.out + even @ self.around + self.out_bias, np.float32)


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """Prediction for one message.

    probabilities: that the message needs each label. The rest is what stands in the message itself: its normalised
    words, the lexicon's ideas and the kinds of patterns.
    """

    probabilities: Floats
    words: Sequence[str]
    ideas: frozenset[str]
    kinds: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class ContextClassifier:
    """Trained classifier of a message with its history.

    labels: the contexts that it knows. thresholds: the probability from which on each is found."""

    labels: tuple[str, ...]
    thresholds: Floats
    text: TextClassifier
    history: HistoryNetwork
    trained_on: str

    @property
    def size(self) -> int:
        """Bytes of its tables in memory."""
        return sum(part.nbytes for part in (*vars(self.text).values(), *vars(self.history).values()))

    def predict(self, message: str, history: Sequence[Mapping[str, str]]) -> Prediction:
        """Predict the contexts of a message; history: oldest first, without the message."""
        found = features(message)
        own = self.text.logits(found)
        before = prior_texts(history)
        if before.before or before.reply:
            logits = self.history.logits(history_features(own, self._earlier(before), found, (message, before)))
        else:
            logits = own[: len(self.labels)]
        return Prediction(
            probabilities=np.asarray(1 / (1 + np.exp(-logits)), np.float32),
            words=found.words,
            ideas=lexicon().names(found.ideas),
            kinds=found.kinds,
        )

    def _earlier(self, before: PriorTexts) -> tuple[Floats, ...]:
        earlier = [self._contexts_of(text) for text in before.earlier]
        highest = np.max(earlier, axis=0) if earlier else self._contexts_of("")
        # An answer that is missing, or that was stopped, is taken to be about what was asked.
        reply = before.reply or before.before
        return self._contexts_of(before.before), highest, self._contexts_of(reply), self._contexts_of(before.offer)

    def _contexts_of(self, text: str) -> Floats:
        if not text:
            return np.full(len(self.text.bias), NO_TEXT, np.float32)
        return self.text.logits(features(text))


@cache
def shipped_classifier() -> ContextClassifier:
    """Load the shipped file; a few milliseconds, once for each process."""
    return load_classifier(FILE)


def load_classifier(file: Path) -> ContextClassifier:
    """Load the tables that `make train` wrote."""
    with np.load(file) as kept:
        text, network = ({name: kept[f"{part}_{name}"] for name in names} for part, names in _PARTS.items())
        return ContextClassifier(
            labels=tuple(kept["labels"].tolist()),
            thresholds=kept["thresholds"],
            text=TextClassifier(**text),
            history=HistoryNetwork(**network),
            trained_on=str(kept["trained_on"]),
        )
