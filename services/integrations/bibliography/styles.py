"""Citation styles: entries for web pages in APA (7th edition, 10.16) and MLA (9th edition, 5.2), as Markdown."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_ORGANISATION = re.compile(
    r"\b(?:university|college|library|libraries|department|office|center|centre|institute|school|news|staff|team|"
    r"editors?|association|society|agency|ministry|council|press|wikipedia|foundation|inc|the|and|of)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class CitedWork:
    """Web page to cite. authors: people as "Jane Q. Doe", organisations by name; none when the page names nobody."""

    title: str
    url: str
    site: str
    authors: tuple[str, ...] = ()
    published: date | None = None
    seen: date


def apa_entry(work: CitedWork) -> str:
    """Write an APA entry: Doe, J. Q. (2026, November 12). *Title*. Site. https://…"""
    when = f"({work.published:%Y, %B} {work.published.day})" if work.published else "(n.d.)"
    title = f"*{_ended(work.title)}*"
    names = _listed([name if name == work.site else _initialled(name) for name in work.authors], last="& ")
    head = [_ended(names), f"{when}.", title] if names else [title, f"{when}."]
    # A site that is its own author is not named twice.
    site = [] if work.site in work.authors else [_ended(work.site)]
    return " ".join([*head, *site, work.url])


def mla_entry(work: CitedWork) -> str:
    """Write an MLA entry: Doe, Jane Q. “Title.” *Site*, 12 Nov. 2026, host/path."""
    names = _mla_names(work.authors) if work.site not in work.authors else ""
    head = [_ended(names)] if names else []
    address = re.sub(r"^https?://", "", work.url)
    parts = [f"*{work.site}*", *([_day(work.published)] if work.published else []), f"{address}."]
    accessed = [] if work.published else [f"Accessed {_day(work.seen)}."]
    return " ".join([*head, f"“{_ended(work.title)}”", ", ".join(parts), *accessed])


STYLES: Mapping[str, Callable[[CitedWork], str]] = {"apa": apa_entry, "mla": mla_entry}


def _mla_names(authors: Sequence[str]) -> str:
    if not authors:
        return ""
    first = _inverted(authors[0])
    if len(authors) == 1:
        return first
    return f"{first}, and {authors[1]}" if len(authors) == 2 else f"{first}, et al."


def _initialled(name: str) -> str:
    """Name with initials: Jane Q. Doe becomes Doe, J. Q.; an organisation's name stays."""
    if not _is_person(name):
        return name
    *given, family = name.split()
    return f"{family}, {' '.join(f'{part[0].upper()}.' for part in given)}"


def _inverted(name: str) -> str:
    if not _is_person(name):
        return name
    *given, family = name.split()
    return f"{family}, {' '.join(given)}"


def _is_person(name: str) -> bool:
    return 2 <= len(name.split()) <= 4 and not _ORGANISATION.search(name) and not any(sign.isdigit() for sign in name)


def _listed(names: Sequence[str], *, last: str) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, {last}{names[-1]}"


def _ended(text: str) -> str:
    """Text with a full stop, unless it ends with other punctuation."""
    return text if not text or text[-1] in ".?!" else f"{text}."


def _day(on: date) -> str:
    return f"{on.day} {_MONTHS[on.month - 1]} {on.year}"
