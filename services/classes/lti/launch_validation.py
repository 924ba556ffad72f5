"""`LaunchValidation`: the second step of a launch: the message of the school's system is verified (Security Framework
1.0, section 5.1.3; OpenID Connect Core 1.0, section 3.1.3.7)."""

import base64
import binascii
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from pydantic_core import from_json

from services.classes.lti.launch import Launch, LaunchReader
from services.classes.lti.launch_tickets import LaunchTickets, TicketKind
from services.classes.lti.login_initiation import LoginInitiation, LoginRequest, StartedLogin, is_bound
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platform_keys import PlatformKeys
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.refusals import LaunchRefused
from services.runtime.clock import Clock
from services.storage.records import read_record

LONGEST_TOKEN = 150_000
LEEWAY_S = 60
_CLOCK_CLAIMS = ("exp", "iat")


@dataclass(frozen=True, kw_only=True)
class VerifiedLaunch:
    """Launch that is good in itself. binding_ticket: "" when it came back in the browser that began it; else a ticket
    with which that browser can still prove it. request: what the platform began with.
    """

    launch: Launch
    platform: LtiPlatform
    request: LoginRequest
    mark: str
    binding_ticket: str = field(default="", repr=False)


class LaunchValidation:
    def __init__(
        self,
        logins: LoginInitiation,
        platforms: LtiPlatforms,
        keys: PlatformKeys,
        tickets: LaunchTickets,
        clock: Clock,
        *,
        public_url: str,
    ) -> None:
        self._logins, self._platforms, self._keys, self._tickets = logins, platforms, keys, tickets
        self._clock, self._public_url = clock, public_url

    def login_of(self, state: str) -> StartedLogin:
        """The login that a launch answers; its state is used up by this. Raises `LaunchRefused`."""
        return self._logins.use(state)

    def verify(self, login: StartedLogin, id_token: str, *, binding: str | None) -> VerifiedLaunch:
        """Check a message that came back for this login. binding: what the browser kept of it.

        Raises `LaunchRefused`; a deployment that is not allowed is noted for the operator.
        """
        platform = self._platforms.get(login.platform_id)
        if platform is None:
            raise LaunchRefused("platform_unknown")
        claims = self._claims(id_token, platform)
        _check_parties(claims, platform)
        _check_times(claims, began_at=login.began_at, now=self._clock())
        _check_nonce(claims, login.nonce)
        launch = LaunchReader(claims, platform, public_url=self._public_url).read()
        if launch.deployment_id not in platform.deployments:
            self._platforms.note_waiting(platform.id, launch.deployment_id)
            raise LaunchRefused("deployment_unknown")
        ticket = ""
        if not is_bound(binding, login.binding_hash):
            ticket = self._tickets.issue(
                TicketKind.BINDING,
                launch,
                binding_hash=login.binding_hash,
                mark=login.mark,
                request=vars(login.request),
            )
        return VerifiedLaunch(
            launch=launch, platform=platform, request=login.request, mark=login.mark, binding_ticket=ticket
        )

    def bind(self, ticket: str, kept: Callable[[str], str | None]) -> VerifiedLaunch:
        """A launch whose browser proves now that it began it. kept: what it kept for the mark of a state.

        Raises `LaunchRefused`.
        """
        used = self._tickets.use(TicketKind.BINDING, ticket)
        mark = used.more["mark"]
        request = read_record(LoginRequest, used.more["request"])
        platform = self._platforms.get(used.launch.platform_id)
        if platform is None:
            raise LaunchRefused("platform_unknown")
        if not is_bound(kept(mark), used.more["binding_hash"]):
            raise LaunchRefused("browser_unknown")
        return VerifiedLaunch(launch=used.launch, platform=platform, request=request, mark=mark)

    def _claims(self, id_token: str, platform: LtiPlatform) -> Mapping[str, Any]:
        if not id_token:
            raise LaunchRefused("token_missing")
        if len(id_token) > LONGEST_TOKEN:
            raise LaunchRefused("token_malformed")
        header = _header(id_token)
        if header.get("alg") != "RS256":
            raise LaunchRefused("algorithm_refused")
        kid = header.get("kid")
        if not isinstance(kid, str) or not kid:
            raise LaunchRefused("key_id_missing")
        key = self._keys.key(platform, kid)
        claims = _verified(id_token, key)
        if claims is None and (renewed := self._keys.renewed_key(platform, kid, key)) is not None:
            claims = _verified(id_token, renewed)
        if claims is None:
            raise LaunchRefused("signature_invalid")
        return claims


def _verified(id_token: str, key: RSAKey) -> Mapping[str, Any] | None:
    """The claims of a token that this key has signed; None for every other one."""
    try:
        return jwt.decode(id_token, key, algorithms=["RS256"]).claims
    except (JoseError, ValueError, TypeError, RecursionError):
        return None


def _header(id_token: str) -> Mapping[str, Any]:
    """The header of a JWS, of which only `alg` and `kid` count: a key that it brings itself proves nothing."""
    parts = id_token.split(".")
    if len(parts) != 3:
        raise LaunchRefused("token_malformed")
    try:
        header = from_json(base64.urlsafe_b64decode(parts[0] + "=" * (-len(parts[0]) % 4)))
    except (ValueError, binascii.Error):
        raise LaunchRefused("token_malformed") from None
    if not isinstance(header, dict):
        raise LaunchRefused("token_malformed")
    return header


def _check_parties(claims: Mapping[str, Any], platform: LtiPlatform) -> None:
    """`iss`, `aud` as a text or a list, and `azp`, which must be there when others are addressed, too."""
    if claims.get("iss") != platform.issuer:
        raise LaunchRefused("issuer_wrong")
    audience, party = claims.get("aud"), claims.get("azp")
    addressed = audience if isinstance(audience, list) else [audience]
    if platform.client_id not in addressed or not all(isinstance(other, str) for other in addressed):
        raise LaunchRefused("audience_wrong")
    if party != platform.client_id and (party is not None or len(set(addressed)) > 1):
        raise LaunchRefused("party_wrong")


def _check_times(claims: Mapping[str, Any], *, began_at: datetime, now: datetime) -> None:
    seconds = now.timestamp()
    for name in _CLOCK_CLAIMS:
        if not _is_time(claims.get(name)):
            raise LaunchRefused("claims_malformed")
    if claims["exp"] <= seconds - LEEWAY_S:
        raise LaunchRefused("expired")
    starts = [claims["iat"], *([claims["nbf"]] if "nbf" in claims else [])]
    if not all(_is_time(start) for start in starts):
        raise LaunchRefused("claims_malformed")
    if max(starts) > seconds + LEEWAY_S:
        raise LaunchRefused("not_yet_valid")
    if claims["iat"] < began_at.timestamp() - LEEWAY_S:
        raise LaunchRefused("stale")


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53


def _check_nonce(claims: Mapping[str, Any], sent: str) -> None:
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not nonce.isascii() or not hmac.compare_digest(nonce, sent):
        raise LaunchRefused("nonce_wrong")
