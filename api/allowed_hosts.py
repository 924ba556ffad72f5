"""Allowed hosts and origins of routes that programs and pages of ours call."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers

from api.errors import ApiError

_DEFAULT_PORTS = {"http": 80, "https": 443}
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
Place = tuple[str, int]


class AllowedHosts:
    """Check of `Host` and `Origin` against the public address (MCP 2025-11-25, transports: security warning)."""

    def __init__(self, public_url: str) -> None:
        self._scheme = urlsplit(public_url).scheme
        host, port = _place(public_url, self._scheme) or ("", 0)
        # On one machine programs may use any of its names: none of them can be another's page.
        names = _THIS_MACHINE if host in _THIS_MACHINE else {host}
        self._places = frozenset((name, port) for name in names)

    def check(self, headers: Headers) -> None:
        """Raises `ApiError` 421 for another host, 403 for a page of another origin. Programs send no `Origin`."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or _place(f"{self._scheme}://{hosts[0]}", self._scheme) not in self._places:
            raise ApiError(421, "wrong_host", "This is not the address of this Homeroom.")
        self.check_origin(headers)

    def check_origin(self, headers: Headers) -> None:
        """Raises `ApiError` 403 for a page of another origin."""
        for origin in headers.getlist("origin"):
            if urlsplit(origin).scheme != self._scheme or _place(origin, self._scheme) not in self._places:
                raise ApiError(403, "wrong_origin", "Pages of other sites may not call this.")


def _place(address: str, scheme: str) -> Place | None:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.hostname is None or parts.username is not None or parts.path or parts.query:
        return None
    return parts.hostname, port or _DEFAULT_PORTS.get(scheme, 0)
