"""HTTP errors: a status, a code for programs and a sentence for people, for each typed error of the services."""

import math
from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse

from services.errors import (
    ApprovalError,
    AssistantClosed,
    BadArguments,
    BudgetUsedUp,
    ChangedElsewhere,
    ConsentRequired,
    HomeroomError,
    ItemNotFound,
    MessageUnderWay,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    Restarting,
    SealBroken,
    ServiceUnavailable,
    SignInRequired,
    StorageUnavailable,
    TooLarge,
    ToolUnavailable,
    TurnBusy,
    UsedTooOften,
)

CONSENT_REQUIRED = "consent_required"
RESTARTING = "restarting"
"""What the page's field sends again by itself, as another process takes it."""
FRESH = {"cache-control": "no-store"}

_STATUS: tuple[tuple[type[HomeroomError], int, str], ...] = (
    (SignInRequired, 401, "invalid_key"),
    (ConsentRequired, 403, CONSENT_REQUIRED),
    (PermissionMissing, 403, "not_allowed"),
    (UsedTooOften, 429, "too_many_requests"),
    (BudgetUsedUp, 429, "budget_used_up"),
    (ToolUnavailable, 404, "unknown_tool"),
    (ItemNotFound, 404, "not_found"),
    (ApprovalError, 409, "not_possible"),
    (Restarting, 503, RESTARTING),
    (MessageUnderWay, 503, "busy"),
    (TurnBusy, 409, "busy"),
    (AssistantClosed, 409, "assistant_closed"),
    (ReconnectRequired, 409, "reconnect"),
    (SealBroken, 409, "reconnect"),
    (ChangedElsewhere, 409, "changed_elsewhere"),
    (BadArguments, 422, "bad_arguments"),
    (RequestRefused, 422, "refused"),
    (TooLarge, 422, "refused"),
    (StorageUnavailable, 503, "unavailable"),
    (ServiceUnavailable, 503, "unavailable"),
)
_HEADERS = {
    401: {"www-authenticate": 'Bearer realm="Homeroom"'},
    503: {"retry-after": "5"},
}


class ApiError(Exception):
    """Error response that ends a request. `message` is for a person; `headers` are added to those of the status.

    details: more fields of the body's `error`.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})
        self.details = dict(details or {})


def api_error(error: HomeroomError) -> ApiError:
    """HTTP error for a typed error of the services; an unmapped one is 500."""
    for kind, status, code in _STATUS:
        if isinstance(error, kind):
            details = {"agree_at": error.address} if isinstance(error, ConsentRequired) else None
            return ApiError(status, code, sentence_of(error), headers=_retry_after(error), details=details)
    return ApiError(500, "internal", sentence_of(error))


def _retry_after(error: HomeroomError) -> Mapping[str, str]:
    if not isinstance(error, UsedTooOften | BudgetUsedUp) or error.retry_after_s is None:
        return {}
    return {"retry-after": str(max(1, math.ceil(error.retry_after_s)))}


def sentence_of(error: HomeroomError) -> str:
    """Message of the error followed by its next step."""
    sentence = str(error).rstrip()
    stop = "" if sentence.endswith((".", "!", "?")) else "."
    return f"{sentence}{stop} {error.next_step}".strip()


def error_response(error: ApiError) -> JSONResponse:
    body = {"error": {"code": error.code, "message": str(error), **error.details}}
    headers = {**FRESH, **_HEADERS.get(error.status, {}), **error.headers}
    return JSONResponse(body, status_code=error.status, headers=headers)
