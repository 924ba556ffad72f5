"""Where Google is: its own hosts, or all of it under one base address that the operator set."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.errors import SettingsError
from services.settings import web_address


@dataclass(frozen=True, kw_only=True)
class Endpoints:
    """Full addresses; `origin` is the one that a grant belongs to."""

    origin: str
    authorize: str
    token: str
    revoke: str
    api: str
    account: str


GOOGLE = Endpoints(
    origin="https://www.googleapis.com",
    authorize="https://accounts.google.com/o/oauth2/v2/auth",
    token="https://oauth2.googleapis.com/token",  # noqa: S106 - an address
    revoke="https://oauth2.googleapis.com/revoke",
    api="https://www.googleapis.com/calendar/v3/",
    account="https://myaccount.google.com/connections",
)


def endpoints(extension: Mapping[str, str]) -> Endpoints:
    """Google's own addresses or those under GOOGLE_API_BASE_URL; raises `SettingsError`."""
    base = extension.get("API_BASE_URL", "").rstrip("/")
    if not base:
        return GOOGLE
    if web_address(base) is None:
        raise SettingsError(
            "GOOGLE_API_BASE_URL", "is not an http(s) address.", next_step="Leave it empty to use Google itself."
        )
    return Endpoints(
        origin=base,
        authorize=f"{base}/o/oauth2/v2/auth",
        token=f"{base}/token",
        revoke=f"{base}/revoke",
        api=f"{base}/calendar/v3/",
        account=base,
    )
