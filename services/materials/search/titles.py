"""Scores by what stands above a passage: the titles of its material and module, and what the question points to."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta

import numpy as np
import numpy.typing as npt

from services.i18n.search_tokens import search_tokens
from services.materials.material import Material
from services.materials.search.library_index import LibraryIndex
from services.materials.search.query import Query
from services.materials.search.references import Reference, find_references
from services.materials.search.stems import both_stems

TITLE, MODULE = 0.5, 0.15
"""Part of a word's weight that a passage gets when the title of its material, or of its module, has the word."""
PLACE, DAY, PAGE = 0.5, 0.5, 0.6
"""In units of the rarest word's weight: the lecture or week, the day, and the page that the question names."""
ELSEWHERE = 0.3
"""What is taken off where the title names another lecture, week or chapter than the question."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class TitleWords:
    """Words and references of a material's title and module. days: when it was posted, and what its title names."""

    title: frozenset[str]
    module: frozenset[str]
    places: frozenset[Reference]
    days: frozenset[date]


def title_scores(index: LibraryIndex, query: Query) -> Floats:
    """Score each passage by its material, and by its page where the question names one."""
    titles = [_title_words(material) for material in index.materials]
    unit = math.log(1 + 2 * index.size)
    owned = np.zeros(len(titles))
    for word in query.words:
        forms = frozenset(word.stems)
        has_title = np.array([not forms.isdisjoint(each.title) for each in titles], bool)
        has_module = np.array([not forms.isdisjoint(each.module) for each in titles], bool)
        for marks, part in ((has_title, TITLE), (has_module, MODULE)):
            count = int(marks.sum())
            owned += part * word.weight * _rarity(count, len(titles)) * marks
    pointed = np.array([_pointed(query, each) for each in titles])
    score = (owned + unit * pointed)[index.owners] if len(titles) else np.zeros(0)
    if query.references.pages:
        is_page = np.isin(index.pages, np.array(sorted(query.references.pages)))
        score = score + unit * PAGE * is_page
    return np.asarray(score)


def _pointed(query: Query, title: TitleWords) -> float:
    """How far the question points to a material, in units."""
    found = 0.0
    nouns: Mapping[str, set[int]] = {}
    own = {noun: {place.number for place in title.places if place.noun == noun} for noun in _nouns(title.places)}
    for place in query.references.places:
        numbers = own.get(place.noun, nouns.get(place.noun, set()))
        if numbers:
            found += PLACE if place.number in numbers else -ELSEWHERE
    if query.references.days & title.days:
        found += DAY
    return found


def _nouns(places: frozenset[Reference]) -> set[str]:
    return {place.noun for place in places}


def _title_words(material: Material) -> TitleWords:
    posted = material.dated_at.astimezone(UTC).date() if material.dated_at else None
    above = f"{material.title}\n{material.module}"
    references = find_references(above, posted)
    days = {posted, posted + timedelta(days=1)} if posted else set()
    return TitleWords(
        title=_stems(f"{material.title} {material.name.rpartition('.')[0]}"),
        module=_stems(material.module),
        places=references.places,
        days=references.days | days,
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for word in search_tokens(text) for stem in both_stems(word))


def _rarity(count: int, size: int) -> float:
    return math.log(1 + (size - count + 0.5) / (count + 0.5)) if count else 0.0
