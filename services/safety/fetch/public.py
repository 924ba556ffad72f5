"""Which IP addresses are public: those that anybody on the internet reaches, and that mean the same everywhere."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

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


def is_public(address: str) -> bool:
    """Whether this IP address (as the resolver wrote it) is one; False for what is no IP address."""
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
