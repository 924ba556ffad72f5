"""Search engines behind one protocol: SearxNG, Brave, and Wikipedia with OpenAlex."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from html import unescape
from typing import Any, Literal, Protocol
from urllib.parse import urlencode, urlsplit

from services.errors import ServiceUnavailable, Throttled
from services.i18n import LANGUAGES, get_language, gettext
from services.llm.metered_model import Settle
from services.safety.fetch import FetchedPage, SafeFetch
from services.safety.provenance import Provenance

Recency = Literal["day", "week", "month", "year"]
TIMEOUT_S = 10.0
BRAVE_URL = "https://api.search.brave.com"
WIKIPEDIA_URL = "https://{language}.wikipedia.org"
OPENALEX_URL = "https://api.openalex.org"
SearchBudget = Callable[[int], AbstractContextManager[Settle]]
"""Reservation of what a search may cost at most, in millionths of a dollar; it is told what it was."""
_DAYS: dict[Recency, int] = {"day": 1, "week": 7, "month": 31, "year": 366}
_LARGEST = 3_000_000


class SearchUnsupported(ServiceUnavailable):
    """The deployment's key or gateway does not have this search at all."""


@dataclass(frozen=True, kw_only=True)
class WebResult:
    """Search result. snippet: quoted by the engine. published: the day, where the engine names it."""

    title: str
    url: str
    snippet: str = ""
    published: date | None = None


@dataclass(frozen=True, kw_only=True)
class RecencyFilter:
    """Filter for new results: the period in the engines' words, and its first day."""

    recency: Recency
    day: date

    @classmethod
    def for_period(cls, recency: Recency | None, today: date) -> "RecencyFilter | None":
        """Filter for the period that ends today; None for no period."""
        return cls(recency=recency, day=today - timedelta(days=_DAYS[recency])) if recency else None


class SearchEngine(Protocol):
    """Search engine. label: its name for the student. covers: a note on what it leaves out, "" for the whole web."""

    label: str
    covers: str

    def search(self, query: str, *, most: int, since: RecencyFilter | None) -> Sequence[WebResult]:
        """Search; the best results first. Raises `ServiceUnavailable` and `Throttled`."""


class SearxngEngine:
    """`SearchEngine` on a SearxNG with JSON answers (docs.searxng.org/dev/search_api.html)."""

    label, covers = "SearxNG", ""

    def __init__(self, base_url: str) -> None:
        """base_url: set by the operator, so it may be inside their network."""
        self._base_url = base_url.rstrip("/")
        self._fetch = _fetch_of(base_url)

    def search(self, query: str, *, most: int, since: RecencyFilter | None) -> Sequence[WebResult]:
        parameters = {"q": query, "format": "json", **({"time_range": since.recency} if since else {})}
        found = _json(self._fetch.get(f"{self._base_url}/search?{urlencode(parameters)}", **_LIMITS), self.label)
        hits = [
            WebResult(
                title=str(result.get("title") or ""),
                url=str(result.get("url") or ""),
                snippet=str(result.get("content") or ""),
                published=_day(result.get("publishedDate")),
            )
            for result in _list(found, "results", self.label, is_search=_has_text(found, "query"))
        ]
        if not hits and found.get("unresponsive_engines"):
            raise ServiceUnavailable(self.label, gettext("None of the search engines answered just now."))
        return hits[:most]


class BraveEngine:
    """`SearchEngine` on Brave's Search API (api-dashboard.search.brave.com/app/documentation)."""

    label, covers = "Brave Search", ""

    def __init__(self, key: str, base_url: str = BRAVE_URL) -> None:
        self._base_url = base_url.rstrip("/")
        self._fetch = _fetch_of(base_url)
        self._headers = {"X-Subscription-Token": key}

    def search(self, query: str, *, most: int, since: RecencyFilter | None) -> Sequence[WebResult]:
        freshness = {"freshness": f"p{since.recency[0]}"} if since else {}
        parameters = {"q": query[:400], "count": str(most), "text_decorations": "false", **freshness}
        address = f"{self._base_url}/res/v1/web/search?{urlencode(parameters)}"
        found = _json(self._fetch.get(address, headers=self._headers, **_LIMITS), self.label)
        is_search = isinstance(found, Mapping) and found.get("type") == "search"
        results = found.get("web") if isinstance(found, Mapping) else None
        if is_search and results is None:
            results = {"results": []}
        return [
            WebResult(
                title=unescape(str(result.get("title") or "")),
                url=str(result.get("url") or ""),
                snippet=unescape(str(result.get("description") or "")),
                published=_day(result.get("page_age")),
            )
            for result in _list(results, "results", self.label, is_search=is_search)
        ][:most]


class ReferenceEngine:
    """`SearchEngine` on Wikipedia and OpenAlex, which need no key.

    www.mediawiki.org/wiki/API:REST_API/Reference (Search pages) and docs.openalex.org (Search works).
    """

    label = "Wikipedia and OpenAlex"
    covers = "only Wikipedia and scholarly works were searched, not the whole web"

    def __init__(self, wikipedia: str = WIKIPEDIA_URL, openalex: str = OPENALEX_URL) -> None:
        """wikipedia: its address in each language."""
        self._wikipedia, self._openalex = wikipedia.rstrip("/"), openalex.rstrip("/")
        self._fetch = _fetch_of(*(wikipedia.format(language=language) for language in LANGUAGES), openalex)

    def search(self, query: str, *, most: int, since: RecencyFilter | None) -> Sequence[WebResult]:
        """Search articles in the student's language, or else in English, and then works; with `since` only works."""
        half, languages = (most + 1) // 2, () if since else dict.fromkeys((get_language(), "en"))
        articles = next((found for language in languages if (found := self._articles(query, half, language))), [])
        return [*articles, *self._works(query, most=most - len(articles), since=since)]

    def _articles(self, query: str, most: int, language: str) -> list[WebResult]:
        parameters, site = urlencode({"q": query, "limit": most}), self._wikipedia.format(language=language)
        found = _json(self._fetch.get(f"{site}/w/rest.php/v1/search/page?{parameters}", **_LIMITS), "Wikipedia")
        return [
            WebResult(
                title=f"{result.get('title')} (Wikipedia)",
                url=f"{site}/wiki/{str(result.get('key') or '').replace('?', '%3F')}",
                snippet=_without_tags(f"{result.get('description') or ''} … {result.get('excerpt') or ''}".strip(" …")),
            )
            for result in _list(found, "pages", "Wikipedia", is_search=_is_only(found, "pages"))
        ]

    def _works(self, query: str, *, most: int, since: RecencyFilter | None) -> list[WebResult]:
        newer = {"filter": f"from_publication_date:{since.day}"} if since else {}
        fields = "id,doi,display_name,publication_date,primary_location"
        parameters = urlencode({"search": query, "per-page": max(most, 1), "select": fields, **newer})
        found = _json(self._fetch.get(f"{self._openalex}/works?{parameters}", **_LIMITS), "OpenAlex")
        return [
            WebResult(
                title=str(result.get("display_name") or ""),
                url=str(result.get("doi") or result.get("id") or ""),
                snippet=_venue(result),
                published=_day(result.get("publication_date")),
            )
            for result in _list(found, "results", "OpenAlex", is_search=_has_object(found, "meta"))
        ][:most]


_LIMITS: dict[str, Any] = {
    "accept": "application/json",
    "limit_bytes": _LARGEST,
    "timeout_s": TIMEOUT_S,
    "writer": Provenance.PUBLIC,
}


def _fetch_of(*addresses: str) -> SafeFetch:
    """Client for hosts that only the operator chooses."""
    origins = (urlsplit(address) for address in addresses)
    return SafeFetch(allow=frozenset(f"{origin.scheme}://{origin.netloc}" for origin in origins))


def _json(page: FetchedPage, label: str) -> Any:
    if page.status == 429:
        raise Throttled(label, gettext("{label} wants us to wait before the next search.", label=label))
    if page.status in (401, 402, 403):
        raise ServiceUnavailable(
            label,
            gettext("{label} does not let Homeroom search ({status}).", label=label, status=page.status),
            next_step=gettext("Tell whoever runs Homeroom."),
        )
    if not page.is_good:
        raise ServiceUnavailable(
            label,
            gettext("{label} has a problem of its own at the moment ({status}).", label=label, status=page.status),
        )
    try:
        return json.loads(page.text)
    except (ValueError, RecursionError):
        raise _senseless(label) from None


def _list(answer: Any, name: str, label: str, *, is_search: bool) -> list[Mapping[str, Any]]:
    """The hits of an answer. is_search: whether it has the marks of one; without them, no hits mean no answer."""
    hits = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(hits, list) or not all(isinstance(hit, Mapping) for hit in hits):
        raise _senseless(label)
    if not (any(hits) or (is_search and not hits)):
        raise _senseless(label)
    return hits


def _has_text(answer: Any, name: str) -> bool:
    return isinstance(answer, Mapping) and isinstance(answer.get(name), str)


def _has_object(answer: Any, name: str) -> bool:
    return isinstance(answer, Mapping) and isinstance(answer.get(name), Mapping)


def _is_only(answer: Any, name: str) -> bool:
    """Whether an answer has this field alone, as Wikipedia's has, which says nothing else of itself."""
    return isinstance(answer, Mapping) and set(answer) == {name}


def _senseless(label: str) -> ServiceUnavailable:
    return ServiceUnavailable(label, gettext("{label} gave an answer that makes no sense.", label=label))


def _day(written: object) -> date | None:
    try:
        return datetime.fromisoformat(str(written)).date() if written else None
    except ValueError:
        return None


def _venue(work: Mapping[str, Any]) -> str:
    place = work.get("primary_location") or {}
    source = place.get("source") if isinstance(place, Mapping) else None
    return str(source.get("display_name") or "") if isinstance(source, Mapping) else ""


def _without_tags(text: str) -> str:
    """Wikipedia marks the words it found with a span."""
    return unescape("".join(part.rpartition(">")[2] for part in text.split("<")))
