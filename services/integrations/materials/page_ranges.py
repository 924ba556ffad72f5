"""Pages that words mean: "12", "3-5, 9", "last", "p. 214" as it is printed, or a heading such as "late work"."""

import re
from collections.abc import Iterator, Sequence

from services.errors import BadArguments
from services.i18n import gettext, ngettext
from services.integrations.kit.name_matcher import best_matches
from services.materials.material import MaterialPage

_UNIT = r"(?:pages?|pp?\.?|slides?|sections?|p[áa]ginas?|p[áa]gs?\.?|diapositivas?|secci(?:ones|[óo]n))"
_NUMBERS = re.compile(
    rf"{_UNIT}?\s*(\d{{1,6}})\s*(?:(?:-|–|—|to|through|a|hasta)\s*(?:{_UNIT}\s*)?(\d{{1,6}})?)?", re.I
)
_END = re.compile(
    rf"(?:the\s+|l[ao]s?\s+|el\s+)?(first|last|primer[ao]?|[úu]ltim[ao])s?(?:\s+(\d{{1,4}}))?(?:\s*{_UNIT})?", re.I
)
_BETWEEN = re.compile(r"(?<!\s)\s*(?:[,;&+]|\band\b|\by\b)\s*", re.I)
_MOST = 2_000


def page_numbers(wanted: str, pages: Sequence[MaterialPage], count: int) -> tuple[list[int], str]:
    """Numbers of the wanted pages, each once, and a remark where a number may mean another page.

    pages: those of the material with their labels. count: of all. Raises `BadArguments` when there are none of these.
    """
    parts = [part for part in _BETWEEN.split(wanted.strip()) if part]
    spans = [_span(part, count) for part in parts]
    if not parts or any(span is None for span in spans):
        return _by_heading(wanted, pages), ""
    numbers = list(dict.fromkeys(number for span in spans if span for number in span))[:_MOST]
    there = [number for number in numbers if 1 <= number <= count]
    printed = {page.label.strip(): page.number for page in pages if page.label.strip().isdigit()}
    if there:
        return there, _doubt(numbers, printed)
    found = [printed[str(number)] for number in numbers if str(number) in printed]
    if not found:
        raise _no_such_page(count)
    return found, ""


def written_range(numbers: Sequence[int]) -> str:
    """Write numbers as a student would: "3-5, 9"."""
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in _runs(sorted(numbers)))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for number in numbers:
        if first is None or last is None or number > last + 1:
            if first is not None and last is not None:
                yield first, last
            first = number
        last = number
    if first is not None and last is not None:
        yield first, last


def _span(part: str, count: int) -> Sequence[int] | None:
    if match := _NUMBERS.fullmatch(part):
        first = int(match[1])
        is_open = match[2] is None and not part.rstrip()[-1].isdigit()
        last = min(int(match[2]), first + _MOST) if match[2] else max(count, first) if is_open else first
        return range(first, last + 1)
    if match := _END.fullmatch(part):
        many = min(int(match[2] or 1), count)
        is_first = match[1].casefold().startswith(("first", "primer"))
        return range(1, many + 1) if is_first else range(count - many + 1, count + 1)
    return None


def _doubt(numbers: Sequence[int], printed: dict[str, int]) -> str:
    """Say where the page that carries a number is another one than the page of that place in the file."""
    others = [f"page {printed[str(n)]} has {n} printed on it" for n in numbers if printed.get(str(n), n) != n]
    return f"Pages are counted from the file's first one: {'; '.join(others[:3])}." if others else ""


def _by_heading(wanted: str, pages: Sequence[MaterialPage]) -> list[int]:
    headed = [page for page in pages if page.label.strip()]
    found = best_matches(headed, wanted, lambda page: (page.label,))
    if not found:
        listed = "; ".join(f"{page.number}: {page.label[:60]}" for page in headed[:20])
        there = f"Its headings: {listed}." if headed else "It has no headings: give numbers, like 3-5."
        said = gettext("No page has that heading.")
        raise BadArguments(f"pages: no heading fits these words. {there}", field="pages", said=said)
    return [page.number for page in found]


def _no_such_page(count: int) -> BadArguments:
    sentence = ngettext("It has only {n} page.", "It has only {n} pages.", count)
    return BadArguments(sentence, field="pages", next_step="Give numbers within that.", said=sentence)
