"""Push subscriptions: where a student's browsers take notifications (W3C Push API), tied to their sign-in sessions."""

import base64
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import BaseModel, Field

from services.errors import BadArguments
from services.i18n import gettext
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store

COLLECTION = "push_subscriptions"
MOST = 10
LONGEST_ENDPOINT = 2_000
_PUBLIC_KEY_BYTES, _AUTH_BYTES = 65, 16


class PushKeys(BaseModel):
    p256dh: Annotated[str, Field(max_length=200)]
    auth: Annotated[str, Field(max_length=100)]


class NewSubscription(BaseModel):
    """What `PushSubscription.toJSON()` gives, and what the browser is called."""

    endpoint: Annotated[str, Field(max_length=LONGEST_ENDPOINT)]
    keys: PushKeys
    name: Annotated[str, Field(max_length=80)] = ""


@dataclass(frozen=True, kw_only=True)
class PushSubscription:
    """Subscription of one browser. session: the sign-in that made it: signing out there ends it. server_key: the
    fingerprint of the VAPID key that it takes messages from, and no other.
    """

    id: str
    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)
    name: str
    session: int
    server_key: str
    created_at: datetime


class PushSubscriptions:
    """Repository of subscriptions. A browser tells one student at a time: whoever switched it on last."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def add(self, student_id: str, new: NewSubscription, *, session: int, server_key: str) -> PushSubscription:
        """Add or renew one; raises `BadArguments` for keys that nothing can be sealed with, or too many devices."""
        _check_keys(new.keys)
        hashed = endpoint_hash(new.endpoint)
        for owner, id in self._store.owners(COLLECTION, {"endpoint_hash": hashed}):
            self._store.for_student(owner).delete(COLLECTION, {"id": id})
        documents = self._store.for_student(student_id)
        if documents.count(COLLECTION, {}) >= MOST:
            sentence = gettext("Notifications are on for {n} devices already. Switch one off first.", n=MOST)
            raise BadArguments(sentence, field="endpoint")
        document = {
            "id": secrets.token_hex(8),
            "endpoint": new.endpoint,
            "endpoint_hash": hashed,
            "p256dh": new.keys.p256dh,
            "auth": new.keys.auth,
            "name": new.name.strip(),
            "session": session,
            "server_key": server_key,
            "created_at": stamp(self._clock()),
        }
        documents.insert(COLLECTION, document)
        return _read(document)

    def of(self, student_id: str) -> Sequence[PushSubscription]:
        """Those of a student, the newest first."""
        found = self._store.for_student(student_id).find(COLLECTION, {})
        return sorted(read_all(_read, found), key=lambda subscription: subscription.created_at, reverse=True)

    def remove(self, student_id: str, id: str) -> None:
        self._store.for_student(student_id).delete(COLLECTION, {"id": id})

    def remove_endpoint(self, student_id: str, endpoint: str) -> None:
        self._store.for_student(student_id).delete(COLLECTION, {"endpoint_hash": endpoint_hash(endpoint)})


def endpoint_hash(endpoint: str) -> str:
    """Fingerprint by which a browser's page knows its own subscription, without being told the address of another."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def _check_keys(keys: PushKeys) -> None:
    """RFC 8291, section 3: a point on P-256, and 16 secret bytes."""
    try:
        point, auth = _decoded(keys.p256dh), _decoded(keys.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        point, auth = b"", b""
    if len(point) != _PUBLIC_KEY_BYTES or len(auth) != _AUTH_BYTES:
        raise BadArguments(gettext("This browser sent keys that cannot be used."), field="keys")


def _decoded(text: str) -> bytes:
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)


@record_reader(COLLECTION)
def _read(document: Document) -> PushSubscription:
    return PushSubscription(
        id=document["id"],
        endpoint=document["endpoint"],
        p256dh=document["p256dh"],
        auth=document["auth"],
        name=document["name"],
        session=document["session"],
        server_key=document["server_key"],
        created_at=moment(document["created_at"]),
    )
