"""`MailServer`: where Homeroom hands its e-mails over (SMTP_URL, SMTP_FROM)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from enum import StrEnum
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from services.errors import SettingsError

VARIABLE, SENDER = "SMTP_URL", "SMTP_FROM"
EXAMPLE = (
    "Set smtps://user:password@smtp.example.edu (TLS, port 465) or smtp://user:password@smtp.example.edu "
    "(STARTTLS, port 587), with %40 for an @ in the user or password."
)
_PORTS = {"smtps": 465, "smtp": 587}
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


class MailSecurity(StrEnum):
    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class MailServer:
    """SMTP server. user, password: "" for one that asks for none. sender: the address that mails come from."""

    host: str
    port: int
    security: MailSecurity
    sender: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


def parse(given: Mapping[str, str], *, public_host: str) -> MailServer | None:
    """The mail server of an environment; None without SMTP_URL. Raises `SettingsError`.

    public_host: of the address that students type: mails come from `homeroom@` it, where SMTP_FROM names none.
    """
    if not (url := given.get(VARIABLE, "")):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        raise _wrong("is not an address of a mail server") from None
    if not port or not parts.hostname or parts.path.strip("/") or parts.fragment:
        raise _wrong("is not an address of a mail server")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    security = _security(parts, parts.hostname)
    if user and security is MailSecurity.NONE and parts.hostname not in _THIS_MACHINE:
        raise _wrong("would send its password unencrypted")
    sender = _sender(given.get(SENDER) or f"homeroom@{public_host}")
    return MailServer(host=parts.hostname, port=port, security=security, sender=sender, user=user, password=password)


def _security(parts: SplitResult, host: str) -> MailSecurity:
    """TLS as the scheme says; a server on this machine needs none, and `?security=none` waives it for another one."""
    asked = dict(parse_qsl(parts.query))
    if set(asked) - {"security"} or asked.get("security", "none") not in ("none", "starttls"):
        raise _wrong("has more after the ? than security=none")
    if parts.scheme == "smtps":
        return MailSecurity.TLS
    usual = MailSecurity.NONE if host in _THIS_MACHINE else MailSecurity.STARTTLS
    return MailSecurity(asked.get("security", usual))


def _sender(text: str) -> str:
    name, address = parseaddr(text)
    user, _, host = address.rpartition("@")
    if name or not user or not host or address != text or not text.isascii() or any(letter <= " " for letter in text):
        raise SettingsError(SENDER, "is not an e-mail address.", next_step="Set one such as homeroom@example.edu.")
    return address


def _wrong(problem: str) -> SettingsError:
    return SettingsError(VARIABLE, f"{problem}.", next_step=EXAMPLE)
