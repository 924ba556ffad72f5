"""Cross-validation: what the detector says of messages whose theme it was not trained on."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from services.discovery.contexts import CONTEXT_NAMES
from services.discovery.features import NO_TEXT, Features, PriorTexts, features, history_features, prior_texts
from training import models
from training import models as linear
from training.dataset import FOLDS, LabelledMessage, augment
from training.models import LinearModel

Floats = npt.NDArray[np.float32]
_MOST = 6.0
GLUED = 0.1
"""Of the messages, so many are also read behind a conversation that has nothing to do with them: new subjects."""


@dataclass(frozen=True, kw_only=True)
class Examples:
    """wanted: a column for each of `CONTEXT_NAMES`, and one for messages that need what the turns before them needed."""

    rows: Sequence[LabelledMessage]
    found: Sequence[Features]
    matrix: sparse.csr_matrix
    wanted: Floats
    folds: npt.NDArray[np.int64]


def examples(rows: Sequence[LabelledMessage], folds: Sequence[int]) -> Examples:
    found = [features(row.message) for row in rows]
    wanted = [[name in row.contexts for name in CONTEXT_NAMES] + [_follows(row)] for row in rows]
    return Examples(
        rows=rows,
        found=found,
        matrix=linear.feature_matrix(found),
        wanted=np.array(wanted, np.float32),
        folds=np.array(folds),
    )


def _follows(row: LabelledMessage) -> bool:
    return bool(row.history) and bool(row.contexts) and row.kind == "followup"


@dataclass(frozen=True, kw_only=True)
class Unseen:
    """chances: of each of `CONTEXT_NAMES`, with memory. lessons: what the network of memory learns from."""

    chances: Floats
    lessons: "Lessons"


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """rows: for the network of memory; messages with their own history first, then ones with somebody else's."""

    rows: Floats
    wanted: Floats
    folds: npt.NDArray[np.int64]


def unseen(given: Examples) -> Unseen:
    """Each part is read by what was trained on all others."""
    own, memories = np.zeros_like(given.wanted), dict[int, Floats]()
    strange: list[tuple[int, Floats]] = []
    for fold in range(FOLDS):
        part = [int(row) for row in np.flatnonzero(given.folds == fold)]
        reader = train_reader(given, [row for row in range(len(given.rows)) if given.folds[row] != fold])
        own[part] = np.clip(reader.logits(given.matrix[part]), -_MOST, _MOST)
        mine = [row for row in part if given.rows[row].history]
        before = [prior_texts(given.rows[row].history) for row in mine]
        about = _about(reader, before, own.shape[1])
        memories |= {row: _memory(given, own, row, one, about) for row, one in zip(mine, before, strict=True)}
        alone = random.Random(fold).sample(part, int(GLUED * len(part)))
        others = random.Random(fold).choices(before, k=len(alone))
        strange += [
            (row, _memory(given, own, row, one, about))
            for row, one in zip(alone, others, strict=True)
            if not given.rows[row].history
        ]
    lessons = _lessons(given, memories, strange)
    chances = _sigmoid(own[:, : len(CONTEXT_NAMES)])
    chances[list(memories)] = _with_memory(lessons, len(memories))
    return Unseen(chances=chances, lessons=lessons)


def train_reader(given: Examples, rows: Sequence[int]) -> LinearModel:
    """On these rows and on what is made of them."""
    made = augment([given.rows[row] for row in rows])[len(rows) :]
    more = examples(made, [0] * len(made))
    matrix = sparse.vstack([given.matrix[list(rows)], more.matrix]).tocsr()
    return linear.train_linear(matrix, np.concatenate((given.wanted[list(rows)], more.wanted)))


def _lessons(given: Examples, memories: Mapping[int, Floats], strange: Sequence[tuple[int, Floats]]) -> Lessons:
    rows = [*memories, *(row for row, _ in strange)]
    return Lessons(
        rows=np.stack([*memories.values(), *(memory for _, memory in strange)]),
        wanted=given.wanted[rows][:, : len(CONTEXT_NAMES)],
        folds=given.folds[rows],
    )


def _with_memory(lessons: Lessons, count: int) -> Floats:
    """The chances of the first `count` rows, each by what was trained on other folds."""
    chances = np.zeros((count, len(CONTEXT_NAMES)), np.float32)
    for fold in range(FOLDS):
        rest, mine = lessons.folds != fold, lessons.folds[:count] == fold
        parts = models.train_history(lessons.rows[rest], lessons.wanted[rest])
        chances[mine] = _sigmoid(models.history_logits(parts, lessons.rows[:count][mine]))
    return chances


def _memory(given: Examples, own: Floats, row: int, before: PriorTexts, about: Mapping[str, Floats]) -> Floats:
    earlier = [about[text] for text in before.earlier]
    highest = np.max(earlier, axis=0) if earlier else about[""]
    slots = (about[before.before], highest, about[before.reply], about[before.offer])
    return history_features(own[row], slots, given.found[row], (given.rows[row].message, before))


def _about(reader: LinearModel, before: Sequence[PriorTexts], labels: int) -> dict[str, Floats]:
    texts = sorted({text for one in before for text in (one.before, *one.earlier, one.reply, one.offer)} - {""})
    about = {"": np.full(labels, NO_TEXT, np.float32)}
    if texts:
        logits = np.clip(reader.logits(linear.feature_matrix([features(text) for text in texts])), -_MOST, _MOST)
        about |= dict(zip(texts, logits, strict=True))
    return about


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), np.float32)
