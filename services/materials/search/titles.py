"""`TitleIndex`: the titles and modules of materials, and how well a question fits each."""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, timedelta

import numpy as np
import numpy.typing as npt

from services.i18n.search_tokens import search_tokens
from services.materials.material import Material
from services.materials.search.query import Query
from services.materials.search.references import Reference, find_references
from services.materials.search.stems import both_stems

TITLE, MODULE = 0.5, 0.15
"""Part of a word's weight that a passage gets when the title of its material, or of its module, has the word."""
PLACE, DAY = 0.5, 0.5
"""In units of the rarest word's weight: the lecture or week, and the day, that the question names."""
COURSE, SHORTEST_NAME = 0.3, 3
"""In the same units, the course that the question names; by so many letters at least."""
ELSEWHERE = 0.3
"""What is taken off where the title names another lecture, week or chapter than the question."""

Floats = npt.NDArray[np.float64]


class TitleIndex:
    """Index over the titles of one student's materials; never changed."""

    def __init__(self, materials: Sequence[Material], courses: Sequence[str] = ()) -> None:
        """courses: of each material, the code and the name of its course."""
        self._size = len(materials)
        self._titles = _inverted([f"{each.title} {each.name.rpartition('.')[0]}" for each in materials])
        modules = {module: frozenset(title_stems(module)) for module in {each.module for each in materials}}
        self._modules = _inverted_stems([modules[each.module] for each in materials])
        named = {course: frozenset(search_tokens(course)) for course in set(courses)}
        self._courses = _inverted_stems([named[course] for course in courses])
        self._places: dict[Reference, list[int]] = {}
        self._by_noun: dict[str, list[int]] = {}
        self._days: dict[date, list[int]] = {}
        for number, material in enumerate(materials):
            self._add_references(number, material)

    def scores(self, query: Query, unit: float) -> Floats:
        """Score each material. unit: the weight of a word that stands in one passage of the library only."""
        score = np.zeros(self._size)
        for word in query.words:
            for inverted, part in ((self._titles, TITLE), (self._modules, MODULE)):
                owners = np.unique(np.concatenate([inverted.get(stem, _NONE) for stem in word.stems]))
                score[owners] += part * word.weight * rarity(len(owners), self._size)
        for course in {
            owners.tobytes(): owners for word in query.words for owners in self._of_course(word.text)
        }.values():
            score[course] += COURSE * unit
        for place in query.references.places:
            there = self._places.get(place)
            if there:
                score[self._by_noun[place.noun]] -= ELSEWHERE * unit
                score[there] += (PLACE + ELSEWHERE) * unit
        for day in query.references.days:
            score[self._days.get(day, [])] += DAY * unit
        return score

    def _of_course(self, word: str) -> Iterator[npt.NDArray[np.int64]]:
        """Yield the materials of courses that a word names, whole or by its beginning ("bio", "psych")."""
        for name, owners in self._courses.items():
            is_meant = name == word or (len(word) >= SHORTEST_NAME and name.startswith(word) and not word.isdecimal())
            if is_meant and len(owners) < self._size:
                yield owners

    def knows(self, place: Reference | None) -> bool:
        """Tell whether a title names this lecture, week or the like."""
        return place in self._places

    def _add_references(self, number: int, material: Material) -> None:
        posted = material.dated_at.astimezone(UTC).date() if material.dated_at else None
        found = find_references(f"{material.title}\n{material.module}", posted)
        for place in found.places:
            self._places.setdefault(place, []).append(number)
        for noun in {place.noun for place in found.places}:
            self._by_noun.setdefault(noun, []).append(number)
        # Slides are mostly posted on the day of the lecture, or on the evening before.
        for day in found.days | ({posted, posted + timedelta(days=1)} if posted else set()):
            self._days.setdefault(day, []).append(number)


def rarity(count: int, size: int) -> float:
    """Weight of a word that `count` of `size` texts have (BM25's idf); 0 for one that none has."""
    return math.log(1 + (size - count + 0.5) / (count + 0.5)) if count else 0.0


_NONE = np.zeros(0, np.int64)


def _inverted(texts: Sequence[str]) -> Mapping[str, npt.NDArray[np.int64]]:
    return _inverted_stems([frozenset(title_stems(text)) for text in texts])


def _inverted_stems(texts: Sequence[frozenset[str]]) -> Mapping[str, npt.NDArray[np.int64]]:
    owners: dict[str, list[int]] = {}
    for number, stems in enumerate(texts):
        for stem in stems:
            owners.setdefault(stem, []).append(number)
    return {stem: np.array(numbers, np.int64) for stem, numbers in owners.items()}


def title_stems(text: str) -> list[str]:
    return [stem for word in search_tokens(text) for stem in both_stems(word)]
