"""Courses that a student's words mean: "bio", "CS 101", "my writing class"; one rule for every tool that takes one."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches, near_matches, split_words

Course = TypeVar("Course")
Names = Callable[[Course], Sequence[str]]

_LEVELS = re.compile(
    "advanced|basics?|college|element|foundation|fundamental|general|honor|intermediate|intro|introduction"
    "|introductory|modern|principle|stud(?:y|ie)|survey|theory|topic|world"
)
"""Folded words for the level of a course, not its subject."""


def _nothing(course: object) -> Sequence[str]:
    return ()


def matching_courses(
    courses: Sequence[Course], wanted: str, names: Names[Course], *, about: Names[Course] = _nothing
) -> list[Course]:
    """List the courses that the words mean. names: name and code. about: what else is known, such as the teachers."""
    alike = best_matches(courses, wanted, names, about=about)
    near = [] if alike else near_matches(courses, wanted, names)
    return alike or [course for course in near if not _is_another(names(course), wanted)]


def the_course(found: Sequence[Course], wanted: str, choice: Callable[[Course], NameChoice], *, fits: bool) -> Course:
    """The only course that was found; raises `BadArguments` with the choices otherwise.

    fits: whether the words mean these; else they are all that there are.
    """
    if fits and len(found) == 1:
        return found[0]
    choices = [choice(course) for course in found]
    raise several_fit("course", wanted, choices) if fits else none_fits("course", wanted, choices)


def _is_another(names: Sequence[str], wanted: str) -> bool:
    """Check whether words that only partly fit a course mean another one.

    It may lack a word like "introduction", and must have more than such a word.
    """
    shared, missing = split_words(names, wanted)
    names_more = any(word.values or not _LEVELS.fullmatch(word.text) for word in missing)
    return names_more or all(_LEVELS.fullmatch(word.text) for word in shared)
