"""Guests: the addresses that a clause names, and the words that only say that they are to be invited."""

import re

from sandbox.model.rules.language.text import fold

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
THEM = r"(?:them|her|him|both(?:\s+of\s+them)?|everyone|everybody|all\s+of\s+them|the\s+(?:two|three))"
INVITES = re.compile(
    r"[\s,.;]*(?:\b(?:and|y|e|also|then|please|pls|por\s+favor|con)\b[\s,]*)*"
    rf"\b(?:invite\s+{THEM}"
    rf"|(?:send|shoot|give|email)\s+(?:{THEM}\s+)?(?:an?\s+|the\s+)?(?:calendar\s+)?(?:invites?"
    rf"|invitations?)(?:\s+to\s+{THEM})?"
    r"|with\s+(?:an\s+)?(?:invites?|invitations?)"
    r"|(?:mand|envi|pas)\w{1,4}\s+(?:(?:un|una|la|las|unas)\s+)?(?:invitacion(?:es)?|invites?)"
    r"|(?:invita(?:l[oa]s?|les|r(?:l[oa]s?|les)?)|invit[ea]n?l[oa]s)(?:\s+a\s+(?:ambos|l[oa]s\s+\w+))?"
    r"|invita\s+a\s+(?:ambos|l[oa]s\s+(?:dos|tres)))\b"
    r"(?:[\s,]+(?:please|pls|plz|por\s+favor|porfa|too|tambien|as\s+well))*"
)
"""What stands behind the event itself; "invite Ana to the lunch" is an order of its own and not met."""
MEETS = re.compile(r"(?:\b(?:with|w|con|and|y|e|invite|invit\w+(?:\s+an?)?|to|a)\b/?|,|&)\s*$")


def invitations(text: str) -> list[tuple[int, int]]:
    """Where the text says, after naming the event, that the guests are to be invited."""
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
    words = [re.sub(r"\d+$", "", part) for part in parts]
    return " ".join(word.capitalize() for word in words if word) or address
