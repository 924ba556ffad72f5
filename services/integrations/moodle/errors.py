"""Errors of Moodle as typed errors. Moodle answers most of them with HTTP 200, so the body tells."""

from collections.abc import Mapping
from typing import Any

from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    Throttled,
)
from services.i18n import gettext
from services.runtime.clock import utc_now
from services.runtime.retry_after import retry_after_s

LABEL = "Moodle"
_SIGN_IN_ENDED = ("invalidtoken", "invalidlogin", "wsaccessusernologin", "wsaccessuserdeleted", "wsaccessusersuspended")
_SIGN_IN_AT_MOODLE = ("forcepasswordchangenotice", "sitepolicynotagreed", "usernotfullysetup", "policynotagreed")
_CLOSED = ("nopermissions", "errorcoursecontextnotvalid", "requireloginerror")
_MISSING = ("invalidrecord", "invalidrecordunknown", "invalidcoursemodule", "filenotfound")


def error_of_status(status: int, headers: Mapping[str, str]) -> ServiceError | None:
    """Map an HTTP status to the typed error, or None where the body decides."""
    if status == 429:
        wait_s = retry_after_s(headers.get("retry-after"), utc_now())
        return Throttled(LABEL, gettext("Moodle asks us to slow down for a moment."), retry_after_s=wait_s)
    if status == 403:
        return PermissionMissing(LABEL, gettext("This Moodle has its web services switched off."))
    if status >= 500:
        return ServiceUnavailable(LABEL, gettext("Moodle has trouble on its side (error {status}).", status=status))
    if status != 200:
        return ServiceUnavailable(LABEL, gettext("Moodle sent an answer that cannot be read."))
    return None


def error_of_body(body: Any) -> ServiceError | None:
    """Map an error that came with HTTP 200 to the typed error, or None when the body is data.

    Web service errors have `exception`, `errorcode` and `message`; errors of files and sign-in have `error` and
    `errorcode`. Moodle's own message is left out: it may quote the request.
    """
    if not isinstance(body, dict) or "errorcode" not in body or not ("exception" in body or "error" in body):
        return None
    code = str(body["errorcode"])
    if code in _SIGN_IN_ENDED:
        return ReconnectRequired(
            LABEL, gettext("Moodle no longer accepts the token. It may have expired or been reset.")
        )
    if code in _SIGN_IN_AT_MOODLE:
        return PermissionMissing(
            LABEL,
            gettext("Moodle wants something from you before it shows your courses, such as a new password."),
            next_step=gettext("Sign in to Moodle in your browser once, then ask again."),
        )
    if code == "accessexception":
        return PermissionMissing(LABEL, gettext("This Moodle does not let its mobile service read this."))
    if code in _CLOSED:
        return PermissionMissing(LABEL, gettext("Moodle does not let this account see this."))
    if code in _MISSING:
        return ItemNotFound(LABEL, gettext("Moodle has nothing there."), next_step=gettext("Check the name or the id."))
    if code == "sitemaintenance":
        return ServiceUnavailable(LABEL, gettext("This Moodle is in maintenance."))
    return RequestRefused(LABEL, gettext("Moodle did not understand the request."))


def timeout_error() -> ServiceUnavailable:
    return ServiceUnavailable(LABEL, gettext("Moodle did not answer in time."))


def unreadable_answer() -> ServiceUnavailable:
    return ServiceUnavailable(LABEL, gettext("Moodle sent an answer that cannot be read."))
