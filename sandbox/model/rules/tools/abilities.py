"""Special abilities: by which words a tool's name tells that it has one, and by which words a student asks for it.

A tool with a speciality is taken only when that is asked for; all others are chosen by what they are about.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from sandbox.model.rules.language.text import fold
from sandbox.model.rules.tools import ability_courses as specialty_courses
from sandbox.model.rules.tools import ability_pages as specialty_pages
from sandbox.model.rules.tools import ability_planner as specialty_planner
from sandbox.model.rules.tools import ability_texts as specialty_words
from sandbox.model.rules.tools.ability_row import Row
from sandbox.model.rules.tools.actions import Action


@dataclass(frozen=True, kw_only=True)
class Specialty:
    """named: in a tool's name. said, unless: in the student's folded words. whole: the text must not be split."""

    name: str
    action: Action
    named: re.Pattern[str]
    said: re.Pattern[str]
    unless: re.Pattern[str] | None
    whole: bool
    is_only: bool


def _read(name: str, row: Row) -> Specialty:
    return Specialty(
        name=name,
        action=Action(row.action),
        named=re.compile(row.named),
        said=re.compile(row.said, re.VERBOSE),
        unless=re.compile(row.unless, re.VERBOSE) if row.unless else None,
        whole=row.whole,
        is_only=row.is_only,
    )


_ROWS = specialty_pages.ROWS | specialty_words.ROWS | specialty_planner.ROWS | specialty_courses.ROWS
SPECIALTIES = tuple(_read(name, row) for name, row in _ROWS.items())
# Whatever the words of a task or reminder are about, it is to be kept and not to be done.
NEW_TASK = re.compile(
    r"^\W*(?:(?:please|can you|could you|por favor)\s+)?(?:remind me|recuerdame|(?:apunta|anota)(?:me)?\s+que|(?:don'?t"
    r"|do not) let me forget|(?:add|create|make|set|new|anade|agrega|"
    r"crea|nuev[ao]?)\s+(?:(?:me|an?|the|new|another|una?|otr[ao]|nuev[ao]?)\s+)*(?:tasks?|to-?\s?dos?|reminders?"
    r"|tareas?|pendientes?|recordatorios?)\b|(?:tasks?|to-?\s?dos?|reminders?|tareas?|pendientes?|recordatorios?)\s*:)"
)
# A question orders no change, unlike "can you …".
ASKS = re.compile(
    r"^\W*(?:what|whats|what's|when|which|how|who|where|why|do|does|did|is|are|am|que|cual|cuales|cuando"
    r"|cuanto|cuanta|cuantos|cuantas|como|donde|por\s+que)\b"
    r"(?!\s+(?:about|if\s+you|tal\s+si)\b)"
)
BY_NAME = {specialty.name: specialty for specialty in SPECIALTIES}


def of_tool(name: str) -> str:
    """The speciality that a tool's name tells, "_" and capitals taken apart; empty for the others."""
    return next((specialty.name for specialty in SPECIALTIES if specialty.named.search(name)), "")


@lru_cache(maxsize=2_000)
def asked_for(text: str) -> tuple[str, ...]:
    """The specialities that a text asks for, the first in the table first."""
    folded = fold(text)
    if NEW_TASK.match(folded):
        return ()
    is_question = ASKS.match(folded) is not None
    return tuple(
        specialty.name
        for specialty in SPECIALTIES
        if not (specialty.action.is_write and is_question)
        and specialty.said.search(folded)
        and not (specialty.unless and specialty.unless.search(folded))
    )


def first_of(text: str, offered: Iterable[str]) -> Specialty | None:
    """The speciality that a text asks for among those that are offered."""
    there = set(offered)
    return next((BY_NAME[name] for name in asked_for(text) if name in there), None)
