"""`Tombstones`: fingerprints of deleted students, which keep out browsers that are still signed in."""

import hashlib
import hmac
import json
from datetime import timedelta

from services.runtime.clock import Clock, stamp
from services.storage.store import Store

COLLECTION = "farewells"
TOMBSTONE_LIFETIME = timedelta(days=31)
"""As long as a cookie from before a sign-out or a deletion may come: Streamlit's live 30 days and one of grace."""


class Tombstones:
    def __init__(self, store: Store, clock: Clock, secret: str) -> None:
        """secret: the key of the fingerprints, so that nobody else can tell whose they are."""
        self._shared, self._clock, self._secret = store.shared, clock, secret

    def leave(self, issuer: str, subject: str, ended_until: int) -> None:
        """Leave a tombstone. ended_until: number of the newest session that it keeps out."""
        expires_at = stamp(self._clock() + TOMBSTONE_LIFETIME)
        id = self._fingerprint(issuer, subject)
        self._shared.put(COLLECTION, {"id": id, "ended_until": ended_until, "expires_at": expires_at})

    def keeps_out(self, issuer: str, subject: str, session: int) -> bool:
        """Whether a session is from before the deletion of this identity."""
        tombstone = self._shared.get(COLLECTION, self._fingerprint(issuer, subject))
        return tombstone is not None and 0 < session <= tombstone["ended_until"]

    def _fingerprint(self, issuer: str, subject: str) -> str:
        whole = json.dumps([issuer, subject], ensure_ascii=False)
        return hmac.new(f"homeroom/farewell/{self._secret}".encode(), whole.encode(), hashlib.sha256).hexdigest()
