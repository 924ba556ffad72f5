"""Tables of contents: such a page names everything that a material has, and answers nothing."""

import re
from itertools import pairwise

LEAST_DOTTED, LEAST_BARE = 4, 8
"""Entries with rows of dots, and without: four lines that end with numbers may as well be weights of a grade."""
SHARE = 0.6
"""Part of the lines that end with the number of a page."""
RISING = 0.9
"""Part of these numbers that are no lower than the one before."""
MOST_PAGES = 1500
LONGEST_ENTRY = 8
"""Words of an entry without a number, below a heading that says what it is."""
_TITLE = re.compile(
    r"(?:table of )?contents|toc|outline|agenda|overview|in this (?:lecture|chapter|unit)|today's topics"
    r"|índice(?: general)?|tabla de contenidos?|contenidos?|temario|sumario|esquema|orden del día"
    r"|inhalt(?:sverzeichnis)?|gliederung|sommaire|table des matières|plan|indice|sommario"
    r"|目录|目次|차례|содержание|оглавление",
    re.IGNORECASE,
)
_DOTS = ("..", ". .", "…", "··", "__")


def is_contents(label: str, text: str) -> bool:
    """Whether a page or a section says only what stands on others. label: its heading, "" for none."""
    lines = [bare for line in text.splitlines() if (bare := line.strip(" \t#*|-•"))]
    titles = [label.rpartition("›")[2], *lines[:1]]
    has_title = any(_TITLE.fullmatch(title.strip(" .:")) for title in titles)
    if has_title and len(lines) > 1 and all(len(line.split()) <= LONGEST_ENTRY for line in lines):
        return True
    pages = [page for line in lines if (page := _page_of(line))]
    least = LEAST_DOTTED if sum(any(dots in line for dots in _DOTS) for line in lines) > 1 else LEAST_BARE
    if len(pages) < max(least, SHARE * len(lines)):
        return False
    rising = sum(first <= second for first, second in pairwise(pages))
    return pages[0] < pages[-1] and rising >= RISING * (len(pages) - 1)


def _page_of(line: str) -> int:
    """The number at the end of an entry, behind blanks or a row of dots; 0 for none."""
    before = line.rstrip("0123456789")
    words, digits = before.rstrip(" \t.…·_"), line[len(before) :]
    is_entry = words != before and words and words[-1] not in ":=" and 0 < len(digits) <= len(str(MOST_PAGES))
    return int(digits) if is_entry and int(digits) <= MOST_PAGES else 0
