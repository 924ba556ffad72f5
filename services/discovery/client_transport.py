"""HTTP transport of `DynamicToolClient`: requests to the one address it was given, and typed errors."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx2

from services.errors import (
    BadArguments,
    HomeroomError,
    ItemNotFound,
    PermissionMissing,
    RequestRefused,
    ServiceUnavailable,
    SignInRequired,
    Throttled,
)
from services.runtime.clock import utc_now
from services.runtime.retry_after import retry_after_s

LABEL = "Homeroom"
MOST_BYTES = 5_000_000
_CHECK = "Check the address of Homeroom."


@dataclass(frozen=True, kw_only=True)
class ApiResponse:
    """Answer that is no error. etag: its version. is_unchanged: the program has it already, so there is no body."""

    is_unchanged: bool
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def etag(self) -> str:
        return self.headers.get("etag", "")

    def number(self, header: str) -> int:
        """The number in a header; 0 when it is missing or none."""
        value = self.headers.get(header, "")
        return int(value) if value.isascii() and value.isdecimal() else 0


class HomeroomTransport:
    """HTTP connection without proxies, netrc or redirects: the key goes to this address only."""

    def __init__(self, base_url: str, key: str, *, timeout_s: float) -> None:
        """timeout_s: for connecting, for each silence, and for reading an answer as a whole.

        Raises `BadArguments` for an address or a key that cannot be one.
        """
        self._timeout_s = timeout_s
        self._client = httpx2.Client(
            base_url=_checked(base_url),
            headers={"authorization": f"Bearer {_checked_key(key)}", "accept": "application/json"},
            timeout=timeout_s,
            transport=httpx2.HTTPTransport(trust_env=False),
            trust_env=False,
            follow_redirects=False,
        )

    def get(self, path: str, query: Mapping[str, str], *, etag: str = "") -> ApiResponse:
        """Send a GET request. etag: of the version that the program has."""
        headers = {"if-none-match": etag} if etag else {}
        return self._send(self._client.build_request("GET", path, params=dict(query), headers=headers))

    def post(self, path: str, body: Mapping[str, Any], query: Mapping[str, str]) -> ApiResponse:
        return self._send(self._client.build_request("POST", path, json=dict(body), params=dict(query)))

    def close(self) -> None:
        self._client.close()

    def _send(self, request: httpx2.Request) -> ApiResponse:
        # Not unpacked: a small compressed body may be a very large one.
        request.headers["accept-encoding"] = "identity"
        ends_at = time.monotonic() + self._timeout_s
        try:
            response = self._client.send(request, stream=True)
            try:
                body = _read(response, ends_at)
            finally:
                response.close()
        except httpx2.TimeoutException as error:
            raise _late() from error
        except httpx2.HTTPError as error:
            raise ServiceUnavailable(LABEL, "Homeroom cannot be reached.", next_step=_CHECK) from error
        if response.status_code in (200, 304):
            return ApiResponse(is_unchanged=response.status_code == 304, headers=response.headers, body=body)
        raise _failure(response, body)


def _read(response: httpx2.Response, ends_at: float) -> bytes:
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > MOST_BYTES:
            raise ServiceUnavailable(LABEL, "The answer is far too long to be Homeroom's.", next_step=_CHECK)
        if time.monotonic() > ends_at:
            raise _late()
    return bytes(body)


def _late() -> ServiceUnavailable:
    return ServiceUnavailable(LABEL, "Homeroom did not answer in time.")


def _failure(response: httpx2.Response, body: bytes) -> HomeroomError:
    """The typed error of a response, in Homeroom's own words where it has some."""
    status, words = response.status_code, _words(body)
    if 300 <= status < 400:
        where = _origin(response.headers.get("location", ""))
        return RequestRefused(LABEL, f"That address leads elsewhere{where}.", next_step="Use the address it leads to.")
    match status:
        case 401:
            return SignInRequired(words or "This key is not valid.", next_step="Make a new one under Settings.")
        case 403:
            return PermissionMissing(LABEL, words or "This key may not do that.", next_step="Use a key that may.")
        case 404:
            return ItemNotFound(LABEL, words or "Homeroom does not answer there.", next_step=_CHECK)
        case 429:
            return Throttled(LABEL, words or "Too many requests.", retry_after_s=_seconds(response))
        case 400 | 413 | 415 | 422:
            return BadArguments(words or "Homeroom refused the request.")
    if status >= 500:
        return ServiceUnavailable(LABEL, words or "Homeroom does not work at the moment.")
    return RequestRefused(LABEL, words or f"The answer was {status}.", next_step=_CHECK)


def _words(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["message"])[:500]
    except (ValueError, LookupError, TypeError):
        return ""


def _seconds(response: httpx2.Response) -> float | None:
    return retry_after_s(response.headers.get("retry-after"), utc_now())


def _origin(address: str) -> str:
    """The origin of an address, without the rest of it, which may be private."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f", to {parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else ""


def _checked(base_url: str) -> str:
    try:
        parts = urlsplit(base_url.strip())
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or parts.username is not None or parts.query or parts.fragment:
        step = "Give it as students type it, such as http://localhost:8501."
        raise BadArguments("That is no address of Homeroom.", field="base_url", next_step=step)
    return base_url.strip().rstrip("/")


def _checked_key(key: str) -> str:
    """The key, stripped: with a line break in it, as files bring them, the header would fail without an explanation."""
    plain = key.strip()
    if not plain or not plain.isascii() or not plain.isprintable():
        raise BadArguments("That is no key.", field="key", next_step="Make one under Settings.")
    return plain
