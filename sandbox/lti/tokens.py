"""The id token of a launch: signed as it should be, or wrong in the way that a test asked for."""

import base64
import hashlib
import hmac
import json
from functools import cache
from typing import Any

from joserfc import jwt
from joserfc.jwk import RSAKey

from sandbox.lti.keys import LmsKeys
from sandbox.state import State


def id_token(state: State, flavour: str, claims: dict[str, Any], *, signature: str, header: dict[str, Any]) -> str:
    """A compact token. signature: one of `switches.SIGNATURES`. header: fields to set; None takes one out."""
    key = LmsKeys(state, flavour).current()
    fields = {"typ": "JWT", "alg": "RS256", "kid": key.kid, **header}
    if signature in ("none", "HS256"):
        fields = {**fields, "alg": signature}
    kept = {name: value for name, value in fields.items() if value is not None}
    if signature == "none":
        return f"{_part(kept)}.{_part(claims)}."
    if signature == "HS256":
        return _with_public_key(kept, claims, key)
    if signature == "RS256" and kept.get("alg") == "RS256":
        return jwt.encode(kept, claims, key)
    signed = jwt.encode({"alg": "RS256"}, claims, _stranger() if signature == "other_key" else key)
    last = signed.rpartition(".")[2]
    return f"{_part(kept)}.{_part({**claims, 'sub': 'tampered'} if signature == 'tampered' else claims)}.{last}"


def _with_public_key(header: dict[str, Any], claims: dict[str, Any], key: RSAKey) -> str:
    """Signed with the public key as if it were a secret, which takes in whoever lets the token say how it is signed."""
    signed = f"{_part(header)}.{_part(claims)}"
    digest = hmac.new(key.as_pem(private=False), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def _part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@cache
def _stranger() -> RSAKey:
    return RSAKey.generate_key(2048, private=True)
