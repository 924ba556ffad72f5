"""Mentions in a clause: names that it gives, guests and their addresses, places."""

import re

from sandbox.model.rules.language.text import fold

CALLED = re.compile(
    r"\b(?:called|named|titled|entitled|with the title|llamad[oa]s?|titulad[oa]s?|que se llame|con el titulo"
    r"|con titulo)\s+(?P<name>.+?)(?=$|[,:;\n]|\s+(?:with|about|that says|on|at|for|from|under|inside|within|into"
    r"|below|dentro|bajo|debajo|in my|in notion|in google|en notion|to my|tomorrow|today|next|this|con|sobre|en mi"
    r"|a las|manana|and|(?:para )?el (?:proximo )?(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|dia|\d)"
    r"|para (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|hoy|mi|\d))\b)"
)
NAMES_A_PAGE = re.compile(
    r"\b(?:called|named|titled|llamad[oa]|titulad[oa]|page|document|doc|notes?|notebook|to|in|into|under|pagina|"
    r"documento|apuntes|a|en)\s*$"
)
QUOTES = re.compile(r"[\"“«][^\"“”»]{1,200}[\"”»]")


def named_ranges(text: str) -> list[tuple[int, int]]:
    """Ranges of quoted words and of names after "called"."""
    found = [match.span() for match in QUOTES.finditer(text)]
    return found + [match.span("name") for match in CALLED.finditer(fold(text))]


def names_a_page(text: str, start: int) -> bool:
    """Whether the words that begin here are the name of a page, going by what stands before them."""
    return bool(NAMES_A_PAGE.search(fold(text)[:start]))


ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
THEM = r"(?:them|her|him|both(?:\s+of\s+them)?|everyone|everybody|all\s+of\s+them|the\s+(?:two|three))"
INVITES = re.compile(
    r"(?:(?<![\s,.;])[\s,.;]++)?(?:\b(?:and|y|e|also|then|please|pls|por\s+favor|con)\b[\s,]*+){0,3}"
    rf"\b(?:invite\s+{THEM}|(?:send|shoot|give|email)\s+(?:{THEM}\s+)?(?:an?\s+|the\s+)?(?:calendar\s+)?(?:invites?"
    rf"|invitations?)(?:\s+to\s+{THEM})?"
    r"|with\s+(?:an\s+)?(?:invites?|invitations?)|(?:mand|envi|pas)\w{1,4}\s+(?:(?:un|una|la|las"
    r"|unas)\s+)?(?:invitacion(?:es)?|invites?)|(?:invita(?:l[oa]s?|les|r(?:l[oa]s?|les)?)"
    r"|invit[ea]n?l[oa]s)(?:\s+a\s+(?:ambos|l[oa]s\s+\w+))?|invita\s+a\s+(?:ambos|l[oa]s\s+(?:dos"
    r"|tres)))\b(?:[\s,]+(?:please|pls|plz|por\s+favor|porfa|too|tambien|as\s+well))*"
)
"""What stands behind the event itself; "invite Ana to the lunch" is an order of its own and not met."""
MEETS = re.compile(r"(?:\b(?:with|w|con|and|y|e|invite|invit\w+(?:\s+an?)?|to|a)\b/?|,|&)\s*$")


def invitations(text: str) -> list[tuple[int, int]]:
    """Ranges of the words, after the event's name, that guests are to be invited."""
    return [match.span() for match in INVITES.finditer(fold(text)) if match.start() > 0]


def without_invitations(text: str) -> str:
    """The text with those words blanked; every other word stays where it is."""
    for start, end in invitations(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def only_invites(text: str) -> bool:
    """Whether a piece of a message says nothing but that the guests are to be invited."""
    found = INVITES.match(fold(text).strip())
    return found is not None and not fold(text).strip()[found.end() :].strip(" .!?,")


def guests(text: str) -> list[str]:
    """The addresses of those who are to come: named after "with" or the like, or anywhere where it says to invite."""
    found = list(ADDRESS.finditer(text))
    if not invitations(text):
        found = [match for match in found if MEETS.search(fold(text)[: match.start()])]
    return list(dict.fromkeys(match.group() for match in found))


def with_names(text: str) -> str:
    """The text with each address replaced by the name that it begins with: "Ana" of "ana@x.edu"."""
    return ADDRESS.sub(lambda match: _name(match.group()), text)


def _name(address: str) -> str:
    parts = re.split(r"[._+-]+", address.partition("@")[0])
    words = [re.sub(r"(?<!\d)\d+$", "", part) for part in parts]
    return " ".join(word.capitalize() for word in words if word) or address


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
    """Place of an event, if the text says so."""
    found = NAMED_PLACE.search(text)
    if found and not NO_PLACE.match(fold(found["place"])):
        return found["place"].strip()
    found = PLACE.search(fold(text))
    return text[found.start("place") : found.end("place")] if found else ""
