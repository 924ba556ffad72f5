"""Quality of the search over course materials: questions over the campus's materials, with plain BM25 beside it.

Vectors are made here, as for a library that has been searched before.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.materials.campus_library import campus_texts, course_name, today
from services.i18n.search_tokens import search_tokens
from services.materials.embeddings.library_vectors import PassageText
from services.materials.embeddings.own_vectors import OwnVectors
from services.materials.material import Material, MaterialText
from services.materials.search.library_index import IndexedMaterial, LibraryIndex
from services.materials.search.material_index import index_text
from services.materials.search.meanings import QuestionMeaning
from services.materials.search.relevance import search_index
from services.settings import ROOT

TITLE = "Course materials: questions whose answer stands on a known page"
HEAD = ("questions", "how many", "first", "first five", "words alone: first", "first five", "plain BM25: first", "five")
FOLDER = ROOT / "tests" / "questions"
VOICES = {
    "author": "by the author of the texts",
    "student": "by a student: other words, typos, Spanish, days",
    "random_pages": "about pages drawn at random",
    "held_out": "held out: nothing was tuned on them",
    "held_out_again": "held out later: nobody has looked at what is missed",
    "newcomer": "held out, by someone who had seen neither search nor tests",
    "both_languages": "held out, half in Spanish over pages in English",
}
HELD_OUT = ("held_out", "held_out_again", "newcomer", "both_languages")
SPANISH = "in Spanish, of all"
FIRST_FIVE = 5
K1, B = 1.2, 0.75
Page = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class Rank:
    """Where the first page that answers a question stands, from 1; 0 when it is not among the first five."""

    ours: int
    words: int
    plain: int
    language: str = "en"


def measure(data_dir: Path) -> list[tuple[str, ...]]:
    ranks = question_ranks(tuple(VOICES))
    looked_at = [rank for voice in VOICES if voice not in HELD_OUT for rank in ranks[voice]]
    rows = [_row(name, ranks[voice]) for voice, name in VOICES.items()]
    spanish = [rank for voice in VOICES for rank in ranks[voice] if rank.language == "es"]
    return [_row("all that may be looked at", looked_at), *rows, _row(SPANISH, spanish)]


def question_ranks(voices: Sequence[str]) -> dict[str, list[Rank]]:
    """The ranks of each voice's questions."""
    now, vectors = today(), OwnVectors()
    texts = list(campus_texts(now))
    ours = LibraryIndex([_meant(vectors, material, text) for material, text in texts])
    plain = _PlainIndex(texts)

    def searched(question: str, vector: QuestionMeaning | None = None) -> list[Page]:
        hits = search_index(ours, question, limit=FIRST_FIVE, today=now.date(), vector=vector)
        return [(hit.material.id, hit.passage.page) for hit in hits]

    def by_meaning(question: str) -> list[Page]:
        return searched(question, vectors.of_question(question))

    searches = (by_meaning, searched, plain.search)
    return {voice: [_rank(row, searches) for row in _questions(voice)] for voice in voices}


def _meant(vectors: OwnVectors, material: Material, text: MaterialText) -> IndexedMaterial:
    """The material as it is stored, with its vectors."""
    index = index_text(text)
    pages = {page.number: page for page in text.pages}
    passages = [index.passage(number) for number in range(len(index.places))]
    texts = [PassageText(label=pages[own.page].label, text=own.of(pages[own.page])) for own in passages]
    entry = IndexedMaterial(material=material, index=index, course=course_name(material.course_key))
    return vectors.with_vectors(entry, vectors.of_material(material.title, texts))


def _questions(voice: str) -> list[dict[str, list[dict[str, str | int]] | str]]:
    lines = (FOLDER / f"materials_{voice}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _rank(
    row: Mapping[str, list[dict[str, str | int]] | str],
    searches: Sequence[Callable[[str], Sequence[Page]]],
) -> Rank:
    answers = {(page["file"], page["page"]) for page in row["answers"] if isinstance(page, dict)}
    places = []
    for search in searches:
        found = search(str(row["ask"]))
        places.append(next((place for place, page in enumerate(found, start=1) if page in answers), 0))
    return Rank(ours=places[0], words=places[1], plain=places[2], language=str(row["language"]))


def _row(name: str, ranks: Sequence[Rank]) -> tuple[str, ...]:
    places = [[rank.ours for rank in ranks], [rank.words for rank in ranks], [rank.plain for rank in ranks]]
    shares = [
        f"{sum(map(counts, own)) / len(own):.0%}" for own in places for counts in (lambda place: place == 1, bool)
    ]
    return (name, str(len(ranks)), *shares)


class _PlainIndex:
    """Okapi BM25 over whole pages: the words as they are written, without stems, titles and all else."""

    def __init__(self, texts: Sequence[tuple[Material, MaterialText]]) -> None:
        self._pages = [(material.id, page.number) for material, text in texts for page in text.pages]
        said = [f"{page.label}\n{page.text}\n{page.notes}" for _, text in texts for page in text.pages]
        self._counts = [Counter(search_tokens(text)) for text in said]
        self._having = Counter(word for counts in self._counts for word in counts)
        self._average = sum(counts.total() for counts in self._counts) / len(self._counts)

    def search(self, question: str) -> list[Page]:
        words = set(search_tokens(question))
        scores = [sum(self._score(counts, word) for word in words & counts.keys()) for counts in self._counts]
        best = sorted(range(len(scores)), key=lambda number: -scores[number])[:FIRST_FIVE]
        return [self._pages[number] for number in best if scores[number] > 0]

    def _score(self, counts: Counter[str], word: str) -> float:
        size, having = len(self._counts), self._having[word]
        rarity = math.log(1 + (size - having + 0.5) / (having + 0.5))
        length = 1 - B + B * counts.total() / self._average
        return rarity * counts[word] * (K1 + 1) / (counts[word] + K1 * length)
