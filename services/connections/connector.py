"""`Connector`: how a student connects one service: words, ways to sign in, a health check and a client."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from services.connections import messages
from services.connections.backoff import Backoff
from services.connections.connection import PASTED, Connection, Health
from services.i18n import gettext_noop
from services.safety.earlier_consents import ACCOUNT_PURPOSES

_WARN_BEFORE = timedelta(days=7)


@dataclass(frozen=True, kw_only=True)
class Grant:
    """Opened credentials, in memory only, for the length of one call.

    backoff: what all calls with this account share, so that none asks while the service wants quiet.
    """

    origin: str
    access_token: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    scopes: tuple[str, ...] = ()
    backoff: Backoff = field(default_factory=Backoff, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Account:
    """Account that a credential belongs to, as the service itself says.

    timezone: an IANA name, where the service tells one. expires_at: when the credential ends, where it tells that.
    """

    id: str
    name: str
    timezone: str | None = None
    expires_at: datetime | None = None


class OAuthClient(Protocol):
    """OAuth 2 client of one service. Every call raises the typed errors of `services.errors`.

    ends_account: whether `revoke` takes away all that this account ever allowed us, newer grants too.
    """

    scopes: tuple[str, ...]
    ends_account: bool

    def issuers(self, origin: str) -> Collection[str]:
        """Issuer identifiers that the service may put into its answers (`iss`, RFC 9207)."""

    def authorize_url(self, *, origin: str, redirect_uri: str, state: str, verifier: str) -> str:
        """The consent page for the student's browser; `verifier` is the PKCE code verifier (RFC 7636)."""

    def exchange(self, *, origin: str, redirect_uri: str, code: str, verifier: str) -> Grant:
        """Trade the code for a grant."""

    def refresh(self, grant: Grant) -> Grant:
        """A fresh grant; raises `ReconnectRequired` when the service refuses for good."""

    def revoke(self, grant: Grant) -> None:
        """End the grant at the service; services without such a call return quietly."""


@dataclass(frozen=True, kw_only=True)
class Connector:
    """Description of how one service is connected: an integration without its tools.

    summary: what it gives, one sentence. reads, writes: what Homeroom may read and change there, as short phrases.
    consent: two sentences on what goes where, read before the first connection.
    purposes: what is done with what is read; a new one asks every student who has agreed before, another wording
    nobody. reads_briefly: all of `reads` in half a line, for the consent's three; `reads` itself where it is empty.
    origins: the addresses a student may choose among, first one the default.
    read_origin: makes an address of what a student wrote who may name one that is not listed, for a pasted token alone;
    raises `BadArguments`, `AddressRefused`. None where only listed ones are used.
    oauth: None when this deployment has no client for it. accepts_token: a pasted token is another way in, with
    `token_help` saying where to find one and `token_name` what it is called.
    read_token: makes the one text that is kept of what was pasted, where it is not a token as it stands; raises
    `BadArguments`.
    identify: asks the service whose credential this is; it is also the health check.
    client: the authenticated client that the integration's tools get from `context.client(id)`.
    token_lifetime: how long a pasted token lives at most, where the service has such a rule.
    revoke_token: ends a pasted token at the service; None when only the student can do that there.
    begins: makes the credential of what needs no account, so that one click connects it; None when one is needed.
    permissions: by scope what it allows, as a short phrase such as "see the list of your calendars".
    gives_way_to: the category whose accounts end this connection and keep it from being begun; empty when none does.
    """

    id: str
    label: str
    icon: str
    category: str
    summary: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    consent: str
    origins: tuple[str, ...]
    oauth: OAuthClient | None
    identify: Callable[[Grant], Account]
    client: Callable[[Grant], Any]
    accepts_token: bool = False
    token_help: str = ""
    token_name: str = gettext_noop("access token")
    read_token: Callable[[str], str] | None = None
    read_origin: Callable[[str], str] | None = None
    token_lifetime: timedelta | None = None
    revoke_token: Callable[[Grant], None] | None = None
    capabilities: frozenset[str] = frozenset()
    begins: Callable[[], Grant] | None = None
    gives_way_to: str = ""
    purposes: frozenset[str] = ACCOUNT_PURPOSES
    reads_briefly: str = ""
    permissions: Mapping[str, str] = field(default_factory=dict)

    @property
    def needs_account(self) -> bool:
        """Whether it holds something of the student's own; what does not is an offer, and never missing."""
        return self.begins is None


def with_current_health(connection: Connection, connector: Connector, *, now: datetime, opens: bool) -> Connection:
    """The connection with today's health and the reason in words for the student.

    opens: whether the sealed credential opens with today's vault keys. That, the end of a pasted token and an address
    that the operator took away are never stored, so they heal by themselves.
    """
    health, reason = _verdict(connection, connector, now, opens)
    return replace(connection, health=health, reason=reason)


def missing_permissions(connection: Connection, connector: Connector) -> tuple[str, ...]:
    """What Homeroom would ask for today and this grant does not cover, as phrases: it is older, or was given in part.

    Nothing for a pasted token, which covers what the account does.
    """
    wanted = connector.oauth.scopes if connector.oauth and connection.scopes else ()
    missing = (scope for scope in wanted if scope not in connection.scopes and scope in connector.permissions)
    return tuple(dict.fromkeys(connector.permissions[scope] for scope in missing))


def _verdict(connection: Connection, connector: Connector, now: datetime, opens: bool) -> tuple[Health, str]:
    label = connector.label
    ends_at = None if connection.is_refreshable else connection.expires_at
    if connection.health in (Health.REVOKED, Health.PAUSED):
        return connection.health, connection.reason
    if connection.origin not in connector.origins and not (connector.read_origin and connection.method == PASTED):
        return Health.REVOKED, messages.address_withdrawn(label)
    if not opens:
        return Health.LOCKED, messages.credential_locked(label)
    if ends_at and ends_at <= now:
        return Health.EXPIRED, messages.access_ended(label, ends_at)
    if connection.health is Health.UNREACHABLE:
        return Health.UNREACHABLE, connection.reason
    if ends_at and ends_at - now <= _WARN_BEFORE:
        return Health.EXPIRING, messages.access_ends_soon(label, (ends_at - now).days)
    return Health.HEALTHY, ""
