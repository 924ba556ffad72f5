"""Safe HTTP client: the only way out to an address that a student, a model or a page named (SSRF guard)."""

from services.safety.fetch.client import SafeFetch
from services.safety.fetch.errors import (
    AddressRefused,
    DnsUnavailable,
    FetchTimeout,
    HostUnknown,
    HostUnreachable,
    PageTooLarge,
)
from services.safety.fetch.page import FetchedPage

__all__ = [
    "AddressRefused",
    "DnsUnavailable",
    "FetchTimeout",
    "FetchedPage",
    "HostUnknown",
    "HostUnreachable",
    "PageTooLarge",
    "SafeFetch",
]
