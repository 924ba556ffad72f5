"""Google's way of saying no: error JSON as the Calendar API sends it (https://developers.google.com/workspace/calendar/api/guides/errors)."""

from starlette.responses import JSONResponse

from sandbox.refusals import Refused

STATUS_WORDS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    412: "FAILED_PRECONDITION",
}


def refused(
    code: int,
    reason: str,
    message: str,
    *,
    domain: str = "global",
    location: str = "",
    location_type: str = "parameter",
) -> Refused:
    """The refusal to raise; `location` names the parameter or header at fault."""
    detail = {"domain": domain, "reason": reason, "message": message}
    if location:
        detail |= {"locationType": location_type, "location": location}
    error = {"errors": [detail], "code": code, "message": message}
    if code in STATUS_WORDS:
        error["status"] = STATUS_WORDS[code]
    headers = {"WWW-Authenticate": 'Bearer realm="https://accounts.google.com/"'} if code == 401 else None
    return Refused(JSONResponse({"error": error}, status_code=code, headers=headers))


def invalid(message: str, *, location: str = "") -> Refused:
    """400 invalid."""
    return refused(400, "invalid", message, location=location)


def required(message: str, *, location: str = "") -> Refused:
    """400 required."""
    return refused(400, "required", message, location=location)


def bad_request(message: str = "Bad Request") -> Refused:
    """400 badRequest."""
    return refused(400, "badRequest", message)


def not_found() -> Refused:
    """404: no such calendar or event, or not this person's."""
    return refused(404, "notFound", "Not Found")


def gone() -> Refused:
    """410: the event is deleted already."""
    return refused(410, "deleted", "Resource has been deleted")


def full_sync_required() -> Refused:
    """410: the sync token is too old, or is none."""
    message = "Sync token is no longer valid, a full sync is required."
    return refused(410, "fullSyncRequired", message, domain="calendar", location="syncToken")


def changed() -> Refused:
    """412: the etag in If-Match is not the event's any more."""
    return refused(412, "conditionNotMet", "Precondition Failed", location="If-Match", location_type="header")


def empty_time_range() -> Refused:
    """400: the end is not after the start."""
    message = "The specified time range is empty."
    return refused(400, "timeRangeEmpty", message, domain="calendar", location="timeMax")
