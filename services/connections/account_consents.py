"""`AccountConsents`: whether a student agreed that models and programs read a connected account."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from services.connections import messages
from services.connections.backoff import Update
from services.connections.connection import Connection, Health
from services.connections.connector import Connector
from services.errors import ConsentRequired
from services.runtime.clock import Clock
from services.safety.consent import (
    Consent,
    ConsentStatus,
    Terms,
    given_consent,
    status_of,
    to_document,
    withdrawn_consent,
)
from services.safety.consent_terms import ConsentTerms
from services.storage.documents import Document


class AccountConsents:
    """Consents to accounts, stored with the connection: they come with it and go with it."""

    def __init__(
        self, *, integrations: Mapping[str, Connector], terms: ConsentTerms, clock: Clock, update: Update
    ) -> None:
        """update: changes the document of a student's connection."""
        self._integrations, self._terms, self._clock, self._update = integrations, terms, clock, update
        self.on_change: Callable[[str, str], None] = lambda student_id, integration: None
        """Called when a consent was given or withdrawn, with the student and the integration."""

    def terms(self, integration: str) -> Terms:
        """Terms of an account as they are today, in the language of whoever reads them."""
        return self._of(self._integrations[integration])

    def _of(self, offered: Connector) -> Terms:
        reads = (offered.reads_briefly,) if offered.reads_briefly else offered.reads
        return self._terms.account(offered, purposes=offered.purposes, reads=reads)

    def needs_consent(self, integration: str) -> bool:
        """Whether it holds anything of a student's own."""
        return self._integrations[integration].needs_account

    def status(self, connection: Connection) -> ConsentStatus:
        """Status of the consent under the terms of today; given where none is needed."""
        if not self.needs_consent(connection.integration):
            return ConsentStatus.GIVEN
        return status_of(connection.consent, self.terms(connection.integration))

    def for_model(self, connections: Mapping[str, Connection]) -> dict[str, Connection]:
        """The connections as a model or a program has them: paused where the student has not agreed."""
        return {id: self._paused_unless_agreed(connection) for id, connection in connections.items()}

    def for_new_account(self, offered: Connector, agreed: Terms | None) -> Consent:
        """The consent to an account that is being connected. agreed: the terms as the student read them.

        Raises `ConsentRequired` without them, and when they are not those of today.
        """
        terms, now = self._of(offered), self._clock()
        if agreed is None and self._terms.are_given:
            return given_consent(terms, now, by="operator")
        consent = None if agreed is None else given_consent(agreed, now)
        if consent is None or consent.status(terms) is not ConsentStatus.GIVEN:
            raise self._terms.connection_required()
        return consent

    def connection_required(self) -> ConsentRequired:
        """Error of an account whose consent is not that of today."""
        return self._terms.connection_required()

    def agree(self, student_id: str, terms: Terms) -> None:
        """Store that the student agrees to these terms of a connected account."""
        consent = to_document(given_consent(terms, self._clock()))
        self._update(student_id, terms.subject, lambda _: {"consent": consent})
        self.on_change(student_id, terms.subject)

    def withdraw(self, student_id: str, integration: str) -> None:
        """Store that no model and no program may read the account any more; it stays connected."""
        terms, now = self.terms(integration), self._clock()

        def withdrawn(connection: Connection) -> Document:
            return {"consent": to_document(withdrawn_consent(connection.consent, terms, now))}

        self._update(student_id, integration, withdrawn)
        self.on_change(student_id, integration)

    def _paused_unless_agreed(self, connection: Connection) -> Connection:
        if self.status(connection) is ConsentStatus.GIVEN:
            return connection
        label = self._integrations[connection.integration].label
        return replace(connection, health=Health.PAUSED, reason=messages.not_agreed(label))
