"""Vault: credentials sealed with AES-256-GCM, bound to student, integration and field; and grants in it."""

import base64
import binascii
import json
import os
import re
from collections.abc import Iterable, Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.connections.connection import Connection
from services.connections.connector import Grant
from services.errors import SealBroken, SettingsError
from services.i18n import gettext
from services.runtime.clock import moment, stamp

_FORMAT = "v1"
_NONCE_BYTES = 12
_KEY_BYTES = 32
_VERSION = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
FIELD = "grant"


class KeyRing:
    """Vault keys by version. The newest seals; every one of them opens."""

    def __init__(self, keys: Iterable[tuple[str, bytes]]) -> None:
        """`keys`: (version, 32 bytes), newest first."""
        listed = list(keys)
        self._ciphers = {version: AESGCM(key) for version, key in listed}
        self.versions = tuple(self._ciphers)
        self.newest = self.versions[0]

    @classmethod
    def parse(cls, texts: Iterable[str]) -> "KeyRing":
        """A ring from "version:base64key" texts, newest first; raises `SettingsError` that never repeats a key."""
        keys = [_parse_key(text) for text in texts]
        if not keys:
            raise _wrong("has no key in it.")
        if len({version for version, _ in keys}) < len(keys):
            raise _wrong("names the same key version twice.")
        return cls(keys)

    def cipher(self, version: str) -> AESGCM:
        """Raises `SealBroken` for a version that this ring does not have."""
        try:
            return self._ciphers[version]
        except KeyError:
            raise SealBroken(gettext("A saved credential was sealed with a key that is not here.")) from None

    def __repr__(self) -> str:
        return f"KeyRing({', '.join(self._ciphers)})"


class Vault:
    """Seals and opens texts with AES-256-GCM. An envelope is "v1.<key version>.<base64url of nonce and ciphertext>".

    It opens only for the student, integration and field that it was sealed for, so that a swapped row stays shut.
    """

    def __init__(self, keys: KeyRing) -> None:
        self._keys = keys

    def seal(self, text: str, *, student_id: str, integration: str, field: str) -> str:
        version = self._keys.newest
        nonce = os.urandom(_NONCE_BYTES)
        place = _place(version, student_id, integration, field)
        closed = nonce + self._keys.cipher(version).encrypt(nonce, text.encode(), place)
        return f"{_FORMAT}.{version}.{base64.urlsafe_b64encode(closed).decode().rstrip('=')}"

    def open(self, sealed: str, *, student_id: str, integration: str, field: str) -> str:
        """The text; raises `SealBroken` for a missing or wrong key, a damaged envelope or one from another place."""
        version, closed = _split_envelope(sealed)
        place = _place(version, student_id, integration, field)
        try:
            return self._keys.cipher(version).decrypt(closed[:_NONCE_BYTES], closed[_NONCE_BYTES:], place).decode()
        except InvalidTag:
            raise SealBroken(gettext("A saved credential does not open.")) from None

    def needs_rewrap(self, sealed: str) -> bool:
        """Whether it is sealed with another key than the newest; raises `SealBroken` for what is no envelope."""
        return _split_envelope(sealed)[0] != self._keys.newest

    def rewrap(self, sealed: str, *, student_id: str, integration: str, field: str) -> str:
        """Seal the same text under the newest key; raises `SealBroken`."""
        text = self.open(sealed, student_id=student_id, integration=integration, field=field)
        return self.seal(text, student_id=student_id, integration=integration, field=field)


def _place(version: str, student_id: str, integration: str, field: str) -> bytes:
    """Associated data that a seal is bound to, as a JSON list: no two different places are written alike."""
    return json.dumps([_FORMAT, version, student_id, integration, field]).encode()


def lti_key_place(id: str) -> dict[str, str]:
    """What the envelope of a key that signs for school systems is bound to: no student, and the key's own id."""
    return {"student_id": "lti", "integration": "lti", "field": id}


def _split_envelope(sealed: str) -> tuple[str, bytes]:
    """An envelope's key version, and its nonce and ciphertext."""
    form, _, rest = sealed.partition(".")
    version, _, body = rest.partition(".")
    try:
        closed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        closed = b""
    if form != _FORMAT or len(closed) <= _NONCE_BYTES:
        raise SealBroken(gettext("A saved credential is damaged."))
    return version, closed


def _parse_key(text: str) -> tuple[str, bytes]:
    version, _, written = text.partition(":")
    try:
        key = base64.b64decode(written.replace("+", "-").replace("/", "_"), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not _VERSION.fullmatch(version) or len(key) != _KEY_BYTES:
        raise _wrong("holds a key that is not version:base64 of 32 bytes.")
    return version, key


def _wrong(problem: str) -> SettingsError:
    remedy = "List keys as version:base64, newest first; `python manage.py new-vault-key` prints one."
    return SettingsError("HOMEROOM_VAULT_KEYS", problem, next_step=remedy)


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

    def are_the_same(self, student_id: str, connection: Connection, other: Connection) -> bool:
        """Whether two readings of a connection hold the same credential, however it was sealed."""
        return connection.sealed == other.sealed or self.open(student_id, connection) == self.open(student_id, other)
