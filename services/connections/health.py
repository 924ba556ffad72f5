"""How a connection is doing right now: what was stored about it, judged by the clock and today's integration."""

from dataclasses import replace
from datetime import datetime, timedelta

from services.connections.connection import PASTED, Connection, Health
from services.connections.connector import Connector
from services.i18n import formats, gettext, ngettext

_WARN_BEFORE = timedelta(days=7)


def judged(connection: Connection, integration: Connector, *, now: datetime, opens: bool) -> Connection:
    """The connection with today's health and the reason in words for the student.

    opens: whether the sealed credential opens with today's vault keys. That, the end of a pasted token and an address
    that the operator took away are never stored, so they heal by themselves.
    """
    health, reason = _verdict(connection, integration, now, opens)
    return replace(connection, health=health, reason=reason)


def _verdict(connection: Connection, integration: Connector, now: datetime, opens: bool) -> tuple[Health, str]:
    label = gettext(integration.label)
    ends_at = None if connection.is_refreshable else connection.expires_at
    if connection.health is Health.REVOKED:
        return Health.REVOKED, connection.reason
    if connection.origin not in integration.origins and not (integration.read_origin and connection.method == PASTED):
        return Health.REVOKED, gettext(
            "Homeroom no longer uses the {label} address you connected. Connect {label} again.", label=label
        )
    if not opens:
        return Health.LOCKED, (
            gettext(
                "Homeroom cannot open your saved {label} sign-in right now. Nothing was deleted. "
                "Ask whoever runs Homeroom, or connect again.",
                label=label,
            )
        )
    if ends_at and ends_at <= now:
        return Health.EXPIRED, gettext(
            "Your {label} access ended on {day}. Connect {label} again to go on.",
            label=label,
            day=formats.pattern(ends_at, "EEEE, d MMMM y"),
        )
    if connection.health is Health.UNREACHABLE:
        return Health.UNREACHABLE, connection.reason
    if ends_at and ends_at - now <= _WARN_BEFORE:
        return Health.EXPIRING, _ending(label, (ends_at - now).days)
    return Health.HEALTHY, ""


def _ending(label: str, days: int) -> str:
    if not days:
        return gettext("Your {label} access ends within a day. Connect {label} again before then.", label=label)
    return ngettext(
        "Your {label} access ends in {n} day. Connect {label} again before then.",
        "Your {label} access ends in {n} days. Connect {label} again before then.",
        days,
        label=label,
    )
