"""Codes, grants and tokens that the campus's OAuth services hand out, kept as hashes only."""

import base64
import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from sandbox.campus import Campus


class Grants:
    """The single-use codes, grants and tokens of one service ("canvas", "google", "notion" or "oidc").

    A grant is a dict with `id`, `person` and what the service adds (client, scopes, …); its tokens die with it.
    """

    def __init__(self, campus: Campus, service: str) -> None:
        self._campus = campus
        self._state = campus.state
        self._codes, self._grants, self._tokens = f"{service}.codes", f"{service}.grants", f"{service}.tokens"

    def code(self, *, lifetime_s: int = 600, **facts: Any) -> str:
        """A new single-use authorization code that remembers `facts` (person, redirect_uri, code_challenge, …)."""
        code = secrets.token_urlsafe(24)
        self._state.put(self._codes, _hash(code), {**facts, "expires_at": self._in(lifetime_s)})
        return code

    def redeem(self, code: str) -> dict[str, Any] | None:
        """The facts of a code, once; None when it is unknown, used or too old."""
        with self._state.transaction():
            facts: dict[str, Any] | None = self._state.get(self._codes, _hash(code))
            self._state.delete(self._codes, _hash(code))
        return facts if facts and self._is_ahead(facts["expires_at"]) else None

    def open(self, *, person: str, **facts: Any) -> dict[str, Any]:
        """A new grant of this person."""
        grant = {**facts, "id": secrets.token_hex(8), "person": person, "at": self._campus.now().isoformat()}
        self._state.put(self._grants, grant["id"], grant)
        return grant

    def token(self, grant: dict[str, Any], use: str, *, lifetime_s: int | None, prefix: str = "") -> str:
        """A new token for this grant; `use` is "access" or "refresh", `lifetime_s` None means until revoked."""
        token = prefix + secrets.token_urlsafe(32)
        expires_at = None if lifetime_s is None else self._in(lifetime_s)
        self._state.put(self._tokens, _hash(token), {"grant": grant["id"], "use": use, "expires_at": expires_at})
        return token

    def holder(self, token: str, use: str = "access") -> dict[str, Any] | None:
        """The grant behind a token, or None when the token is unknown, expired, revoked or of another use."""
        entry = self._state.get(self._tokens, _hash(token))
        if not entry or entry["use"] != use or not self._is_ahead(entry["expires_at"]):
            return None
        grant: dict[str, Any] | None = self._state.get(self._grants, entry["grant"])
        return grant

    def forget_token(self, token: str) -> bool:
        """Make one token invalid (a rotated refresh token); its grant lives on."""
        return self._state.delete(self._tokens, _hash(token))

    def revoke(self, token: str) -> bool:
        """End the grant behind a token of either use; False when there is none."""
        entry = self._state.get(self._tokens, _hash(token)) or {"grant": ""}
        return self._state.delete(self._grants, entry["grant"])

    def all(self) -> list[dict[str, Any]]:
        """Every grant that is not revoked, oldest first."""
        return self._state.all(self._grants)

    def close(self, grant_id: str) -> bool:
        """End a grant by its id; False when there is none."""
        return self._state.delete(self._grants, grant_id)

    def revoke_person(self, person: str) -> int:
        """End every grant of a person; the number ended."""
        grants = self._state.all(self._grants, person=person)
        return sum(self._state.delete(self._grants, grant["id"]) for grant in grants)

    def _in(self, seconds: int) -> str:
        return (self._campus.now() + timedelta(seconds=seconds)).isoformat()

    def _is_ahead(self, expires_at: str | None) -> bool:
        return expires_at is None or self._campus.now() < datetime.fromisoformat(expires_at)


def pkce_matches(challenge: str | None, verifier: str | None, method: str | None = "S256") -> bool:
    """Whether the verifier proves the challenge (RFC 7636); a flow begun without one must not send a verifier."""
    if not challenge or not verifier:
        return not challenge and not verifier
    if method != "S256":
        return secrets.compare_digest(challenge, verifier)
    digest = hashlib.sha256(verifier.encode()).digest()
    return secrets.compare_digest(challenge, base64.urlsafe_b64encode(digest).rstrip(b"=").decode())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
