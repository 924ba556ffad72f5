"""Sign-in sessions: where a student is signed in, one entry for each session, without any IP address; tombstones."""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from services.identity.browser_names import localized_browser_name
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.records import record_reader
from services.storage.store import Store

MOST = 30
SIGN_IN_LIFETIME = timedelta(days=30)
"""Of the cookie, which Streamlit sets for so long and for no other time (starlette_auth_routes.py, 1.67)."""
SIGN_IN_ACCEPTED_FOR = SIGN_IN_LIFETIME + timedelta(days=1)
"""As long as a cookie is taken; after that, one from before a sign-out or a deletion need not be known any more."""

SEEN_RECORDED_EVERY = timedelta(minutes=10)

MOST_ENDED = 500
"""Sessions signed out one by one that are remembered for each student; with more of them, all of before are over."""


@dataclass(frozen=True, kw_only=True)
class SignInSession:
    """Browser in which a student is signed in.

    session: as the sign-in provider numbers it. browser: "Firefox on Windows". seen_at: exact to ten minutes.
    """

    session: int
    browser: str
    began_at: datetime
    seen_at: datetime


@record_reader("students")
def sessions_of(document: Document) -> Sequence[SignInSession]:
    """The sessions of a student's document that are still valid, the one seen last first."""
    over, ended = document.get("ended_until", 0), frozenset(map(int, document.get("ended", ())))
    found = [
        SignInSession(
            session=int(session),
            browser=localized_browser_name(seen["browser"]),
            began_at=moment(seen["began_at"]),
            seen_at=moment(seen["seen_at"]),
        )
        for session, seen in document.get("devices", {}).items()
        if int(session) > over and int(session) not in ended
    ]
    return sorted(found, key=lambda device: device.seen_at, reverse=True)


def with_session_seen(document: Document, session: int, browser: str, now: datetime) -> Mapping[str, Any] | None:
    """The sessions to store once this one was seen; None when its last visit is recent enough."""
    devices: dict[str, Any] = document.get("devices", {})
    before = devices.get(f"{session}")
    if before is not None and now - moment(before["seen_at"]) < SEEN_RECORDED_EVERY:
        return None
    began_at = before["began_at"] if before else stamp(now)
    seen = {"browser": browser, "began_at": began_at, "seen_at": stamp(now)}
    others = {id: seen for id, seen in devices.items() if now - moment(seen["seen_at"]) < SIGN_IN_ACCEPTED_FOR}
    latest = sorted({**others, f"{session}": seen}.items(), key=lambda pair: pair[1]["seen_at"])
    return dict(latest[-MOST:])


def with_session_ended(document: Document, session: int, now: datetime) -> dict[str, Any]:
    """What changes in a student's document when this session is ended; of many that were, the oldest are summed up."""
    numbers = (*ended_sessions(document), session)
    ended = {f"{number}": stamp(now) for number in numbers} | ended_at_by_session(document)
    ended[f"{session}"] = stamp(now)
    latest = sorted(ended.items(), key=lambda pair: pair[1])
    oldest = stamp(now - SIGN_IN_ACCEPTED_FOR)
    remembered = {number: at for number, at in latest[-MOST_ENDED:] if at >= oldest}
    until = max(document.get("ended_until", 0), *(int(number) for number, _ in latest[:-MOST_ENDED]), 0)
    return {"ended": remembered, "ended_until": until}


def is_session_over(document: Document, session: int) -> bool:
    """Whether this session was ended here, whatever its cookie says."""
    return bool(session) and (session <= document.get("ended_until", 0) or session in ended_sessions(document))


def ended_sessions(document: Document) -> frozenset[int]:
    """The sessions that were signed out one by one; a list of them was kept without a time before."""
    return frozenset(map(int, document.get("ended", ())))


def ended_at_by_session(document: Document) -> dict[str, str]:
    """When each of them was signed out, where that was kept."""
    ended = document.get("ended", {})
    return dict(ended) if isinstance(ended, Mapping) else {}


def newest_session(document: Document) -> int:
    """The newest session that is known of a student, from any of the fields that name one."""
    known: list[int] = [document.get("newest_session", 0), document.get("ended_until", 0)]
    return max([*known, *ended_sessions(document), *map(int, document.get("devices", {}))])


class Tombstones:
    """Fingerprints of deleted students, which keep out browsers that are still signed in."""

    def __init__(self, store: Store, clock: Clock, secret: str) -> None:
        """secret: the key of the fingerprints, so that nobody else can tell whose they are."""
        self._shared, self._clock, self._secret = store.shared, clock, secret

    def leave(self, issuer: str, subject: str, ended_until: int) -> None:
        """Leave a tombstone. ended_until: number of the newest session that it keeps out."""
        expires_at = stamp(self._clock() + SIGN_IN_ACCEPTED_FOR)
        id = self._fingerprint(issuer, subject)
        self._shared.put("farewells", {"id": id, "ended_until": ended_until, "expires_at": expires_at})

    def of(self, issuer: str, subject: str) -> Document | None:
        """The tombstone of an identity."""
        return self._shared.get("farewells", self._fingerprint(issuer, subject))

    def keeps_out(self, issuer: str, subject: str, session: int) -> bool:
        """Whether a session is from before the deletion of this identity."""
        tombstone = self.of(issuer, subject)
        return tombstone is not None and 0 < session <= tombstone["ended_until"]

    def _fingerprint(self, issuer: str, subject: str) -> str:
        whole = json.dumps([issuer, subject], ensure_ascii=False)
        return hmac.new(f"homeroom/farewell/{self._secret}".encode(), whole.encode(), hashlib.sha256).hexdigest()
