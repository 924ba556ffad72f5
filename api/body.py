"""Request body parser: JSON of bounded size, read within a deadline, validated by a model."""

import asyncio
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.requests import Request

from api.errors import ApiError
from services.i18n import validation_messages

MOST_BYTES = 256 * 1024
DEADLINE_S = 10.0
_CLOSE = {"connection": "close"}
"""Bytes of a body that was not read would be parsed as the next request."""

Model = TypeVar("Model", bound=BaseModel)


async def read_body(request: Request, model: type[Model]) -> Model:
    """Parse the body as `model`. Raises what `read_json` raises, and `ApiError` 422 for JSON that does not fit."""
    _, given = await read_json(request)
    return validated(given, model)


async def read_json(request: Request) -> tuple[bytes, Any]:
    """Raw bytes of the body and the parsed JSON. Raises `ApiError` 408, 413, 415 or 400 (not JSON)."""
    _check_type(request)
    try:
        raw = await asyncio.wait_for(_bytes(request), DEADLINE_S)
    except TimeoutError:
        message = f"The body did not arrive within {DEADLINE_S:.0f} s."
        raise ApiError(408, "too_slow", message, headers=_CLOSE) from None
    try:
        # Refuses NaN, lone surrogates and endless nesting, which nothing behind the API can store.
        return raw, from_json(raw, allow_inf_nan=False)
    except ValueError:
        raise ApiError(400, "bad_json", "The body is not JSON.") from None


def validated(given: Any, model: type[Model]) -> Model:
    """Validate against `model`; raises `ApiError` 422 naming the fields, without repeating what was sent."""
    try:
        return model.model_validate(given, strict=False)
    except ValidationError as error:
        sentence, _ = validation_messages.describe_errors(error, model, "body")
        raise ApiError(422, "bad_request", sentence) from None


def parse_query(request: Request, model: type[Model]) -> Model:
    """Parse the query parameters that `model` declares; ignore others.

    Raises `ApiError` 422 for one that comes twice, too: which of the two counts would depend on who reads it.
    """
    known = {field.alias or name for name, field in model.model_fields.items()}
    given = [(name, value) for name, value in request.query_params.multi_items() if name in known]
    found = dict(given)
    if len(found) < len(given):
        twice = next(name for name in found if len(request.query_params.getlist(name)) > 1)
        raise ApiError(422, "bad_request", f"{twice}: Give it once.")
    return validated(found, model)


def _check_type(request: Request) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" or request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ApiError(415, "unsupported_media_type", "Send the body as application/json, not compressed.")


async def _bytes(request: Request) -> bytes:
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > MOST_BYTES:
        raise _too_large()
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MOST_BYTES:
            raise _too_large()
    return bytes(raw)


def _too_large() -> ApiError:
    message = f"The body is larger than {MOST_BYTES // 1024} KB."
    return ApiError(413, "too_large", message, headers=_CLOSE)
