"""Sentences about a connection that is missing, dead or slow, each in the language of whoever reads it.

label: what a service is called, in English; `gettext` puts it into the reader's language.
"""

import math
from datetime import datetime

from services.connections.connection import Health
from services.errors import RequestRefused, ServiceError, ServiceUnavailable
from services.i18n import formats, gettext, gettext_noop, ngettext

CONNECT_AGAIN = gettext_noop("Press Connect to start again.")
RECONNECT = gettext_noop("Please reconnect it on the Connections page.")
RECONNECT_INTEGRATION = gettext_noop("Please reconnect your integration on the Connections page.")
_MOST_SECONDS = 120
"""Of a wait that is told in seconds; a longer one is told in minutes."""
TEMPORARILY_UNAVAILABLE = gettext_noop("It is temporarily unavailable, try again in a moment.")
NO_ANSWER_IN_TIME = gettext_noop("The service did not answer in time.")
OPEN_AND_CONNECT = gettext_noop("Open Connections and connect it.")
NOTHING_TO_DO = gettext_noop("You need not do anything.")
ACCOUNT_GONE = gettext_noop("The account this needs is not connected any more.")
AGREE = gettext_noop("Agree to it on the Connections page.")
RECONNECT_TO_APPROVE = gettext_noop("Open Connections, reconnect it, then approve again.")
_DEAD_REASONS = {
    Health.EXPIRED: gettext_noop("its access has expired"),
    Health.REVOKED: gettext_noop("its access was withdrawn"),
    Health.LOCKED: gettext_noop("its saved access cannot be opened right now"),
}
_DOWN = gettext_noop("it does not work at the moment")
_UNREACHABLE = gettext_noop("{service} does not answer right now. Your connection is kept; try again later.")
_REFUSED = gettext_noop("{service} does not accept this connection any more. Reconnect it to go on.")
_LOCKED_LINK = gettext_noop("{service} cannot be opened right now. Open Connections")
_RECONNECT_LINK = gettext_noop("{service} needs to be reconnected. Open Connections")


def not_connected(label: str) -> str:
    return gettext("{label} is not connected.", label=gettext(label))


def not_connected_any_more(label: str) -> str:
    return gettext("{label} is not connected any more.", label=gettext(label))


def must_be_reconnected(label: str, reason: str) -> str:
    return gettext("{label} must be reconnected: {reason}.", label=gettext(label), reason=reason.rstrip("."))


def not_agreed(label: str) -> str:
    return gettext("You have not agreed that answers use your {label}.", label=gettext(label))


def connect_step(label: str) -> str:
    return gettext("Connect {label} on the Connections page.", label=gettext(label))


def connect_to_write_step(names: str) -> str:
    return gettext("Connect {names} on the Connections page to make changes.", names=names)


def open_connections_step(label: str) -> str:
    return gettext("Open Connections to add {label}.", label=gettext(label))


def reconnect_to_undo(label: str) -> str:
    return gettext("Reconnect {label} on the Connections page to undo this.", label=gettext(label))


def sign_in_refused(label: str) -> str:
    return gettext("{label} no longer accepts the sign-in; it may have ended there.", label=gettext(label))


def sign_in_not_renewed(label: str) -> str:
    return gettext("{label} did not renew the sign-in just now.", label=gettext(label))


def address_withdrawn(label: str) -> str:
    """The operator took away the address that the student had connected."""
    return gettext(
        "Homeroom no longer uses the {label} address that was connected. Connect {label} again.", label=gettext(label)
    )


def credential_locked(label: str) -> str:
    """The sealed credential does not open with today's vault keys."""
    return gettext(
        "Homeroom cannot open the saved {label} sign-in right now. Nothing was deleted, and nothing needs to be done: "
        "it works again when whoever runs Homeroom has mended this.",
        label=gettext(label),
    )


def access_ended(label: str, ended_at: datetime) -> str:
    return gettext(
        "The {label} access ended on {day}. Connect {label} again to go on.",
        label=gettext(label),
        day=formats.pattern(ended_at, gettext("EEEE, d MMMM y")),
    )


def access_ends_soon(label: str, days: int) -> str:
    """days: whole ones that are left, 0 for less than one."""
    if not days:
        return gettext(
            "Your {label} access ends within a day. Connect {label} again before then.", label=gettext(label)
        )
    return ngettext(
        "Your {label} access ends in {n} day. Connect {label} again before then.",
        "Your {label} access ends in {n} days. Connect {label} again before then.",
        days,
        label=gettext(label),
    )


def asks_to_slow_down(label: str, wait_s: int | None) -> str:
    """wait_s: None when the service did not say for how long."""
    if wait_s is None:
        return gettext("{service} asks us to slow down; try again in a moment.", service=gettext(label))
    if wait_s > _MOST_SECONDS:
        return ngettext(
            "{service} asks us to slow down; try again in {n} minute.",
            "{service} asks us to slow down; try again in {n} minutes.",
            math.ceil(wait_s / 60),
            service=gettext(label),
        )
    return ngettext(
        "{service} asks us to slow down; try again in {n} second.",
        "{service} asks us to slow down; try again in {n} seconds.",
        wait_s,
        service=gettext(label),
    )


def missing_reason(label: str) -> str:
    """Why an integration without a connection offers no tools, without a full stop."""
    return gettext("{label} is not connected", label=gettext(label))


def dead_reason(health: Health) -> str:
    """Why a connection offers no tools, as the end of a sentence, where nothing closer was stored."""
    return gettext(_DEAD_REASONS.get(health, _DOWN))


def test_failed(label: str, health: Health) -> str:
    """Result of the student's own test of a connection."""
    sentence = _UNREACHABLE if health is Health.UNREACHABLE else _REFUSED
    return gettext(sentence, service=gettext(label))


def open_connections_link(label: str, health: Health) -> str:
    """The label of a link to the Connections page, for a connection that no answer can use."""
    return gettext(_LOCKED_LINK if health is Health.LOCKED else _RECONNECT_LINK, service=gettext(label))


def answer_of_another_service(label: str) -> RequestRefused:
    label = gettext(label)
    sentence = gettext("This answer came from another service than {label}, so nothing was connected.", label=label)
    return RequestRefused(label, sentence, next_step=gettext(CONNECT_AGAIN))


def not_lasting(label: str) -> RequestRefused:
    label = gettext(label)
    return RequestRefused(
        label,
        gettext("{label} gave access for an hour only, so it was not kept.", label=label),
        next_step=gettext(
            "Remove Homeroom from the apps in your {label} account, then press Connect and allow it again.", label=label
        ),
    )


def not_granted(label: str, error: str | None) -> ServiceError:
    """The service's own error texts come by way of the browser's address, so they are never shown."""
    label = gettext(label)
    if error == "access_denied":
        return RequestRefused(
            label,
            gettext("You did not allow it, so {label} is not connected.", label=label),
            next_step=gettext(CONNECT_AGAIN),
        )
    if error == "invalid_scope":
        return RequestRefused(
            label,
            gettext("{label} does not let Homeroom ask for all that it needs, so it is not connected.", label=label),
            next_step=gettext("Tell whoever runs Homeroom: its key at {label} lacks a scope.", label=label),
        )
    if error in ("server_error", "temporarily_unavailable"):
        return ServiceUnavailable(label, gettext("{label} could not finish the sign-in just now.", label=label))
    return RequestRefused(
        label,
        gettext("{label} refused to connect to Homeroom.", label=label),
        next_step=gettext("Tell whoever runs Homeroom, or try again later."),
    )
