"""Errors of the Messages API (https://docs.claude.com/en/api/errors)."""

import uuid
from typing import Any

from starlette.responses import JSONResponse

from sandbox.refusals import Refused

STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}


def refusal(
    message: str, kind: str = "invalid_request_error", *, headers: dict[str, str] | None = None, details: str = ""
) -> Refused:
    """The exception that ends a request with this error; `kind` decides the status. details: its `error_code`."""
    body = error_body(message, kind)
    if details:
        body["error"]["details"] = {"error_code": details}
    return Refused(
        JSONResponse(body, STATUS_OF[kind], headers={"request-id": body["request_id"], **(headers or {})}),
    )


def error_body(message: str, kind: str) -> dict[str, Any]:
    """The error as JSON, the same in an HTTP answer and in an SSE `error` event."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": new_id("req")}


def new_id(prefix: str) -> str:
    """An id of the API's look: `msg_…`, `toolu_…`, `req_…`."""
    return f"{prefix}_01{uuid.uuid4().hex[:22]}"
