"""How Canvas refuses, and the headers that every answer of its API carries."""

from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse, Response

from sandbox.refusals import Refused

HEADERS = {
    "x-rate-limit-remaining": "699.8",
    "x-request-cost": "0.2",
    "x-canvas-meta": "demo campus",
    "cache-control": "max-age=0, private, must-revalidate",
}
CHALLENGE = {"www-authenticate": 'Bearer realm="canvas-lms"'}


def with_string_ids(content: Any) -> Any:
    """The content with every id as a string, as Canvas answers who accepts "application/json+canvas-string-ids"."""
    if isinstance(content, list):
        return [with_string_ids(item) for item in content]
    if not isinstance(content, dict):
        return content
    return {key: _as_string(value) if _is_id(key) else with_string_ids(value) for key, value in content.items()}


def _is_id(key: str) -> bool:
    return key in ("id", "ids") or key.endswith(("_id", "_ids"))


def _as_string(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_string(item) for item in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else with_string_ids(value)


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer of the API."""
    return JSONResponse(content, status, {**HEADERS, **(headers or {})})


def bad_request(message: str) -> Refused:
    """400 with one message."""
    return Refused(answer({"errors": [{"message": message}]}, 400))


def no_token() -> Refused:
    """401: there is no token at all."""
    body = {"status": "unauthenticated", "errors": [{"message": "user authorization required"}]}
    return Refused(answer(body, 401, CHALLENGE))


def bad_token() -> Refused:
    """401: the token is unknown, expired or revoked."""
    return Refused(answer({"errors": [{"message": "Invalid access token."}]}, 401, CHALLENGE))


def outside_scopes() -> Refused:
    """401: the sign-in is well, but its developer key was not given leave for this call."""
    return Refused(answer({"errors": [{"message": "Insufficient scopes on access token."}]}, 401))


def not_allowed() -> Refused:
    """403: the thing exists, but not for this person."""
    message = "user not authorized to perform that action"
    return Refused(answer({"status": "unauthorized", "errors": [{"message": message}]}, 403))


def not_found() -> Refused:
    """404: no such thing."""
    return Refused(answer({"errors": [{"message": "The specified resource does not exist."}]}, 404))


def throttled() -> Refused:
    """403 with plain text and no word of when to come again, as Canvas throttles."""
    headers = {**HEADERS, "x-rate-limit-remaining": "0.0"}
    return Refused(PlainTextResponse("403 Forbidden (Rate Limit Exceeded)\n", 403, headers))
