"""Grammar and spelling check with Harper, offline: the tool shows likely mistakes and never rewrites the text."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from services.errors import RequestRefused
from services.i18n import gettext, gettext_noop
from services.i18n.english import count, cut_note, sentence
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Example

if TYPE_CHECKING:
    from harper import Lint, Linter

MOST_CHARACTERS = 30_000
MOST_SHOWN = 60
AROUND = 30
PIECE = 4_000
"""Characters that are checked at once: the time for a text of odd characters grows with the square of its length."""
LONGEST_S = 15.0
"""Seconds after which no further piece is checked: thousands of unknown words take half a minute."""
FEWEST_WORDS = 6
"""Words that are needed to tell the language."""
COMMON = frozenset(
    {
        *("the", "of", "to", "and", "are", "were", "be", "been", "it", "its", "that", "this", "these", "for", "on"),
        *("with", "as", "at", "from", "or", "not", "but", "you", "she", "we", "they", "my", "your", "their", "have"),
        *("had", "does", "did", "would", "can", "could", "if", "than", "there", "what", "which", "when"),
    }
)
"""Words that make up a fifth or more of any English text, and hardly occur in other languages."""

Text = Annotated[
    str, Field(min_length=1, max_length=MOST_CHARACTERS, description="The student's own text, plain or Markdown.")
]
COVERAGE = (
    "Harper knows spelling, articles, repeated words and set phrases. Of mistakes in verb forms, tenses, "
    "pronouns and word "
    "order it misses about half: read the text for those yourself, and tell the student which of the finds are "
    "your own."
)
_harper_lock = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """Likely mistake. start, end: character range in the whole text."""

    start: int
    end: int
    lint: "Lint"


@tool(
    label=gettext_noop("Checking the grammar"),
    title=gettext_noop("Check the grammar"),
    summary=gettext_noop("Find likely mistakes in your own English text"),
    category="writing",
    contexts=("writing",),
    is_optional=True,
    usage_hint="Finds likely mistakes of grammar, spelling and style in an English text, with suggestions.",
    when=("the student asks to have their own text checked",),
    when_not=("the text is not English", "the student wants ideas or a judgement of the content"),
    produces=("suggestions",),
    examples=(Example(description="Check a sentence", arguments={"text": "This is an test of the the checker."}),),
    timeout_s=30.0,
)
def grammar_check(
    context: ToolExecutionContext,
    *,
    text: Text,
    dialect: Annotated[
        Literal["american", "british", "australian", "canadian", "indian"], Field(description="Which English.")
    ] = "american",
) -> ToolResult:
    """Find likely mistakes of grammar, spelling and style in the student's own English text.

    English only; the text stays on this machine. Show the places and explain the rule, so that the student can
    decide and learn; do not hand back a rewritten text. It misses what its rules do not cover: name a mistake that
    you see besides, and never call a text free of them.
    """
    found, end = _check(context, declared(text, Provenance.STUDENT), dialect)
    checked = text[:end]
    if _is_foreign(checked, found):
        raise RequestRefused(
            "Harper",
            gettext("This text does not seem to be English, and only English can be checked here."),
            next_step=gettext("Check it with a spell checker of its language."),
        )
    heading = sentence(
        f"{count(len(found), 'likely mistake')} in {count(len(checked.split()), 'word')} (Harper, offline)."
    )
    shown = found[:MOST_SHOWN]
    rest = f"Note: only the first {end:,} of {len(text):,} characters were checked in time." if end < len(text) else ""
    cut = cut_note(len(shown), len(found))
    lines = [heading, *(_line(text, mistake) for mistake in shown), cut, rest, COVERAGE]
    return ToolResult(
        output="\n".join(line for line in lines if line),
        data={"mistakes": [_data(mistake) for mistake in shown], "total": len(found)},
        is_partial=bool(rest),
    )


def _is_foreign(text: str, found: list[Mistake]) -> bool:
    words = [word.strip(".,;:!?()\"“”«»¿¡'") for word in text.casefold().split()]
    common = sum(word in COMMON for word in words)
    unknown = sum(mistake.lint.lint_kind == "Spelling" for mistake in found)
    return len(words) >= FEWEST_WORDS and common * 12 < len(words) and unknown * 5 > len(words)


def _check(context: ToolExecutionContext, text: str, dialect: str) -> tuple[list[Mistake], int]:
    """Mistakes, and the end of what was checked in time; other students' checks run between two pieces."""
    found, start, until = list[Mistake](), 0, time.monotonic() + LONGEST_S
    for piece in text_pieces(text):
        if start and (time.monotonic() > until or context.is_stopped):
            break
        # A linter raises when two threads use it at once.
        with _harper_lock:
            lints = _linter(dialect).lint(piece)
        found += [Mistake(start=start + lint.span.start, end=start + lint.span.end, lint=lint) for lint in lints]
        start += len(piece)
    return found, start


def text_pieces(text: str) -> Iterator[str]:
    """Split a text into parts of at most `PIECE` characters that end with a paragraph, a line or a sentence."""
    while len(text) > PIECE:
        ends = (text.rfind(mark, PIECE // 2, PIECE - 1) for mark in ("\n\n", "\n", ". ", " "))
        cut = next((end + 1 for end in ends if end > 0), PIECE)
        yield text[:cut]
        text = text[cut:]
    yield text


@cache
def _linter(dialect: str) -> "Linter":
    """Linter, loaded when first needed: its dictionary takes about a second and 150 MB."""
    from harper import Dialect, Linter

    return Linter(Dialect[dialect.upper()])


def _line(text: str, mistake: Mistake) -> str:
    lint = mistake.lint
    before = text[max(0, mistake.start - AROUND) : mistake.start]
    after = text[mistake.end : mistake.end + AROUND]
    begins = "…" * (mistake.start > len(before))
    ends = "…" * (mistake.end + len(after) < len(text))
    place = f"{begins}{one_line(f'{before}[{lint.problem_text}]{after}')}{ends}"
    better = " or ".join(f"“{one_line(words)}”" for words in _suggestions(lint)[:3])
    return f"- **{lint.lint_kind_pretty}** — {place} — {one_line(lint.message)}{f' — try {better}' * bool(better)}"


def _data(mistake: Mistake) -> dict[str, object]:
    lint = mistake.lint
    return {
        "kind": lint.lint_kind,
        "start": mistake.start,
        "end": mistake.end,
        "words": lint.problem_text,
        "message": lint.message,
        "suggestions": _suggestions(lint),
    }


def _suggestions(lint: "Lint") -> list[str]:
    """Replacements; "(nothing)" where the words should go."""
    return [
        {"REPLACE": suggestion.replacement_text, "REMOVE": "(nothing)"}.get(
            suggestion.kind.name, lint.problem_text + suggestion.replacement_text
        )
        for suggestion in lint.suggestions
    ]
