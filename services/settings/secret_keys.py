"""Keys as the settings take them: vault keys, and the VAPID key that signs web pushes; how new ones are made."""

import base64
import secrets

from cryptography.hazmat.primitives.asymmetric import ec

from services.errors import SettingsError

_KEY_BYTES = 32


def new_vault_key(version: str = "k1") -> str:
    """A vault key as HOMEROOM_VAULT_KEYS takes it: "version:base64 of 32 random bytes"."""
    return f"{version}:{base64.urlsafe_b64encode(secrets.token_bytes(_KEY_BYTES)).decode()}"


def are_vault_keys(text: str) -> bool:
    """Whether these are vault keys as `services.connections.vault` takes them, with spaces or commas between."""
    words = text.replace(",", " ").split()
    try:
        keys = [base64.urlsafe_b64decode(word.partition(":")[2]) for word in words]
    except ValueError:
        return False
    return bool(keys) and all(len(key) == _KEY_BYTES for key in keys)


def new_vapid_key() -> str:
    """A key as HOMEROOM_VAPID_KEY takes it: the private number of a P-256 key, base64url without padding."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(_KEY_BYTES, "big")).decode().rstrip("=")


def vapid_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """The key (RFC 8292, section 2) of a text as `new_vapid_key` makes it; raises `ValueError` for any other."""
    number = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(number) != _KEY_BYTES:
        raise ValueError("not 32 bytes")
    return ec.derive_private_key(int.from_bytes(number, "big"), ec.SECP256R1())


def is_vapid_key(text: str) -> bool:
    try:
        vapid_private_key(text)
    except ValueError:
        return False
    return True


def checked_vapid_key(text: str) -> str:
    """The value of HOMEROOM_VAPID_KEY, "" for none; raises `SettingsError` for what is no key."""
    if text and not is_vapid_key(text):
        remedy = "Set the key that `python manage.py new-vapid-key` prints."
        raise SettingsError("HOMEROOM_VAPID_KEY", "is no such key.", next_step=remedy)
    return text
