"""Consents of before purposes were stored: the version of a text, and the purposes that it named."""

import hashlib
from functools import cache

ANSWERS = "answers"
"""A model reads it to answer the student."""
SEARCHES = "searches"
"""Words are looked up with others."""
COURSE_SEARCH = "course search"
"""Course materials are searched by their meaning."""
PROGRAMS = "programs"
"""Programs to which the student gave a key read it."""
ACCOUNT_PURPOSES = frozenset({ANSWERS, PROGRAMS})

_PURPOSES = {
    "0df6063ed85f": frozenset({ANSWERS}),
    "8b9ba5ad4a2f": frozenset({ANSWERS, SEARCHES}),
    "976a44149ccb": frozenset({ANSWERS, COURSE_SEARCH}),
    "5ee887d3721d": frozenset({ANSWERS, SEARCHES, COURSE_SEARCH}),
}
_ACCOUNT_TEXTS = frozenset(
    {
        *("357d16191cbc", "5f9241d3d58f"),  # Canvas, and by way of a gateway
        *("3eb56a1ab954", "f063c0901698"),  # Notion
        *("219496698691", "b0d26472ee27"),  # Google Calendar
        *("3c471fbd7554", "75af79d5c6b1"),  # calendar feeds
    }
)


@cache
def digest_of_text(source: tuple[str, ...]) -> str:
    """Version that a text had while its letters counted."""
    return hashlib.sha256("\n".join(source).encode()).hexdigest()[:12]


def purposes_of_text(version: str) -> frozenset[str]:
    """Purposes of one of our own texts, by the version that it had; none for any other."""
    return ACCOUNT_PURPOSES if version in _ACCOUNT_TEXTS else _PURPOSES.get(version, frozenset())
