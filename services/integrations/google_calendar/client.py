"""Client of one student's Google Calendar through googleapiclient, for the length of one tool call."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httplib2
import httpx
from googleapiclient.errors import HttpError
from googleapiclient.http import HttpRequest

from services.connections.backoff import Backoff, throttled
from services.errors import ChangedElsewhere, ItemNotFound, OutcomeUnknown, ServiceUnavailable, Throttled, Withheld
from services.i18n import gettext, gettext_noop
from services.integrations.google_calendar.errors import (
    LABEL,
    EventIdTaken,
    GoogleUnanswered,
    error_of_failed_request,
    error_of_response,
)
from services.integrations.google_calendar.payloads import PRIMARY, Json, already_has
from services.integrations.kit.payloads import parse_text, payload_guard
from services.runtime.deadline import Deadline
from services.safety.field_log import REST, Fields, read_fields
from services.safety.provenance import Provenance

TRIES = 3
PAGE, LARGEST_PAGE = 250, 2500
MOST_PAGES = 40
UNPARSABLE = (ValueError, TypeError, AttributeError, RecursionError)
"""Errors of googleapiclient for an answer that is no JSON, or an error that is no object."""
CALENDARS, CALENDAR = "calendar#calendarList", "calendar#calendarListEntry"
EVENTS, EVENT = "calendar#events", "calendar#event"
NOTHING = ""
"""The kind of an answer that has no body."""


@dataclass(frozen=True, kw_only=True)
class GoogleTimeouts:
    """Timeouts in seconds: for one request, and for all requests of one tool call together."""

    request_s: float = 6.0
    call_s: float = 16.0


class HttpxTransport:
    """Transport of googleapiclient on httpx, in place of httplib2.

    httplib2 itself resends a request when a connection drops, a POST and a PATCH too, and does not report it; httpx
    never does, and its errors tell "not sent" from "sent, but not answered".
    """

    def __init__(self, client: httpx.Client, deadline: Deadline, most_s: float) -> None:
        self._client = client
        self._deadline = deadline
        self._most_s = most_s
        self.status = 0

    def request(
        self, uri: str, method: str = "GET", body: Any = None, headers: Mapping[str, str] | None = None, **_: Any
    ) -> tuple[httplib2.Response, bytes]:
        timeout_s = max(0.1, min(self._most_s, self._deadline.remaining_s()))
        answer = self._client.request(method, uri, content=body, headers=headers, timeout=timeout_s)
        self.status = answer.status_code
        return httplib2.Response({**answer.headers, "status": str(answer.status_code)}), answer.content


FIELDS: Fields = {REST: Provenance.OTHERS, "kind": Provenance.SERVICE, "nextPageToken": Provenance.SERVICE}
"""Whoever invites the student, shares a calendar with them or may edit theirs writes its events, guests and rules."""


class GoogleCalendarClient:
    """Client with retries: reads up to three times, writes as their own rules allow, all within the deadline.

    Every method raises the typed errors of `services.errors`; those of writes add `OutcomeUnknown`, when a write was
    sent, no answer came, and reading back could not tell.
    """

    def __init__(self, api: Any, http: httpx.Client, token: str, *, backoff: Backoff, limits: GoogleTimeouts) -> None:
        self._api = api
        self._client = http
        self._token = token
        self._backoff = backoff
        self._limits = limits
        self._deadline = Deadline(limits.call_s)

    def started(self) -> "GoogleCalendarClient":
        """Copy of the client with a fresh deadline, for one tool call."""
        return GoogleCalendarClient(self._api, self._client, self._token, backoff=self._backoff, limits=self._limits)

    def calendar_entry(self, calendar_id: str = PRIMARY) -> Json:
        """Read a calendar's entry in the student's list; the main one's `id` is their address, `timeZone` its zone."""
        return self._read(self._api.calendarList().get(calendarId=calendar_id), CALENDAR)

    def calendar_entries(self) -> list[Json]:
        """List all of the student's calendars, as Google keeps them."""
        return self._pages(lambda page: self._api.calendarList().list(maxResults=PAGE, pageToken=page), CALENDARS)

    def events(self, calendar_id: str, *, start: datetime, end: datetime) -> list[Json]:
        """List every event that touches [start, end), recurring ones as single occurrences, in order of time."""
        return self._pages(
            lambda page: self._api.events().list(
                calendarId=calendar_id,
                timeMin=start.isoformat(),
                timeMax=end.isoformat(),
                singleEvents=True,
                orderBy="startTime",
                maxResults=PAGE,
                pageToken=page,
            ),
            EVENTS,
        )

    def event(self, calendar_id: str, event_id: str) -> Json:
        """Read an event; a deleted one may still come, with status "cancelled"."""
        return self._read(self._api.events().get(calendarId=calendar_id, eventId=event_id), EVENT, id=event_id)

    def instances(self, calendar_id: str, event_id: str) -> list[Json]:
        """List every occurrence of a series that ends, with those that were left out ("cancelled") or moved."""
        return self._pages(
            lambda page: self._api.events().instances(
                calendarId=calendar_id, eventId=event_id, showDeleted=True, maxResults=LARGEST_PAGE, pageToken=page
            ),
            EVENTS,
        )

    def insert(self, calendar_id: str, body: Json, *, notify: bool = False) -> tuple[Json, bool]:
        """Add an event under the id that `body` chooses: the event as it is now, and whether this very request made it.

        Repeating is safe: when the id is taken, an earlier try of the same insert took it, and that event is read.
        notify: Google writes to the guests.
        """
        for attempt in range(TRIES):
            try:
                request = self._api.events().insert(calendarId=calendar_id, body=body, sendUpdates=_updates(notify))
                return self._send(request, EVENT, id=body["id"]), True
            except EventIdTaken:
                try:
                    return self.event(calendar_id, body["id"]), False
                except ServiceUnavailable as silence:
                    raise _outcome_unknown(gettext_noop("added")) from silence
            except Withheld as withheld:
                try:
                    return self.event(calendar_id, body["id"]), False
                except ItemNotFound:
                    raise withheld from None
            except GoogleUnanswered:
                if not self._deadline.pause(attempt):
                    break
            except ServiceUnavailable:
                # Only the first request surely did nothing.
                if not attempt:
                    raise
                break
        raise _outcome_unknown(gettext_noop("added"))

    def patch(self, calendar_id: str, event_id: str, changes: Json, *, etag: str, notify: bool = False) -> Json:
        """Change some fields if the event still has this etag; raises `ChangedElsewhere` when it has not."""
        try:
            return self._patch_once(calendar_id, event_id, changes, etag, notify)
        except (GoogleUnanswered, ChangedElsewhere) as doubt:
            current = self._read_back(calendar_id, event_id, gettext_noop("changed"))
            if already_has(current, changes):
                return current
            if isinstance(doubt, ChangedElsewhere) or current["etag"] != etag:
                raise ChangedElsewhere(
                    LABEL, gettext("This event was changed in Google Calendar meanwhile.")
                ) from doubt
        try:
            return self._patch_once(calendar_id, event_id, changes, etag, notify)
        except ServiceUnavailable as silence:
            raise _outcome_unknown(gettext_noop("changed")) from silence

    def delete(self, calendar_id: str, event_id: str, *, etag: str, notify: bool = False) -> None:
        """Delete an event if it still has this etag; one that is gone already counts as deleted."""
        try:
            return self._delete_once(calendar_id, event_id, etag, notify)
        except (GoogleUnanswered, ChangedElsewhere) as doubt:
            current = self._read_back(calendar_id, event_id, gettext_noop("deleted"))
            if current.get("status") == "cancelled":
                return None
            if isinstance(doubt, ChangedElsewhere):
                raise
        try:
            return self._delete_once(calendar_id, event_id, etag, notify)
        except ServiceUnavailable as silence:
            raise _outcome_unknown(gettext_noop("deleted")) from silence

    def _patch_once(self, calendar_id: str, event_id: str, changes: Json, etag: str, notify: bool) -> Json:
        request = self._api.events().patch(
            calendarId=calendar_id, eventId=event_id, body=changes, sendUpdates=_updates(notify)
        )
        request.headers["If-Match"] = etag
        return self._send(request, EVENT, id=event_id)

    def _delete_once(self, calendar_id: str, event_id: str, etag: str, notify: bool) -> None:
        request = self._api.events().delete(calendarId=calendar_id, eventId=event_id, sendUpdates=_updates(notify))
        request.headers["If-Match"] = etag
        with suppress(ItemNotFound):
            self._send(request, NOTHING)

    def _read_back(self, calendar_id: str, event_id: str, done: str) -> Json:
        """Read the event after a write whose answer was lost; one that is gone reads as cancelled."""
        try:
            return self.event(calendar_id, event_id)
        except ItemNotFound:
            return {"id": event_id, "status": "cancelled", "etag": ""}
        except ServiceUnavailable as silence:
            raise _outcome_unknown(done) from silence

    def _pages(self, request_for: Any, kind: str) -> list[Json]:
        """Read the items of every page; a list that does not end, or breaks off, is an error and never half a list."""
        items: list[Json] = []
        page: str | None = None
        seen: set[str] = set()
        while len(seen) < MOST_PAGES:
            answer = self._read(request_for(page), kind)
            with payload_guard(LABEL):
                items += answer["items"]
                page = parse_text(answer.get("nextPageToken")) or None
            if page is None:
                return items
            if page in seen:
                break
            seen.add(page)
        raise ServiceUnavailable(LABEL, gettext("Google Calendar's list does not end; ask for fewer days."))

    def _read(self, request: HttpRequest, kind: str, *, id: str = "") -> Json:
        for attempt in range(TRIES - 1):
            try:
                return self._send(request, kind, id=id)
            except ServiceUnavailable as problem:
                if isinstance(problem, Throttled) or not self._deadline.pause(attempt):
                    raise
        return self._send(request, kind, id=id)

    def _send(self, request: HttpRequest, kind: str, *, id: str = "") -> Json:
        """Send a request, and again while Google throttles: it did nothing then. All within the deadline.

        kind, id: of the answer; another one is no answer to this request.
        """
        request.headers["authorization"] = f"Bearer {self._token}"
        for attempt in range(TRIES + 1):
            with self._backoff.request_slot(self._deadline, LABEL):
                try:
                    http = HttpxTransport(self._client, self._deadline, self._limits.request_s)
                    body = request.execute(http=http)
                    if kind == NOTHING and http.status == httpx.codes.NO_CONTENT:
                        return {}
                    answer: Json = read_fields(_checked(body, kind, id), FIELDS)
                    return answer
                except HttpError as error:
                    problem = error_of_response(error)
                    if not isinstance(problem, Throttled):
                        raise problem from None
                    self._backoff.slow_down(problem.retry_after_s or 0.5 * 2**attempt)
                except (httpx.HTTPError, *UNPARSABLE) as error:
                    raise error_of_failed_request(error) from None
        raise throttled(LABEL, self._backoff.wait_s())


def _checked(answer: Any, kind: str, id: str) -> Json:
    """Check that an answer is the object that was asked for: what lacks its kind never counts as an empty one.

    googleapiclient passes on what is no JSON as plain text.
    """
    if isinstance(answer, str | bytes) and answer.strip():
        raise GoogleUnanswered(LABEL, gettext("Google Calendar is in maintenance: it sent a web page instead of data."))
    if not isinstance(answer, dict) or not kind or answer.get("kind") != kind or not _is_whole(answer, kind, id):
        raise GoogleUnanswered(LABEL, gettext("Google Calendar sent an answer that cannot be read."))
    return answer


def _is_whole(answer: Json, kind: str, id: str) -> bool:
    """Check the parts without which an answer of this kind says nothing."""
    if kind in (CALENDARS, EVENTS):
        items = answer.get("items")
        return isinstance(items, list) and all(isinstance(item, dict) for item in items)
    is_this = isinstance(answer.get("id"), str) and answer["id"] == (id or answer["id"])
    return is_this and (kind == CALENDAR or isinstance(answer.get("etag"), str))


def _updates(notify: bool) -> str:
    return "all" if notify else "none"


def _outcome_unknown(done: str) -> OutcomeUnknown:
    return OutcomeUnknown(
        LABEL,
        gettext("Google Calendar did not confirm that the event was {done}.", done=gettext(done)),
        next_step=gettext("Please look in Google Calendar before trying again."),
    )
