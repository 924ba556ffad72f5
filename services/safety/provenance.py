"""Which addresses may be links and may be fetched: those that the student or a tool result named, to the letter.

A model that was told to leak something would put it into an address of its own making (EchoLeak, CVE-2025-32711).
"""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from services.safety.addresses import canonical
from services.safety.escape import EMAIL, split_address

_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>`\"\[\]|\\^{}]+", re.IGNORECASE)
_CAMPUS = re.compile(r"/sandbox/(?!oidc(?:/|$))")
_ACTS = re.compile(
    r"/(?:oauth2?|o|login|logout|authorize|token|revoke|faults|reset|log|settings)(?:/|$)", re.IGNORECASE
)


def known_addresses(texts: Iterable[str], urls: Iterable[str] = (), *, own_origin: str | None = None) -> frozenset[str]:
    """The exact addresses in texts (the student's words, outputs of tools) and among `urls` (their sources).

    E-mail addresses count as "mailto:…". own_origin: the public address of Homeroom; its own pages are left out,
    because a click there acts as the student, except what the demo campus merely shows.
    """
    found = {address for text in texts for address in _addresses_in(text)} | set(urls)
    written = {form for address in found if (form := canonical(address)) and not _is_ours(form, own_origin)}
    return frozenset(written | {address for address in found if canonical(address) in written})


def _addresses_in(text: str) -> Iterator[str]:
    for match in _ADDRESS.finditer(text):
        yield split_address(match[0])[0]
        yield match[0]
    for match in EMAIL.finditer(text):
        yield f"mailto:{match[0]}"


def _is_ours(address: str, own_origin: str | None) -> bool:
    if own_origin is None or _host(address) != _host(own_origin):
        return False
    path = urlsplit(address).path
    return not _CAMPUS.match(path) or _ACTS.search(path) is not None


def _host(address: str) -> str | None:
    """The host; all names of this machine are one, because cookies know no ports and a redirect joins them."""
    host = urlsplit(address).hostname
    return "localhost" if host in ("127.0.0.1", "::1") else host
