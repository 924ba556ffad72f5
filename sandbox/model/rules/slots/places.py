"""Finds where something takes place: "at Café Norte", "en la biblioteca"."""

import re

from sandbox.model.rules.language.text import fold

PLACE = re.compile(
    r"\b(?:in|at|en)\s+(?P<place>(?:the\s+|la\s+|el\s+)?(?:(?:main|science|campus|law|north|south|"
    r"student)\s+)?(?:library|room\s+[\w-]+|cafe|coffee shop|gym|lab\s+\d\w*|union|"
    r"student center|biblioteca|aula\s+\w+|sala\s+\w+|cafeteria|gimnasio|zoom)(?:\s+\d\w*)?)\b"
)
NAMED_PLACE = re.compile(
    r"(?:\b(?:at|en)|@)\s+(?P<place>(?:(?:the|el|la)\s+)?[A-ZÁÉÍÓÚÑ][\w'’]*(?:\s+(?:de\s+|del\s+|of\s+|la\s+)?[A-ZÁÉÍÓÚÑ\d][\w'’]*)*)"
)
NO_PLACE = re.compile(
    r"(?:the |el |la )?(?:notion|canvas|google|homeroom|am|pm|\d|mon|tue|wed|thu|fri|sat|sun|enero|marzo)"
)


def place(text: str) -> str:
    """Where something takes place, if the text says so."""
    found = NAMED_PLACE.search(text)
    if found and not NO_PLACE.match(fold(found["place"])):
        return found["place"].strip()
    found = PLACE.search(fold(text))
    return text[found.start("place") : found.end("place")] if found else ""
