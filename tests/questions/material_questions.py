"""Questions that the campus's materials answer, each with the file, the page and the words that answer it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
VOICES = ("author", "student", "random_pages")
"""The author of a course, who knows its words; a student who half remembers: typos, Spanish, days, other words; one who
asks about pages that were drawn at random, each as likely as the others.
"""
HELD_OUT = "held_out"
"""Written after the others by someone who had seen no search and no results: nothing may be tuned on them."""
HELD_OUT_AGAIN = "held_out_again"
"""24 over documents drawn at random, written when `HELD_OUT` had been looked at, before any ranking of them: what is
missed of these has not been looked at.
"""
NEWCOMER = "newcomer"
"""80 over documents drawn at random, by someone who read every document and neither the search nor its tests: nothing
may be tuned on them.
"""
BOTH_LANGUAGES = "both_languages"
"""40 over documents drawn at random, half of them in Spanish and mostly over pages in English: written before any
ranking was looked at, by who then had Spanish words looked for in English, too; no weight was chosen on them.
"""


@dataclass(frozen=True, kw_only=True)
class AnswerPage:
    """file: source, as in sandbox/canvas/materials ("biol201/lecture-06-membranes"). page: as the readers count, from
    1: pages of PDFs, slides, sections of texts with headings. quote: what stands there, blanks aside.
    """

    file: str
    page: int
    quote: str


@dataclass(frozen=True, kw_only=True)
class MaterialQuestion:
    """answers: the best page first, then the others that answer all of it; to find one of them is enough."""

    ask: str
    language: str
    answers: Sequence[AnswerPage]


def material_questions(*voices: str) -> list[MaterialQuestion]:
    """Questions of these voices, of those that may be looked at when none is named."""
    names = voices or VOICES
    lines = [line for name in names for line in (HERE / f"materials_{name}.jsonl").read_text("utf-8").splitlines()]
    return [_question(**json.loads(line)) for line in lines]


def _question(*, ask: str, language: str, answers: list[dict[str, str | int]]) -> MaterialQuestion:
    pages = [AnswerPage(file=str(page["file"]), page=int(page["page"]), quote=str(page["quote"])) for page in answers]
    return MaterialQuestion(ask=ask, language=language, answers=pages)
