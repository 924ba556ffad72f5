"""Relevance of pages: which of a library answer a question best.

Passages are ranked by BM25 with headings weighed (BM25F), then by how many of the question's words they have, how close
these stand, the titles of material and module, and what the question points to ("slide 12", "week 3"). Words that are
spelled or meant alike count for less than the question's own.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from services.materials.material import Material
from services.materials.search.library_index import LibraryIndex
from services.materials.search.meaning_rank import LEAST, NearPassages, near_passages
from services.materials.search.meanings import QuestionMeaning
from services.materials.search.passages import Passage
from services.materials.search.query import Query, QueryWord, parse_query
from services.materials.search.titles import rarity
from services.materials.search.vectors import Vectors
from services.materials.search.word_forms import related_stems

K1, B = 1.2, 0.6
HEADING = 2.0
"""A word of a label counts as so many more of the text."""
SHORT = 0.5
"""A passage that is shorter than this part of the average counts as that long: a title slide says little."""
COVERAGE = 0.65
"""Part of the score that a passage has only as far as it has all the words."""
PROXIMITY = 0.5
"""Of the rarer word's weight, where two words of the question stand next to each other in this order."""
NEAR = 3
"""Tokens between which two words count as close."""
CONTEXT = 0.6
"""Part of a word's score that a passage has by the one before or after it: a slide goes on with what the last began."""
SECOND = 0.1
"""Part of the score of a page's other passages."""
PAGE = 0.6
"""Of the rarest word's weight, for the page or slide that the question names by its number."""
COVER = 0.5
"""What is left of the score of a title page, which names everything and says nothing."""
CONTENTS = 0.25
"""What is left of the score of a table of contents, for the same reason."""
SAME_FORM, SLIP, RELATED = 0.9, 0.75, 0.4
"""Weight of a word of the same form, for each letter that differs, and of one that means nearly the same."""
MOST_TRANSLATIONS = 4
"""Of a word, of those that the library has."""

POOL = 50
"""Pages of each ranking that are merged."""
RANK_OFFSET = 60
"""Ranks from here on hardly differ; the usual value."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PassageHit:
    """Best passage of a page. number: the passage's, in its `LibraryIndex`."""

    material: Material
    passage: Passage
    number: int
    score: float = field(default=0.0)


@dataclass(frozen=True, kw_only=True)
class _Match:
    """Scores of the passages by one word of the question. most: the weight that the word could add."""

    scores: Floats
    tokens: npt.NDArray[np.int32]
    most: float


def search_index(
    index: LibraryIndex,
    text: str,
    *,
    limit: int = 8,
    course_keys: Collection[str] | None = None,
    today: date | None = None,
    vector: Vectors | QuestionMeaning | None = None,
) -> list[PassageHit]:
    """Find the pages that answer a question best, each with its best passage; empty when nothing fits at all.

    vector: of the question, where it can be had: made here, its nearness is added to the score by words; a provider's,
    both rankings are merged.
    """
    if not index.size:
        return []
    query = parse_query(text, today)
    chosen = np.ones(index.size, bool) if course_keys is None else index.in_courses(course_keys)
    words = np.where(chosen, score_passages(index, query), 0.0)
    if isinstance(vector, QuestionMeaning):
        near = None if query.references.pages else near_passages(index, words, chosen, vector)
        return list(best_pages(index, words, limit) if near is None else _nearest_pages(index, words, near, limit))
    hits = list(best_pages(index, words, max(limit, POOL)))
    if vector is not None and not query.references.pages:
        by_meaning = best_pages(index, np.where(chosen, index.nearness(vector), 0.0), POOL)
        hits = merge_by_rank(hits, list(by_meaning))
    return hits[:limit]


def merge_by_rank(*rankings: Sequence[PassageHit]) -> list[PassageHit]:
    """Merge rankings by reciprocal rank (Cormack, Clarke and Büttcher 2009), as their scores cannot be compared.

    Of a page that both have, the passage of the first ranking counts.
    """
    pages: dict[tuple[str, int], PassageHit] = {}
    scores: dict[tuple[str, int], float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            page = hit.material.id, hit.passage.page
            pages.setdefault(page, hit)
            scores[page] = scores.get(page, 0.0) + 1 / (RANK_OFFSET + rank)
    ordered = sorted(pages, key=lambda page: -scores[page])
    return [replace(pages[page], score=scores[page]) for page in ordered]


def score_passages(index: LibraryIndex, query: Query) -> Floats:
    """Score every passage; 0 for one that has nothing of the question."""
    matches = [_match(index, word) for word in query.words if not index.titles.knows(word.place)]
    total = sum(match.most for match in matches)
    score = np.zeros(index.size)
    if total:
        covered, has_own = np.zeros(index.size), np.zeros(index.size, bool)
        for match in matches:
            around = _from_neighbours(index, match.scores)
            score += np.maximum(match.scores, CONTEXT * around)
            has_own |= match.scores > 0
            covered += match.most / total * np.maximum(match.scores > 0, CONTEXT * (around > 0))
        # What others have counts only for a passage that has something of its own.
        score *= has_own * (1 - COVERAGE + COVERAGE * covered)
        for before, after in pairwise(matches):
            _add_proximity(index, before, after, score)
        score[index.covers] *= COVER
        score[index.is_contents] *= CONTENTS
    return np.asarray(score + _outer_scores(index, query))


def _from_neighbours(index: LibraryIndex, scores: Floats) -> Floats:
    """The higher score of the passages right before and after each in its material."""
    before, after = np.zeros(len(scores)), np.zeros(len(scores))
    is_same = index.owners[1:] == index.owners[:-1]
    before[1:], after[:-1] = scores[:-1] * is_same, scores[1:] * is_same
    return np.maximum(before, after)


def best_pages(index: LibraryIndex, scores: Floats, limit: int) -> Iterator[PassageHit]:
    """Yield the best pages by their best passage and a part of their others."""
    found = np.flatnonzero(scores > 0)
    if not len(found):
        return
    pages, page_of = np.unique(index.page_keys[found], return_inverse=True)
    totals = _page_totals(scores[found], page_of, len(pages))
    # Of equal ones the earlier in the course's order.
    for page in np.argsort(-totals, kind="stable")[:limit]:
        own = found[page_of == page]
        number = int(own[int(np.argmax(scores[own]))])
        yield PassageHit(
            material=index.material(number), passage=index.passage(number), number=number, score=float(totals[page])
        )


def _page_totals(scores: Floats, page_of: npt.NDArray[np.intp], pages: int) -> Floats:
    """Score each page by its best passage and a part of its others."""
    best = np.zeros(pages)
    np.maximum.at(best, page_of, scores)
    sums = np.bincount(page_of, scores, pages)
    return np.asarray(best + SECOND * np.minimum(sums - best, best))


def _nearest_pages(index: LibraryIndex, words: Floats, found: NearPassages, limit: int) -> Iterator[PassageHit]:
    """Yield the best of these pages by words and meaning."""
    own = words[found.passages]
    pages, page_of = np.unique(index.page_keys[found.passages], return_inverse=True)
    totals = _page_totals(own, page_of, len(pages))
    near = np.full((2, len(pages)), -1.0)
    for at in range(2):
        np.maximum.at(near[at], page_of, found.near[at])
    top = max(float(totals.max()), 1e-9)
    scores = totals / top + found.share * near.mean(axis=0)
    scores[(totals == 0) & (near.mean(axis=0) < LEAST)] = 0.0
    scores[page_of[index.is_contents[found.passages]]] *= CONTENTS
    each = own / top + found.share * found.near.mean(axis=0)
    for page in np.argsort(-scores, kind="stable")[:limit]:
        if scores[page] <= 0:
            return
        its = np.flatnonzero(page_of == page)
        number = int(found.passages[its[int(np.argmax(each[its]))]])
        yield PassageHit(
            material=index.material(number), passage=index.passage(number), number=number, score=float(scores[page])
        )


def _outer_scores(index: LibraryIndex, query: Query) -> Floats:
    """Score passages by what stands above them: their material, and their page where the question names one."""
    unit = rarity(1, index.size)
    score = index.titles.scores(query, unit)[index.owners]
    if query.references.pages:
        score = score + PAGE * unit * np.isin(index.pages, np.array(sorted(query.references.pages)))
    return np.asarray(score)


def _match(index: LibraryIndex, word: QueryWord) -> _Match:
    """Match a word, by itself or by what is spelled or meant alike, whichever scores a passage higher."""
    forms = _forms(index, word)
    scores, most = np.zeros(index.size), 0.0
    groups: dict[float, list[int]] = {}
    for number, weight in forms.items():
        groups.setdefault(weight, []).append(number)
    kept: list[npt.NDArray[np.int32]] = []
    for weight, numbers in sorted(groups.items(), reverse=True):
        for group in [numbers] if weight > RELATED else [[number] for number in numbers]:
            tokens = np.concatenate([index.postings(number).tokens for number in group])
            found, rare = _bm25(index, tokens)
            np.maximum(scores, word.weight * weight * found, out=scores)
            most = max(most, word.weight * weight * rare)
            if weight > RELATED:
                kept.append(tokens)
    return _Match(scores=scores, tokens=np.sort(np.concatenate([_NO_TOKENS, *kept])), most=most)


_NO_TOKENS = np.zeros(0, np.int32)


def _forms(index: LibraryIndex, word: QueryWord) -> dict[int, float]:
    """Numbers of the stems that count as a word, each with its weight."""
    weights = dict.fromkeys(word.stems, 1.0)
    is_known = any(index.word(stem) >= 0 for stem in word.stems)
    for stem in word.stems:
        alternating = [other for other in index.spelling.alternating(stem) if index.word(other) >= 0]
        for other in (*index.spelling.same(stem), *alternating):
            weights.setdefault(other, SAME_FORM)
    if not is_known and len(weights) == len(word.stems):
        for stem in word.stems:
            for other, slips in index.spelling.near(stem).items():
                weights[other] = max(weights.get(other, 0.0), SLIP**slips)
    for stem in word.stems:
        for other in related_stems(stem):
            weights.setdefault(other, RELATED)
    known = [(stem, weight) for stem, weight in word.translations.items() if index.word(stem) >= 0]
    for stem, weight in known[:MOST_TRANSLATIONS]:
        weights[stem] = max(weights.get(stem, 0.0), weight)
    return {number: weight for stem, weight in weights.items() if (number := index.word(stem)) >= 0}


def _bm25(index: LibraryIndex, tokens: npt.NDArray[np.int32]) -> tuple[Floats, float]:
    """Score each passage by the tokens that count as one word; and the word's weight (idf)."""
    passages = index.passages_of(tokens)
    often = np.bincount(passages, 1 + HEADING * index.is_heading[tokens], index.size)
    average = max(float(index.lengths.mean()), 1.0)
    norm = K1 * (1 - B + B * np.maximum(index.lengths / average, SHORT))
    rare = rarity(int(np.count_nonzero(often)), index.size)
    return rare * (K1 + 1) * often / (often + norm), rare


def _add_proximity(index: LibraryIndex, before: _Match, after: _Match, score: Floats) -> None:
    """Add to passages where two words of the question follow each other."""
    first, second = before.tokens, after.tokens
    if not len(first) or not len(second):
        return
    following = np.searchsorted(second, first, side="right")
    is_there = following < len(second)
    first, next_tokens = first[is_there], second[following[is_there]]
    gap = next_tokens - first
    passages = index.passages_of(first)
    is_near = (gap <= NEAR) & (passages == index.passages_of(next_tokens))
    closeness = np.zeros(index.size)
    np.maximum.at(closeness, passages[is_near], 1 / gap[is_near])
    score += PROXIMITY * min(before.most, after.most) * (K1 + 1) * closeness
