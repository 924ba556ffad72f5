"""How a connection is doing right now: what was stored about it, judged by the clock and today's integration."""

from dataclasses import replace
from datetime import datetime, timedelta

from services.connections.connection import Connection, Health
from services.integrations.base import Integration

_WARN_BEFORE = timedelta(days=7)


def judged(connection: Connection, integration: Integration, *, now: datetime, opens: bool) -> Connection:
    """The connection with today's health and the reason in words for the student.

    opens: whether the sealed credential opens with today's vault keys. That, the end of a pasted token and an address
    that the operator took away are never stored, so they heal by themselves.
    """
    health, reason = _verdict(connection, integration, now, opens)
    return replace(connection, health=health, reason=reason)


def _verdict(connection: Connection, integration: Integration, now: datetime, opens: bool) -> tuple[Health, str]:
    label = integration.label
    ends_at = None if connection.is_refreshable else connection.expires_at
    if connection.health is Health.REVOKED:
        return Health.REVOKED, connection.reason
    if connection.origin not in integration.origins:
        return Health.REVOKED, f"Homeroom no longer uses the {label} address you connected. Connect {label} again."
    if not opens:
        return Health.LOCKED, (
            f"Homeroom cannot open your saved {label} sign-in right now. Nothing was deleted. "
            "Ask whoever runs Homeroom, or connect again."
        )
    if ends_at and ends_at <= now:
        return Health.EXPIRED, f"Your {label} access ended on {_day(ends_at)}. Connect {label} again to go on."
    if connection.health is Health.UNREACHABLE:
        return Health.UNREACHABLE, connection.reason
    if ends_at and ends_at - now <= _WARN_BEFORE:
        return (
            Health.EXPIRING,
            f"Your {label} access ends {_in_days(ends_at - now)}. Connect {label} again before then.",
        )
    return Health.HEALTHY, ""


def _day(moment: datetime) -> str:
    return f"{moment:%A}, {moment.day} {moment:%B %Y}"


def _in_days(left: timedelta) -> str:
    match left.days:
        case 0:
            return "within a day"
        case 1:
            return "in 1 day"
        case days:
            return f"in {days} days"
