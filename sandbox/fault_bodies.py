"""What each service says in the body of a scripted error status when the script names no body."""

import uuid
from http import HTTPStatus
from typing import Any

GOOGLE = {
    400: "badRequest",
    401: "authError",
    403: "forbidden",
    404: "notFound",
    409: "duplicate",
    429: "rateLimitExceeded",
}
NOTION = {
    400: "validation_error",
    401: "unauthorized",
    403: "restricted_resource",
    404: "object_not_found",
    409: "conflict_error",
    429: "rate_limited",
    502: "bad_gateway",
    503: "service_unavailable",
    504: "gateway_timeout",
}
ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def anthropic_error(kind: str, message: str) -> dict[str, Any]:
    """Error of the Messages API, with the id of its request."""
    request_id = f"req_01{uuid.uuid4().hex[:22]}"
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": request_id}


def error_body(service: str, status: int) -> Any:
    """The JSON body in the service's own shape."""
    message = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Overloaded"
    if service == "canvas":
        return {"errors": [{"message": message}]}
    if service == "google":
        reason = GOOGLE.get(status, "backendError")
        errors = [{"domain": "global", "reason": reason, "message": message}]
        return {"error": {"code": status, "message": message, "errors": errors}}
    if service == "notion":
        code = NOTION.get(status, "internal_server_error")
        return {"object": "error", "status": status, "code": code, "message": message, "request_id": "scripted"}
    if service == "anthropic":
        return anthropic_error(ANTHROPIC.get(status, "api_error"), message)
    return {"error": "server_error", "error_description": message}
