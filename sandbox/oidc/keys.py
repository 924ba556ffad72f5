"""The key that signs ID tokens, kept in the campus's state so that it outlives restarts and resets."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from joserfc import jwt
from joserfc.jwk import RSAKey

from sandbox.state import State


@dataclass(frozen=True, kw_only=True)
class SigningKey:
    """An RSA key with its id."""

    key: RSAKey

    @classmethod
    def of(cls, state: State) -> "SigningKey":
        """The campus's key, made when it is first needed."""
        stored = state.get("oidc.key", "current")
        if stored is None:
            stored = RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True)
            state.put("oidc.key", "current", stored)
        return cls(key=_read(json.dumps(stored)))

    def public(self) -> dict[str, Any]:
        """The JSON web key set that the world may see."""
        return {"keys": [{**self.key.as_dict(private=False), "kid": self.key.kid, "use": "sig", "alg": "RS256"}]}

    def sign(self, claims: dict[str, Any]) -> str:
        """A compact RS256 token that names this key."""
        return jwt.encode({"alg": "RS256", "kid": self.key.kid, "typ": "JWT"}, claims, self.key)


@cache
def _read(stored: str) -> RSAKey:
    # Checking the primes takes 50 ms, which no request should pay again.
    return RSAKey.import_key(json.loads(stored))
