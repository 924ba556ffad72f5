"""Grading scheme of a course: the letter for each percentage."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from services.errors import BadArguments
from services.i18n import gettext
from services.integrations.canvas.gradebook import rounded_percent
from services.integrations.canvas.payloads import exact_number, safe_line
from services.safety.text import one_line

_DEFAULT = (("A", 94), ("A-", 90), ("B+", 87), ("B", 84), ("B-", 80), ("C+", 77), ("C", 74), ("C-", 70))
_DEFAULT_LOW = (("D+", 67), ("D", 64), ("D-", 61), ("F", 0))
_PASS = re.compile(r"(a )?pass(ing)?( grade)?|aprobar|aprobado", re.IGNORECASE)


@dataclass(frozen=True)
class GradingScheme:
    """Letters with their least percentage, best first. is_own: the course's own, not Canvas's default."""

    letters: tuple[tuple[str, Fraction], ...]
    is_own: bool = True

    def letter(self, percent: Fraction | None) -> str:
        """Letter for a percentage, rounded to two places as Canvas does; "" for none."""
        if percent is None:
            return ""
        shown = rounded_percent(percent)
        return next((name for name, least in self.letters if shown >= least), self.letters[-1][0])

    def least(self, target: str) -> tuple[str, Fraction]:
        """Parse a target like "A-", "an A", "90", "90 %" or "pass" into its name and least percentage."""
        wanted = re.sub(r"(?i)(?<!\s)\s+plus$", "+", target.strip())
        wanted = re.sub(r"(?<!\s)\s*[–−]$|(?<!\s)(?i:\s+minus)$", "-", wanted)
        wanted = re.sub(r"(?i)^(an?|at least)\s+", "", wanted)
        named = next((letter for letter in self.letters if letter[0].casefold() == wanted.casefold()), None)
        if named:
            return named
        if _PASS.fullmatch(wanted):
            return ([letter for letter in self.letters if letter[1] > 0] or list(self.letters))[-1]
        number = re.fullmatch(r"(\d{1,3}(?:[.,]\d+)?)\s*(?:%|percent)?", wanted)
        if number is None or Fraction(number[1].replace(",", ".")) > 150:
            choices = ", ".join(name for name, _ in self.letters)
            raise BadArguments(
                f"target: “{one_line(target, 40)}” is neither a letter of this course ({choices}) nor a percentage.",
                field="target",
                said=gettext("This is a letter of this course ({choices}) or a percentage.", choices=choices),
            )
        return f"{number[1]} %", Fraction(number[1].replace(",", "."))


DEFAULT = GradingScheme(tuple((name, Fraction(least)) for name, least in (*_DEFAULT, *_DEFAULT_LOW)), is_own=False)


def read_scheme(pairs: Any, *, is_own: bool = True) -> GradingScheme:
    """Read a course's `grading_scheme`, pairs of a name and a share of 1; Canvas's default when there is none."""
    letters = [_letter(pair) for pair in pairs] if isinstance(pairs, list) else []
    if not letters or None in letters:
        return DEFAULT
    best_first = sorted((letter for letter in letters if letter), key=lambda letter: -letter[1])
    return GradingScheme(tuple(best_first), is_own=is_own)


def percent_text(percent: Fraction | None) -> str:
    """Format a percentage: "87.5 %"."""
    return "nothing yet" if percent is None else f"{float(rounded_percent(percent)):g} %"


def _letter(pair: Any) -> tuple[str, Fraction] | None:
    if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2 or not isinstance(pair[0], str):
        return None
    share = exact_number(pair[1])
    return None if share is None else (safe_line(pair[0], 20), share * 100)
