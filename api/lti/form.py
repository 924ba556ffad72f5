"""Parameters of LTI requests: of the address or of a posted form, each one once, of bounded size."""

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

from services.classes.lti.refusals import LaunchRefused

MOST_BYTES = 256 * 1024
MOST_FIELDS = 100
DEADLINE_S = 10.0
_FORM = "application/x-www-form-urlencoded"


async def read_parameters(request: Request) -> Mapping[str, str]:
    """Parameters of a GET's address, or of a POST's form with what its address adds.

    Raises `LaunchRefused` "request_malformed" for one that comes twice, or for what is no form.
    """
    pairs = list(request.query_params.multi_items())
    if request.method == "POST":
        pairs += await read_form(request)
    found = dict(pairs)
    if len(found) < len(pairs):
        raise LaunchRefused("request_malformed")
    return found


async def read_form(request: Request) -> list[tuple[str, str]]:
    """Fields of a posted form, in their order; raises `LaunchRefused` "request_malformed"."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise LaunchRefused("request_malformed")
    try:
        raw = await asyncio.wait_for(_bytes(request), DEADLINE_S)
        return parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, strict_parsing=bool(raw))
    except (ValueError, TimeoutError):
        raise LaunchRefused("request_malformed") from None


async def _bytes(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MOST_BYTES:
            raise LaunchRefused("request_malformed")
    return bytes(raw)
