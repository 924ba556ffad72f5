"""Events that a new one is to come after: "after my last class", "después del club de robótica"."""

import re
from collections.abc import Sequence

from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold, stems
from sandbox.model.rules.understanding.memory import Entity

AFTER = pattern(
    r"(right |justo )?(after|following|despues del?|al (salir|terminar|acabar)( del?)?) ((my|the|mis?|la|el|las"
    r"|los) )?((?P<which>last|first|final|ultim[oa]s?|primer[oa]?s?) )?((?P<class>class(es)?|lectures?|clases?)\b"
    r"|(?<=\s)(?P<what>([a-z0-9]+ ){0,2}(class|lecture|lab|club|shift|meeting|section|practice|group|appointment|clase"
    r"|laboratorio|turno|reunion|grupo|cita|dentist~|\d{3}))\b)"
)
A_CLASS = re.compile(r"\b[A-Z]{2,5} ?\d{3}\b|\b(?:lecture|lab|section|recitation|seminar|class|clase)\b", re.IGNORECASE)


def followed(text: str) -> re.Match[str] | None:
    """Match of the words that say what an event is to come after."""
    return AFTER.search(fold(text))


def event_followed(text: str, entities: Sequence[Entity]) -> Entity | None:
    """The one of a day's events that is meant: the last class unless the text says otherwise, else by its title."""
    found = followed(text)
    if found is None:
        return None
    ordered = sorted((entity for entity in entities if entity.end), key=lambda entity: (entity.end, entity.title))
    if found["class"]:
        classes = [entity for entity in ordered if A_CLASS.search(entity.title)]
        at = 0 if (found["which"] or "").startswith(("first", "primer")) else -1
        return classes[at] if classes else None
    wanted = set(stems(found["what"]))
    return next((entity for entity in reversed(ordered) if wanted <= set(stems(entity.title))), None)
