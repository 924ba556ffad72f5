"""Cloze deletions of Anki's notes: the gaps of a text, hidden or shown for one of its cards.

A gap may lie in another one, in a formula, and belong to several cards ("{{c1,2::Rome}}"). In formulas it has no mark.
Source: https://docs.ankiweb.net/editing.html#cloze-deletion and rslib/src/cloze.rs.
"""

import re
from dataclasses import dataclass, field

BLANK = "[…]"
_GAP = re.compile(r"\{\{c(\d[\d,]{0,60})::")
_FORMULAS = {r"\(": r"\)", r"\[": r"\]", "[$]": "[/$]", "[$$]": "[/$$]", "[latex]": "[/latex]"}
_BOUND = re.compile(
    rf"(\{{*){_GAP.pattern}|\{{+|\}}+|{'|'.join(map(re.escape, [*_FORMULAS, *_FORMULAS.values()]))}", re.IGNORECASE
)
_MOST_NUMBER = 1_000


@dataclass(kw_only=True)
class _Level:
    """A gap that is open, or the text around all gaps. braces: of TeX that are open in it."""

    opening: str = ""
    numbers: tuple[int, ...] = ()
    is_in_formula: bool = False
    braces: int = 0
    parts: list[str] = field(default_factory=list)


class ClozeText:
    """A text with its gaps, for the card of a number. text: with that gap hidden, or shown in bold, and the others as
    plain text. asked: what stands for that gap, each time. A gap that is never closed stays as it is.
    """

    def __init__(self, text: str, number: int, *, shows_answer: bool) -> None:
        self._number, self._shows_answer = number, shows_answer
        self._levels = [_Level()]
        self._formula_end = ""
        self.asked: list[str] = []
        at = 0
        for bound in _BOUND.finditer(text):
            self._levels[-1].parts.append(text[at : bound.start()])
            self._pass(bound)
            at = bound.end()
        self._levels[-1].parts.append(text[at:])
        self.text = "".join(part for level in self._levels for part in (level.opening, *level.parts))

    def _pass(self, bound: re.Match[str]) -> None:
        written = bound[0]
        if bound[2] is not None:
            self._levels[-1].parts.append(bound[1])
            self._levels[-1].braces += len(bound[1])
            numbers = _numbers(bound[2])
            opening = written[len(bound[1]) :]
            self._levels.append(_Level(opening=opening, numbers=numbers, is_in_formula=bool(self._formula_end)))
            return
        if written[0] == "}":
            self._close(len(written))
            return
        self._levels[-1].parts.append(written)
        if written[0] == "{":
            self._levels[-1].braces += len(written)
        elif written.casefold() == self._formula_end:
            self._formula_end = ""
        elif not self._formula_end:
            self._formula_end = _FORMULAS.get(written.casefold(), "")

    def _close(self, braces: int) -> None:
        """Pass closing braces: those of TeX within a gap come before the two that end it."""
        while braces:
            level = self._levels[-1]
            is_gap = len(self._levels) > 1
            if is_gap and braces >= 2 and (not level.braces or braces == 2):
                self._levels.pop()
                self._levels[-1].parts.append(self._shown(level))
                braces -= 2
                continue
            level.parts.append("}")
            level.braces = max(0, level.braces - 1)
            braces -= 1

    def _shown(self, gap: _Level) -> str:
        answer, _, hint = "".join(gap.parts).partition("::")
        if self._number not in gap.numbers:
            return answer
        if self._shows_answer:
            self.asked.append(answer)
            return answer if gap.is_in_formula else f"<b>{answer}</b>"
        self.asked.append(f"[{hint}]" if hint else BLANK)
        return self.asked[-1]


def cloze_numbers(text: str) -> list[int]:
    """The cards that the gaps of a text have."""
    return sorted({number for written in _GAP.findall(text) for number in _numbers(written)})


def _numbers(written: str) -> tuple[int, ...]:
    numbers = (int(number) for number in written.split(",") if 0 < len(number) < 10)
    return tuple(number for number in numbers if 0 < number < _MOST_NUMBER)
