"""Token refresh: when it is due, and one request for all callers, who wait for its answer in any replica."""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from services.connections import messages
from services.connections.connection import COLLECTION, Connection, Health, from_document
from services.connections.connector import Connector, Grant
from services.connections.revocations import Revocations
from services.connections.vault import Credentials
from services.errors import ReconnectRequired, ServiceError, ServiceUnavailable, StorageUnavailable
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.store import Store

_REFRESH_BEFORE = timedelta(seconds=60)
"""How long before an access token ends it is refreshed."""
_LEASE = timedelta(seconds=30)
_POLL_S = 0.05
_POLLS = 300
_RETRY_S = 0.5
_FREE = {"lease_holder": None, "lease_until": None}


class Refresher:
    """Refresh a grant once for all waiting callers.

    The caller who asks holds a lease in the connection's document; only its holder may write the answer, so a student
    who reconnects or disconnects meanwhile wins, and a rotated refresh token is never overwritten by an older one.
    """

    def __init__(
        self,
        *,
        store: Store,
        credentials: Credentials,
        revocations: Revocations,
        clock: Clock,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._store, self._credentials, self._revocations = store, credentials, revocations
        self._clock, self._pause = clock, pause

    def refresh_if_due(self, student_id: str, integration: Connector, connection: Connection, grant: Grant) -> Grant:
        """The grant to use now: a fresh one shortly before this one ends, this one while only the service is silent."""
        if not connection.is_refreshable or not _ends_by(connection, self._clock() + _REFRESH_BEFORE):
            return grant
        try:
            return self.refresh(student_id, integration, stale=grant)[1]
        except ServiceUnavailable:
            if _ends_by(connection, self._clock()):
                raise
            return grant

    def refresh(self, student_id: str, integration: Connector, *, stale: Grant) -> tuple[Connection, Grant]:
        """The connection and its newest grant; `stale` is the grant that the caller found wanting.

        Raises `ReconnectRequired` when the service refuses for good (stored, with its reason), `ServiceUnavailable`
        when it does not answer (the old grant stays).
        """
        first = self._read(student_id, integration)
        document = first
        for _ in range(_POLLS):
            connection = from_document(document)
            if connection.health is Health.REVOKED:
                raise ReconnectRequired(integration.label, connection.reason)
            grant = self._credentials.open(student_id, connection)
            if grant.access_token != stale.access_token:
                return connection, grant
            if document.get("refresh_failures", 0) != first.get("refresh_failures", 0):
                raise ServiceUnavailable(integration.label, messages.sign_in_not_renewed(integration.label))
            if holder := self._take_lease(student_id, document):
                return self._ask(student_id, integration, connection, grant, holder)
            self._pause(_POLL_S)
            document = self._read(student_id, integration)
        raise ServiceUnavailable(integration.label, messages.sign_in_not_renewed(integration.label))

    def _read(self, student_id: str, integration: Connector) -> Document:
        document = self._store.for_student(student_id).get(COLLECTION, integration.id)
        if document is None:
            raise ReconnectRequired(integration.label, messages.not_connected(integration.label))
        return document

    def _take_lease(self, student_id: str, document: Document) -> str | None:
        now, holder = self._clock(), secrets.token_hex(8)
        until = document.get("lease_until")
        if until and until > stamp(now):
            return None
        expected = {"version": document["version"], "lease_holder": document.get("lease_holder")}
        lease = {"lease_holder": holder, "lease_until": stamp(now + _LEASE)}
        return (
            holder
            if self._store.for_student(student_id).compare_and_set(COLLECTION, document["id"], expected, lease)
            else None
        )

    def _ask(
        self, student_id: str, integration: Connector, first: Connection, stale: Grant, holder: str
    ) -> tuple[Connection, Grant]:
        try:
            fresh = _merged(stale, self._renewed(integration, stale))
        except ReconnectRequired as refusal:
            seen = {"health": str(Health.REVOKED), "reason": str(refusal), "seen_at": stamp(self._clock())}
            self._answer(student_id, integration, holder, lambda _: seen)
            raise
        except ServiceError:
            self._answer(student_id, integration, holder, _one_more_failure)
            raise
        try:
            self._keep(student_id, integration, holder, fresh)
        except ReconnectRequired:
            self._end(student_id, integration, first, fresh)
            raise
        newest = from_document(self._read(student_id, integration))
        return newest, self._credentials.open(student_id, newest)

    def _keep(self, student_id: str, integration: Connector, holder: str, fresh: Grant) -> None:
        """Write the fresh grant, while the lease lasts also against a store that fails: the old one may be spent.

        Raises `ReconnectRequired` when the student has disconnected meanwhile.
        """
        ends = self._clock() + _LEASE
        for left in reversed(range(int(_LEASE.total_seconds() / _RETRY_S))):
            try:
                self._answer(student_id, integration, holder, lambda _: self._changes(student_id, integration, fresh))
                return
            except StorageUnavailable:
                if not left or self._clock() >= ends:
                    raise
            self._pause(_RETRY_S)

    def _end(self, student_id: str, integration: Connector, disconnected: Connection, fresh: Grant) -> None:
        """End what came too late at its service: the disconnect knew only the grant of before."""
        sealed = self._credentials.seal(fresh, student_id=student_id, integration=integration.id)
        queued = self._revocations.queue(student_id, replace(disconnected, sealed=sealed))
        self._revocations.attempt(student_id, queued)

    def _answer(
        self, student_id: str, integration: Connector, holder: str, changes: Callable[[Document], Document]
    ) -> None:
        """Write the service's answer and give the lease back, unless the lease has become somebody else's."""
        documents = self._store.for_student(student_id)
        while (document := self._read(student_id, integration)).get("lease_holder") == holder:
            expected = {"lease_holder": holder, "version": document["version"]}
            written = {**_FREE, **changes(document), "version": document["version"] + 1}
            if documents.compare_and_set(COLLECTION, integration.id, expected, written):
                return

    def _renewed(self, integration: Connector, stale: Grant) -> Grant:
        if integration.oauth is None or stale.refresh_token is None:
            raise ReconnectRequired(integration.label, messages.sign_in_refused(integration.label))
        return integration.oauth.refresh(stale)

    def _changes(self, student_id: str, integration: Connector, fresh: Grant) -> Document:
        return {
            "sealed": self._credentials.seal(fresh, student_id=student_id, integration=integration.id),
            "expires_at": stamp(fresh.expires_at) if fresh.expires_at else None,
            "scopes": list(fresh.scopes),
            "health": str(Health.HEALTHY),
            "reason": "",
            "seen_at": stamp(self._clock()),
        }


def _ends_by(connection: Connection, moment: datetime) -> bool:
    return connection.expires_at is not None and connection.expires_at <= moment


def _merged(stale: Grant, fresh: Grant) -> Grant:
    """Services leave out what did not change; the address never changes."""
    return replace(
        fresh,
        origin=stale.origin,
        refresh_token=fresh.refresh_token or stale.refresh_token,
        scopes=fresh.scopes or stale.scopes,
    )


def _one_more_failure(document: Document) -> Document:
    """Counted, so that those who wait for this answer fail with it instead of asking one after another."""
    return {"refresh_failures": document.get("refresh_failures", 0) + 1}
