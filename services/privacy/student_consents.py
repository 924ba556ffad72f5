"""`StudentConsents`: what a student is asked to agree to now, their agreement, and its withdrawal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.connections.connection import Connection
from services.connections.connections import Connections
from services.identity.students import Student, Students
from services.runtime.clock import Clock
from services.safety.consent import (
    CHAT,
    Consent,
    ConsentStatus,
    Terms,
    given_consent,
    withdrawn_consent,
)
from services.safety.consent_terms import ConsentTerms
from services.storage.store import Store
from services.turns.runner import TurnRunner


@dataclass(frozen=True, kw_only=True)
class ConsentState:
    """Consent of a student to one subject. terms: of today. consent: as it was last stored, if ever."""

    terms: Terms
    status: ConsentStatus
    consent: Consent | None

    @property
    def is_asked(self) -> bool:
        """Whether the next message waits for it: the chat's must be given, an account's only be answered."""
        if self.terms.subject == CHAT:
            return self.status is not ConsentStatus.GIVEN
        return self.status in (ConsentStatus.MISSING, ConsentStatus.OUTDATED)


class StudentConsents:
    """Consents to the chat, stored with the student, and to accounts, stored with the connections."""

    def __init__(
        self,
        *,
        store: Store,
        students: Students,
        connections: Connections,
        turns: TurnRunner,
        terms: ConsentTerms,
        clock: Clock,
    ) -> None:
        self._store, self._students, self._connections = store, students, connections
        self._turns, self._clock, self.terms = turns, clock, terms

    def states(self, student: Student, connected: Mapping[str, Connection]) -> list[ConsentState]:
        """States of the chat and of each connected account that needs a consent; no store read."""
        chat = self.terms.chat()
        accounts = self._connections.consents
        found = [ConsentState(terms=chat, status=self.terms.chat_status(student.consent), consent=student.consent)]
        found += [self.account_state(connection) for id, connection in connected.items() if accounts.needs_consent(id)]
        return found

    def account_state(self, connection: Connection) -> ConsentState:
        """State of one account; no store read."""
        accounts = self._connections.consents
        terms, status = accounts.terms(connection.integration), accounts.status(connection)
        return ConsentState(terms=terms, status=status, consent=connection.consent)

    def asked(self, student: Student, connected: Mapping[str, Connection]) -> list[ConsentState]:
        """States that the student's next message waits for."""
        return [state for state in self.states(student, connected) if state.is_asked]

    def agree(self, student: Student, agreed: Sequence[Terms]) -> Student:
        """Store the consent to these terms, as the student read them; the student as they are then."""
        for terms in agreed:
            if terms.subject == CHAT:
                student = self._students.set_consent(student.id, given_consent(terms, self._clock()))
            else:
                self._connections.consents.agree(student.id, terms)
        return student

    def withdraw(self, student: Student, subject: str) -> None:
        """Withdraw a consent, and stop the answers that are being written with it."""
        if subject == CHAT:
            consent = withdrawn_consent(student.consent, self.terms.chat(), self._clock())
            self._students.set_consent(student.id, consent)
        else:
            self._connections.consents.withdraw(student.id, subject)
        for turn in self._store.for_student(student.id).find("turns", {"status": "running"}):
            self._turns.stop(student, turn["id"])
