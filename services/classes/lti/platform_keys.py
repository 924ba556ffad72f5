"""`PlatformKeys`: the public keys of school systems, fetched through the guard and kept for an hour."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from pydantic_core import from_json

from services.classes.lti.platform import LtiPlatform
from services.classes.lti.refusals import LaunchRefused
from services.errors import ServiceError
from services.runtime.clock import Clock
from services.runtime.rate_limiter import RateLimiter, TokenBucket
from services.safety.fetch import SafeFetch

KEPT_FOR = timedelta(hours=1)
LIMIT_BYTES = 200_000
TIMEOUT_S = 5.0
MOST_KEYS = 100
LEAST_BITS = 2048
MOST_PLATFORMS = 200
REFETCHES = TokenBucket(burst=10, per_second=1 / 6)
"""Fetches for a key id that is not known: who makes such ids up must not have us ask a school's system all day."""
REFETCHED_AFTER = timedelta(seconds=30)
"""Age at which keys may always be fetched anew: else who makes ids up could keep a changed key from being found."""
FAILED_FOR = timedelta(seconds=15)
"""How long a system that gave no keys is not asked again: launches made up for it must not keep others waiting."""


@dataclass(frozen=True, kw_only=True)
class _Fetched:
    at: datetime
    keys: Mapping[str, RSAKey] = field(repr=False)


class PlatformKeys:
    """Keys by their id. An unknown id, or a signature that does not fit, has them fetched once more: platforms change
    their keys.
    """

    def __init__(self, fetch: SafeFetch, limiter: RateLimiter, clock: Clock) -> None:
        self._fetch, self._limiter, self._clock = fetch, limiter, clock
        self._fetched: dict[str, _Fetched] = {}
        self._failed: dict[str, datetime] = {}
        self._locks: dict[str, threading.Lock] = {}

    def key(self, platform: LtiPlatform, kid: str) -> RSAKey:
        """The key of this id; raises `LaunchRefused` "key_unknown" or "keys_unreachable"."""
        address, now = platform.jwks_url, self._clock()
        known = self._fetched.get(address)
        if known is None or not now - KEPT_FOR < known.at <= now:
            known = self._renew(address, known)
        if kid not in known.keys:
            if not self._may_refetch(address, known):
                raise LaunchRefused("too_many")
            known = self._renew(address, known)
        if kid not in known.keys:
            raise LaunchRefused("key_unknown")
        return known.keys[kid]

    def renewed_key(self, platform: LtiPlatform, kid: str, refused: RSAKey) -> RSAKey | None:
        """The key of this id, fetched once more because a signature does not fit the one that was kept: platforms renew
        a key under its old id, too. None where it is the same, or was fetched just now, as often as may be.
        """
        address = platform.jwks_url
        known = self._fetched.get(address)
        if known is None or self._may_refetch(address, known):
            try:
                known = self._renew(address, known)
            except LaunchRefused:
                return None
        key = known.keys.get(kid)
        return key if key is not None and key.thumbprint() != refused.thumbprint() else None

    def _may_refetch(self, address: str, known: _Fetched) -> bool:
        """Whether keys may be fetched before their hour is over: those of some age always, others seldom."""
        is_old = self._clock() - known.at >= REFETCHED_AFTER
        return is_old or not self._limiter.acquire(f"lti_keys/{address}", REFETCHES)

    def _renew(self, address: str, seen: _Fetched | None) -> _Fetched:
        """Fetch the keys, once for all launches that wait for them; no launch waits for another system's."""
        if len(self._locks) >= MOST_PLATFORMS:
            self._locks, self._fetched, self._failed = {}, {}, {}
        with self._locks.setdefault(address, threading.Lock()):
            latest, failed = self._fetched.get(address), self._failed.get(address)
            if latest is not None and latest is not seen:
                return latest
            if failed is not None and self._clock() - failed < FAILED_FOR:
                raise LaunchRefused("keys_unreachable")
            try:
                fetched = _Fetched(at=self._clock(), keys=self._ask(address))
            except LaunchRefused:
                self._failed[address] = self._clock()
                raise
            self._fetched[address] = fetched
            return fetched

    def _ask(self, address: str) -> Mapping[str, RSAKey]:
        try:
            page = self._fetch.get(address, accept="application/json", limit_bytes=LIMIT_BYTES, timeout_s=TIMEOUT_S)
        except ServiceError:
            raise LaunchRefused("keys_unreachable") from None
        if not page.is_good:
            raise LaunchRefused("keys_unreachable")
        try:
            listed = from_json(page.body)
            given = listed["keys"][:MOST_KEYS]
        except (ValueError, TypeError, KeyError):
            raise LaunchRefused("keys_unreachable") from None
        keys = {key.kid: key for entry in given if (key := _signing_key(entry)) is not None and key.kid}
        if not keys:
            # Whoever signs launches has a key: this is no answer, and the keys that were fetched before it stay.
            raise LaunchRefused("keys_unreachable")
        return keys


def _signing_key(entry: object) -> RSAKey | None:
    """A public RSA key for RS256; None for every other entry of a key set."""
    if not isinstance(entry, dict) or entry.get("kty") != "RSA" or not isinstance(entry.get("kid"), str):
        return None
    if entry.get("alg", "RS256") != "RS256" or entry.get("use", "sig") != "sig":
        return None
    public: dict[str, Any] = {name: entry.get(name) for name in ("kty", "n", "e", "kid")}
    try:
        key = RSAKey.import_key(public)
        return key if key.public_key.key_size >= LEAST_BITS else None
    except (JoseError, ValueError, TypeError):
        return None
