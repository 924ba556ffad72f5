"""`Connection`: one student's account at an integration, its health, and how it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from services.runtime.clock import moment, stamp
from services.safety import consent as consents
from services.safety.consent import Consent
from services.storage.documents import Document
from services.storage.records import record_reader

COLLECTION = "connections"
OAUTH = "oauth"
PASTED = "token"
NO_ACCOUNT = "none"
"""The values of `Connection.method`."""


class Health(StrEnum):
    """Health of a connection."""

    HEALTHY = "healthy"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    REVOKED = "revoked"
    UNREACHABLE = "unreachable"
    LOCKED = "locked"
    """The sealed credential does not open with today's vault keys."""
    PAUSED = "paused"
    """The student has not agreed that a model reads it: their own pages alone do. Never stored."""

    @property
    def offers_tools(self) -> bool:
        """Unreachable keeps its tools: the next call may find the service up again."""
        return self in (Health.HEALTHY, Health.EXPIRING, Health.UNREACHABLE)


@dataclass(frozen=True, kw_only=True)
class Connection:
    """Connection of one student to one integration, as stored. `sealed` holds vault
    envelopes by field, never plain text.

    integration: the integration's id, which is also this document's key for the student.
    account: how the service names the student ("Maya Chen"). account_id: its id there; "" in connections of before.
    origin: the address the credential belongs to; it is never sent anywhere else.
    expires_at: when the credential ends; for refreshable grants, when the access token does.
    reason, seen_at: why the health is what it is, in words for the student, and when that was seen.
    version: grows with every change of the document; caches are keyed by it.
    data_version: grows with every write to the service in the student's name; kept answers of reads go by it.
    consent: to a model and to programs reading it; None in connections of before.
    quiet_until: the service asked for no more requests of this account before then; every replica keeps to it.
    blocking: whether what is in a calendar takes the student's time, by its id, where they chose it themselves.
    """

    integration: str
    account: str
    account_id: str = ""
    origin: str
    method: str
    scopes: tuple[str, ...] = ()
    expires_at: datetime | None = None
    is_refreshable: bool = False
    health: Health = Health.HEALTHY
    reason: str = ""
    seen_at: datetime
    connected_at: datetime
    version: int = 1
    data_version: int = 0
    consent: Consent | None = None
    quiet_until: datetime | None = None
    blocking: Mapping[str, bool] = field(default_factory=dict, repr=False)
    sealed: Mapping[str, str] = field(default_factory=dict, repr=False)


def to_document(connection: Connection) -> Document:
    """The whole document of a connection; a refresh lease that was on the old one is gone with it."""
    return {
        "id": connection.integration,
        "account": connection.account,
        "account_id": connection.account_id,
        "origin": connection.origin,
        "method": connection.method,
        "scopes": list(connection.scopes),
        "expires_at": stamp(connection.expires_at) if connection.expires_at else None,
        "is_refreshable": connection.is_refreshable,
        "health": str(connection.health),
        "reason": connection.reason,
        "seen_at": stamp(connection.seen_at),
        "connected_at": stamp(connection.connected_at),
        "version": connection.version,
        "data_version": connection.data_version,
        "consent": consents.to_document(connection.consent) if connection.consent else None,
        "quiet_until": stamp(connection.quiet_until) if connection.quiet_until else None,
        # No field names: an id may have dots in it.
        "blocking": blocking_rows(connection.blocking),
        "sealed": dict(connection.sealed),
    }


@record_reader(COLLECTION)
def from_document(document: Document) -> Connection:
    """The connection that `to_document` wrote."""
    return Connection(
        integration=document["id"],
        account=document["account"],
        account_id=document.get("account_id", ""),
        origin=document["origin"],
        method=document["method"],
        scopes=tuple(document["scopes"]),
        expires_at=moment(document["expires_at"]) if document["expires_at"] else None,
        is_refreshable=document["is_refreshable"],
        health=Health(document["health"]),
        reason=document["reason"],
        seen_at=moment(document["seen_at"]),
        connected_at=moment(document["connected_at"]),
        version=document["version"],
        data_version=document.get("data_version", 0),
        consent=consents.from_document(document.get("consent")),
        quiet_until=moment(quiet_until) if (quiet_until := document.get("quiet_until")) else None,
        blocking={row["calendar"]: row["blocks"] for row in document.get("blocking", ())},
        sealed=document["sealed"],
    )


def blocking_rows(blocking: Mapping[str, bool]) -> list[Document]:
    """Convert the choices of calendars to rows of a document."""
    return [{"calendar": id, "blocks": blocks} for id, blocks in blocking.items()]
