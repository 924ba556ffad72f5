"""Where a clause gives something a name, so that the words of the name are not taken for what is asked."""

import re

from sandbox.model.rules.language.text import fold

CALLED = re.compile(
    r"\b(?:called|named|titled|entitled|with the title|llamad[oa]s?|titulad[oa]s?|que se llame|con el titulo|"
    r"con titulo)\s+(?P<name>.+?)"
    r"(?=$|[,:;\n]|\s+(?:with|about|that says|on|at|for|from|under|inside|within|into|below|dentro|bajo|debajo|in my|"
    r"in notion|in google|en notion|"
    r"to my|tomorrow|today|next|this|con|sobre|en mi|a las|manana|and"
    r"|(?:para )?el (?:proximo )?(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|dia|\d)"
    r"|para (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|hoy|mi|\d))\b)"
)
NAMES_A_PAGE = re.compile(
    r"\b(?:called|named|titled|llamad[oa]|titulad[oa]|page|document|doc|notes?|notebook|to|in|into|under|pagina|"
    r"documento|apuntes|a|en)\s*$"
)
QUOTES = re.compile(r"[\"“«][^\"“”»]{1,200}[\"”»]")


def named_ranges(text: str) -> list[tuple[int, int]]:
    """Where quoted words and names after "called" stand."""
    found = [match.span() for match in QUOTES.finditer(text)]
    return found + [match.span("name") for match in CALLED.finditer(fold(text))]


def names_a_page(text: str, start: int) -> bool:
    """Whether the words that begin here are the name of a page, going by what stands before them."""
    return bool(NAMES_A_PAGE.search(fold(text)[:start]))
