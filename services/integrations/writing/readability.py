"""Readability: the tool that measures it, by published formulas over sentences, words and pyphen's syllables."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.i18n.english import count
from services.integrations.writing.grammar import Text
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Example

if TYPE_CHECKING:
    from pyphen import Pyphen

LONG_SENTENCE = 30
MOST_LONG = 5
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[^.!?…\n]+(?:[.!?…]+|\n+|$)")


@dataclass(frozen=True, kw_only=True)
class TextCounts:
    """Counts of a text, which a formula takes."""

    sentences: int
    words: int
    syllables: int

    @property
    def words_a_sentence(self) -> float:
        return self.words / self.sentences

    @property
    def syllables_a_word(self) -> float:
        return self.syllables / self.words


@dataclass(frozen=True, kw_only=True)
class ReadabilityFormula:
    """Formula. name: as published. ease: 0 (very hard) to about 100 (very easy). dictionary: pyphen's name."""

    name: str
    ease: Callable[[TextCounts], float]
    dictionary: str


# Flesch, "A new readability yardstick", 1948; Fernández Huerta, "Medidas sencillas de lecturabilidad", 1959.
FORMULAS = {
    "en": ReadabilityFormula(
        name="Flesch reading ease",
        ease=lambda c: 206.835 - 1.015 * c.words_a_sentence - 84.6 * c.syllables_a_word,
        dictionary="en_US",
    ),
    "es": ReadabilityFormula(
        name="Fernández Huerta",
        ease=lambda c: 206.84 - 1.02 * c.words_a_sentence - 60.0 * c.syllables_a_word,
        dictionary="es",
    ),
}
LEVELS = ((80, "easy"), (60, "plain"), (50, "fairly hard"), (30, "hard"), (float("-inf"), "very hard"))


@tool(
    label=gettext_noop("Measuring how readable it is"),
    title=gettext_noop("Measure readability"),
    summary=gettext_noop("See how hard your own text is to read, and what makes it so"),
    category="writing",
    contexts=("writing",),
    is_optional=True,
    usage_hint="Counts words and sentences and says how hard a text is to read, with its longest sentences.",
    when=("the student asks whether their text is clear or too long", "an assignment has a limit of words"),
    when_not=("the student wants mistakes found",),
    produces=("readability",),
    examples=(Example(description="Measure a paragraph", arguments={"text": "The cat sat on the mat. It slept."}),),
)
def readability_analyzer(
    context: ToolExecutionContext,
    *,
    text: Text,
    language: Annotated[Literal["en", "es"], Field(description="Its language.")] = "en",
) -> ToolResult:
    """Say how hard the student's own text is to read, with the counts behind it and the sentences that are too long."""
    formula, sentences = FORMULAS[language], _sentences(declared(text, Provenance.STUDENT))
    counts = _count(sentences, formula.dictionary)
    ease = formula.ease(counts)
    level = next(name for least, name in LEVELS if ease >= least)
    long = sorted((s for s in sentences if len(_words(s)) > LONG_SENTENCE), key=lambda s: -len(_words(s)))
    lines = [
        f"This text is {level} to read: {formula.name} {ease:.0f} (0 very hard, 100 very easy; measured offline).",
        f"- {count(counts.words, 'word')} in {count(counts.sentences, 'sentence')}, "
        f"{counts.words_a_sentence:.1f} words a sentence, {counts.syllables_a_word:.2f} syllables a word",
        *([f"- US school grade {_grade(counts):.1f} (Flesch–Kincaid)"] if language == "en" else []),
        *(f"- {count(len(_words(s)), 'word')} in one sentence: “{one_line(s, 120)}”" for s in long[:MOST_LONG]),
    ]
    return ToolResult(
        output="\n".join(lines),
        data={
            "words": counts.words,
            "sentences": counts.sentences,
            "syllables": counts.syllables,
            "ease": round(ease, 1),
            "formula": formula.name,
            "level": level,
            "long_sentences": len(long),
        },
    )


def _sentences(text: str) -> list[str]:
    """Sentences with words; raises `BadArguments` for a text without any."""
    found = [sentence.strip() for sentence in _SENTENCE.findall(text) if _words(sentence)]
    if not found:
        raise BadArguments(gettext("There are no words in it."), field="text")
    return found


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _count(sentences: list[str], dictionary: str) -> TextCounts:
    words = [word for sentence in sentences for word in _words(sentence)]
    hyphens = _hyphenator(dictionary)
    syllables = sum(len(hyphens.positions(word.lower())) + 1 for word in words)
    return TextCounts(sentences=len(sentences), words=len(words), syllables=syllables)


@cache
def _hyphenator(dictionary: str) -> "Pyphen":
    import pyphen

    # Typesetters keep two letters together; for counting syllables one may stand alone.
    return pyphen.Pyphen(lang=dictionary, left=1, right=1)


def _grade(counts: TextCounts) -> float:
    """Kincaid and others, "Derivation of new readability formulas", 1975."""
    return 0.39 * counts.words_a_sentence + 11.8 * counts.syllables_a_word - 15.59
