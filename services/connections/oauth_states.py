"""OAuth states (RFC 6749, 10.12): they tie a callback to the student who began it, for ten minutes and one use."""

import hashlib
import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from services.connections import connect_batch
from services.connections.connect_batch import ConnectBatch
from services.connections.vault import Vault
from services.runtime.clock import Clock, moment, stamp
from services.safety import consent as consents
from services.safety.consent import Consent
from services.storage.documents import Document
from services.storage.records import read_or_none, read_record, record_reader
from services.storage.store import Store

_COLLECTION = "oauth_states"
LIFETIME = timedelta(minutes=10)
_FIELD = "verifier"


@dataclass(frozen=True, kw_only=True)
class OAuthState:
    """State of a sign-in under way; `verifier` is the PKCE code verifier (RFC 7636). consent: to what is connected.

    begun_on: the page to return to. batch: the accounts that are connected after this one, with it as it comes.
    """

    integration: str
    origin: str
    verifier: str = field(repr=False)
    consent: Consent | None = None
    begun_on: str = ""
    batch: ConnectBatch | None = None


class OAuthStates:
    """Store of OAuth states. It holds only their hashes, so a copy of the store completes no sign-in."""

    def __init__(self, *, store: Store, vault: Vault, clock: Clock) -> None:
        self._store, self._vault, self._clock = store, vault, clock

    def create(
        self,
        student_id: str,
        *,
        integration: str,
        origin: str,
        consent: Consent,
        begun_on: str = "",
        batch: ConnectBatch | None = None,
    ) -> tuple[str, str]:
        """A new state and its PKCE verifier. begun_on: the name of the page to which the student wants to return."""
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(64)
        sealed = self._vault.seal(verifier, student_id=student_id, integration=integration, field=_FIELD)
        document = {
            "id": _key(state),
            "integration": integration,
            "origin": origin,
            "verifier": sealed,
            "begun_on": begun_on,
            "consent": consents.to_document(consent),
            "batch": None if batch is None else connect_batch.to_document(batch),
            "expires_at": stamp(self._clock() + LIFETIME),
        }
        self._store.for_student(student_id).insert(_COLLECTION, document)
        return state, verifier

    def begun_on(self, student_id: str, state: str) -> str:
        """The page on which it was begun, as long as nobody has taken it; empty when none was named."""
        document = self._store.for_student(student_id).get(_COLLECTION, _key(state))
        return "" if document is None else str(document.get("begun_on", ""))

    def redeem(self, student_id: str, state: str) -> OAuthState | None:
        """Use up a state: what it stands for, for the first caller only; None when this student has no such state."""
        documents = self._store.for_student(student_id)
        document = documents.get(_COLLECTION, _key(state))
        if document is None or documents.delete(_COLLECTION, {"id": _key(state)}) != 1:
            return None
        # One that cannot be read is as one that was used up: the student begins the sign-in again.
        sealed = read_or_none(_read, document)
        if sealed is None or sealed.expires_at <= self._clock():
            return None
        place = {"student_id": student_id, "integration": sealed.state.integration, "field": _FIELD}
        return replace(sealed.state, verifier=self._vault.open(sealed.state.verifier, **place))


@dataclass(frozen=True, kw_only=True)
class _SealedState:
    """State whose verifier is sealed."""

    state: OAuthState
    expires_at: datetime


@record_reader(_COLLECTION)
def _read(document: Document) -> _SealedState:
    state = read_record(
        OAuthState,
        document,
        consent=consents.from_document(document.get("consent")),
        batch=connect_batch.from_document(document.get("batch")),
    )
    return _SealedState(state=state, expires_at=moment(document["expires_at"]))


def _key(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()
