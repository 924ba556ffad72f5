"""Regular expressions written as words: short forms for blanks, word ends and gaps, on folded text."""

import re
from collections.abc import Iterable
from functools import cache

GAPS = {" ... ": r"\b.{0,40}\b", " .. ": r"\b.{0,20}\b", " *** ": r"\b.*\b"}
BEHIND = re.compile(r"\(\?<[=!][^)]*\)")
"""A look at what stands before, which must have a fixed length."""
LIST = re.compile(r"[\w\s'?~/-]+(?:\|[\w\s'?~/()-]+)+")
"""Words with bars alone: they share the ends of their words."""
ENDS = re.compile(r"(?<!\\\w)(?<=\w)$|(?<!\\b[)])(?<=[^\\][)\]}?*+])$")
STARTS = re.compile(r"^(?=[\w\[])|^(?=\((?!\?<?!|\?<?=))")


@cache
def pattern(source: str) -> re.Pattern[str]:
    """Compile alternatives, one a line or between " | ", each of whole words.
    A blank is any white space, "~" the rest of a word, " .. " and " ... " up to 20 and 40 characters between words,
    " *** " any; "(a|b)" does not capture; "^ " and " $" leave out punctuation at the edges."""
    parts = [part.strip(" ") for line in source.splitlines() for part in line.split(" | ")]
    return re.compile("|".join(_expanded(part) for part in parts if part))


def joined(lines: Iterable[str]) -> re.Pattern[str]:
    """Compile several lines of alternatives."""
    return pattern("\n".join(lines))


def _expanded(part: str) -> str:
    if LIST.fullmatch(part):
        part = f"({part})"
    part = BEHIND.sub(lambda found: found.group().replace(" ", r"\x20"), part)
    for gap, written in GAPS.items():
        part = part.replace(gap, written)
    if part.startswith("^ "):
        part = rf"^\W*{part[2:]}"
    if part.endswith(" $"):
        part = rf"{part[:-2]}\W*$"
    part = re.sub(r"\((?!\?)", "(?:", part.replace("~", r"\w*"))
    return STARTS.sub(r"\\b", ENDS.sub(r"\\b", re.sub(r" (?![*+?{])", r"\\s+", part)))
