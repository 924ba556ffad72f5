"""Entries of published works in APA (7th edition, 10.1 to 10.3) and MLA (9th edition, 5), as Markdown."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

APA_MOST_AUTHORS = 20


@dataclass(frozen=True, kw_only=True)
class Author:
    """family: of a person; the whole name of an organisation, which has no `given`."""

    family: str
    given: str = ""


@dataclass(frozen=True, kw_only=True)
class PublishedWork:
    """Article, chapter or book. container: the journal, or the book of a chapter. Empty is what the registry lacks.

    url: what an entry ends with; page_url: where its record can be read.
    """

    kind: Literal["article", "chapter", "book"]
    title: str
    authors: tuple[Author, ...] = ()
    year: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    edition: str = ""
    url: str = ""
    page_url: str = ""

    @property
    def missing(self) -> list[str]:
        """What an entry needs and the registry does not tell."""
        place = ("journal", self.container) if self.kind == "article" else ("publisher", self.publisher)
        return [name for name, there in (("author", self.authors), ("year", self.year), place) if not there]


def apa_entry(work: PublishedWork) -> str:
    """Write an APA entry: Doe, J. Q., & Roe, R. (2015). Title. *Journal*, *521*(7553), 436–444. https://doi.org/…"""
    year = f"({work.year or 'n.d.'})."
    edition = f" ({_ordinal(work.edition)} ed.)" if work.edition else ""
    title = _ended(work.title if work.kind != "book" else f"*{work.title}*{edition}")
    head = [_ended(_apa_names(work.authors)), year, title] if work.authors else [title, year]
    return " ".join(filter(None, [*head, _ended(_apa_place(work)), work.url]))


def mla_entry(work: PublishedWork) -> str:
    """Write an MLA entry: Doe, Jane Q., and Richard Roe. “Title.” *Journal*, vol. 521, 2015, pp. 436–444, https://…"""
    names = [_ended(_mla_names(work.authors))] if work.authors else []
    volume = [f"vol. {work.volume}"] if work.volume else []
    issue = [f"no. {work.issue}"] if work.issue else []
    year = [work.year] if work.year else []
    pages = [f"{'pp.' if _is_range(work.pages) else 'p.'} {_dashed(work.pages)}"] if work.pages else []
    edition = [f"{_ordinal(work.edition)} ed."] if work.edition else []
    publisher = [work.publisher] if work.publisher else []
    address = [work.url] if work.url else []
    if work.kind == "book":
        return " ".join([*names, f"*{_ended(work.title)}*", _closed([*edition, *publisher, *year, *address])]).strip()
    container = [f"*{work.container}*"] if work.container else []
    details = [*volume, *issue, *year] if work.kind == "article" else [*publisher, *year]
    return " ".join([*names, f"“{_ended(work.title)}”", _closed([*container, *details, *pages, *address])]).strip()


WORK_STYLES: Mapping[str, Callable[[PublishedWork], str]] = {"apa": apa_entry, "mla": mla_entry}


def _apa_place(work: PublishedWork) -> str:
    pages = _dashed(work.pages)
    if work.kind == "article":
        volume = f"*{work.volume}*" if work.volume else ""
        issue = f"({work.issue})" if work.issue else ""
        return ", ".join(filter(None, [f"*{work.container}*" if work.container else "", volume + issue, pages]))
    if work.kind == "chapter" and work.container:
        inside = f" ({'pp.' if _is_range(pages) else 'p.'} {pages})" if pages else ""
        return " ".join(filter(None, [_ended(f"In *{work.container}*{inside}"), work.publisher]))
    return work.publisher


def _apa_names(authors: tuple[Author, ...]) -> str:
    names = [_initialled(author) for author in authors]
    if len(names) > APA_MOST_AUTHORS:
        return f"{', '.join(names[: APA_MOST_AUTHORS - 1])}, … {names[-1]}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, & {names[-1]}"


def _mla_names(authors: tuple[Author, ...]) -> str:
    first = ", ".join(filter(None, [authors[0].family, authors[0].given]))
    if len(authors) == 1:
        return first
    if len(authors) > 2:
        return f"{first}, et al."
    return f"{first}, and {' '.join(filter(None, [authors[1].given, authors[1].family]))}"


def _initialled(author: Author) -> str:
    """Jean-Paul Q. becomes J.-P. Q."""
    parts = author.given.replace(".", ". ").split()
    initials = ["-".join(f"{piece[0].upper()}." for piece in part.split("-") if piece) for part in parts]
    return ", ".join(filter(None, [author.family, " ".join(initials)]))


def _ordinal(edition: str) -> str:
    if not edition.isascii() or not edition.isdigit():
        return re.sub(r"(?:edition|ed\.?)\s*$", "", edition, flags=re.IGNORECASE).rstrip()
    number = int(edition)
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _is_range(pages: str) -> bool:
    return bool(re.search(r"[-–,]", pages))


def _dashed(pages: str) -> str:
    return "–".join(part.strip() for part in re.split("-+", pages))


def _closed(parts: list[str]) -> str:
    return f"{', '.join(parts)}." if parts else ""


def _ended(text: str) -> str:
    """Text with a full stop, unless it ends with other punctuation, maybe inside of its emphasis."""
    return text if not text or text.rstrip("*")[-1:] in (".", "?", "!") else f"{text}."
