"""`ConnectBatch`: accounts that are connected together, stored with the OAuth state of the one under way."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from services.safety import consent as consents
from services.safety.consent import Consent


@dataclass(frozen=True, kw_only=True)
class PendingAccount:
    """Account whose turn has not come. consent: as it was given for all of them at once."""

    integration: str
    origin: str
    consent: Consent


@dataclass(frozen=True, kw_only=True)
class ConnectOutcome:
    """Outcome of one account. reason: why it was not connected, for the student; "" when it was."""

    integration: str
    reason: str = ""

    @property
    def is_connected(self) -> bool:
        return not self.reason


@dataclass(frozen=True, kw_only=True)
class ConnectBatch:
    """Accounts that are connected one after another. login_hint: whose accounts they are, as an e-mail address."""

    waiting: tuple[PendingAccount, ...] = ()
    outcomes: tuple[ConnectOutcome, ...] = ()
    login_hint: str = field(default="", repr=False)

    def with_outcome(self, integration: str, reason: str = "") -> "ConnectBatch":
        """The batch after one more account was tried."""
        return replace(self, outcomes=(*self.outcomes, ConnectOutcome(integration=integration, reason=reason)))


def to_document(batch: ConnectBatch) -> dict[str, Any]:
    return {
        "waiting": [
            {
                "integration": account.integration,
                "origin": account.origin,
                "consent": consents.to_document(account.consent),
            }
            for account in batch.waiting
        ],
        "outcomes": [{"integration": outcome.integration, "reason": outcome.reason} for outcome in batch.outcomes],
        "login_hint": batch.login_hint,
    }


def from_document(document: Mapping[str, Any] | None) -> ConnectBatch | None:
    """The batch that `to_document` wrote; None for None."""
    if document is None:
        return None
    outcomes = (
        ConnectOutcome(integration=outcome["integration"], reason=outcome["reason"]) for outcome in document["outcomes"]
    )
    return ConnectBatch(
        waiting=tuple(map(_pending_account, document["waiting"])),
        outcomes=tuple(outcomes),
        login_hint=document["login_hint"],
    )


def _pending_account(document: Mapping[str, Any]) -> PendingAccount:
    consent = consents.from_document(document["consent"])
    if consent is None:
        raise ValueError("an account waits without a consent")
    return PendingAccount(integration=document["integration"], origin=document["origin"], consent=consent)
