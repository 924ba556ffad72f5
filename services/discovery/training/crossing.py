"""Cross-validation: what the detector says of messages whose theme it was not trained on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from services.discovery.contexts import NAMES
from services.discovery.features import Features, features
from services.discovery.memory import NOTHING, Said, remembered, said
from services.discovery.training import linear, remembering
from services.discovery.training.linear import Linear
from services.discovery.training.rows import FOLDS, Row

Floats = npt.NDArray[np.float32]
_MOST = 6.0


@dataclass(frozen=True, kw_only=True)
class Examples:
    """wanted: a column for each of `NAMES`, and one for messages that need what the turns before them needed."""

    rows: Sequence[Row]
    found: Sequence[Features]
    matrix: sparse.csr_matrix
    wanted: Floats
    folds: npt.NDArray[np.int64]

    @property
    def continued(self) -> npt.NDArray[np.int64]:
        """The rows that have a history."""
        return np.array([index for index, row in enumerate(self.rows) if row.history])


def examples(rows: Sequence[Row], folds: Sequence[int]) -> Examples:
    found = [features(row.message) for row in rows]
    wanted = [[name in row.contexts for name in NAMES] + [_follows(row)] for row in rows]
    return Examples(
        rows=rows,
        found=found,
        matrix=linear.matrix(found),
        wanted=np.array(wanted, np.float32),
        folds=np.array(folds),
    )


def _follows(row: Row) -> bool:
    return bool(row.history) and bool(row.contexts) and row.kind == "followup"


@dataclass(frozen=True, kw_only=True)
class Unseen:
    """own: log-odds of each message read alone. remembered: rows for the network of memory. chances: with memory."""

    own: Floats
    remembered: Floats
    chances: Floats


def unseen(given: Examples) -> Unseen:
    """Each part is read by what was trained on all others."""
    continued = given.continued
    own = np.zeros_like(given.wanted)
    places = {int(row): place for place, row in enumerate(continued)}
    memories: list[Floats] = [np.zeros(0, np.float32)] * len(continued)
    for fold in range(FOLDS):
        rest, part = np.flatnonzero(given.folds != fold), np.flatnonzero(given.folds == fold)
        reader = linear.train(given.matrix[rest], given.wanted[rest])
        own[part] = np.clip(reader.logits(given.matrix[part]), -_MOST, _MOST)
        mine = [int(row) for row in part if int(row) in places]
        for row, memory in zip(mine, _memories(given, reader, own, mine), strict=True):
            memories[places[row]] = memory
    remembered_rows = np.stack(memories)
    chances = _sigmoid(own[:, : len(NAMES)])
    chances[continued] = _with_memory(given, remembered_rows)
    return Unseen(own=own, remembered=remembered_rows, chances=chances)


def _with_memory(given: Examples, remembered_rows: Floats) -> Floats:
    continued = given.continued
    wanted, folds = given.wanted[continued][:, : len(NAMES)], given.folds[continued]
    chances = np.zeros_like(wanted)
    for fold in range(FOLDS):
        parts = remembering.train(remembered_rows[folds != fold], wanted[folds != fold])
        chances[folds == fold] = _sigmoid(remembering.logits(parts, remembered_rows[folds == fold]))
    return chances


def _memories(given: Examples, reader: Linear, own: Floats, rows: Sequence[int]) -> list[Floats]:
    before = [said(given.rows[row].history) for row in rows]
    about = _about(reader, before, own.shape[1])
    return [
        remembered(own[row], _slots(one, about), given.found[row], (given.rows[row].message, one))
        for row, one in zip(rows, before, strict=True)
    ]


def _about(reader: Linear, before: Sequence[Said], labels: int) -> dict[str, Floats]:
    texts = sorted({text for one in before for text in (one.before, *one.earlier, one.reply, one.offer)} - {""})
    about = {"": np.full(labels, NOTHING, np.float32)}
    if texts:
        logits = np.clip(reader.logits(linear.matrix([features(text) for text in texts])), -_MOST, _MOST)
        about |= dict(zip(texts, logits, strict=True))
    return about


def _slots(before: Said, about: dict[str, Floats]) -> tuple[Floats, ...]:
    earlier = [about[text] for text in before.earlier]
    highest = np.max(earlier, axis=0) if earlier else about[""]
    return about[before.before], highest, about[before.reply], about[before.offer]


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), np.float32)
