"""Sample library for speed: pages that are put together at random from the sentences of the campus's materials."""

import random
import re
from collections.abc import Iterator
from functools import cache

from services.materials.material import Material, MaterialKind, MaterialPage, MaterialText, PageUnit
from services.settings import ROOT

SOURCES = ROOT / "sandbox" / "canvas" / "materials"
PAGES, WORDS = 20, 110
"""Of a material, and of a page: a slide has fewer words, a printed page three times as many."""
RARE = 2
"""Words of a page that hardly any other has, as names and terms are: a library's vocabulary never stops growing."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def sample_texts(passages: int) -> Iterator[tuple[Material, MaterialText]]:
    """Yield materials with as many pages in all, one passage each; the same every time."""
    chance = random.Random(18)
    for number in range(-(-passages // PAGES)):
        material = Material(
            id=f"canvas-1.file-{number}",
            course_key=f"canvas-{number % 6}",
            kind=MaterialKind.FILE,
            title=f"Lecture {number}: {' '.join(chance.choice(_sentences()).split()[:4])}",
            module=f"Week {number % 15 + 1}",
            position=number,
            version="1",
        )
        count = min(PAGES, passages - number * PAGES)
        pages = [MaterialPage(number=page + 1, text=_page(chance)) for page in range(count)]
        yield material, MaterialText(unit=PageUnit.PAGE, pages=pages)


def sample_question(chance: random.Random) -> str:
    """Some words in a row from the materials, as students name what they look for."""
    words = chance.choice(_sentences()).split()
    return " ".join(words[: chance.randint(4, 12)])


def _page(chance: random.Random) -> str:
    sentences: list[str] = []
    while sum(len(sentence.split()) for sentence in sentences) < WORDS:
        sentences.append(chance.choice(_sentences()))
    rare = ("".join(chance.choices("aeioulmnrst", k=9)) for _ in range(RARE))
    return f"{' '.join(sentences)} {' '.join(rare)}"


@cache
def _sentences() -> tuple[str, ...]:
    texts = (path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.md")))
    found = (sentence.strip("#*- |") for text in texts for sentence in _SENTENCE.split(text))
    return tuple(sentence for sentence in found if len(sentence.split()) >= 4)
