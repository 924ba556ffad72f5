"""`ParsedAddress`: an http(s) address, parsed strictly, so that no later parser finds another host in it."""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NoReturn
from urllib.parse import quote

import idna

from services.i18n import gettext
from services.safety.fetch.errors import refused

LONGEST = 2_000
PORTS = frozenset((80, 443, 8080, 8443))

_PARTS = re.compile(r"(https?)://([^/?#]*)([^#]*)", re.IGNORECASE)
_AUTHORITY = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:\[\]%@]+)(?::([0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ILLEGAL = re.compile(r"[\x00-\x20\x7f-\xa0\\\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff\ud800-\udfff]")
_KEPT = "!#$%&'()*+,/:;=?@[]~"
# Names that no public name server may answer (RFC 6761, RFC 6762, RFC 8375, RFC 9476) and those that routers make up.
_PRIVATE_ENDINGS = frozenset(
    ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "onion",
     "invalid", "alt")
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ParsedAddress:
    """scheme: "http" or "https". host: lower-case ASCII, an IPv6 address without brackets. path: with the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The Host header: the port is left out where it is the scheme's own (RFC 9110, 7.2)."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == _default_port(self.scheme) else f"{name}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        return self.origin + self.path

    @property
    def is_private_name(self) -> bool:
        """Whether the name can only mean something inside a network; numbers are none."""
        return ("." not in self.host and ":" not in self.host) or self.host.rpartition(".")[2] in _PRIVATE_ENDINGS


def parse_address(url: str) -> ParsedAddress:
    """Parse an absolute http(s) address; its fragment is dropped. Raises `AddressRefused`.

    Refused: anything that two programs may read differently, such as user names, backslashes, control characters,
    hosts as octal, hexadecimal or single numbers, and percent signs in a host (WHATWG URL, RFC 3986).
    """
    if len(url) > LONGEST:
        _refuse(gettext("This address is too long."))
    if _ILLEGAL.search(url):
        _refuse(gettext("This address has characters in it that no address has."))
    whole = _PARTS.match(url)
    if whole is None:
        _refuse(gettext("Only full web addresses can be opened, which start with http:// or https://."))
    if "@" in whole[2]:
        _refuse(gettext("This address has a user name in it, which hides where it leads."))
    authority = _AUTHORITY.fullmatch(whole[2])
    if authority is None:
        _refuse(gettext("This address does not name a host as web addresses do."))
    scheme, path = whole[1].lower(), quote(whole[3], safe=_KEPT)
    port = int(authority[2]) if authority[2] else _default_port(scheme)
    return ParsedAddress(
        scheme=scheme, host=_host(authority[1]), port=port, path=path if path.startswith("/") else f"/{path}"
    )


def _host(written: str) -> str:
    if written.startswith("["):
        try:
            return str(IPv6Address(written[1:-1]))
        except AddressValueError:
            _refuse(gettext("This address does not name a host as web addresses do."))
    name = _ascii(written).removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        _refuse(gettext("This address does not name a host as web addresses do."))
    if _NUMBER.fullmatch(labels[-1]):
        return _dotted_quad(name)
    return name


def _ascii(written: str) -> str:
    """The name as DNS knows it; other scripts by IDNA 2008 with the mapping of UTS 46, as browsers do."""
    if written.isascii():
        return written.lower()
    try:
        return idna.encode(written, uts46=True, std3_rules=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        _refuse(gettext("The name of the host in this address has letters that cannot be in one."))


def _dotted_quad(name: str) -> str:
    try:
        return str(IPv4Address(name))
    except AddressValueError:
        _refuse(gettext("The host in this address is a number, which hides where it leads."))


def _default_port(scheme: str) -> int:
    return 443 if scheme == "https" else 80


def _refuse(reason: str) -> NoReturn:
    raise refused(reason)
