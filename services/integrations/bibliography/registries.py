"""Registries of published works: doi.org for DOIs (CSL JSON, whoever registered them), Open Library for ISBNs.

https://citation.crosscite.org/docs.html, https://openlibrary.org/dev/docs/api/books
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from services.errors import ItemNotFound, ServiceUnavailable, Throttled
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
        return _from_csl(json.loads(page.text), doi)


def find_isbn(fetch: SafeFetch, isbn: str, *, base_url: str = ISBN_URL) -> PublishedWork:
    """Find the book of an ISBN of 13 digits; raises as `find_doi` does."""
    url = f"{base_url.rstrip('/')}/api/books?bibkeys=ISBN:{isbn}&format=json&jscmd=data"
    page = fetch.get(url, accept="application/json", limit_bytes=_MOST_BYTES)
    _require_good(page, ISBN_LABEL, "")
    with payload_guard(ISBN_LABEL):
        found = json.loads(page.text).get(f"ISBN:{isbn}")
        if found is not None:
            return _from_open_library(found)
    raise ItemNotFound(ISBN_LABEL, gettext("Open Library has no book with the ISBN {id}.", id=isbn))


def _require_good(page: FetchedPage, label: str, unknown: str) -> None:
    if page.status in (404, 410) and unknown:
        raise ItemNotFound(label, unknown)
    if page.status == 429:
        raise Throttled(label, gettext("{service} is busy at the moment.", service=label))
    if not page.is_good:
        raise ServiceUnavailable(label, gettext("{service} did not answer.", service=label))


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
