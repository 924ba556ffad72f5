"""Errors on the way to a named address, as sentences for a student; each names the host, never more."""

from services.errors import RequestRefused, ServiceUnavailable, TooLarge
from services.i18n import gettext, gettext_noop

WEB = "The web"
"""Label of an address that does not name a host."""


class AddressRefused(RequestRefused):
    """Homeroom does not go there, whoever asks."""

    next_step = gettext_noop("Give the full address of a public web page, as a browser shows it.")


class HostUnknown(ServiceUnavailable):
    """The name system (DNS) knows no such host."""

    next_step = gettext_noop("Check the address for a typing mistake.")


class DnsUnavailable(ServiceUnavailable):
    """The name system (DNS) did not answer: nothing was sent, and nobody knows whether there is such a host."""


class FetchTimeout(ServiceUnavailable):
    """No answer, or not all of it, within the time that was given."""


class HostUnreachable(ServiceUnavailable):
    """The host refuses connections, has a bad certificate or redirects in a circle."""


class PageTooLarge(TooLarge):
    """More bytes than were asked for, on the wire or unpacked."""

    next_step = gettext_noop("It can be opened in a browser instead.")


def refused(reason: str, host: str = WEB) -> AddressRefused:
    return AddressRefused(host, reason)


def not_public(host: str) -> AddressRefused:
    return refused(gettext("{host} is not a public address, so Homeroom does not open it.", host=host), host)


def host_unknown(host: str) -> HostUnknown:
    return HostUnknown(host, gettext("There is no website named {host} (DNS does not know it).", host=host))


def dns_unavailable(host: str) -> DnsUnavailable:
    return DnsUnavailable(host, gettext("The address of {host} could not be looked up: DNS did not answer.", host=host))


def unreachable(host: str) -> HostUnreachable:
    return HostUnreachable(host, gettext("{host} could not be reached.", host=host))


def timed_out(host: str) -> FetchTimeout:
    return FetchTimeout(host, gettext("{host} did not answer in time.", host=host))


def certificate_invalid(host: str) -> HostUnreachable:
    return HostUnreachable(host, gettext("{host} could not prove who it is (its certificate is not valid).", host=host))


def connection_broken(host: str) -> ServiceUnavailable:
    return ServiceUnavailable(
        host, gettext("{host} broke off in the middle of its answer, or its answer makes no sense.", host=host)
    )


def too_large(host: str, limit_bytes: int) -> PageTooLarge:
    size = f"{limit_bytes / 1_000_000:.0f} MB" if limit_bytes >= 1_000_000 else f"{limit_bytes // 1000} kB"
    return PageTooLarge(
        host,
        gettext(
            "{host} sent more than {size}, which is more than Homeroom reads of one address.", host=host, size=size
        ),
    )


def too_many_hops(host: str) -> HostUnreachable:
    return HostUnreachable(host, gettext("{host} keeps sending us on to other addresses.", host=host))
