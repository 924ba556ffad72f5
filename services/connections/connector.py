"""TODO: say what lives here."""

from typing import Protocol

from services.connections.connection import Grant


class OAuthClient(Protocol):
    """One service's OAuth 2 dance. Every call raises the typed errors of `services.errors`.

    ends_account: whether `revoke` takes away all that this account ever allowed us, newer grants too.
    """

    scopes: tuple[str, ...]
    ends_account: bool

    def authorize_url(self, *, origin: str, redirect_uri: str, state: str, verifier: str) -> str:
        """Where to send the student's browser; `verifier` is the PKCE code verifier (RFC 7636)."""

    def exchange(self, *, origin: str, redirect_uri: str, code: str, verifier: str) -> Grant:
        """Trade the code for a grant."""

    def refresh(self, grant: Grant) -> Grant:
        """A fresh grant; raises `ReconnectRequired` when the service refuses for good."""

    def revoke(self, grant: Grant) -> None:
        """End the grant at the service; services without such a call return quietly."""
