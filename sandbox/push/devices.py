"""Pretend devices: their keys, and the messages that were sealed for them and signed for their sender."""

import base64
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from sandbox.campus import Campus

KIND = "push.devices"
KEPT = 50
LARGEST_BODY = 4096
LONGEST_TOKEN_S = 24 * 3600


class PushRefused(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, kw_only=True)
class Device:
    """messages: the newest first."""

    id: str
    name: str
    is_gone: bool
    messages: tuple[dict[str, str], ...] = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {"id": self.id, "name": self.name, "is_gone": self.is_gone, "messages": list(self.messages)}


class Devices:
    def __init__(self, campus: Campus) -> None:
        self._campus = campus
        self._state = campus.state

    def make(self) -> dict[str, Any]:
        """Make a device; its subscription, as `PushSubscription.toJSON()` gives it."""
        private, auth, id = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16), secrets.token_hex(16)
        number = private.private_numbers().private_value
        name = f"Pretend phone {len(self._state.all(KIND)) + 1}"
        stored = {"id": id, "name": name, "key": f"{number:x}", "auth": auth.hex(), "sender": "", "is_gone": False}
        self._state.put(KIND, id, {**stored, "messages": []})
        point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _encoded(point), "auth": _encoded(auth)}
        return {"endpoint": f"{self._campus.origin}/push/send/{id}", "keys": keys, "name": name}

    def all(self) -> list[Device]:
        return [
            Device(id=row["id"], name=row["name"], is_gone=row["is_gone"], messages=tuple(reversed(row["messages"])))
            for row in self._state.all(KIND)
        ]

    def switch_off(self, id: str) -> None:
        """From now on it answers 410, as a browser that was told to stop."""
        self._state.change(KIND, id, is_gone=True)

    def take(self, id: str, headers: dict[str, str], body: bytes) -> None:
        """Take a message; raises `PushRefused` as RFC 8030 and RFC 8292 say."""
        with self._state.transaction():
            device = self._state.get(KIND, id)
            if device is None or device["is_gone"]:
                raise PushRefused(410, "this subscription is over")
            if not headers.get("ttl", "").isdecimal():
                raise PushRefused(400, "a TTL header is missing")
            if headers.get("content-encoding") != "aes128gcm":
                raise PushRefused(415, "the body must be aes128gcm")
            if len(body) > LARGEST_BODY:
                raise PushRefused(413, "the body is larger than 4096 bytes")
            sender = self._sender(headers.get("authorization", ""))
            if device["sender"] not in ("", sender):
                raise PushRefused(403, "this subscription belongs to another sender's key")
            message = {
                "at": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}",
                "payload": _opened(device, body),
                "ttl": headers["ttl"],
                "topic": headers.get("topic", ""),
            }
            self._state.change(KIND, id, sender=sender, messages=[*device["messages"], message][-KEPT:])

    def _sender(self, authorization: str) -> str:
        """The sender's public key, whose signature was checked."""
        scheme, _, rest = authorization.partition(" ")
        parts = dict(part.strip().partition("=")[::2] for part in rest.split(","))
        if scheme.lower() != "vapid" or not parts.get("t") or not parts.get("k"):
            raise PushRefused(401, "no VAPID authorization")
        try:
            x, y = (point := _decoded(parts["k"]))[1:33], point[33:65]
            key = ECKey.import_key({"kty": "EC", "crv": "P-256", "x": _encoded(x), "y": _encoded(y)})
            claims = jwt.decode(parts["t"], key, algorithms=["ES256"]).claims
        except (JoseError, ValueError):
            raise PushRefused(403, "the VAPID token is not signed by its key") from None
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(self._campus.origin))
        left_s = claims.get("exp", 0) - time.time()
        if claims.get("aud") != origin or not 0 < left_s <= LONGEST_TOKEN_S or not claims.get("sub"):
            raise PushRefused(403, "aud, exp or sub of the VAPID token is wrong")
        return parts["k"]


def _opened(device: dict[str, Any], body: bytes) -> str:
    private = ec.derive_private_key(int(device["key"], 16), ec.SECP256R1())
    try:
        opened = http_ece.decrypt(
            body, private_key=private, auth_secret=bytes.fromhex(device["auth"]), version="aes128gcm"
        )
    except http_ece.ECEException:
        raise PushRefused(400, "the body is not sealed for this subscription") from None
    return bytes(opened).decode()


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
