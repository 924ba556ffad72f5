"""E-mails: made as RFC 5322 and 8058 ask, and handed to the operator's server, so that the outcome is known."""

import asyncio
import hashlib
import logging
import ssl
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import formatdate

import aiosmtplib

from services.i18n import gettext_noop
from services.reminders.deliveries import SENT, DeliveryStatus, Outcome
from services.reminders.message import Footer, ReminderMessage, html_body, subject, text_body
from services.settings.mail_server import MailSecurity, MailServer

log = logging.getLogger(__name__)

TIMEOUT_S = 20.0
"""For each answer of the server; the whole takes less than `DEADLINE_S`."""
DEADLINE_S = 60.0
SIGN_IN_REFUSED = gettext_noop("the mail server refused Homeroom's sign-in")
REFUSED = gettext_noop("the mail server does not take it")
BUSY = gettext_noop("the mail server asks to come back later")
UNREACHABLE = gettext_noop("the mail server could not be reached")
SILENT = gettext_noop("the mail server did not say whether it took it")


@dataclass(frozen=True, kw_only=True)
class Mail:
    to: str = field(repr=False)
    message_id: str
    content: bytes = field(repr=False)


def compose_mail(
    message: ReminderMessage, footer: Footer, *, sender: str, to: str, message_id: str, now: float
) -> Mail:
    """Make the e-mail in the current language. now: POSIX time of its Date."""
    mail = EmailMessage(policy=SMTP_POLICY.clone(max_line_length=78))
    mail["From"] = f"Homeroom <{sender}>"
    mail["To"] = to
    mail["Subject"] = subject(message)
    mail["Date"] = formatdate(now, usegmt=True)
    mail["Message-ID"] = message_id
    mail["List-Unsubscribe"] = f"<{footer.unsubscribe}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    # No vacation notice comes back to it (RFC 3834, section 5).
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text_body(message, footer))
    mail.add_alternative(html_body(message, footer), subtype="html")
    return Mail(to=to, message_id=message_id, content=mail.as_bytes())


class MailSender:
    """Client of the operator's mail server; one connection for each mail."""

    def __init__(self, server: MailServer) -> None:
        self._server = server

    def send(self, mail: Mail) -> Outcome:
        """Hand a mail over; how that ended. Blocks for a minute at most."""
        return self._run(mail)

    def greet(self) -> Outcome:
        """Connect and sign in, without a mail; how that ended."""
        return self._run(None)

    def _run(self, mail: Mail | None) -> Outcome:
        try:
            return asyncio.run(asyncio.wait_for(self._connected(mail), DEADLINE_S))
        except TimeoutError:
            return Outcome(status=DeliveryStatus.UNCLEAR, reason=SILENT)

    async def _connected(self, mail: Mail | None) -> Outcome:
        client = aiosmtplib.SMTP(
            hostname=self._server.host,
            port=self._server.port,
            timeout=TIMEOUT_S,
            use_tls=self._server.security is MailSecurity.TLS,
            # None would go on without encryption where the server, or somebody before it, offers none.
            start_tls=self._server.security is MailSecurity.STARTTLS,
            username=self._server.user or None,
            password=self._server.password or None,
            # The host's own name is nobody's business, and some containers' names are refused.
            local_hostname=self._server.sender.rpartition("@")[2],
        )
        try:
            return await self._hand_over(client, mail)
        finally:
            client.close()
            # The socket is closed in the next round of the loop, which would end with this one.
            await asyncio.sleep(0)

    async def _hand_over(self, client: aiosmtplib.SMTP, mail: Mail | None) -> Outcome:
        try:
            await client.connect()
            if mail is None:
                return SENT
            await client.mail(self._server.sender)
            await client.rcpt(mail.to)
        except (aiosmtplib.SMTPException, ssl.SSLError, OSError, ValueError) as error:
            return _not_taken(error)
        try:
            await client.data(mail.content)
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            if isinstance(error, aiosmtplib.SMTPResponseException) and 400 <= error.code < 600:
                return _not_taken(error)
            # From here on the server may have taken it before the line was cut, or something else answered.
            log.warning("mail_outcome_unclear kind=%s", type(error).__name__)
            return Outcome(status=DeliveryStatus.UNCLEAR, reason=SILENT)
        with suppress(aiosmtplib.SMTPException, OSError):
            await client.quit()
        return SENT


def _not_taken(error: Exception) -> Outcome:
    """Outcome of a refusal: 4xx and a server that is away are tried again (RFC 5321, section 4.2.1)."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        error = error.recipients[0]
    code = getattr(error, "code", 0)
    log.warning("mail_not_taken kind=%s code=%s", type(error).__name__, code)
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        # The operator's to mend, and worth a later try.
        return Outcome(status=DeliveryStatus.WAITING, reason=SIGN_IN_REFUSED)
    if 500 <= code < 600:
        return Outcome(status=DeliveryStatus.FAILED, reason=REFUSED)
    return Outcome(status=DeliveryStatus.WAITING, reason=BUSY if code else UNREACHABLE)


def message_id(student_id: str, keys: Iterable[str], host: str) -> str:
    """Message-ID (RFC 5322, section 3.6.4) of what is told, the same at every try."""
    digest = hashlib.sha256("\n".join([student_id, *sorted(keys)]).encode()).hexdigest()
    return f"<{digest[:40]}@{host}>"
