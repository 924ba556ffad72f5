"""API client of one student's workspace, on notion-client, with a deadline for each tool call."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
import notion_client
from notion_client.errors import HTTPResponseError, NotionClientErrorBase

from services.connections.backoff import Backoff, throttled
from services.errors import ServiceUnavailable, Throttled
from services.i18n import gettext
from services.integrations.kit.payloads import parse_id, parse_text, payload_guard
from services.integrations.kit.writes import RepeatGate
from services.integrations.notion.errors import (
    LABEL,
    NotionGone,
    deadline_error,
    no_response_error,
    response_error,
    unreadable_error,
)
from services.integrations.notion.payloads import Json
from services.runtime.deadline import Deadline
from services.safety.field_log import REST, Fields, read_fields
from services.safety.provenance import Provenance

TRIES = 3
PAGE = 100
MOST_PAGES = 30
NONSENSE = (ValueError, TypeError, AttributeError, RecursionError)
"""Raised by notion-client for an answer that is not JSON, or an error that is not an object."""


LIST, MARKDOWN = "list", "page_markdown"


@dataclass(frozen=True, kw_only=True)
class NotionTimeouts:
    """Timeouts in seconds: of a request, and of a tool call, after which no further request begins.

    Together they stay below the tools' own timeouts, so that a student is told which service is slow.
    """

    request_s: float = 6.0
    call_s: float = 13.0


FIELDS: Fields = {REST: Provenance.OTHERS, "object": Provenance.SERVICE, "next_cursor": Provenance.SERVICE}
"""A page may be shared with anybody, who then writes its text, its title, and the names and values of its columns."""


class NotionClient:
    """Client that retries reads up to three times within the deadline, but no writes: Notion has no idempotency keys.

    A write raises `NotionUnanswered` when it may have happened and `NotionConflict` when it did not; the rest are the
    typed errors of `services.errors`. The library's client is shared, so the token goes with every call.
    """

    def __init__(self, library: notion_client.Client, token: str, *, backoff: Backoff, limits: NotionTimeouts) -> None:
        self._library = library
        self._token = token
        self._limits = limits
        self._backoff = backoff
        self._gate: RepeatGate | None = None
        self.deadline = Deadline(limits.call_s)

    def with_deadline(self, *, times: float = 1.0, gate: RepeatGate | None = None) -> "NotionClient":
        """Copy with a fresh deadline, for one tool call; `times` as long for a call of many requests.

        gate: of the approved write that the call carries out; its requests pass through it.
        """
        copy = NotionClient(self._library, self._token, backoff=self._backoff, limits=self._limits)
        copy.deadline = Deadline(self._limits.call_s * times)
        copy._gate = gate
        return copy

    def me(self) -> Json:
        """Bot user of this connection; `bot.owner.user` is the person who connected it."""
        return self._read(lambda: self._library.users.me(auth=self._token), "user")

    def search(self, words: str, *, most: int, kind: str = "") -> list[Json]:
        """Pages and data sources with these words in their titles; the most recently edited ones for no words.

        kind: only this one, "page" or "data_source".
        """
        recent = {} if words else {"sort": {"timestamp": "last_edited_time", "direction": "descending"}}
        query = {"query": words} if words else {}
        only = {"filter": {"property": "object", "value": kind}} if kind else {}
        parameters = {**query, **recent, **only}
        found = self._list_all(lambda page: self._library.search(**parameters, **page, auth=self._token), most=most)
        # An object that the connection may not read comes as a bare id.
        return [item for item in found if "last_edited_time" in item]

    def page(self, page_id: str) -> Json:
        return self._read(lambda: self._library.pages.retrieve(page_id, auth=self._token), "page")

    def markdown(self, page_id: str) -> Json:
        """Whole content: `markdown`, and `truncated` when Notion left some of it out."""
        answer = self._read(lambda: self._library.pages.retrieve_markdown(page_id, auth=self._token), MARKDOWN)
        with payload_guard(LABEL):
            parse_text(answer["markdown"])
        return answer

    def data_source(self, data_source_id: str) -> Json:
        return self._read(lambda: self._library.data_sources.retrieve(data_source_id, auth=self._token), "data_source")

    def database(self, database_id: str) -> Json:
        return self._read(lambda: self._library.databases.retrieve(database_id, auth=self._token), "database")

    def rows(
        self, data_source_id: str, *, most: int, filter: Json | None = None, sorts: list[Json] | None = None
    ) -> list[Json]:
        """Entries of a database that match a filter in the API's own form; the newest first by default."""
        newest = [{"timestamp": "created_time", "direction": "descending"}]
        parameters = {"sorts": sorts or newest, **({"filter": filter} if filter else {})}
        return self._list_all(
            lambda page: self._library.data_sources.query(data_source_id, **parameters, **page, auth=self._token),
            most=most,
        )

    def children(self, block_id: str) -> list[Json]:
        """All blocks right under a page."""
        return self._list_all(
            lambda page: self._library.blocks.children.list(block_id, **page, auth=self._token), most=MOST_PAGES * PAGE
        )

    def create(self, *, parent: Json, properties: Json, markdown: str) -> Json:
        """Add a page; sent once."""
        body = {"parent": parent, "properties": properties} | ({"markdown": markdown} if markdown else {})
        return self._write(lambda: self._library.pages.create(**body, auth=self._token), "page")

    def create_database(self, *, parent: Json, title: str, properties: Json) -> Json:
        """Add a database with one data source; sent once."""
        text = [{"type": "text", "text": {"content": title}}]
        return self._write(
            lambda: self._library.databases.create(
                parent=parent, title=text, initial_data_source={"properties": properties}, auth=self._token
            ),
            "database",
        )

    def set_properties(self, page_id: str, properties: Json) -> Json:
        """Give a page these property values; sent once."""
        return self._write(lambda: self._library.pages.update(page_id, properties=properties, auth=self._token), "page")

    def append(self, page_id: str, markdown: str) -> Json:
        """Add Markdown at the end of a page; sent once. The answer is the whole content."""
        change = {"type": "insert_content", "insert_content": {"content": markdown}}
        return self._write(lambda: self._library.pages.update_markdown(page_id, **change, auth=self._token), MARKDOWN)

    def replace(self, page_id: str, *, old: str, new: str) -> Json:
        """Replace the only occurrence of `old`; refused when there is none, or when it holds a nested page."""
        change = {"content_updates": [{"old_str": old, "new_str": new}]}
        return self._write(
            lambda: self._library.pages.update_markdown(
                page_id, type="update_content", update_content=change, auth=self._token
            ),
            MARKDOWN,
        )

    def replace_all(self, page_id: str, markdown: str) -> Json:
        """Replace the whole content; refused when a nested page is missing from it and would go to the trash."""
        change = {"new_str": markdown, "allow_deleting_content": False}
        return self._write(
            lambda: self._library.pages.update_markdown(
                page_id, type="replace_content", replace_content=change, auth=self._token
            ),
            MARKDOWN,
        )

    def trash_database(self, database_id: str) -> Json:
        """Put a database with its entries into Notion's trash; doing it twice is the same as once."""
        return self._trash(
            lambda: self._library.databases.update(database_id, in_trash=True, auth=self._token), "database"
        )

    def trash(self, page_id: str) -> Json:
        """Put a page into Notion's trash; doing it twice is the same as once."""
        return self._trash(lambda: self._library.pages.update(page_id, in_trash=True, auth=self._token), "page")

    def _list_all(self, request: Callable[[Json], Any], *, most: int) -> list[Json]:
        """Items of all pages of a list, up to `most`; a list that breaks off is an error and never half a list."""
        items: list[Json] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            start = {"start_cursor": cursor} if cursor else {}
            answer = self._read(partial(request, {"page_size": min(PAGE, most), **start}), LIST)
            with payload_guard(LABEL):
                items += answer["results"]
                if not answer["has_more"] or len(items) >= most:
                    return items[:most]
                if answer["next_cursor"] == cursor:
                    break
                cursor = parse_id(answer["next_cursor"])
        raise ServiceUnavailable(LABEL, gettext("Notion's list does not end."))

    def _read(self, request: Callable[[], Any], kind: str) -> Json:
        """Send a request that may be retried."""
        for attempt in range(TRIES - 1):
            try:
                return self._send(request, kind)
            except ServiceUnavailable as problem:
                if isinstance(problem, Throttled) or not self.deadline.pause(attempt):
                    raise
        return self._send(request, kind)

    def _write(self, request: Callable[[], Any], kind: str) -> Json:
        """Send a request that must not be carried out twice; raises `StillUnderway` for a repeat that is too early."""
        if self._gate is not None:
            self._gate.pass_through()
        return self._send(request, kind)

    def _trash(self, request: Callable[[], Any], kind: str) -> Json:
        """Send a request that may be retried, but not by another try while it may still take effect: by then the
        student may have taken the page out of the trash again.
        """
        if self._gate is not None:
            self._gate.pass_through()
        try:
            return self._read(request, kind)
        except NotionGone:
            # The answer to the first request was lost, and Notion refuses to put away once more what lies there.
            return {}

    def _send(self, request: Callable[[], Any], kind: str) -> Json:
        """Send a request, and again while Notion asks to slow down (it did nothing then), all within the deadline.

        kind: `object` of the answer; what has another one is no answer, and a write that it came to may be done.
        """
        for _ in range(TRIES):
            with self._backoff.request_slot(self.deadline, LABEL):
                if not self.deadline.remaining_s():
                    raise deadline_error()
                try:
                    answer: Json = read_fields(_checked(request(), kind), FIELDS)
                    return answer
                except HTTPResponseError as error:
                    problem = response_error(error)
                    if not isinstance(problem, Throttled):
                        raise problem from None
                    self._backoff.slow_down(problem.retry_after_s)
                except (NotionClientErrorBase, httpx.HTTPError, *NONSENSE) as error:
                    raise no_response_error(error) from None
        raise throttled(LABEL, self._backoff.wait_s())


def _checked(answer: Any, kind: str) -> Json:
    """Check that an answer is the object that was asked for; raises `NotionUnanswered`."""
    if not isinstance(answer, dict) or answer.get("object") != kind or not _is_whole(answer, kind):
        raise unreadable_error()
    return answer


def _is_whole(answer: Json, kind: str) -> bool:
    """Check the parts without which an answer of this kind says nothing."""
    if kind == LIST:
        results = answer.get("results")
        return isinstance(answer.get("has_more"), bool) and isinstance(results, list) and all(map(_is_item, results))
    if kind == MARKDOWN:
        return isinstance(answer.get("markdown"), str)
    return _is_item(answer)


def _is_item(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("object"), str) and isinstance(item.get("id"), str)
