"""Errors of Google's API as typed errors."""

from collections.abc import Mapping
from typing import Any

import httpx
from googleapiclient.errors import HttpError

from services.connections.backoff import throttled
from services.errors import (
    ChangedElsewhere,
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
)
from services.i18n import gettext, gettext_noop
from services.runtime.clock import utc_now
from services.runtime.retry_after import retry_after_s

LABEL = "Google Calendar"

_TOO_MANY = {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded", "backendError"}
_SCOPE = {"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientScopes"}
_NOT_SWITCHED_ON = {"accessNotConfigured", "SERVICE_DISABLED"}
RECONNECT_CAUSES = gettext_noop(
    "Open Connections and reconnect Google Calendar. It happens when Homeroom's access was removed in the Google "
    "account, the password was changed, nothing was asked for six months, or Homeroom's own registration with Google "
    "is still in testing (then it ends after seven days)."
)


class GoogleUnanswered(ServiceUnavailable):
    """Request that went out without a usable answer: it may or may not have been acted on."""


class EventIdTaken(RequestRefused):
    """Conflict: an event with this id exists, or once existed."""


def error_of_response(error: HttpError) -> ServiceError:
    """Map an error response to the typed error.

    https://developers.google.com/workspace/calendar/api/guides/errors
    """
    status, reason = int(error.resp.status), _reason(error)
    if status == 401:
        return reconnect_error()
    if status == 429 or (status == 403 and reason in _TOO_MANY):
        wait_s = retry_after_s(error.resp.get("retry-after"), utc_now())
        return throttled(LABEL, wait_s)
    if status == 403:
        return _forbidden(reason)
    if status in (404, 410):
        return ItemNotFound(LABEL, gettext("That event or calendar is not in Google Calendar any more."))
    if status == 409:
        return EventIdTaken(LABEL, gettext("Google Calendar already has an event with this id."))
    if status == 412:
        return changed_elsewhere_error()
    if status >= 500:
        return GoogleUnanswered(LABEL, gettext("Google Calendar is having trouble right now."))
    if status < 400:
        return GoogleUnanswered(LABEL, gettext("Google Calendar sent us to another address instead of answering."))
    return RequestRefused(
        LABEL, gettext("Google Calendar did not accept this ({reason}).", reason=reason or gettext("no reason given"))
    )


def error_of_failed_request(error: Exception) -> ServiceUnavailable:
    """Map a request without a usable answer to the typed error."""
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return ServiceUnavailable(LABEL, gettext("Google Calendar cannot be reached."))
    if isinstance(error, httpx.TimeoutException):
        return GoogleUnanswered(LABEL, gettext("Google Calendar did not answer in time."))
    return GoogleUnanswered(LABEL, gettext("Google Calendar's answer broke off."))


def reconnect_error() -> ReconnectRequired:
    return ReconnectRequired(
        LABEL, gettext("Google no longer accepts this connection."), next_step=gettext(RECONNECT_CAUSES)
    )


def changed_elsewhere_error() -> ChangedElsewhere:
    return ChangedElsewhere(
        LABEL, gettext("This event was changed in Google Calendar after the card was made, so nothing was changed.")
    )


def undo_refused_error() -> ChangedElsewhere:
    return ChangedElsewhere(LABEL, gettext("This event was changed in Google Calendar since, so it stays as it is."))


def _forbidden(reason: str) -> ServiceError:
    if reason in _SCOPE:
        return PermissionMissing(
            LABEL,
            gettext("Homeroom was not given permission for this in Google."),
            next_step=gettext("Open Connections, reconnect Google Calendar and tick every box on Google's page."),
        )
    if reason in _NOT_SWITCHED_ON:
        return RequestRefused(
            LABEL,
            gettext("Google's Calendar API is not switched on for this Homeroom."),
            next_step=gettext(
                "Tell whoever runs Homeroom: the Calendar API must be enabled in their Google Cloud project."
            ),
        )
    return PermissionMissing(
        LABEL,
        gettext("This event belongs to somebody else, or its calendar may only be looked at."),
        next_step=gettext("Only its owner can change it."),
    )


def _reason(error: HttpError) -> str:
    """Find the first machine-readable reason, wherever Google put it this time."""
    details: Any = error.error_details
    for entry in details if isinstance(details, list) else ():
        if isinstance(entry, Mapping) and entry.get("reason"):
            return str(entry["reason"])[:60]
    return ""
