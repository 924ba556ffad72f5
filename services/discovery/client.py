"""HTTP client for a student's own program, which gets only the tools that a message needs."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypedDict, cast

from services.discovery.client_transport import ApiResponse, HomeroomTransport
from services.discovery.detector import Detector
from services.errors import ServiceUnavailable

MOST_CACHED = 100
"""Lists that a client caches; there are fewer contexts and categories."""
MOST_HISTORY, MOST_CHARACTERS = 10, 5_000
"""Messages before this one that are sent along, and the characters of each: nobody says "the second one" of more."""
History = Sequence[Mapping[str, str]]
Detect = Callable[[str, History], Sequence[str]]


class ToolListing(TypedDict):
    """A tool as `GET /tools` lists it; inputSchema is the JSON Schema of its arguments."""

    name: str
    description: str
    inputSchema: dict[str, Any]
    contexts: list[str]
    categories: list[str]


@dataclass(frozen=True, kw_only=True)
class ClientMetrics:
    """Counters of one client.

    requests: sent by it. cache_hits: lists that had not changed and were not sent again.

    tokens_saved: an estimate of what the tools that were left out would have cost in the program's prompts.
    """

    requests: int = 0
    cache_hits: int = 0
    tokens_saved: int = 0


@dataclass(frozen=True, kw_only=True)
class _CachedList:
    etag: str
    body: bytes = field(repr=False)


class DynamicToolClient:
    """Thread-safe client of `GET /tools`. Each call asks anew; a list is sent again only when the student's tools have
    changed: with a new connection, one that has ended, or another version of Homeroom.

    Every call raises `SignInRequired` for a key that is not valid (any more), `PermissionMissing` for one that may not
    do this, `ItemNotFound` for an unknown `user_id`, `BadArguments` for what does not fit, `Throttled` with
    `retry_after_s`, and `ServiceUnavailable` when Homeroom does not answer, or not in time, or something else does.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        user_id: str | None = None,
        detect: Detect | None = None,
        timeout_s: float = 10.0,
    ) -> None:
        """base_url: where Homeroom is, as students type it. key: of the student, with the scope read.

        user_id: of another student; only for keys with the scope admin. detect: what finds the contexts of a message,
        such as `extract_context_from_message`, which leaves the words on this machine; else Homeroom is asked, which
        also knows the student's own servers. timeout_s: for connecting, for each silence, and for reading an answer.

        Raises `BadArguments` for an address or a key that cannot be one.
        """
        self._transport = HomeroomTransport(base_url, key, timeout_s=timeout_s)
        self._user_id = user_id
        self._detect = detect
        self._lock = threading.Lock()
        self._cache: OrderedDict[tuple[str, ...], _CachedList] = OrderedDict()
        self._version = ""
        self._all_tokens = 0
        self._metrics = ClientMetrics()

    def get_tools(self, context: str | Sequence[str] | None = None, category: str | None = None) -> list[ToolListing]:
        """The tools that work for the student now and share a context; none without one.

        context: one, or several as a sequence or with commas. category: of these tools, only its own.
        """
        return self._get(context if isinstance(context, str) else ",".join(context or ()), category)

    def get_tools_from_message(
        self, message: str, history: History = (), category: str | None = None
    ) -> list[ToolListing]:
        """The tools that the student's message needs; none when it needs none. Where the student has no tool of what it
        is about, those that answer in its place.

        history: what was said before, oldest first: {"role": "user" or "assistant", "content": text}.
        """
        if self._detect is None:
            return self._get(",".join(self._ask_for_contexts(message, history)), category)
        return self._get(",".join(self._detect(message, history)), category, standIns="true")

    @property
    def metrics(self) -> ClientMetrics:
        """What this client has done so far; `GET /tools/metrics` tells it for all programs of the student."""
        with self._lock:
            return self._metrics

    def close(self) -> None:
        """Close the connections that are kept open for the next request."""
        self._transport.close()

    def __enter__(self) -> "DynamicToolClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask_for_contexts(self, message: str, history: History) -> Sequence[str]:
        """In the body of a request: what stands in an address is written into the logs on the way."""
        turns = [
            {part: _plain(turn.get(part, ""))[:MOST_CHARACTERS] for part in ("role", "content")} for turn in history
        ]
        self._count(requests=1)
        asked = {"message": _plain(message), "history": turns[-MOST_HISTORY:]}
        answer = self._transport.post("/api/contexts", asked, {"userId": self._user_id} if self._user_id else {})
        return [str(context["name"]) for context in _part(answer.body, "contexts")]

    def _get(self, context: str, category: str | None, **more: str) -> list[ToolListing]:
        names = sorted({name.strip().casefold() for name in _plain(context).split(",")} - {""})
        if not names:
            self._count(saved=self._all_tokens)
            return []
        wanted = {"context": ",".join(names), "category": _plain(category or "").strip().casefold(), **more}
        return self._listed(wanted)

    def _listed(self, wanted: Mapping[str, str]) -> list[ToolListing]:
        cache_key = tuple(wanted.values())
        with self._lock:
            kept = self._cache.get(cache_key)
        query = {**wanted, "userId": self._user_id or ""}
        answer = self._transport.get("/tools", {k: v for k, v in query.items() if v}, etag=kept.etag if kept else "")
        body = kept.body if kept and answer.is_unchanged else answer.body
        tools = _part(body, "tools")
        self._keep(cache_key, answer, body)
        saved = answer.number("x-all-tools-tokens") - answer.number("x-listed-tools-tokens")
        self._count(requests=1, hits=int(answer.is_unchanged), saved=saved)
        return cast(list[ToolListing], tools)

    def _keep(self, cache_key: tuple[str, ...], answer: ApiResponse, body: bytes) -> None:
        """Cache an answer, and forget the lists of another version: none of them would be given again."""
        with self._lock:
            if answer.etag != self._version:
                self._cache.clear()
            self._version, self._all_tokens = answer.etag, answer.number("x-all-tools-tokens")
            if answer.etag:
                self._cache[cache_key] = _CachedList(etag=answer.etag, body=body)
                self._cache.move_to_end(cache_key)
            while len(self._cache) > MOST_CACHED:
                self._cache.popitem(last=False)

    def _count(self, *, requests: int = 0, hits: int = 0, saved: int = 0) -> None:
        with self._lock:
            had = self._metrics
            self._metrics = replace(
                had,
                requests=had.requests + requests,
                cache_hits=had.cache_hits + hits,
                tokens_saved=had.tokens_saved + saved,
            )


def extract_context_from_message(message: str, history: History = ()) -> list[str]:
    """The contexts that a message needs, the surest first, found on this machine without any request.

    By the same detector as Homeroom's own, without what only Homeroom knows: the student's servers and habits.
    """
    return [found.name for found in _detector().detect(message, history)]


@cache
def _detector() -> Detector:
    return Detector()


def _plain(text: str) -> str:
    """Text without lone surrogates, which cannot be sent."""
    return text.encode(errors="replace").decode()


def _part(body: bytes, name: str) -> list[Any]:
    """A list of the answer; parsed anew each time, so that no caller changes what is cached."""
    try:
        found = json.loads(body)[name]
    except (ValueError, LookupError, TypeError):
        found = None
    if not isinstance(found, list):
        raise ServiceUnavailable(
            "Homeroom", "Something else than Homeroom answers there.", next_step="Check its address."
        )
    return found
