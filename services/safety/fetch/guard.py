"""`AddressGuard`: resolve a host once, let only public addresses through, pin the connection to what was checked."""

import socket
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import TimeoutError as TookTooLong
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

import httpcore

from services.i18n import gettext
from services.runtime.deadline import Deadline
from services.runtime.thread_pools import DaemonPool
from services.safety.fetch import errors
from services.safety.fetch.sockets import BoundedStream, Dial
from services.safety.fetch.target import PORTS, ParsedAddress, parse_address

Resolve = Callable[[str, float], Sequence[str]]
"""The IP addresses of a host within so many seconds; raises `HostUnknown` or `ServiceUnavailable`."""
_LOOK_UP_S = 4.0
"""Share of the whole time for looking a name up."""
_CONNECT_S = 6.0
_AT_ONCE = 32
_UNKNOWN = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
_pool = DaemonPool("names", _AT_ONCE)
# IANA's special-purpose registries, and what `is_global` of Python 3.11 lets through (measured, see the decision).
_NOT_PUBLIC_4 = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carriers' NAT; Alibaba's metadata
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's metadata and DNS
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",  # Oracle's metadata is .192
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_PUBLIC_6 = IPv6Network("2000::/3")
# Inside it: documentation, and the ways to write an IPv4 address in another dress (Teredo, 6to4).
_NOT_PUBLIC_6 = tuple(IPv6Network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))


class AddressGuard:
    """SSRF guard with DNS pinning, so that a rebinding name cannot lead elsewhere after the check."""

    def __init__(self, *, allow: Iterable[str], resolve: Resolve, connect: Dial) -> None:
        self._allow = frozenset(parse_address(origin).origin for origin in allow)
        self._resolve = resolve
        self._connect = connect

    def check(self, target: ParsedAddress) -> bool:
        """Raise `AddressRefused` for what is refused as it is written; whether it is one of the operator's origins."""
        if target.origin in self._allow:
            return True
        if target.port not in PORTS:
            raise errors.refused(gettext("Web pages are not on this port, so Homeroom does not open it."), target.host)
        if target.is_private_name or (_is_number(target.host) and not is_public(target.host)):
            raise errors.not_public(target.host)
        return False

    def pin(self, target: ParsedAddress, deadline: Deadline, *, spare_bytes: int) -> "PinnedBackend":
        """Network backend for this target; raises `AddressRefused` unless all addresses of its host are public."""
        is_operators = self.check(target)
        addresses = self._resolve(target.host, min(_LOOK_UP_S, deadline.remaining_s()))
        if not addresses:
            raise errors.host_unknown(target.host)
        if not is_operators and not all(is_public(address) for address in addresses):
            raise errors.not_public(target.host)
        return PinnedBackend(addresses, target.port, deadline, spare_bytes, self._connect)


class PinnedBackend(httpcore.NetworkBackend):
    """Network backend that connects to the addresses that were checked, whatever host it is asked for."""

    def __init__(
        self, addresses: Sequence[str], port: int, deadline: Deadline, spare_bytes: int, connect: Dial
    ) -> None:
        self._addresses = addresses
        self._port = port
        self._deadline = deadline
        self._spare_bytes = spare_bytes
        self._connect = connect

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        patience = Deadline(min(_CONNECT_S, self._deadline.remaining_s()))
        return BoundedStream(self._connect(self._addresses, self._port, patience), self._deadline, self._spare_bytes)


def _is_number(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


def look_up(host: str, timeout_s: float) -> Sequence[str]:
    """Resolve a host with a time limit: every address, in the system's order of
    preference; a number is its own address.
    """
    try:
        return (str(ip_address(host)),)
    except ValueError:
        pass
    asked = _pool.submit(socket.getaddrinfo, host, None, socket.AF_UNSPEC, socket.SOCK_STREAM)
    try:
        found = asked.result(timeout_s)
    except TookTooLong:
        asked.cancel()
        raise errors.dns_unavailable(host) from None
    except socket.gaierror as error:
        raise (errors.host_unknown(host) if error.errno in _UNKNOWN else errors.dns_unavailable(host)) from None
    except (OSError, UnicodeError):
        raise errors.host_unknown(host) from None
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether this IP address (as the resolver wrote it) is public; False for what is no IP address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv4Address):
        return _is_public_4(ip)
    return _is_public_6(ip)


def _is_public_4(ip: IPv4Address) -> bool:
    return ip.is_global and not any(ip in block for block in _NOT_PUBLIC_4)


def _is_public_6(ip: IPv6Address) -> bool:
    """NAT64 (64:ff9b::/96), mapped, compatible, local and multicast addresses are all outside 2000::/3."""
    is_plain = ip.scope_id is None and ip.is_global and ip in _PUBLIC_6
    return is_plain and not any(ip in block for block in _NOT_PUBLIC_6)
