"""Looking a host's name up, with a time limit of its own: the resolver of the system has none."""

import socket
from collections.abc import Callable, Sequence
from concurrent.futures import TimeoutError as TookTooLong
from ipaddress import ip_address

from services.runtime.thread_pools import DaemonPool
from services.safety.fetch import problems

Resolve = Callable[[str, float], Sequence[str]]
"""The IP addresses of a host within so many seconds; raises `HostUnknown` or `ServiceUnavailable`."""

_AT_ONCE = 32
_UNKNOWN = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
_pool = DaemonPool("names", _AT_ONCE)


def look_up(host: str, timeout_s: float) -> Sequence[str]:
    """Every address of the host, in the system's order of preference; a number is its own address."""
    try:
        return (str(ip_address(host)),)
    except ValueError:
        pass
    asked = _pool.submit(socket.getaddrinfo, host, None, socket.AF_UNSPEC, socket.SOCK_STREAM)
    try:
        found = asked.result(timeout_s)
    except TookTooLong:
        asked.cancel()
        raise problems.names_down(host) from None
    except socket.gaierror as error:
        raise (problems.unknown(host) if error.errno in _UNKNOWN else problems.names_down(host)) from None
    except (OSError, UnicodeError):
        raise problems.unknown(host) from None
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
