"""`Connections`: connect, test, refresh and disconnect a student's accounts."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.connections import messages
from services.connections.account_consents import AccountConsents
from services.connections.backoff import AccountBackoffs
from services.connections.batch_flow import BatchFlow, BatchStep, ChosenAccount
from services.connections.connect_flow import ConnectFlow, gives_way, not_beside
from services.connections.connection import COLLECTION, Connection, Health, from_document
from services.connections.connector import Account, Connector, Grant, with_current_health
from services.connections.revocations import Revocations
from services.connections.token_refresh import Refresher
from services.connections.vault import Credentials, Vault
from services.errors import HomeroomError, ReconnectRequired, SealBroken, ServiceError, ServiceUnavailable, Throttled
from services.runtime.clock import Clock, stamp
from services.safety.consent import Terms
from services.safety.consent_terms import ConsentTerms
from services.storage.documents import Document
from services.storage.records import read_all
from services.storage.store import Store

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class ConnectStep:
    """Result of a callback. connection: what it made. batch: how it goes on, where several are connected together."""

    connection: Connection | None
    batch: BatchStep | None


class Connections:
    """Connections of all students. Every method takes the student first and sees nothing of anybody else."""

    def __init__(
        self,
        *,
        store: Store,
        vault: Vault,
        integrations: Mapping[str, Connector],
        clock: Clock,
        public_url: str,
        terms: ConsentTerms,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._store, self._integrations, self._clock = store, integrations, clock
        self._credentials = Credentials(vault)
        self._revocations = Revocations(
            store=store, credentials=self._credentials, integrations=integrations, clock=clock
        )
        self.consents = AccountConsents(integrations=integrations, terms=terms, clock=clock, update=self.update)
        self._connect_flow = ConnectFlow(
            store=store,
            vault=vault,
            credentials=self._credentials,
            revocations=self._revocations,
            integrations=integrations,
            clock=clock,
            redirect_uri=f"{public_url}/connections",
            consents=self.consents,
        )
        self._batch_flow = BatchFlow(
            flow=self._connect_flow,
            consents=self.consents,
            integrations=integrations,
            connected=self.all,
            with_token=lambda student_id, id, origin, token, agreed: self.connect_with_token(
                student_id, id, origin=origin, token=token, agreed=agreed
            ),
        )
        self._refresher = Refresher(
            store=store, credentials=self._credentials, revocations=self._revocations, clock=clock, pause=pause
        )
        self._backoffs = AccountBackoffs(clock, self.update)
        self.on_disconnect: Callable[[str, str], None] = lambda student_id, integration: None

    def all(self, student_id: str) -> dict[str, Connection]:
        """The student's connections by integration, with today's health: one store read."""
        documents = self._store.for_student(student_id).find(COLLECTION, {})
        known = read_all(from_document, (each for each in documents if each["id"] in self._integrations))
        return {connection.integration: self._with_health(student_id, connection) for connection in known}

    def begin_oauth(
        self,
        student_id: str,
        integration: str,
        *,
        origin: str | None = None,
        agreed: Terms | None = None,
        begun_on: str = "",
    ) -> str:
        """Start OAuth: the address to send the browser to; `origin` is one of the integration's, the first one when
        left out.

        agreed: the terms that the student agreed to. begun_on: the name of the page on which they set out.
        Raises `RequestRefused` when this deployment has no client for it, `BadArguments` for another address,
        `ConsentRequired` without consent to the terms of today.
        """
        flow = self._connect_flow
        return flow.start_oauth(student_id, integration, origin=origin, agreed=agreed, begun_on=begun_on)

    def begun_on(self, student_id: str, state: str) -> str:
        """The page on which the student set out to the consent page that leads back with this state; else empty."""
        return self._connect_flow.begun_on(student_id, state)

    def finish_oauth(
        self,
        student_id: str,
        *,
        state: str,
        code: str | None = None,
        error: str | None = None,
        issuer: str | None = None,
    ) -> Connection:
        """Store what the callback brings. issuer: its `iss`.

        Raises `RequestRefused` for a state that is not this student's, used or too old, and for another's answer.
        """
        made = self._connect_flow.finish_oauth(student_id, state=state, code=code, error=error, issuer=issuer)
        return self._connected(student_id, made)

    def begin_batch(
        self, student_id: str, accounts: Sequence[ChosenAccount], *, login_hint: str = "", begun_on: str = ""
    ) -> BatchStep:
        """Start to connect several accounts after one yes; raises as `begin_oauth` does, before any is connected.

        login_hint: the student's e-mail address, so that a service need not ask which account is meant.
        """
        return self._batch_flow.start(student_id, accounts, login_hint=login_hint, begun_on=begun_on)

    def finish_step(
        self,
        student_id: str,
        *,
        state: str,
        code: str | None = None,
        error: str | None = None,
        issuer: str | None = None,
    ) -> ConnectStep:
        """As `finish_oauth`; of a batch, what failed is noted and the next one begins. Only the one call that uses up
        the state goes on.
        """
        state_data = self._connect_flow.redeem(student_id, state)
        made, failure = None, None
        try:
            made = self._connected(
                student_id,
                self._connect_flow.finish_state(student_id, state_data, code=code, error=error, issuer=issuer),
            )
        except HomeroomError as refusal:
            if state_data.batch is None:
                raise
            failure = refusal
        batch = None if state_data.batch is None else self._batch_flow.go_on(student_id, state_data, failure)
        return ConnectStep(connection=made, batch=batch)

    def connect_with_token(
        self, student_id: str, integration: str, *, origin: str, token: str, agreed: Terms | None = None
    ) -> Connection:
        """Try a pasted token at the service, then store it; nothing is stored when the service does not know it.

        agreed: as for `begin_oauth`, with the same `ConsentRequired`.
        """
        made = self._connect_flow.with_token(student_id, integration, origin=origin, token=token, agreed=agreed)
        return self._connected(student_id, made)

    def connect_without_account(self, student_id: str, integration: str) -> Connection:
        """Connect what needs no account; what is connected already stays as it is.

        Raises `RequestRefused` for an integration that needs one, or that gives way to what is connected.
        """
        connected, offered = self.all(student_id), self._integrations.get(integration)
        if integration in connected:
            return connected[integration]
        live = [self._integrations[id] for id, connection in connected.items() if connection.health.offers_tools]
        if offered and (own := next((connector for connector in live if gives_way(offered, connector)), None)):
            raise not_beside(offered, own)
        return self._with_health(student_id, self._connect_flow.without_account(student_id, integration))

    def test_connection(self, student_id: str, integration: str) -> Connection:
        """Ask the service whose credential it is, and keep what was learned; the result's health tells."""
        offered, connection = self._integrations[integration], self._read(student_id, integration)
        today = self._with_health(student_id, connection)
        if not today.health.offers_tools:
            return today
        try:
            account = self._identified(student_id, offered, connection)
        except (ReconnectRequired, ServiceUnavailable) as error:
            self.report_failure(student_id, integration, error)
        else:
            self.update(student_id, integration, lambda _: self._healthy(account=account.name, account_id=account.id))
        return self._with_health(student_id, self._read(student_id, integration))

    def disconnect(self, student_id: str, integration: str) -> bool:
        """Erase the credential here, then end it at the service.

        True when it is ended there or nothing was left to end; False when the service did not answer: then a sealed
        copy is kept only until `retry_revocations` gets through.
        """
        revocation = self._erase(student_id, integration)
        self.on_disconnect(student_id, integration)
        return revocation is None or self._revocations.attempt(student_id, revocation)

    def _connected(self, student_id: str, connection: Connection) -> Connection:
        """A student's own account ends the sample connections that it replaces."""
        own = self._integrations[connection.integration]
        for id in self.all(student_id):
            if gives_way(self._integrations[id], own):
                self.disconnect(student_id, id)
        return self._with_health(student_id, connection)

    def _erase(self, student_id: str, integration: str) -> str | None:
        """Queue the end of the newest grant and erase it; the id to attempt that with, None when there is none.

        A grant that was refreshed after it was read here would stay alive: then it is read and queued anew.
        """
        mine = self._store.for_student(student_id)
        while document := mine.get(COLLECTION, integration):
            revocation = self._revocations.queue(student_id, from_document(document))
            if mine.delete(COLLECTION, {"id": integration, "version": document["version"]}):
                return revocation
            self._revocations.drop(student_id, revocation)
        return None

    def disconnect_all(self, student_id: str) -> None:
        """Erase every credential of this student here; `end_queued` then ends them at their services."""
        mine = self._store.for_student(student_id)
        for document in mine.find(COLLECTION, {}):
            self._erase(student_id, document["id"])

    def end_queued(self, student_id: str) -> list[str]:
        """Try at once to end all that is queued for this student, who is leaving; the services that did not answer."""
        left = self._revocations.attempt_all(student_id)
        return sorted({self._integrations[id].label for id in left if id in self._integrations})

    def retry_revocations(self) -> int:
        """End at their services what could not be ended before; for the jobs loop. How many were ended."""
        return self._revocations.retry_due()

    def client(self, student_id: str, integration: str, connection: Connection | None = None) -> Any:
        """The integration's client; an expired refreshable grant is refreshed once for all who wait.

        Raises `ReconnectRequired`, `ServiceUnavailable` or `SealBroken`.
        """
        offered = self._integrations[integration]
        connection = connection or self._read(student_id, integration)
        grant = self._usable_grant(student_id, offered, connection)
        return offered.client(replace(grant, backoff=self._backoffs.of(student_id, connection)))

    def is_strained(self, student_id: str, integration: str) -> bool:
        """Whether the account's limits are nearly used up; raises `ReconnectRequired` for none."""
        return self._backoffs.of(student_id, self._read(student_id, integration)).is_strained

    def refresh_grant(self, student_id: str, integration: str, *, seen: Connection | None = None) -> Connection:
        """A fresh grant although the old one had not expired (the service answered 401).

        seen: the connection whose grant failed, if the caller has it; when the store holds a newer one, that is taken.
        Raises `ReconnectRequired` and stores why when the service refuses; `ServiceUnavailable` leaves all as it was.
        """
        offered, connection = self._integrations[integration], seen or self._read(student_id, integration)
        stale = self._grant(student_id, offered, connection)
        newest, _ = self._refresher.refresh(student_id, offered, stale=stale)
        return self._with_health(student_id, newest)

    def report_failure(
        self, student_id: str, integration: str, error: ServiceError, *, seen: Connection | None = None
    ) -> None:
        """Store the health that a failed call shows, unless the student has reconnected since `seen`."""
        if isinstance(error, ReconnectRequired):
            health = Health.REVOKED
        elif isinstance(error, ServiceUnavailable) and not isinstance(error, Throttled):
            health = Health.UNREACHABLE
        else:
            return

        def with_failure(connection: Connection) -> Document | None:
            today = self._with_health(student_id, connection).health
            if not today.offers_tools or connection.health is health:
                return None
            if seen and not self._credentials.are_the_same(student_id, seen, connection):
                return None
            return {"health": str(health), "reason": str(error), "seen_at": stamp(self._clock())}

        self.update(student_id, integration, with_failure)

    def report_success(self, student_id: str, integration: str, connection: Connection) -> None:
        """Mark a connection healthy again after a successful call. Writes nothing when it already was."""
        if connection.health is Health.UNREACHABLE:
            self.update(
                student_id, integration, lambda now: self._healthy() if now.health is Health.UNREACHABLE else None
            )

    def mark_written(self, student_id: str, integration: str) -> None:
        """Invalidate what any replica has cached of the service's data: a write reached it, or may have."""
        self.update(student_id, integration, lambda now: {"data_version": now.data_version + 1})

    def _read(self, student_id: str, integration: str) -> Connection:
        document = self._store.for_student(student_id).get(COLLECTION, integration)
        if document is None:
            label = self._integrations[integration].label
            raise ReconnectRequired(
                label, messages.not_connected(label), next_step=messages.open_connections_step(label)
            )
        return from_document(document)

    def _with_health(self, student_id: str, connection: Connection) -> Connection:
        try:
            self._credentials.open(student_id, connection)
            opens = True
        except SealBroken:
            opens = False
        return with_current_health(
            connection, self._integrations[connection.integration], now=self._clock(), opens=opens
        )

    def _usable_grant(self, student_id: str, offered: Connector, connection: Connection) -> Grant:
        grant = self._grant(student_id, offered, connection)
        return self._refresher.refresh_if_due(student_id, offered, connection, grant)

    def _grant(self, student_id: str, offered: Connector, connection: Connection) -> Grant:
        """The opened credential of a connection that may be used; it never leaves here for an address taken away."""
        today = with_current_health(connection, offered, now=self._clock(), opens=True)
        if not today.health.offers_tools:
            raise ReconnectRequired(offered.label, today.reason)
        return self._credentials.open(student_id, connection)

    def _identified(self, student_id: str, offered: Connector, connection: Connection) -> Account:
        try:
            return offered.identify(self._usable_grant(student_id, offered, connection))
        except ReconnectRequired:
            if not connection.is_refreshable:
                raise
            renewed = self.refresh_grant(student_id, offered.id)
            return offered.identify(self._credentials.open(student_id, renewed))

    def _healthy(self, **changes: str) -> Document:
        return {"health": str(Health.HEALTHY), "reason": "", "seen_at": stamp(self._clock()), **changes}

    def update(self, student_id: str, integration: str, change: Callable[[Connection], Document | None]) -> None:
        """Change the document by compare-and-set, decided anew after each lost race; None leaves it alone."""
        mine = self._store.for_student(student_id)
        while document := mine.get(COLLECTION, integration):
            changes, version = change(from_document(document)), document["version"]
            if changes is None or mine.compare_and_set(
                COLLECTION, integration, {"version": version}, {**changes, "version": version + 1}
            ):
                return
