"""`DownloadSession`: the bytes of a file, with the student's token for their own Canvas and for nobody else."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import requests

from services.errors import (
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    TooLarge,
)
from services.i18n import gettext
from services.integrations.canvas import errors
from services.integrations.canvas.errors import LABEL, AnswerTooLong
from services.integrations.canvas.transport import CanvasSession
from services.safety.fetch import FetchedPage, SafeFetch
from services.safety.fetch.errors import AddressRefused
from services.safety.field_log import declared
from services.safety.provenance import Provenance

FILE_LIMIT_BYTES = 50 * 1024 * 1024
_MOST_OUTSIDE_S = 60.0
_SIGN_IN = ("login", "signin", "sign_in", "servicelogin", "sso", "saml", "cas", "shibboleth", "idp", "adfs", "oauth2")


@dataclass(frozen=True, kw_only=True)
class Download:
    """Bytes of a file. media_type: as the server says, lower case. url: where they came from in the end."""

    content: bytes = field(repr=False)
    media_type: str
    url: str = field(repr=False)


class DownloadSession(CanvasSession):
    """Session for one download: bytes of any kind, at most `FILE_LIMIT_BYTES`, within the session's deadline.

    Canvas sends most downloads on to a host that keeps the files, with a key in the address. That host is opened
    through the guard, without the token and for good: no redirect from there leads back to it.
    """

    limit_bytes = FILE_LIMIT_BYTES

    def download(self, address: str, token: str, fetch: SafeFetch) -> Download:
        """Fetch a file. Raises `PermissionMissing`, `ItemNotFound`, `TooLarge`, `RequestRefused` where something else
        than the file comes, and `ServiceUnavailable`.
        """
        try:
            headers = {"Authorization": f"Bearer {token}", "Accept": "*/*", "Accept-Encoding": "identity"}
            response = self.request("GET", address, headers=headers)
        except _LeftCanvas as left:
            return _from_outside(left.address, fetch, min(_MOST_OUTSIDE_S, self._deadline.remaining_s()))
        except AnswerTooLong:
            raise file_too_large() from None
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return _checked(Download(content=response.content, media_type=media_type, url=response.url))

    def _require_home(self, address: str) -> None:
        if not self.is_home(address):
            raise _LeftCanvas(address)

    def _error_of(self, response: requests.Response) -> ServiceError | None:
        """Error of an answer that is no file. A file that is refused says nothing about the sign-in itself."""
        if response.status_code < 300:
            return None
        problem = errors.error_of_response(response)
        if isinstance(problem, ReconnectRequired) and b"invalid access token" not in response.content[:500].lower():
            return PermissionMissing(LABEL, gettext("Canvas does not let this account see this."))
        return problem


class _LeftCanvas(Exception):
    """The next address is not at the student's Canvas."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address


def file_too_large() -> TooLarge:
    return TooLarge(
        LABEL,
        gettext("This file is larger than {n} MB, which is more than Homeroom reads.", n=FILE_LIMIT_BYTES // 1024**2),
        next_step=gettext("Open it in Canvas instead."),
    )


def is_sign_in_address(url: str) -> bool:
    """Check whether an address looks like that of a sign-in page."""
    parts = urlsplit(url)
    words = {word for part in parts.path.lower().split("/") for word in (part, part.partition(".")[0])}
    return (parts.hostname or "").startswith(("login.", "accounts.", "idp.", "sso.")) or bool(words & {*_SIGN_IN})


def is_html(content: bytes) -> bool:
    """Check by the beginning whether these bytes are a web page, whatever their name says."""
    start = content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))


def _from_outside(address: str, fetch: SafeFetch, timeout_s: float) -> Download:
    try:
        page = fetch.get(address, limit_bytes=FILE_LIMIT_BYTES, timeout_s=timeout_s)
    except AddressRefused:
        raise RequestRefused(
            LABEL,
            gettext("Canvas keeps this file at an address that Homeroom does not open."),
            next_step=gettext("Open it in Canvas instead."),
        ) from None
    except TooLarge:
        raise file_too_large() from None
    if problem := _error_outside(page):
        raise problem
    return _checked(Download(content=page.body, media_type=page.media_type, url=page.url))


def _error_outside(page: FetchedPage) -> ServiceError | None:
    """Error of the host that keeps the files; who may read them is Canvas's word, so no refusal there is about that."""
    if page.is_good:
        return None
    words = gettext("The file could not be fetched from where Canvas keeps it.")
    if page.status == 429 or page.status >= 500:
        return ServiceUnavailable(LABEL, words)
    return RequestRefused(LABEL, words, next_step=gettext("Open it in Canvas instead."))


def _checked(download: Download) -> Download:
    """Refuse a sign-in page that comes in the place of the file, with status 200."""
    if is_html(download.content) and is_sign_in_address(download.url):
        raise RequestRefused(
            LABEL,
            gettext("A sign-in page came in the place of this file."),
            next_step=gettext("Open it in Canvas instead."),
        )
    # A file may come from anywhere, whoever has posted it.
    return declared(download, Provenance.STRANGERS)
