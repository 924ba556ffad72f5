"""Whose sign-in it is, and when it ends."""

from urllib.parse import quote
from zoneinfo import available_timezones

from services.connections.connection import Account, Grant
from services.errors import ItemNotFound, PermissionMissing, RequestRefused, ServiceUnavailable
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.payloads import read_time
from services.safety.text import one_line

LONGEST_ID = 100
_HINT = 5
"""Canvas finds a token by its first letters, its `token_hint`."""


def identify(client: CanvasClient, grant: Grant) -> Account:
    """The Canvas user behind a grant; for a pasted token also its end, where this Canvas tells."""
    profile = client.profile()
    zone = profile.get("time_zone")
    is_pasted = grant.refresh_token is None and grant.expires_at is None
    try:
        ends_at = read_time(client.token(quote(grant.access_token[:_HINT])).get("expires_at"))[0] if is_pasted else None
    except (ItemNotFound, PermissionMissing, RequestRefused, ServiceUnavailable):
        ends_at = None
    return Account(
        id=one_line(profile.get("id", ""), LONGEST_ID),
        name=one_line(profile.get("name") or "your Canvas account", 80),
        timezone=zone if zone in available_timezones() else None,
        expires_at=ends_at,
    )
