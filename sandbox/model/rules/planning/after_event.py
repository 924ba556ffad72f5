"""What something new is to come after: "after my last class", "después del club de robótica"."""

import re
from collections.abc import Sequence

from sandbox.model.rules.dialogue.memory import Thing
from sandbox.model.rules.language.text import fold, stems

CLASS = r"(?:class(?:es)?|lectures?|clases?)"
AFTER = re.compile(
    r"\b(?:right\s+|justo\s+)?(?:after|following|despues\s+del?|al\s+(?:salir|terminar|acabar)(?:\s+del?)?)\s+"
    rf"(?:(?:my|the|mis?|la|el|las|los)\s+)?(?:(?P<which>last|first|final|ultim[oa]s?|primer[oa]?s?)\s+)?"
    rf"(?:(?P<class>{CLASS})\b|(?<=\s)(?P<what>(?:[a-z0-9]+\s+){{0,2}}(?:class|lecture|lab|club|shift|meeting|section"
    r"|practice|group|appointment|clase|laboratorio|turno|reunion|grupo|cita|dentist\w*|\d{3}))\b)"
)
A_CLASS = re.compile(r"\b[A-Z]{2,5} ?\d{3}\b|\b(?:lecture|lab|section|recitation|seminar|class|clase)\b", re.IGNORECASE)


def followed(text: str) -> re.Match[str] | None:
    """Where a text says what its event is to come after."""
    return AFTER.search(fold(text))


def told_ranges(text: str) -> list[tuple[int, int]]:
    """The same as a range: it is no part of a title."""
    found = followed(text)
    return [found.span()] if found else []


def thing_followed(text: str, things: Sequence[Thing]) -> Thing | None:
    """The one of a day's events that is meant: the last class unless the text says otherwise, else by its title."""
    found = followed(text)
    if found is None:
        return None
    ordered = sorted((thing for thing in things if thing.end), key=lambda thing: (thing.end, thing.title))
    if found["class"]:
        classes = [thing for thing in ordered if A_CLASS.search(thing.title)]
        at = 0 if (found["which"] or "").startswith(("first", "primer")) else -1
        return classes[at] if classes else None
    wanted = set(stems(found["what"]))
    alike = [thing for thing in ordered if wanted <= set(stems(thing.title))]
    return alike[-1] if alike else None
