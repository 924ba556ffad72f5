"""Token revocation queue: grants to end at their service, disconnected or replaced, kept sealed and retried."""

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta

from services.connections.connection import COLLECTION as CONNECTIONS
from services.connections.connection import PASTED, Connection
from services.connections.connector import Connector, Grant
from services.connections.vault import Credentials
from services.errors import ReconnectRequired, SealBroken, ServiceError
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.due_queue import DueQueue
from services.storage.records import read_all, read_record, record_reader
from services.storage.store import Store

_COLLECTION = "revocations"
_KEPT_FOR = timedelta(days=30)
_FIRST_WAIT = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=6)
_MOST_AT_ONCE = 100


@dataclass(frozen=True, kw_only=True)
class Revocation:
    """Grant that is to be ended. replaced: when what it replaces was connected; None where nothing takes its place."""

    id: str
    integration: str
    account_id: str = ""
    origin: str = ""
    method: str = ""
    sealed: Mapping[str, str] = field(default_factory=dict, repr=False)
    replaced: str | None = None
    tries: int


class Revocations:
    """Queue of revocations. An entry is written before the connection is erased, so that no crash in between leaves a
    grant alive and forgotten.
    """

    def __init__(
        self, *, store: Store, credentials: Credentials, integrations: Mapping[str, Connector], clock: Clock
    ) -> None:
        self._store, self._credentials, self._integrations, self._clock = store, credentials, integrations, clock
        self._queue = DueQueue(
            store=store, job="retry_revocations", collection=_COLLECTION, due_field="next_at", clock=clock
        )

    def queue(self, student_id: str, connection: Connection, *, is_replaced: bool = False) -> str:
        """Remember to end this connection's grant; the id to attempt it with.

        is_replaced: another grant is about to take its place; until it has, nothing is ended.
        """
        now, id = self._clock(), secrets.token_hex(12)
        document = {
            "id": id,
            "integration": connection.integration,
            "account_id": connection.account_id,
            "origin": connection.origin,
            "method": connection.method,
            "sealed": dict(connection.sealed),
            "replaced": stamp(connection.connected_at) if is_replaced else None,
            "tries": 0,
            "next_at": stamp(now + _FIRST_WAIT),
            "expires_at": stamp(now + _KEPT_FOR),
        }
        self._store.for_student(student_id).insert(_COLLECTION, document)
        return id

    def drop(self, student_id: str, id: str) -> None:
        """Forget one that is not to be ended after all."""
        self._store.for_student(student_id).delete(_COLLECTION, {"id": id})

    def attempt(self, student_id: str, id: str) -> bool:
        """Try to end it now: True when the grant is gone, or was already; then nothing of it is kept."""
        document = self._store.for_student(student_id).get(_COLLECTION, id)
        if document is None:
            return True
        revocation = _read(document)
        if self._is_in_use(student_id, revocation):
            # A crash came between this note and the new grant: what was to be replaced is what the student has.
            self._store.for_student(student_id).delete(_COLLECTION, {"id": id})
            return True
        try:
            self._end(student_id, revocation)
        except (ServiceError, SealBroken):
            return False
        self._store.for_student(student_id).delete(_COLLECTION, {"id": id})
        return True

    def attempt_all(self, student_id: str) -> list[str]:
        """Try everything of a student who is leaving, side by side; the integrations of what is left for the jobs loop.

        Of what is left, it is forgotten whose account it was.
        """
        documents = self._store.for_student(student_id)
        queued = {each.id: each.integration for each in read_all(_read, documents.find(_COLLECTION, {}))}
        if not queued:
            return []
        with ThreadPoolExecutor(max_workers=len(queued)) as pool:
            ended = pool.map(lambda id: self.attempt(student_id, id), queued)
            left = [id for id, is_ended in zip(queued, ended, strict=True) if not is_ended]
        for id in left:
            documents.compare_and_set(_COLLECTION, id, {}, {"account_id": ""})
        return [queued[id] for id in left]

    def spare(self, student_id: str, integration: str, account_id: str) -> None:
        """Leave out what is queued for this account: ending it would end the grant that was just made, too."""
        documents = self._store.for_student(student_id)
        for document in documents.find(_COLLECTION, {"integration": integration}):
            if document.get("account_id", "") in ("", account_id):
                documents.delete(_COLLECTION, {"id": document["id"]})

    def retry_due(self) -> int:
        """Try again what is due, for the jobs loop, on several replicas at once; how many grants were ended."""
        ended: list[str] = []

        def attempt(student_id: str, id: str) -> None:
            if self._claim(student_id, id) and self.attempt(student_id, id):
                ended.append(id)

        self._queue.run(attempt, limit=_MOST_AT_ONCE)
        return len(ended)

    def _claim(self, student_id: str, id: str) -> bool:
        documents = self._store.for_student(student_id)
        document = documents.get(_COLLECTION, id)
        if document is None:
            return False
        before = _read(document).tries
        tries = before + 1
        next_at = self._clock() + min(_FIRST_WAIT * 2 ** min(tries, 10), _LONGEST_WAIT)
        expected = {"tries": before}
        return (
            documents.compare_and_set(_COLLECTION, id, expected, {"tries": tries, "next_at": stamp(next_at)})
            is not None
        )

    def _is_in_use(self, student_id: str, revocation: Revocation) -> bool:
        if not revocation.replaced:
            return False
        today = self._store.for_student(student_id).get(CONNECTIONS, revocation.integration)
        return today is not None and today.get("connected_at") == revocation.replaced

    def _end(self, student_id: str, revocation: Revocation) -> None:
        integration = self._integrations.get(revocation.integration)
        if integration is None or (revoke := revoker(integration, revocation.method)) is None:
            return
        grant = self._credentials.open_sealed(revocation.sealed, student_id, integration.id, revocation.origin)
        try:
            revoke(grant)
        except ReconnectRequired:
            # The service no longer knows the grant: that is what we wanted.
            return


@record_reader(_COLLECTION)
def _read(document: Document) -> Revocation:
    return read_record(Revocation, document)


def revoker(integration: Connector, method: str) -> Callable[[Grant], None] | None:
    """The function that ends a grant of this method at the service; None when there is none."""
    if method == PASTED:
        return integration.revoke_token
    return integration.oauth.revoke if integration.oauth else None
