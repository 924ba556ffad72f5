"""Course names in a text, so that "calc" or "biología" is known before any course list was read."""

import re
from collections.abc import Iterable
from functools import cache

from sandbox.model.rules.language.lexicon import function_words, objects
from sandbox.model.rules.language.text import Token, fold, tokens, word_set
from sandbox.model.rules.language.vocabulary import sections

CODE = re.compile(r"\b[A-Za-z]{2,4}[ -]?\d{3}[A-Za-z]?\b")
CLASS = re.compile(r"\b(?:my|the|our)\s+(?P<name>[a-z]{4,})\s+(?:class|course|forum|syllabus|modules?)\b")
NUMBERED = re.compile(
    r"\s+(?P<n>[1-4]\d\d|[1-4]|i{1,3}|iv)(?=\s*(?:$|[?!.,;])|\s+(?:class|course|syllabus|grade|homework|hw|midterm|final|exam)\b)"
)
"""The number of a course after its subject, not the hours that it is studied."""
NOT_A_SUBJECT = word_set(
    """
    next first last same whole other only online discussion morning evening favorite hardest worst best
    easiest toughest each every any that this
    """
)
NEEDS_A_COMPANION = word_set("law art micro macro lit geo soc stat english history music writing")
"""Names of subjects that are words of other things, too."""
NAMED = re.compile(
    r"\b(?:in|for|from|en|de|para)\s+(?:my\s+|the\s+|mi\s+|la\s+|el\s+)?"
    r"((?:[A-ZÁÉÍÓÚÑ][\w'’]+)(?:\s+(?:(?:of|and|to|the|de|y|a|la)\s+)?[A-ZÁÉÍÓÚÑ0-9][\w'’]*)*)"
)
DATE_WORD = re.compile(
    r"(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|lun|mie|jue|vie|sab|dom|ene|abr|ago"
    r"|dic|prof|dr|notion|canvas|google)"
)


def find_course(text: str, known: Iterable[str] = ()) -> tuple[str, int, int] | None:
    """The course a text names: what to search for, and where its words stand.
    `known` are course names that tools have shown in this conversation; they win over the general list."""
    return _by_code(text) or _by_known(text, known) or _by_subject(text) or _by_class(text) or _by_capitals(text)


def courses_in(text: str) -> list[tuple[str, int, int]]:
    """Every course that a text names by its code or subject, in order: what to search for, and where it stands."""
    found: list[tuple[str, int, int]] = []
    left = text
    while (named := _by_code(left) or _by_subject(left)) is not None:
        if named[0] not in [course[0] for course in found]:
            found.append(named)
        left = f"{left[: named[1]]}{' ' * (named[2] - named[1])}{left[named[2] :]}"
    return sorted(found, key=lambda course: course[1])


def any_subject(text: str) -> str | None:
    """The first name of a subject in a text, also inside a longer name ("the history research paper")."""
    words = [token.word for token in tokens(text)]
    return next((alias for alias, _ in _aliases() if " " not in alias and alias in words), None)


def without_subject(text: str) -> str:
    """The work of a course without the course: "history paper" as "paper"; empty for any other text."""
    named = _by_subject(text)
    left = text[named[2] :].strip() if named and named[1] == 0 else ""
    return left if "assignment" in objects().weights(tokens(left)) else ""


def in_english(word: str) -> str:
    """The English name of a subject that is named by one folded Spanish word; empty for all others."""
    return next((subject for alias, subject in _aliases() if alias == word != subject and " " not in subject), "")


def _by_code(text: str) -> tuple[str, int, int] | None:
    for match in CODE.finditer(text):
        letters = re.match(r"[A-Za-z]+", match.group()).group().lower()  # type: ignore[union-attr]
        if letters not in function_words() and letters not in ("room", "page", "week"):
            return match.group(), match.start(), match.end()
    return None


def _by_known(text: str, known: Iterable[str]) -> tuple[str, int, int] | None:
    words = tokens(text)
    for name in known:
        for token in words:
            if len(token.word) >= 4 and token.word not in function_words() and not objects().weights([token]):
                named = next((other for other in tokens(name) if other.word == token.word), None)
                if named is not None:
                    return text[token.start : token.end], token.start, token.end
    return None


def _by_class(text: str) -> tuple[str, int, int] | None:
    found = CLASS.search(fold(text))
    if found is None or found["name"] in NOT_A_SUBJECT or found["name"] in function_words():
        return None
    return found["name"], found.start("name"), found.end("name")


def _by_subject(text: str) -> tuple[str, int, int] | None:
    found = tokens(text)
    words = {token.word for token in found}
    for alias, subject in _aliases():
        parts = alias.split()
        if not words.issuperset(parts):
            continue
        size = len(parts)
        for at in range(len(found) - size + 1):
            if " ".join(token.word for token in found[at : at + size]) == alias and _stands_alone(found, at, size):
                start, end = found[at].start, found[at + size - 1].end
                if number := NUMBERED.match(fold(text[end:])):
                    # "Calculus 3" is another course than Calculus II.
                    return text[start : end + number.end("n")], start, end + number.end("n")
                said = text[start:end]
                return (said if subject == alias else subject), start, end
    return None


def _stands_alone(found: list[Token], at: int, size: int) -> bool:
    # "law" or "art" is a subject in "in law" or "my art class", not in "the law of demand".
    word = found[at].word
    if size > 1 or word not in NEEDS_A_COMPANION:
        return True
    before = found[at - 1].word if at else ""
    after = found[at + size].word if at + size < len(found) else ""
    return (
        before in ("in", "for", "my", "from", "en", "de", "to", "")
        or (not after and before in ("one", "about", "and", "or", "otra", "otro", "y", "con"))
        or bool(objects().weights(found[at + size : at + size + 1]))
        or after in ("class", "prof")
    )


def _by_capitals(text: str) -> tuple[str, int, int] | None:
    for match in NAMED.finditer(text):
        name = match.group(1)
        if not objects().weights(tokens(name)) and not DATE_WORD.match(fold(name)):
            return name, match.start(1), match.end(1)
    return None


@cache
def _aliases() -> list[tuple[str, str]]:
    """What students say, and the name to search by: their own word when it is English."""
    pairs = []
    for line in sections("concepts.txt")["subjects"].splitlines():
        subject, _, listed = line.strip().partition(":")
        english, _, spanish = listed.partition("|")
        pairs += [(alias, alias) for alias in _names(english)] + [(alias, subject) for alias in _names(spanish)]
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def _names(listed: str) -> list[str]:
    return [alias.strip().replace("-", " ") for alias in listed.split(",") if alias.strip()]
