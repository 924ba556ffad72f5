"""Homeroom as the OAuth services of the campus know it: one client, whose return addresses are checked exactly."""

import base64
import binascii
import secrets
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from starlette.requests import Request

from sandbox.campus import CLIENT_ID, CLIENT_SECRET, Campus

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_registered(campus: Campus, redirect_uri: str, path: str) -> bool:
    """Whether this is the registered address: `path` at the campus's origin, or at loopback on any port (RFC 8252)."""
    try:
        address = urlsplit(redirect_uri)
        is_loopback = address.scheme == "http" and address.hostname in LOOPBACK and address.username is None
        _ = address.port
    except ValueError:
        return False
    origin = campus.origin.removesuffix("/sandbox")
    is_ours = is_loopback or f"{address.scheme}://{address.netloc}" == origin
    return (
        is_ours and redirect_uri.isprintable() and address.path == path and not address.query and not address.fragment
    )


def knows_secret(request: Request, fields: dict[str, str]) -> bool:
    """Whether the client proves itself, by HTTP Basic or in the form (RFC 6749 §2.3.1), but not by both."""
    header = request.headers.get("authorization", "")
    if header:
        return "client_secret" not in fields and _is_homeroom(*_basic(header))
    return _is_homeroom(fields.get("client_id", ""), fields.get("client_secret", ""))


def with_query(address: str, **fields: str | None) -> str:
    """The address with these fields added to its query; None leaves one out."""
    parts = urlsplit(address)
    query = parse_qsl(parts.query) + [(name, value) for name, value in fields.items() if value is not None]
    return urlunsplit(parts._replace(query=urlencode(query)))


def _is_homeroom(client_id: str, secret: str) -> bool:
    return client_id == CLIENT_ID and secrets.compare_digest(secret.encode(), CLIENT_SECRET.encode())


def _basic(header: str) -> tuple[str, str]:
    scheme, _, encoded = header.partition(" ")
    try:
        client_id, _, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return (unquote(client_id), unquote(secret)) if scheme.lower() == "basic" else ("", "")
