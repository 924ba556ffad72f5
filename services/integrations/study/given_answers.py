"""Answers in a student's words, as letters, numbers or the words of an option, made what an attempt takes."""

import re
from collections.abc import Sequence
from string import ascii_uppercase

from services.errors import BadArguments
from services.i18n import gettext
from services.study.attempt import GivenAnswer
from services.study.question import Question, QuestionKind

SKIPS = frozenset(
    ("", "skip", "pass", "i don't know", "i dont know", "idk", "no idea", "saltar", "paso", "no sé", "no se")
)
_TRUE = frozenset(("true", "t", "yes", "correct", "verdadero", "v", "sí", "si", "cierto"))
_FALSE = frozenset(("false", "f", "no", "incorrect", "wrong", "falso"))
_BETWEEN = re.compile(r"\s*(?:[,;/+&>]|->|→|\band\b|\by\b|\bthen\b|\s)\s*", re.IGNORECASE)
_MARK = re.compile(r"\(?([A-Za-z]|\d{1,2})[).:]?")


def option_letter(place: int) -> str:
    """Letter of an option by its place in the order that is shown."""
    return ascii_uppercase[place]


def given_answer(question: Question, order: Sequence[int], words: str) -> GivenAnswer:
    """Read an answer. order: positions of the stored options, as they are shown. Raises `BadArguments`."""
    said = " ".join(words.split())
    if said.casefold().rstrip(".") in SKIPS:
        return GivenAnswer()
    if question.kind in (QuestionKind.CLOZE, QuestionKind.SHORT_ANSWER):
        return GivenAnswer(text=said)
    if question.kind is QuestionKind.TRUE_FALSE:
        return GivenAnswer(chosen=(_truth(said),))
    places = _places(question, order, said)
    if question.kind is QuestionKind.SINGLE_CHOICE and len(places) > 1:
        raise _unclear(gettext("This question takes one option."))
    if question.kind is QuestionKind.ORDERING and sorted(places) != list(range(len(order))):
        raise _unclear(gettext("An order names each option once."))
    return GivenAnswer(chosen=tuple(order[place] for place in places))


def _places(question: Question, order: Sequence[int], said: str) -> list[int]:
    """Places that are meant, as shown: by letters or numbers, else by the words of one option."""
    shown = [" ".join(question.options[at].casefold().split()) for at in order]
    wanted = said.casefold().strip(" .\"'“”")
    same = [place for place, text in enumerate(shown) if text.strip(" .") == wanted]
    if len(same) == 1:
        return same
    marks = [_MARK.fullmatch(part) for part in _BETWEEN.split(said.strip()) if part]
    if len(marks) == 1 and marks[0] is None and said.isalpha() and said.isupper() and len(said) <= len(order):
        marks = [_MARK.fullmatch(letter) for letter in said]
    if marks and all(marks):
        found = [_place(mark[1]) for mark in marks if mark]
        if all(0 <= place < len(order) for place in found):
            return list(dict.fromkeys(found))
    near = [place for place, text in enumerate(shown) if wanted in text or text.strip(" .") in wanted]
    if len(near) == 1:
        return near
    raise _unclear(gettext("It is not clear which option is meant."))


def _place(mark: str) -> int:
    return int(mark) - 1 if mark.isdigit() else ascii_uppercase.index(mark.upper())


def _truth(said: str) -> int:
    word = said.casefold().rstrip(".!")
    if word in _TRUE or word in ("a", "1"):
        return 0
    if word in _FALSE or word in ("b", "2"):
        return 1
    raise _unclear(gettext("This question is answered by true or false."))


def _unclear(said: str) -> BadArguments:
    return BadArguments(
        f"answer: {said}", field="answer", next_step="Give the letters of the options, or ask the student.", said=said
    )
