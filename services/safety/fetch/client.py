"""`SafeFetch`: GET and HEAD to an address that somebody named, to public hosts only, within a limit of time and bytes.

Against SSRF and DNS rebinding: every redirect is parsed and checked anew, the connection goes to the very address that
was checked (no second look-up that a rebinding name could answer otherwise), nothing of the environment or of an
earlier host is taken along.
"""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import urljoin

import httpcore

from services.i18n import gettext
from services.runtime.deadline import Deadline
from services.safety.fetch import errors
from services.safety.fetch.guard import AddressGuard, PinnedBackend, Resolve, look_up
from services.safety.fetch.page import ACCEPTED, FetchedPage, UnreadableBody, read_body
from services.safety.fetch.sockets import AnswerOverLimit, Dial, dial
from services.safety.fetch.target import ParsedAddress, parse_address
from services.safety.field_log import declared
from services.safety.provenance import Provenance

MOST_HOPS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_AGENT = "Homeroom/1.0 (a student's assistant; reads single pages on request)"
_OWN_HEADERS = ("host", "connection", "content-length", "transfer-encoding", "accept-encoding")
_HEADERS_BYTES = 200_000
"""Bytes of headers and chunk frames on the wire beside the body."""


@dataclass(frozen=True, kw_only=True)
class _FetchRequest:
    method: str
    asked: str
    accept: str
    limit_bytes: int
    cut: bool
    headers: Mapping[str, str]
    body: bytes = b""


class SafeFetch:
    """HTTP client with an SSRF guard. Thread-safe; keeps no connection, cookie or cache between calls.

    allow: exact origins ("http://canvas.internal:8080") that may be reached although they are not public.
    """

    def __init__(
        self, *, allow: frozenset[str] = frozenset(), resolve: Resolve = look_up, connect: Dial = dial
    ) -> None:
        self._guard = AddressGuard(allow=allow, resolve=resolve, connect=connect)

    def get(
        self,
        url: str,
        *,
        accept: str = "*/*",
        limit_bytes: int = 2_000_000,
        timeout_s: float = 10.0,
        headers: Mapping[str, str] | None = None,
        cut: bool = False,
        writer: Provenance = Provenance.STRANGERS,
    ) -> FetchedPage:
        """GET an address: its answer, whatever its status, after at most five redirects.

        timeout_s: for everything together, looking names up and redirects included. limit_bytes: of the unpacked body,
        and on the wire; with `cut`, a longer body is given as its beginning. headers: for the first host only.
        writer: who may have written the answer, where that is not just anybody.
        Raises `AddressRefused`, `HostUnknown`, `FetchTimeout`, another `ServiceUnavailable`, `PageTooLarge`.
        """
        request = _FetchRequest(
            method="GET", asked=url, accept=accept, limit_bytes=limit_bytes, cut=cut, headers=dict(headers or {})
        )
        return declared(self._follow(request, timeout_s), writer)

    def head(self, url: str, *, timeout_s: float = 10.0) -> FetchedPage:
        """HEAD an address: a page without a body."""
        request = _FetchRequest(method="HEAD", asked=url, accept="*/*", limit_bytes=0, cut=True, headers={})
        return declared(self._follow(request, timeout_s), Provenance.STRANGERS)

    def once(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        limit_bytes: int,
        timeout_s: float,
        body: bytes = b"",
    ) -> FetchedPage:
        """One request without following redirects; raises as `get` does."""
        request = _FetchRequest(
            method=method, asked=url, accept="*/*", limit_bytes=limit_bytes, cut=False, headers=headers, body=body
        )
        return self._once(request, parse_address(url), headers, Deadline(timeout_s), ())

    def is_operator_origin(self, url: str) -> bool:
        """Whether this address is at one of the operator's origins; raises `AddressRefused` when it is refused as it is
        written. Nothing is asked, so one that passes may still be refused when it is opened.
        """
        return self._guard.check(parse_address(url))

    def _follow(self, request: _FetchRequest, timeout_s: float) -> FetchedPage:
        deadline, hops = Deadline(timeout_s), list[str]()
        first = target = parse_address(request.asked)
        while True:
            headers = request.headers if target.origin == first.origin else {}
            page = self._once(request, target, headers, deadline, tuple(hops))
            location = page.headers.get("location") if page.status in _REDIRECTS else None
            if not location:
                return page
            hops.append(target.url)
            target = parse_address(_joined(target, location))
            if len(hops) > MOST_HOPS or target.url in hops:
                raise errors.too_many_hops(target.host)

    def _once(
        self,
        request: _FetchRequest,
        target: ParsedAddress,
        headers: Mapping[str, str],
        deadline: Deadline,
        hops: tuple[str, ...],
    ) -> FetchedPage:
        pinned = self._guard.pin(target, deadline, spare_bytes=request.limit_bytes + _HEADERS_BYTES)
        try:
            return _exchange(request, target, pinned, headers, hops)
        except (httpcore.TimeoutException, TimeoutError):
            raise errors.timed_out(target.host) from None
        except ssl.SSLCertVerificationError:
            raise errors.certificate_invalid(target.host) from None
        except AnswerOverLimit:
            raise errors.too_large(target.host, request.limit_bytes) from None
        except (httpcore.ConnectError, OSError):
            raise errors.unreachable(target.host) from None
        except (httpcore.NetworkError, httpcore.ProtocolError, UnreadableBody):
            raise errors.connection_broken(target.host) from None


def _exchange(
    request: _FetchRequest,
    target: ParsedAddress,
    pinned: PinnedBackend,
    headers: Mapping[str, str],
    hops: tuple[str, ...],
) -> FetchedPage:
    origin = httpcore.Origin(target.scheme.encode(), target.host.encode(), target.port)
    url = httpcore.URL(scheme=origin.scheme, host=origin.host, port=origin.port, target=target.path.encode())
    with (
        httpcore.HTTPConnection(origin, ssl_context=_tls(), network_backend=pinned) as connection,
        connection.stream(
            request.method, url, headers=_headers(request, target, headers), content=request.body or None
        ) as response,
    ):
        answered = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        is_moved = response.status in _REDIRECTS and "location" in answered
        body, is_cut = (
            (b"", False)
            if is_moved or request.method == "HEAD"
            else read_body(
                response.iter_stream(),
                encoding=answered.get("content-encoding", ""),
                limit_bytes=request.limit_bytes,
                cut=request.cut,
            )
        )
    media_type, charset = _kind(answered.get("content-type", ""))
    return FetchedPage(
        url=target.url,
        asked=request.asked,
        status=response.status,
        media_type=media_type,
        charset=charset,
        body=body,
        headers=answered,
        hops=hops,
        is_cut=is_cut,
    )


def _headers(request: _FetchRequest, target: ParsedAddress, given: Mapping[str, str]) -> list[tuple[str, str]]:
    ours = {"user-agent": _AGENT, "accept": request.accept, "accept-language": "en, *;q=0.5"}
    extra = {name.lower(): value for name, value in given.items() if name.lower() not in _OWN_HEADERS}
    fixed = {"host": target.authority, "accept-encoding": ACCEPTED, "connection": "close"}
    if request.body:
        fixed["content-length"] = str(len(request.body))
    return list({**ours, **extra, **fixed}.items())


def _joined(target: ParsedAddress, location: str) -> str:
    """Target of a redirect; addresses in headers are bytes, which servers mean as UTF-8."""
    try:
        meant = location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        meant = location
    try:
        return urljoin(target.url, meant.strip(" \t"))
    except ValueError:
        raise errors.refused(
            gettext("{host} sends us on to something that is no address.", host=target.host), target.host
        ) from None


def _kind(content_type: str) -> tuple[str, str | None]:
    """The media type and the character set of a Content-Type header (RFC 9110, 8.3)."""
    media_type, *parameters = content_type.split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    named = {name.strip().lower(): value.strip().strip("\"'") for name, _, value in pairs}
    return media_type.strip().lower(), named.get("charset") or None


@cache
def _tls() -> ssl.SSLContext:
    context = httpcore.default_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
