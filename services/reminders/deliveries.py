"""Deliveries: a ledger of what was sent to a student; nothing in it is ever sent twice, whichever replica dies when.

An entry says "sending" before the first byte leaves, and how it ended afterwards. What still says "sending" when its
sender must be gone may have arrived or not: it becomes "unclear", is not repeated, and the student is shown it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

from services.errors import DuplicateDocument
from services.reminders.preferences import Channel
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store

COLLECTION = "deliveries"
LIFETIME = timedelta(days=30)
GONE_AFTER = timedelta(minutes=10)
"""A sender that takes longer is gone: each has a deadline of a minute."""
PAUSES = (timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30))
"""Before each new try of what was surely not taken."""


class DeliveryStatus(StrEnum):
    """WAITING: surely not taken, to be tried again. UNCLEAR: it may have arrived, and is not repeated."""

    SENDING = "sending"
    SENT = "sent"
    WAITING = "waiting"
    FAILED = "failed"
    UNCLEAR = "unclear"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a try ended. reason: why it was not taken, in English, for the student's list and the operator."""

    status: DeliveryStatus
    reason: str = ""


SENT = Outcome(status=DeliveryStatus.SENT)


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Entry of the ledger. key: what is told, the same on every replica and at every try. target: the device of a push,
    as it calls itself.
    """

    key: str
    channel: Channel
    title: str = field(repr=False)
    target: str = ""
    status: DeliveryStatus = DeliveryStatus.SENDING
    reason: str = ""
    at: datetime
    tries: int = 1


class Deliveries:
    """Repository of the ledger of all students."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def claim(self, student_id: str, key: str, channel: Channel, *, title: str, target: str = "") -> bool:
        """Claim the right to send this now: True for one process alone, once, and again when a new try is due."""
        documents, now = self._store.for_student(student_id), self._clock()
        fields = {
            "key": key,
            "channel": str(channel),
            "title": title,
            "target": target,
            "status": DeliveryStatus.SENDING.value,
            "reason": "",
            "at": stamp(now),
            "tries": 1,
            "retry_at": None,
            "kept_until": stamp(now + LIFETIME),
        }
        try:
            documents.insert(COLLECTION, {"id": _id(key), **fields})
        except DuplicateDocument:
            known = documents.get(COLLECTION, _id(key))
            if known is None or known["status"] != DeliveryStatus.WAITING or known["retry_at"] > stamp(now):
                return False
            expected = {"status": DeliveryStatus.WAITING.value, "tries": known["tries"]}
            changes = {"status": DeliveryStatus.SENDING.value, "tries": known["tries"] + 1, "at": stamp(now)}
            return documents.compare_and_set(COLLECTION, _id(key), expected, changes) is not None
        return True

    def finish(self, student_id: str, keys: Iterable[str], outcome: Outcome) -> None:
        """Note how claimed ones ended; what surely was not taken is tried again, a few times."""
        documents, now = self._store.for_student(student_id), self._clock()
        for key in keys:
            tries = (documents.get(COLLECTION, _id(key)) or {"tries": len(PAUSES)})["tries"]
            is_over = outcome.status is DeliveryStatus.WAITING and tries > len(PAUSES)
            status = DeliveryStatus.FAILED if is_over else outcome.status
            retry_at = stamp(now + PAUSES[tries - 1]) if status is DeliveryStatus.WAITING else None
            changes = {"status": status.value, "reason": outcome.reason, "at": stamp(now), "retry_at": retry_at}
            # A slow sender may come after the sweep: what it knows is better.
            expected = {"status": {"$in": [DeliveryStatus.SENDING.value, DeliveryStatus.UNCLEAR.value]}}
            documents.compare_and_set(COLLECTION, _id(key), expected, changes)

    def sweep(self) -> None:
        """Call unclear what senders left behind that are gone."""
        gone = {"status": DeliveryStatus.SENDING.value, "at": {"$lt": stamp(self._clock() - GONE_AFTER)}}
        for student_id, id in self._store.owners(COLLECTION, gone):
            documents = self._store.for_student(student_id)
            call_unclear = partial(
                documents.compare_and_set, COLLECTION, id, gone, {"status": DeliveryStatus.UNCLEAR.value}
            )
            self._store.guard.run("remind", COLLECTION, f"{student_id}/{id}", call_unclear)

    def latest(self, student_id: str, limit: int) -> Sequence[Delivery]:
        """What was sent last, the newest first."""
        found = self._store.for_student(student_id).find(COLLECTION, {}, order=[("at", -1)], limit=limit)
        return read_all(_read, found)

    def get(self, student_id: str, key: str) -> Delivery | None:
        document = self._store.for_student(student_id).get(COLLECTION, _id(key))
        return None if document is None else _read(document)


def _id(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32]


@record_reader(COLLECTION)
def _read(document: Document) -> Delivery:
    return Delivery(
        key=document["key"],
        channel=Channel(document["channel"]),
        title=document["title"],
        target=document["target"],
        status=DeliveryStatus(document["status"]),
        reason=document["reason"],
        at=moment(document["at"]),
        tries=document["tries"],
    )
