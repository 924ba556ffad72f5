"""Ranking: the pages of a library that answer a question best.

Passages are ranked by BM25 with headings weighed (BM25F), then by how many of the question's words they have, how close
these stand, the titles of material and module, and what the question points to ("slide 12", "week 3").
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from services.materials.material import Material
from services.materials.search.library_index import LibraryIndex
from services.materials.search.passages import Passage
from services.materials.search.query import Query, QueryWord, parse_query
from services.materials.search.titles import rarity

K1, B = 1.2, 0.6
HEADING = 2.0
"""A word of a label counts as so many more of the text."""
COVERAGE = 0.6
"""Part of the score that a passage has only as far as it has all the words."""
PROXIMITY = 0.5
"""Of the rarer word's weight, where two words of the question stand next to each other in this order."""
NEAR = 3
"""Tokens between which two words count as close."""
SECOND = 0.25
"""Part of the score of a page's other passages."""
PAGE = 0.6
"""Of the rarest word's weight, for the page or slide that the question names by its number."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PassageHit:
    """Best passage of a page. number: the passage's, in its `LibraryIndex`."""

    material: Material
    passage: Passage
    number: int
    score: float = field(default=0.0)


def search_index(
    index: LibraryIndex,
    text: str,
    *,
    limit: int = 8,
    course_keys: Collection[str] | None = None,
    today: date | None = None,
) -> list[PassageHit]:
    """Find the pages that answer a question best, each with its best passage; empty when nothing fits at all."""
    if not index.size:
        return []
    scores = score_passages(index, parse_query(text, today))
    if course_keys is not None:
        scores = np.where(index.in_courses(course_keys), scores, 0.0)
    return list(best_pages(index, scores, limit))


def score_passages(index: LibraryIndex, query: Query) -> Floats:
    """Score every passage; 0 for one that has nothing of the question."""
    by_word = [_word_scores(index, word) for word in query.words]
    total = sum(most for _, most in by_word)
    if not total:
        return _outer_scores(index, query)
    score = np.sum([found for found, _ in by_word], axis=0)
    covered = np.sum([most * (found > 0) for found, most in by_word], axis=0) / total
    score *= 1 - COVERAGE + COVERAGE * covered
    for before, after in pairwise(query.words):
        _add_proximity(index, before, after, score)
    return np.asarray(score + _outer_scores(index, query))


def best_pages(index: LibraryIndex, scores: Floats, limit: int) -> Iterator[PassageHit]:
    """Yield the best pages by their best passage and a part of their others."""
    found = np.flatnonzero(scores > 0)
    if not len(found):
        return
    keys = index.owners[found].astype(np.int64) << 32 | index.pages[found]
    pages, page_of = np.unique(keys, return_inverse=True)
    best = np.zeros(len(pages))
    np.maximum.at(best, page_of, scores[found])
    sums = np.bincount(page_of, scores[found])
    totals = best + SECOND * np.minimum(sums - best, best)
    # Of equal ones the earlier in the course's order.
    for page in np.argsort(-totals, kind="stable")[:limit]:
        own = found[page_of == page]
        number = int(own[int(np.argmax(scores[own]))])
        yield PassageHit(
            material=index.material(number), passage=index.passage(number), number=number, score=float(totals[page])
        )


def _outer_scores(index: LibraryIndex, query: Query) -> Floats:
    """Score passages by what stands above them: their material, and their page where the question names one."""
    unit = rarity(1, index.size)
    score = index.titles.scores(query, unit)[index.owners]
    if query.references.pages:
        score = score + PAGE * unit * np.isin(index.pages, np.array(sorted(query.references.pages)))
    return np.asarray(score)


def _word_scores(index: LibraryIndex, word: QueryWord) -> tuple[Floats, float]:
    """Score of each passage by one word of the question, and the most that it could be."""
    often = np.zeros(index.size)
    for stem, weight in word.stems.items():
        number = index.word(stem)
        if number >= 0:
            postings = index.postings(number)
            weights = weight * (1 + HEADING * index.is_heading[postings.tokens])
            often += np.bincount(postings.passages, weights, index.size)
    count = int(np.count_nonzero(often))
    weight = word.weight * rarity(count, index.size)
    norm = K1 * (1 - B + B * index.lengths / max(float(index.lengths.mean()), 1.0))
    return weight * (K1 + 1) * often / (often + norm), weight * (count > 0)


def _add_proximity(index: LibraryIndex, before: QueryWord, after: QueryWord, score: Floats) -> None:
    """Add to passages where two words of the question follow each other."""
    first, second = _tokens(index, before), _tokens(index, after)
    if not len(first) or not len(second):
        return
    weight = min(
        word.weight * rarity(len(np.unique(index.token_passages[tokens])), index.size)
        for word, tokens in ((before, first), (after, second))
    )
    following = np.searchsorted(second, first, side="right")
    is_there = following < len(second)
    first, next_tokens = first[is_there], second[following[is_there]]
    gap = next_tokens - first
    is_near = (gap <= NEAR) & (index.token_passages[first] == index.token_passages[next_tokens])
    closeness = np.zeros(index.size)
    np.maximum.at(closeness, index.token_passages[first[is_near]], 1 / gap[is_near])
    score += PROXIMITY * weight * (K1 + 1) * closeness


def _tokens(index: LibraryIndex, word: QueryWord) -> npt.NDArray[np.int32]:
    parts: Sequence[npt.NDArray[np.int32]] = [
        index.postings(number).tokens for stem in word.stems if (number := index.word(stem)) >= 0
    ]
    return np.sort(np.concatenate(parts)) if parts else np.zeros(0, np.int32)
