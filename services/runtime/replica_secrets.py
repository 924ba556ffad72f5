"""Secrets that all replicas of a deployment must share, compared by their fingerprints."""

import hashlib
import hmac
import logging
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Protocol

from services.errors import SettingsError
from services.runtime.clock import Clock, stamp

log = logging.getLogger(__name__)

COLLECTION = "replicas"
HEARTBEAT_S = 30.0
_ALIVE = timedelta(seconds=3 * HEARTBEAT_S)
COOKIE, VAULT = "HOMEROOM_COOKIE_SECRET", "HOMEROOM_VAULT_KEYS"
_REMEDIES = {
    COOKIE: "Give every replica the same one; to change it, stop them all first.",
    VAULT: "Give every replica the new key before the first one seals with it.",
}


class SharedRecords(Protocol):
    """Part of `services.storage.store.SharedDocuments` that the registration needs."""

    def find(self, collection: str, where: Mapping[str, Any]) -> list[dict[str, Any]]: ...

    def put(self, collection: str, document: dict[str, Any]) -> None: ...

    def delete(self, collection: str, where: Mapping[str, Any]) -> int: ...


class ReplicaSecrets:
    """Registration of this process among its replicas, with heartbeats.

    Only fingerprints are shared, made with the secrets as keys: they cannot be turned back.

    Of two cookie secrets that of the process which has lived longest counts: a newcomer that students' cookies mean
    nothing to is the one to stay out. A process lacks a vault key when another one seals with it.
    """

    def __init__(self, records: SharedRecords, clock: Clock, *, cookie_secret: str, vault_keys: Sequence[str]) -> None:
        self._replicas, self._clock = records, clock
        self._id = secrets.token_hex(8)
        self._began = stamp(clock())
        self._cookie = _fingerprint(cookie_secret, "cookie")
        self._vault = [_fingerprint(key, "vault") for key in vault_keys]
        self._wrong: tuple[str, ...] = ()

    def announce(self) -> None:
        """Send a heartbeat, and check whether this process's secrets fit the others'; to be called every `BEAT_S`.

        Raises `StorageUnavailable`; then what was seen last still counts.
        """
        others = [replica for replica in self._replicas.find(COLLECTION, {}) if replica["id"] != self._id]
        self._replicas.put(COLLECTION, self._document())
        found = {COOKIE: self._has_other_cookie(others), VAULT: self._lacks_key(others)}
        wrong = tuple(name for name, differs in found.items() if differs)
        for name in set(wrong) - set(self._wrong):
            log.error("replica_differs setting=%s: it is not that of the other replicas. %s", name, _REMEDIES[name])
        self._wrong = wrong

    def withdraw(self) -> None:
        """Remove this process's registration."""
        self._replicas.delete(COLLECTION, {"id": self._id})

    def check(self, name: str) -> None:
        """Raise `SettingsError` when this process's setting of this name does not fit the others'; asks no store."""
        if name in self._wrong:
            raise SettingsError(name, "differs from the other replicas.", next_step=_REMEDIES[name])

    def _document(self) -> dict[str, Any]:
        return {
            "id": self._id,
            "began": self._began,
            "cookie": self._cookie,
            "newest_key": next(iter(self._vault), ""),
            "expires_at": stamp(self._clock() + _ALIVE),
        }

    def _has_other_cookie(self, others: Sequence[Mapping[str, Any]]) -> bool:
        return any(
            other["cookie"] != self._cookie and (other["began"], other["id"]) < (self._began, self._id)
            for other in others
        )

    def _lacks_key(self, others: Sequence[Mapping[str, Any]]) -> bool:
        return any(other["newest_key"] and other["newest_key"] not in self._vault for other in others)


def _fingerprint(secret: str, use: str) -> str:
    return hmac.new(secret.encode(), f"homeroom/replicas/{use}".encode(), hashlib.sha256).hexdigest()[:32]
