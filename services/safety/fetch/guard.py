"""`Guard`: looks a host up once, lets only public addresses through, and pins the connection to what it checked."""

from collections.abc import Iterable, Sequence
from typing import Any

import httpcore

from services.i18n import gettext
from services.runtime.deadline import Deadline
from services.safety.fetch import problems
from services.safety.fetch.names import Resolve
from services.safety.fetch.public import is_public
from services.safety.fetch.sockets import BoundedStream, Dial
from services.safety.fetch.target import PORTS, Target, read_target

_LOOK_UP_S = 4.0
"""Of the whole time, what looking a name up may take."""
_CONNECT_S = 6.0


class Guard:
    def __init__(self, *, allow: Iterable[str], resolve: Resolve, connect: Dial) -> None:
        self._allow = frozenset(read_target(origin).origin for origin in allow)
        self._resolve = resolve
        self._connect = connect

    def check(self, target: Target) -> bool:
        """Raise `AddressRefused` for what is refused as it is written; whether it is one of the operator's origins."""
        if target.origin in self._allow:
            return True
        if target.port not in PORTS:
            raise problems.refused(
                gettext("Web pages are not on this port, so Homeroom does not open it."), target.host
            )
        if target.is_private_name or (_is_number(target.host) and not is_public(target.host)):
            raise problems.not_public(target.host)
        return False

    def pin(self, target: Target, deadline: Deadline, *, spare_bytes: int) -> "Pinned":
        """A way to this target alone; raises `AddressRefused` unless every address of its host is public."""
        is_operators = self.check(target)
        addresses = self._resolve(target.host, min(_LOOK_UP_S, deadline.remaining_s()))
        if not addresses:
            raise problems.unknown(target.host)
        if not is_operators and not all(is_public(address) for address in addresses):
            raise problems.not_public(target.host)
        return Pinned(addresses, target.port, deadline, spare_bytes, self._connect)


class Pinned(httpcore.NetworkBackend):
    """Connects to the addresses that were checked, whatever host it is asked for."""

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
