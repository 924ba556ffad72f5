"""Names that a student's words mean, of courses, assignments, events, pages, tasks: one rule for all of them.

Exact before close; a number belongs to the words beside it, and never meets another number; what fits alike is listed,
so that the student is asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

Item = TypeVar("Item")
Names = Callable[[Item], Sequence[str]]

_TYPO_RATIO = 0.8
_SHORTEST_WITH_TYPO = 5
_SHORTEST_TELLING = 4
_CODE_FROM = 100
"""Numbers from here on are codes and years: they stand for themselves, whatever word is beside them."""
_OPPOSITES = (("micro", "macro"), ("inter", "intra"), ("hypo", "hyper"), ("pre", "post"), ("over", "under"))


class Fit(IntEnum):
    """How well words fit a name, the best last. From `WORDS` on they are its own words, and only fewer."""

    NONE = 0
    TYPO = 1
    SUBJECT = 2
    ABBREVIATION = 3
    INITIALS = 4
    GENERIC = 5
    WORDS = 6
    BUT_NUMBER = 7
    HEAD = 8
    EXACT = 9


@dataclass(frozen=True)
class _Fitting(IntEnum if False else object):  # type: ignore[misc]
    pass
