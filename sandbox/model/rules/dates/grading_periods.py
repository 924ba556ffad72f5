"""Which grading period a clause is about."""

import re

from sandbox.model.rules.language.text import fold

ORDINAL = r"(?:first|second|third|fourth|last|[1-4](?:st|nd|rd|th))"
ONE = re.compile(rf"\b(?:{ORDINAL}\s+(?:half|quarter|grading\s+period|trimester)|(?:quarter|q)\s?[1-4])\b")
ALL = re.compile(r"\b(?:all|both)\s+(?:the\s+)?(?:grading\s+periods|quarters|halves)\b|\bwhole\s+course\b|\boverall\b")


def grading_period(text: str) -> str | None:
    """The period by the clause's own words, "all" for the whole course, None when it does not say."""
    folded = fold(text)
    if found := ONE.search(folded):
        return found[0]
    return "all" if ALL.search(folded) else None
