"""Grants on their way into the vault and out of it: one sealed text holds the tokens and the address they belong to."""

import json
from collections.abc import Mapping

from services.connections.connection import Connection, Grant
from services.connections.vault import Vault
from services.errors import SealBroken
from services.i18n import gettext
from services.runtime.clock import moment, stamp

FIELD = "grant"


class Credentials:
    """Seals and opens grants. Access and refresh token share one envelope, so that half a pair is never stored."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def seal(self, grant: Grant, *, student_id: str, integration: str) -> dict[str, str]:
        """Vault envelopes by field, as `Connection.sealed` keeps them."""
        text = json.dumps(
            {
                "origin": grant.origin,
                "access_token": grant.access_token,
                "refresh_token": grant.refresh_token,
                "expires_at": stamp(grant.expires_at) if grant.expires_at else None,
                "scopes": list(grant.scopes),
            }
        )
        return {FIELD: self._vault.seal(text, student_id=student_id, integration=integration, field=FIELD)}

    def open(self, student_id: str, connection: Connection) -> Grant:
        """The grant of a connection; raises `SealBroken` also when the address was changed beside the sealed text."""
        return self.open_sealed(connection.sealed, student_id, connection.integration, connection.origin)

    def open_sealed(self, sealed: Mapping[str, str], student_id: str, integration: str, origin: str) -> Grant:
        """The grant in vault envelopes that were kept elsewhere than in a connection."""
        envelope = sealed.get(FIELD, "")
        opened = json.loads(self._vault.open(envelope, student_id=student_id, integration=integration, field=FIELD))
        if opened["origin"] != origin:
            raise SealBroken(gettext("This account's saved sign-in belongs to another address, so it stays closed."))
        return Grant(
            origin=origin,
            access_token=opened["access_token"],
            refresh_token=opened["refresh_token"],
            expires_at=moment(opened["expires_at"]) if opened["expires_at"] else None,
            scopes=tuple(opened["scopes"]),
        )

    def are_the_same(self, student_id: str, one: Connection, other: Connection) -> bool:
        """Whether two readings of a connection hold the same credential, however it was sealed."""
        return one.sealed == other.sealed or self.open(student_id, one) == self.open(student_id, other)
