"""Registries of published works: doi.org for DOIs (CSL JSON, whoever registered them), Open Library for ISBNs.

DOIs and ISBNs are read as students write them and checked (DOI handbook, 2.2; ISO 2108, check digits).
https://citation.crosscite.org/docs.html, https://openlibrary.org/dev/docs/api/books
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from services.errors import BadArguments, ItemNotFound, ServiceUnavailable, Throttled
from services.i18n import gettext
from services.integrations.bibliography.works import Author, PublishedWork
from services.integrations.kit.payloads import parse_text, payload_guard
from services.safety.fetch import FetchedPage, SafeFetch
from services.safety.text import one_line

DOI_LABEL, ISBN_LABEL = "doi.org", "Open Library"
DOI_URL, ISBN_URL = "https://doi.org", "https://openlibrary.org"
CSL = "application/vnd.citationstyles.csl+json"
_MOST_BYTES = 1_000_000
_MOST_AUTHORS = 100
_ARTICLES = frozenset({"article-journal", "journal-article", "article", "article-magazine", "article-newspaper"})
_CHAPTERS = frozenset({"chapter", "book-chapter", "paper-conference", "proceedings-article", "entry-encyclopedia"})
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")


def find_doi(fetch: SafeFetch, doi: str, *, base_url: str = DOI_URL) -> PublishedWork:
    """Find what a DOI stands for. Raises `ItemNotFound`, `ServiceUnavailable`, `AnswerUnreadable`."""
    page = fetch.get(f"{base_url.rstrip('/')}/{quote(doi, safe='/')}", accept=CSL, limit_bytes=_MOST_BYTES)
    _require_good(page, DOI_LABEL, gettext("No work has the DOI {id}.", id=doi))
    with payload_guard(DOI_LABEL):
        return _titled(_from_csl(json.loads(page.text), doi))


def find_isbn(fetch: SafeFetch, isbn: str, *, base_url: str = ISBN_URL) -> PublishedWork:
    """Find the book of an ISBN of 13 digits; raises as `find_doi` does."""
    url = f"{base_url.rstrip('/')}/api/books?bibkeys=ISBN:{isbn}&format=json&jscmd=data"
    page = fetch.get(url, accept="application/json", limit_bytes=_MOST_BYTES)
    _require_good(page, ISBN_LABEL, "")
    with payload_guard(ISBN_LABEL):
        books = json.loads(page.text)
        if set(books) == {f"ISBN:{isbn}"}:
            return _titled(_from_open_library(books[f"ISBN:{isbn}"]))
        if books != {}:
            # Nothing but an empty object says that there is no such book.
            raise ValueError("another answer")
    raise ItemNotFound(ISBN_LABEL, gettext("Open Library has no book with the ISBN {id}.", id=isbn))


def _require_good(page: FetchedPage, label: str, unknown: str) -> None:
    if page.status in (404, 410) and unknown:
        raise ItemNotFound(label, unknown)
    if page.status == 429:
        raise Throttled(label, gettext("{service} is busy at the moment.", service=label))
    if not page.is_good:
        raise ServiceUnavailable(label, gettext("{service} did not answer.", service=label))


def _titled(work: PublishedWork) -> PublishedWork:
    """Require a title: what has none is no entry of a registry."""
    if not work.title:
        raise ValueError("no title")
    return work


def _from_csl(data: Mapping[str, Any], doi: str) -> PublishedWork:
    kind = parse_text(data.get("type"))
    date_parts = (data.get("issued") or {}).get("date-parts") or [[None]]
    return PublishedWork(
        kind="article" if kind in _ARTICLES else "chapter" if kind in _CHAPTERS else "book",
        title=_first(data.get("title")),
        authors=tuple(_csl_author(author) for author in (data.get("author") or [])[:_MOST_AUTHORS]),
        year=str(date_parts[0][0]) if date_parts[0] and date_parts[0][0] else "",
        container=_first(data.get("container-title")),
        volume=_line(data.get("volume")),
        issue=_line(data.get("issue")),
        pages=_line(data.get("page")),
        publisher=_line(data.get("publisher")),
        edition=_line(data.get("edition")),
        url=f"https://doi.org/{doi}",
    )


def _csl_author(author: Mapping[str, Any]) -> Author:
    family = _line(author.get("family"))
    if not family:
        return Author(family=_line(author.get("literal") or author.get("name")))
    particle = _line(author.get("non-dropping-particle"))
    return Author(family=f"{particle} {family}".strip(), given=_line(author.get("given")))


def _from_open_library(data: Mapping[str, Any]) -> PublishedWork:
    year = re.search(r"\b(1[4-9]|20)\d\d\b", parse_text(data.get("publish_date")))
    subtitle = _line(data.get("subtitle"))
    return PublishedWork(
        kind="book",
        title=_line(data.get("title")) + (f": {subtitle}" if subtitle else ""),
        authors=tuple(
            _named_author(_line(author.get("name"))) for author in (data.get("authors") or [])[:_MOST_AUTHORS]
        ),
        year=year[0] if year else "",
        publisher=", ".join(_line(publisher.get("name")) for publisher in (data.get("publishers") or [])[:1]),
        url="",
        page_url=parse_text(data.get("url")),
    )


def _named_author(name: str) -> Author:
    given, _, family = name.rpartition(" ")
    return Author(family=family, given=given)


def _first(value: object) -> str:
    """Some registries list what others give as one text."""
    listed: Sequence[object] = value if isinstance(value, list) else [value]
    return _line(listed[0] if listed else None)


def _line(value: object) -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else parse_text(value)
    return one_line(_MARKUP.sub("", text), 400)


_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\"<>#?{}|\\^`]{1,180}")


_DOI_LEAD = re.compile(r"https?://(?:dx\.)?doi\.org/|doi:\s*", re.IGNORECASE)


_ISBN_LEAD = re.compile(r"isbn(?:-1[03])?(?:\s*:)?", re.IGNORECASE)


_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015]")


def doi_in_url(url: str) -> str:
    """DOI that an address of doi.org leads to; empty for every other address."""
    return _DOI_LEAD.sub("", url).strip().rstrip(".,;") if re.match(r"\s*https?://(?:dx\.)?doi\.org/10\.", url) else ""


def parse_doi(text: str) -> str:
    """DOI without "doi:" or its address, in lower case, as DOIs are compared. Raises `BadArguments`."""
    doi = _DOI_LEAD.sub("", text, count=1).strip().rstrip(".,;")
    if not _DOI.fullmatch(doi) or ".." in doi.split("/"):
        raise BadArguments(gettext("A DOI begins with 10., as 10.1038/nature14539 does."), field="doi")
    return doi.lower()


def parse_isbn(text: str) -> str:
    """ISBN of 13 digits, without hyphens; one of 10 is converted. Raises `BadArguments` for a wrong check digit."""
    digits = _SEPARATORS.sub("", _ISBN_LEAD.sub("", text, count=1)).upper()
    if re.fullmatch(r"\d{9}[\dX]", digits, re.ASCII):
        values = [10 if digit == "X" else int(digit) for digit in digits]
        if sum(weight * value for weight, value in zip(range(10, 0, -1), values, strict=True)) % 11:
            raise _misspelt()
        return f"978{digits[:9]}{_check_digit(f'978{digits[:9]}')}"
    if not re.fullmatch(r"97[89]\d{10}", digits, re.ASCII):
        raise BadArguments(gettext("An ISBN has 10 or 13 digits; one of 13 begins with 978 or 979."), field="isbn")
    if digits[-1] != _check_digit(digits[:-1]):
        raise _misspelt()
    return digits


def _check_digit(digits: str) -> str:
    return str(-sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10)


def _misspelt() -> BadArguments:
    return BadArguments(gettext("A digit of this ISBN is wrong: its check digit does not fit."), field="isbn")
