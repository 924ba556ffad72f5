"""`ToolKeys`: the keys that Homeroom signs with for school systems, and the public ones that these ask for (JWKS)."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from joserfc import jwt
from joserfc.jwk import RSAKey

from services.connections.vault import Vault, lti_key_place
from services.errors import SealBroken
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_all, read_record, record_reader
from services.storage.store import Store

COLLECTION = "lti_keys"
BITS = 2048
KEPT_AFTER_RETIREMENT = timedelta(days=30)
"""Retired public keys stay listed: platforms may check a message late, and keep what they fetched for days."""
SIGNED_LASTS_S = 300


@dataclass(frozen=True, kw_only=True)
class ToolKey:
    """Key as the operator sees it. retired_at: since when another one signs; None for the one that does."""

    id: str
    made_at: datetime
    retired_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class _StoredKey(ToolKey):
    """Key as it is stored. public: JSON Web Key. sealed: the private half."""

    public: Mapping[str, Any]
    sealed: str = field(repr=False)


@dataclass(frozen=True)
class _Signer:
    id: str
    key: RSAKey = field(repr=False)


class ToolKeys:
    """RSA keys in the store, the private halves sealed. One that does not open any more is replaced by a new one: every
    platform asks for the public halves anyway.
    """

    def __init__(self, store: Store, vault: Vault, clock: Clock) -> None:
        self._documents, self._vault, self._clock = store.shared, vault, clock
        self._opened: dict[str, RSAKey] = {}

    def sign(self, claims: Mapping[str, Any]) -> str:
        """A JWT of these claims, with `iat`, `exp` in five minutes, a `nonce` and a `jti`."""
        signer, now = self._signer(), int(self._clock().timestamp())
        once = secrets.token_urlsafe(24)
        timed = {**claims, "iat": now, "exp": now + SIGNED_LASTS_S, "nonce": once, "jti": once}
        return jwt.encode({"alg": "RS256", "typ": "JWT", "kid": signer.id}, timed, signer.key, algorithms=["RS256"])

    def public_keys(self) -> Mapping[str, Any]:
        """JSON Web Key Set (RFC 7517): the key that signs first, retired ones for thirty days."""
        self._signer()
        return {"keys": [key.public for key in self._listed()]}

    def all(self) -> Sequence[ToolKey]:
        """The keys that are listed, the one that signs first."""
        return self._listed()

    def rotate(self) -> ToolKey:
        """Sign with a new key from now on; the ones before stay listed for thirty days."""
        made = self._make()
        now = self._clock()
        for key in read_all(_read, self._documents.find(COLLECTION, {})):
            if key.id != made and key.retired_at is None:
                self._retire(key.id)
            elif key.retired_at and key.retired_at < now - KEPT_AFTER_RETIREMENT:
                self._documents.delete(COLLECTION, {"id": key.id})
        return next(key for key in self.all() if key.id == made)

    def _listed(self) -> Sequence[_StoredKey]:
        oldest = self._clock() - KEPT_AFTER_RETIREMENT
        keys = read_all(_read, self._documents.find(COLLECTION, {}, order=[("made_at", -1)]))
        listed = [key for key in keys if not key.retired_at or key.retired_at > oldest]
        return sorted(listed, key=lambda key: key.retired_at is not None)

    def _signer(self) -> _Signer:
        found = self._documents.find(COLLECTION, {"retired_at": None}, order=[("made_at", -1)])
        for key in read_all(_read, found):
            try:
                return _Signer(key.id, self._private(key))
            except SealBroken:
                self._retire(key.id)
        made = self._make()
        return _Signer(made, self._opened[made])

    def _private(self, stored: _StoredKey) -> RSAKey:
        id, sealed = stored.id, stored.sealed
        if id not in self._opened:
            self._opened[id] = RSAKey.import_key(self._vault.open(sealed, **lti_key_place(id)))
            if self._vault.needs_rewrap(sealed):
                renewed = self._vault.rewrap(sealed, **lti_key_place(id))
                self._documents.compare_and_set(COLLECTION, id, {"sealed": sealed}, {"sealed": renewed})
        return self._opened[id]

    def _make(self) -> str:
        key, id = RSAKey.generate_key(BITS, private=True), f"homeroom-{secrets.token_hex(8)}"
        public = {"kty": "RSA", "n": key.as_dict(private=False)["n"], "e": key.as_dict(private=False)["e"]}
        document = {
            "id": id,
            "public": {**public, "kid": id, "alg": "RS256", "use": "sig"},
            "sealed": self._vault.seal(key.as_pem(private=True).decode(), **lti_key_place(id)),
            "made_at": stamp(self._clock()),
            "retired_at": None,
        }
        self._opened[id] = key
        self._documents.insert(COLLECTION, document)
        return id

    def _retire(self, id: str) -> None:
        self._documents.compare_and_set(COLLECTION, id, {"retired_at": None}, {"retired_at": stamp(self._clock())})


@record_reader(COLLECTION)
def _read(document: Document) -> _StoredKey:
    return read_record(_StoredKey, document)
