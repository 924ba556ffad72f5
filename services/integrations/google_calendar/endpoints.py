"""Where Google is: its own hosts, or all of it under one base address that the operator set."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class GoogleEndpoints:
    """Full addresses; `origin` is the one that a grant belongs to."""

    origin: str
    authorize: str
    token: str
    revoke: str
    api: str
    account: str


GOOGLE_ENDPOINTS = GoogleEndpoints(
    origin="https://www.googleapis.com",
    authorize="https://accounts.google.com/o/oauth2/v2/auth",
    token="https://oauth2.googleapis.com/token",  # noqa: S106 - an address
    revoke="https://oauth2.googleapis.com/revoke",
    api="https://www.googleapis.com/calendar/v3/",
    account="https://myaccount.google.com/connections",
)


def endpoints_at(base: str) -> GoogleEndpoints:
    """Those under a base address, or Google's own when it is empty."""
    if not base:
        return GOOGLE_ENDPOINTS
    base = base.rstrip("/")
    return GoogleEndpoints(
        origin=base,
        authorize=f"{base}/o/oauth2/v2/auth",
        token=f"{base}/token",
        revoke=f"{base}/revoke",
        api=f"{base}/calendar/v3/",
        account=base,
    )
