"""`Invites`: one-time links with which a school's administrator registers Homeroom in their system."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.classes.lti.refusals import LaunchRefused
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_or_none, read_record, record_reader
from services.storage.store import Store

COLLECTION = "lti_invites"
LASTS = timedelta(days=7)
REGISTER = "/lti/register"
LONGEST = 200
LONGEST_NAME = 80
UNDER_WAY = timedelta(minutes=2)
"""For how long nobody else may begin with an invite; after a crash in between it can be used again."""


@dataclass(frozen=True, kw_only=True)
class Invite:
    """Invite as it is stored. begun_at: when a registration began that runs with it. platform_id: what came of it."""

    id: str
    name: str
    expires_at: datetime
    begun_at: datetime | None
    platform_id: str


class Invites:
    """An invite is used up by the registration that succeeds with it; a failed one may be tried again."""

    def __init__(self, store: Store, clock: Clock, *, public_url: str) -> None:
        self._documents, self._clock, self._public_url = store.shared, clock, public_url

    def create(self, name: str = "") -> str:
        """A new link, which is shown once; name: what the operator calls the school's system, "" to take its own."""
        token, now = secrets.token_urlsafe(32), self._clock()
        document = {
            "id": _hash(token),
            "name": name.strip()[:LONGEST_NAME],
            "made_at": stamp(now),
            "expires_at": stamp(now + LASTS),
            "begun_at": None,
            "platform_id": "",
        }
        self._documents.insert(COLLECTION, document)
        return f"{self._public_url}{REGISTER}?invite={token}"

    def begin(self, token: str) -> str:
        """Begin a registration; the name that the operator gave. Raises `LaunchRefused` "invite_unknown", and
        "invite_used" while another one runs with it.
        """
        now, found = self._clock(), self._find(token)
        if found.begun_at is not None and now - found.begun_at < UNDER_WAY:
            raise LaunchRefused("invite_used")
        expected = {"begun_at": stamp(found.begun_at) if found.begun_at else None, "platform_id": ""}
        if self._documents.compare_and_set(COLLECTION, found.id, expected, {"begun_at": stamp(now)}) is None:
            raise LaunchRefused("invite_used")
        return found.name

    def registered(self, token: str) -> str:
        """Id of the platform that was registered with this invite; "" for none yet. Raises `LaunchRefused`."""
        return self._find(token).platform_id

    def end(self, token: str, platform_id: str) -> None:
        """Use an invite up, or with "" give it back after a failure."""
        changes = {"platform_id": platform_id, "begun_at": None}
        self._documents.compare_and_set(COLLECTION, _hash(token), {"platform_id": ""}, changes)

    def _find(self, token: str) -> Invite:
        document = self._documents.get(COLLECTION, _hash(token)) if 0 < len(token) <= LONGEST else None
        found = read_or_none(_read, document)
        if found is None or found.expires_at <= self._clock():
            raise LaunchRefused("invite_unknown")
        return found


@record_reader(COLLECTION)
def _read(document: Document) -> Invite:
    return read_record(Invite, document)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
