"""How a `Connection` is written down in the store, and read back."""

from services.connections.connection import Connection, Health
from services.runtime.clock import moment, stamp
from services.storage.documents import Document

COLLECTION = "connections"
OAUTH = "oauth"
PASTED = "token"
NO_ACCOUNT = "none"
"""The values of `Connection.method`."""


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
        "quiet_until": stamp(connection.quiet_until) if connection.quiet_until else None,
        "sealed": dict(connection.sealed),
    }


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
        quiet_until=moment(quiet_until) if (quiet_until := document.get("quiet_until")) else None,
        sealed=document["sealed"],
    )
