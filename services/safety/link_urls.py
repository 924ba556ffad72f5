"""URLs of links: which may be links, their canonical form, and which the student or a tool result has named.

A model that was told to leak something would put it into an address of its own making (EchoLeak, CVE-2025-32711).
"""

import re
from collections.abc import Container, Iterable, Iterator
from urllib.parse import quote, urlsplit

from services.safety.markdown.escape import EMAIL, split_address

LONGEST = 2_000

_SAFE = "!#$%&'()*+,/:;=?@[]~"
_MAILBOX = r"[-.\w+]+@[-\w]+(?:\.[-\w]+)+"
# Several addresses with commas between, or none yet: a draft whose address the student fills in (RFC 6068).
_EMAIL = re.compile(rf"mailto:(?:{_MAILBOX}(?:,{_MAILBOX}){{0,19}}(?:\?[^\s<>\"]*)?|\?[^\s<>\"]+)", re.ASCII)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?|\[[0-9a-f:.]+\]", re.IGNORECASE)
# Streamlit's own doors: a click there signs out, or finishes a sign-in that somebody else began.
_DOORS = re.compile(r"/(?:auth/(?:login|logout)|oauth2callback|_stcore)(?:/|$)", re.IGNORECASE)
_NAMED_HOST = re.compile(
    r"(?:https?://|www\.)(?:[^\s/?#@]*@)?([^\s/?#:@]+)"
    r"|(?<![\w.@/-])((?:[\w-]+\.)+(?:com|org|net|edu|gov|mil|example|test))"
    r"(?![\w.-])",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>`\"\[\]|\\^{}]+", re.IGNORECASE)
# A page of a course material, as `services.navigation.material_address` writes it: a click there only reads.
_READER = re.compile(r"/materials\?open=[\w.%~-]{1,300}&page=\d{1,5}", re.ASCII)
# Pages of ours where a click only opens what is the student's own: their week, and Study with a quiz, cards or exams.
_OPENING = re.compile(r"/week|/study(?:\?(?:quiz=[\w.~-]{1,120}|view=[a-z]{1,20}))?", re.ASCII)
_CAMPUS = re.compile(r"/sandbox/(?!oidc(?:/|$))")
_ACTS = re.compile(
    r"/(?:oauth2?|o|login|logout|authorize|token|revoke|faults|reset|log|settings)(?:/|$)", re.IGNORECASE
)


def link_target(url: str, allowed: Container[str]) -> str | None:
    """The address to link to, or None when it must stay text: unknown, not http(s) or mailto, or made to mislead."""
    written = canonical_url(url)
    if written is None or not (url in allowed or written in allowed):
        return None
    return written


def canonical_url(url: str) -> str | None:
    """An absolute http(s) or mailto address in ASCII without user name or tricks; None when it is anything else."""
    if len(url) > LONGEST or re.search(r"[\s\\<>\"`{}|^\x00-\x1f\x7f]", url):
        return None
    if url[:7].lower() == "mailto:":
        return url if _EMAIL.fullmatch(url) else None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc or _DOORS.match(parts.path):
        return None
    name = _ascii_host(host)
    if name is None:
        return None
    authority = name if port is None else f"{name}:{port}"
    start = url.index("//") + 2 + len(parts.netloc)
    return f"{parts.scheme}://{_as_written(parts.netloc, authority)}{quote(url[start:], safe=_SAFE)}"


def _as_written(netloc: str, authority: str) -> str:
    """The host as it was spelled when it is plain ASCII, so that an exact address stays exact."""
    return netloc if netloc.isascii() else authority


def _ascii_host(host: str) -> str | None:
    try:
        name = f"[{host}]" if ":" in host else host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        return None
    return name if _HOST.fullmatch(name) else None


def is_reader_address(url: str) -> bool:
    """Whether the address is, by its form, one of `services.navigation.material_address`, on whatever host."""
    parts = urlsplit(url)
    return not parts.fragment and _READER.fullmatch(f"{parts.path}?{parts.query}") is not None


def host_of(url: str) -> str:
    """The host of an address, for people; the scheme of what has no host; "" for a path of our own."""
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname if parts.scheme in ("http", "https", "") else None
    except ValueError:
        return ""
    return (host or parts.scheme)[:100]


def names_another_host(text: str, url: str) -> bool:
    """Whether a link's text names a host that the link does not lead to."""
    actual = host_of(url).lower().removeprefix("www.")
    named = (
        (first or second).lower().removeprefix("www.").rstrip(".,;:!?)") for first, second in _NAMED_HOST.findall(text)
    )
    return any(host != actual and not actual.endswith(f".{host}") for host in named)


def linkable_urls(texts: Iterable[str], urls: Iterable[str] = (), *, own_origin: str | None = None) -> frozenset[str]:
    """The exact addresses in texts (the student's words, outputs of tools) and among `urls` (their sources).

    E-mail addresses count as "mailto:…". own_origin: the public address of Homeroom; its own pages are left out,
    because a click there acts as the student, except a material's page, those that merely open what is their own, and
    what the demo campus merely shows.
    """
    found = {address for text in texts for address in _urls_in(text)} | set(urls)
    written = {form for address in found if (form := canonical_url(address)) and not _is_ours(form, own_origin)}
    return frozenset(written | {address for address in found if canonical_url(address) in written})


def _urls_in(text: str) -> Iterator[str]:
    for match in _ADDRESS.finditer(text):
        yield split_address(match[0])[0]
        yield match[0]
    for match in EMAIL.finditer(text):
        yield f"mailto:{match[0]}"


def _is_ours(address: str, own_origin: str | None) -> bool:
    if own_origin is None or _host(address) != _host(own_origin):
        return False
    parts = urlsplit(address)
    path = parts.path
    if is_reader_address(address):
        return False
    # Its very origin: another program of this machine may serve the same path.
    is_our_origin = f"{parts.scheme}://{parts.netloc}" == own_origin and not parts.fragment
    if is_our_origin and _OPENING.fullmatch(f"{path}?{parts.query}".removesuffix("?")):
        return False
    return not _CAMPUS.match(path) or _ACTS.search(path) is not None


def _host(address: str) -> str | None:
    """The host; all names of this machine are one, because cookies know no ports and a redirect joins them."""
    host = urlsplit(address).hostname
    return "localhost" if host in ("127.0.0.1", "::1") else host
