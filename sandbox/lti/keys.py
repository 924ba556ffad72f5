"""`LmsKeys`: the keys that a platform signs with; the one before the present one stays listed, older ones do not."""

import json
from functools import cache
from typing import Any

from joserfc.jwk import RSAKey

from sandbox.state import State

KIND = "lti.keys"
LISTED = 2


class LmsKeys:
    """Kept in the campus's state; made when they are first needed, for making one is slow."""

    def __init__(self, state: State, flavour: str) -> None:
        self._state, self._flavour = state, flavour

    def current(self) -> RSAKey:
        """The key that signs."""
        return _read(json.dumps(self._stored()[0]))

    def rotate(self) -> str:
        """Sign with a new key from now on; its id."""
        made = RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True)
        self._state.put(KIND, self._flavour, [made, *self._stored()][:LISTED])
        return str(made["kid"])

    def public(self) -> dict[str, Any]:
        """The JSON Web Key Set."""
        keys = [_read(json.dumps(stored)) for stored in self._stored()]
        return {"keys": [{**key.as_dict(private=False), "kid": key.kid, "alg": "RS256", "use": "sig"} for key in keys]}

    def _stored(self) -> list[dict[str, Any]]:
        stored: list[dict[str, Any]] | None = self._state.get(KIND, self._flavour)
        if stored is None:
            stored = [dict(RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True))]
            if not self._state.insert(KIND, self._flavour, stored):
                return self._stored()
        return stored


@cache
def _read(stored: str) -> RSAKey:
    return RSAKey.import_key(json.loads(stored))
