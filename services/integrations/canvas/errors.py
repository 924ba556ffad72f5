"""Errors of Canvas as typed errors, each with its own clear sentence and class."""

from urllib.parse import urlsplit

import requests
import urllib3
from requests import Response

from services.connections.backoff import throttled
from services.errors import (
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

LABEL = "Canvas"
_MAINTENANCE = gettext_noop("Canvas is in maintenance: it sent a web page instead of data.")
_REFUSED = (400, 409, 410, 422)


class TransientFailure(ServiceUnavailable):
    """Failure that is often over at the next try."""


class AnswerTooLong(ServiceUnavailable):
    """More bytes than one answer may have."""


class ScopeMissing(PermissionMissing):
    """The sign-in does not cover this call: its grant is older than the scope, or the developer key lacks it."""


def error_of_response(response: Response) -> ServiceError | None:
    """Map a response to the typed error, or None when it is data.

    https://developerdocs.instructure.com/services/canvas: throttling comes as a 403 too, and missing permission as a
    401 that says "unauthorized" and carries no WWW-Authenticate.
    """
    status, is_json = response.status_code, "json" in response.headers.get("content-type", "")
    if status < 300:
        return None if is_json else ServiceUnavailable(LABEL, gettext(_MAINTENANCE))
    if status == 429 or (status == 403 and _is_throttling(response)):
        wait_s = retry_after_s(response.headers.get("retry-after"), utc_now())
        return throttled(LABEL, wait_s)
    if status == 401 and _is_outside_scopes(response):
        return ScopeMissing(LABEL, gettext("The school does not let Homeroom read this in Canvas."))
    if status == 401 and not _is_permission(response):
        return ReconnectRequired(
            LABEL, gettext("Canvas no longer accepts the sign-in. It may have expired or been deleted.")
        )
    if status in (401, 403):
        return PermissionMissing(LABEL, gettext("Canvas does not let this account see this."))
    if status == 404:
        return ItemNotFound(LABEL, gettext("Canvas has nothing there."), next_step=gettext("Check the name or the id."))
    if status in _REFUSED:
        return RequestRefused(LABEL, gettext("Canvas did not understand the request."))
    if status == 503 and not is_json:
        return TransientFailure(LABEL, gettext(_MAINTENANCE))
    return TransientFailure(LABEL, gettext("Canvas has trouble on its side (error {status}).", status=status))


def error_of_failed_request(
    error: requests.RequestException | urllib3.exceptions.HTTPError, address: str
) -> ServiceUnavailable:
    """Map a request without a complete answer to the typed error."""
    host = urlsplit(address).netloc
    cause = _cause(error)
    if isinstance(cause, urllib3.exceptions.NameResolutionError):
        return ServiceUnavailable(LABEL, gettext("Canvas's address {host} was not found (DNS).", host=host))
    if isinstance(error, requests.exceptions.SSLError):
        return ServiceUnavailable(
            LABEL, gettext("{host} could not prove that it is Canvas, so nothing was sent to it.", host=host)
        )
    if isinstance(cause, urllib3.exceptions.ReadTimeoutError) or isinstance(error, requests.exceptions.ReadTimeout):
        return timeout_error()
    if isinstance(cause, urllib3.exceptions.NewConnectionError | urllib3.exceptions.ConnectTimeoutError):
        return TransientFailure(LABEL, gettext("Canvas at {host} cannot be reached.", host=host))
    return TransientFailure(LABEL, gettext("Canvas broke off in the middle of its answer."))


def timeout_error() -> ServiceUnavailable:
    return ServiceUnavailable(LABEL, gettext("Canvas did not answer in time."))


def unreadable_answer() -> ServiceUnavailable:
    return ServiceUnavailable(LABEL, gettext("Canvas sent an answer that cannot be read."))


def _is_throttling(response: Response) -> bool:
    return b"rate limit exceeded" in response.content[:500].lower() or _left(response) <= 0.0


def is_nearly_throttled(response: Response) -> bool:
    """Check whether concurrent requests would use up the quota; each in flight costs 50 of some 700 in advance."""
    return _left(response) < 150.0


def _left(response: Response) -> float:
    try:
        return float(response.headers.get("x-rate-limit-remaining", "inf"))
    except ValueError:
        return float("inf")


def _is_outside_scopes(response: Response) -> bool:
    """Check whether the developer key lacks the scope for this call: a 401 too, though the sign-in is valid."""
    return b"insufficient scopes" in response.content[:500].lower()


def _is_permission(response: Response) -> bool:
    try:
        body = response.json()
    except (ValueError, RecursionError):
        return False
    says_so = isinstance(body, dict) and body.get("status") == "unauthorized"
    return says_so and "www-authenticate" not in response.headers


def _cause(error: Exception) -> object:
    first = error.args[0] if error.args else None
    return getattr(first, "reason", first) if isinstance(error, requests.RequestException) else error
