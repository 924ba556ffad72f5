"""Cross-validation: what the detector predicts for messages whose theme it was not trained on."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from services.discovery.contexts import LEARNED_CONTEXTS
from services.discovery.features import NO_TEXT, Features, PriorTexts, features, history_features, prior_texts
from training.dataset import FOLDS, LabelledMessage, augment
from training.models import LinearModel, feature_matrix, history_logits, train_history, train_linear

Floats = npt.NDArray[np.float32]
_LOGIT_LIMIT = 6.0
GLUED = 0.1
"""Share of the messages that are also read behind a conversation that has nothing to do with them: new subjects."""


@dataclass(frozen=True, kw_only=True)
class TrainingSet:
    """Messages with their features.

    labels: a column for each of `LEARNED_CONTEXTS`, and one for messages that need what the turns before them needed.
    """

    messages: Sequence[LabelledMessage]
    features: Sequence[Features]
    matrix: sparse.csr_matrix
    labels: Floats
    folds: npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class HistoryExamples:
    """Inputs of the history network: messages with their own history first, then with another message's."""

    rows: Floats
    labels: Floats
    folds: npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class HeldOutPredictions:
    """chances: of each of `LEARNED_CONTEXTS`, with the history. examples: what the history network learns from."""

    chances: Floats
    examples: HistoryExamples


def training_set(messages: Sequence[LabelledMessage], folds: Sequence[int]) -> TrainingSet:
    """Extract the features and labels of messages."""
    found = [features(message.message) for message in messages]
    labels = [[name in message.contexts for name in LEARNED_CONTEXTS] + [_follows(message)] for message in messages]
    return TrainingSet(
        messages=messages,
        features=found,
        matrix=feature_matrix(found),
        labels=np.array(labels, np.float32),
        folds=np.array(folds),
    )


def _follows(message: LabelledMessage) -> bool:
    return bool(message.history) and bool(message.contexts) and message.kind == "followup"


def cross_validate(given: TrainingSet) -> HeldOutPredictions:
    """Predict each fold by what was trained on all others."""
    own, inputs = np.zeros_like(given.labels), dict[int, Floats]()
    glued: list[tuple[int, Floats]] = []
    for fold in range(FOLDS):
        part = [int(row) for row in np.flatnonzero(given.folds == fold)]
        model = train_text_model(given, [row for row in range(len(given.messages)) if given.folds[row] != fold])
        own[part] = np.clip(model.logits(given.matrix[part]), -_LOGIT_LIMIT, _LOGIT_LIMIT)
        with_history = [row for row in part if given.messages[row].history]
        before = [prior_texts(given.messages[row].history) for row in with_history]
        logits = _text_logits(model, before, own.shape[1])
        pairs = zip(with_history, before, strict=True)
        inputs |= {row: _history_input(given, own, row, prior, logits) for row, prior in pairs}
        alone = random.Random(fold).sample(part, int(GLUED * len(part)))
        others = random.Random(fold).choices(before, k=len(alone))
        glued += [
            (row, _history_input(given, own, row, prior, logits))
            for row, prior in zip(alone, others, strict=True)
            if not given.messages[row].history
        ]
    examples = _history_examples(given, inputs, glued)
    chances = _sigmoid(own[:, : len(LEARNED_CONTEXTS)])
    chances[list(inputs)] = _history_chances(examples, len(inputs))
    return HeldOutPredictions(chances=chances, examples=examples)


def train_text_model(given: TrainingSet, rows: Sequence[int]) -> LinearModel:
    """Train on these rows and on their augmented copies."""
    copies = augment([given.messages[row] for row in rows])[len(rows) :]
    more = training_set(copies, [0] * len(copies))
    matrix = sparse.vstack([given.matrix[list(rows)], more.matrix]).tocsr()
    return train_linear(matrix, np.concatenate((given.labels[list(rows)], more.labels)))


def _history_examples(
    given: TrainingSet, inputs: Mapping[int, Floats], glued: Sequence[tuple[int, Floats]]
) -> HistoryExamples:
    rows = [*inputs, *(row for row, _ in glued)]
    return HistoryExamples(
        rows=np.stack([*inputs.values(), *(values for _, values in glued)]),
        labels=given.labels[rows][:, : len(LEARNED_CONTEXTS)],
        folds=given.folds[rows],
    )


def _history_chances(examples: HistoryExamples, count: int) -> Floats:
    """The chances of the first `count` rows, each by what was trained on other folds."""
    chances = np.zeros((count, len(LEARNED_CONTEXTS)), np.float32)
    for fold in range(FOLDS):
        rest, mine = examples.folds != fold, examples.folds[:count] == fold
        parts = train_history(examples.rows[rest], examples.labels[rest])
        chances[mine] = _sigmoid(history_logits(parts, examples.rows[:count][mine]))
    return chances


def _history_input(
    given: TrainingSet, own: Floats, row: int, before: PriorTexts, logits: Mapping[str, Floats]
) -> Floats:
    earlier = [logits[text] for text in before.earlier]
    highest = np.max(earlier, axis=0) if earlier else logits[""]
    slots = (logits[before.before], highest, logits[before.reply], logits[before.offer])
    return history_features(own[row], slots, given.features[row], (given.messages[row].message, before))


def _text_logits(model: LinearModel, before: Sequence[PriorTexts], labels: int) -> dict[str, Floats]:
    """The log-odds of the labels in each text before a message."""
    texts = sorted(
        {text for prior in before for text in (prior.before, *prior.earlier, prior.reply, prior.offer)} - {""}
    )
    logits = {"": np.full(labels, NO_TEXT, np.float32)}
    if texts:
        found = np.clip(model.logits(feature_matrix([features(text) for text in texts])), -_LOGIT_LIMIT, _LOGIT_LIMIT)
        logits |= dict(zip(texts, found, strict=True))
    return logits


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), np.float32)
