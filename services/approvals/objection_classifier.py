"""Classifier of messages that object to a pending card: they say no, or ask for something else in its place.

Everything else leaves the card open: a card that stays is decided by its buttons, one that goes must be asked for anew.
"""

import re
import unicodedata
from collections.abc import Sequence

_LONGEST = 200
"""Characters of a message that can still be about the card alone; a longer one is about something else as well."""
_WRITTEN = "do|add|create|send|make|put|book|write|change|delete|save|post|pin"
_ESCRITO = "hagas|crees|agregues|anadas|pongas|envies|guardes|borres|cambies"


def _any(*patterns: str) -> str:
    return f"(?:{'|'.join(patterns)})"


def _somewhere(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"\b{_any(*patterns)}\b")


_NO = re.compile(
    _any("please", "por favor", "oh", "ok", "okay", "actually", "wait", "hm+", "espera")
    + r"?,? ?"
    + _any("no", "nope", "nah", "stop", "wait", "espera")
    + r"\b(?=\s*(?:$|[.,;:!?\u2013\u2014-]|"
    + _any("thanks?", "gracias", "please", "por", "don", "do not", "not", "lo", "la")
    + r"\b))"
)
_REFUSAL = _somewhere(
    (
        "never ?mind",
        "forget (?:it|that|about it)",
        "(?:cancel|scrap|drop|skip) (?:it|that|this)",
        "call it off",
        f"(?:don'?t|do not) (?:{_WRITTEN}) (?:it|that|this|them)",
        "rather not",
        "leave it",
        "olvidal[oa]s?",
        "(?:olvida|cancela|deja) eso",
        "(?:cancela|deja)l[oa]s?",
        "mejor no",
        "ya no l[oa]",
        f"no l[oa]s? (?:{_ESCRITO})",
    )
)
_CHANGE = _somewhere(
    (
        "instead",
        "rather (?:at|on|than)",
        "(?:move|change|rename|set|push|shift|shorten) (?:it|that|this|them)",
        "make (?:it|that|this) (?:an?|at|on|for|in|[0-9]+|one|two|half|shorter|longer|later|earlier)",
        "(?:change|fix|correct) (?:the )?(?:title|time|date|day|text|name|place|room|length|duration)",
        "call it",
        "not (?:at|on) .{1,30} but",
        "i meant",
        "en (?:vez|lugar) de",
        "mejor (?:a las?|el|en|por)",
        "(?:cambia|mueve|pon|haz)l[oa]s?",
        "cambia (?:el|la) (?:titulo|hora|fecha|dia|texto|nombre)",
        "quise decir",
        "queria decir",
    )
)


def is_refusal(text: str) -> bool:
    """Whether a message says that something proposed shall not be done."""
    said = _normal(text)
    return len(said) <= _LONGEST and bool(_REFUSAL.search(said))


def is_objection(text: str) -> bool:
    """Whether an answer to a card says no to it, or asks for something else instead."""
    said = _normal(text)
    return len(said) <= _LONGEST and bool(_NO.match(said) or _REFUSAL.search(said) or _CHANGE.search(said))


def _normal(text: str) -> str:
    """Normalise: lower case without accents, one kind of apostrophe, single spaces."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'").lower())
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).split())
