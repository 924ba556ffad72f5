"""Addresses of this machine that others in the room can reach, and which of them a demo is opened at."""

import ipaddress
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from services.errors import BadArguments

SIOCGIFADDR = 0x8915
"""netdevice(7): the IPv4 address of an interface."""
NOT_IN_THE_ROOM = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "wg", "utun", "tailscale", "zt")
"""How interfaces of containers, virtual machines and private networks begin: nobody's phone is in these."""
ANYWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): asking for the way there sends nothing."""


@dataclass(frozen=True, kw_only=True)
class Network:
    """IPv4 address of this machine. interface: its name; "" where the system does not tell. is_usual: whether the way
    to other networks begins there.
    """

    address: str
    interface: str = ""
    is_usual: bool = False

    @property
    def is_virtual(self) -> bool:
        return self.interface.startswith(NOT_IN_THE_ROOM)

    @property
    def is_public(self) -> bool:
        """Whether the whole internet may reach it."""
        return ipaddress.ip_address(self.address).is_global

    @property
    def is_local(self) -> bool:
        """Whether it is that of a local network, such as a room's."""
        return ipaddress.ip_address(self.address).is_private


def choose(networks: Sequence[Network], wanted: str = "") -> Network:
    """The network to open a demo at. wanted: an address that the operator names; "" for the most likely one.

    Raises `BadArguments` with what to do where there is none.
    """
    if wanted:
        return _named(networks, wanted)
    local = [network for network in networks if network.is_local]
    if local:
        return min(local, key=lambda network: (network.is_virtual, not network.is_usual))
    if public := next((network for network in networks if network.is_public), None):
        raise BadArguments(
            f"{public.address} is this machine's only address, and the whole internet may reach it.",
            field="address",
            next_step=f"Join the room's network, or open it there all the same with --address {public.address}.",
        )
    raise BadArguments(
        "This machine is in no network that others in the room could reach.",
        field="room",
        next_step="Join the room's Wi-Fi and try again, or leave --room out to try the demo on this machine alone.",
    )


def _named(networks: Sequence[Network], wanted: str) -> Network:
    found = next((network for network in networks if network.address == wanted), None)
    if found is None:
        known = ", ".join(network.address for network in networks) or "none but its own"
        raise BadArguments(
            f"{wanted} is no address of this machine.", field="address", next_step=f"It has {known}: name one of these."
        )
    return found


def of_this_machine() -> list[Network]:
    """The IPv4 addresses of this machine, without its own loopback; nothing is sent to find them."""
    usual = _usual_address()
    named = _interfaces()
    addresses = dict.fromkeys([*([usual] if usual else []), *named, *_by_host_name()])
    return [
        Network(address=address, interface=named.get(address, ""), is_usual=address == usual)
        for address in addresses
        if _is_reachable(address)
    ]


def _usual_address() -> str:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ANYWHERE)
        return str(probe.getsockname()[0])
    return ""


def _interfaces() -> dict[str, str]:
    """Names of interfaces by address; empty on systems that tell it in another way."""
    if sys.platform != "linux":
        return {}
    import fcntl

    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(asked.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found[socket.inet_ntoa(answer[20:24])] = name
    return found


def _by_host_name() -> list[str]:
    with suppress(OSError):
        return [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _is_reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local or parsed.is_multicast)
