"""`LaunchTickets`: one-time tokens that carry a verified launch from one page of ours to the next."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from services.classes.lti.launch import Launch, launch_document, launch_of
from services.classes.lti.refusals import LaunchRefused
from services.runtime.clock import Clock, moment, stamp
from services.storage.store import Store

COLLECTION = "lti_tickets"
LONGEST = 200


class TicketKind(StrEnum):
    """Page that a ticket leads to.

    BINDING: a launch whose browser is not known yet. HANDOVER: the app, in a tab of its own. CHOICE: which account.
    CLASS: which class a course is. ROLE: what an administrator is in it. DEEP_LINK: the list of what may be linked.
    """

    BINDING = "binding"
    HANDOVER = "handover"
    CHOICE = "choice"
    CLASS = "class"
    ROLE = "role"
    DEEP_LINK = "deep_link"


_LASTS = {
    TicketKind.BINDING: timedelta(minutes=2),
    TicketKind.HANDOVER: timedelta(minutes=5),
    TicketKind.CHOICE: timedelta(minutes=10),
    TicketKind.CLASS: timedelta(minutes=10),
    TicketKind.ROLE: timedelta(minutes=10),
    TicketKind.DEEP_LINK: timedelta(hours=1),
}


@dataclass(frozen=True, kw_only=True)
class Ticket:
    """Ticket that was used just now. more: what its kind needs beside the launch."""

    launch: Launch
    more: Mapping[str, Any]


class LaunchTickets:
    """Each works once, for its kind alone, and is stored as a hash."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._documents, self._clock = store.shared, clock

    def issue(self, kind: TicketKind, launch: Launch, **more: Any) -> str:
        """A new token. more: plain JSON."""
        token, now = secrets.token_urlsafe(32), self._clock()
        document = {
            "id": _hash(token),
            "kind": kind.value,
            "launch": launch_document(launch),
            "more": more,
            "expires_at": stamp(now + _LASTS[kind]),
            "used_at": None,
        }
        self._documents.insert(COLLECTION, document)
        return token

    def use(self, kind: TicketKind, token: str) -> Ticket:
        """Use a token up. Raises `LaunchRefused` "handover_unknown" for one that is used, too old or never was."""
        now, found = self._clock(), None
        if 0 < len(token) <= LONGEST:
            expected = {"kind": kind.value, "used_at": None}
            found = self._documents.compare_and_set(COLLECTION, _hash(token), expected, {"used_at": stamp(now)})
        if found is None or moment(found["expires_at"]) <= now:
            raise LaunchRefused("handover_unknown")
        return Ticket(launch=launch_of(found["launch"]), more=found["more"])


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
