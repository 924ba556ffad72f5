"""Ranking by words and meaning: the score by words, and how near a page and its nearest sentence are."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from services.materials.search.library_index import LibraryIndex
from services.materials.search.meanings import QuestionMeaning

SHARE = 4.0
"""Of the nearness, where the score by words of the best page is 1; measured, see decision 47."""
CANDIDATES = 100
"""Passages that are looked at by sentence, of each ranking."""
LEAST = 0.25
"""Nearness from which on a page counts that has nothing of the question's words."""
_NOTHING = -1.0
"""Nearness of what has neither a vector yet nor a word of the question."""

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class NearPassages:
    """What is looked at, by number of passage, with how near each is: itself, and its nearest sentence. share: how much
    that counts.
    """

    passages: Numbers
    near: Floats
    share: float


def near_passages(
    index: LibraryIndex, words: Floats, chosen: npt.NDArray[np.bool_], question: QuestionMeaning
) -> NearPassages | None:
    """All passages of the pages that may come first; None where nothing has a meaning yet.

    words: scores by words, 0 for what is not `chosen`.
    """
    share = SHARE * question.trust
    known = index.meanings.passages
    if not len(known) or not chosen[known].any():
        return None
    by_words = np.where(chosen, words / max(float(words.max()), 1e-9), -np.inf)
    near = np.full((2, index.size), _NOTHING)
    near[0, known] = near[1, known] = index.meanings.near(question)
    has = np.zeros(index.size, bool)
    has[known] = True
    best = int(known[np.argmax((by_words + share * near[0])[known])])
    by_words_alone = ~has & (words > 0)
    near[0, by_words_alone] = near[0, best]
    first = np.concatenate([[best], _highest(by_words + share * near[0]), _highest(by_words)])
    passages = np.flatnonzero(np.isin(index.page_keys, index.page_keys[first]) & chosen)
    looked_at = passages[has[passages]]
    near[1, looked_at] = index.meanings.nearest_sentences(np.searchsorted(known, looked_at), question)
    # Between the best that has vectors and what has none yet, the words decide.
    near[1, by_words_alone] = near[1, best]
    return NearPassages(passages=passages, near=near[:, passages], share=share)


def _highest(scores: Floats) -> Numbers:
    most = min(CANDIDATES, len(scores))
    return np.argpartition(-scores, most - 1)[:most]
