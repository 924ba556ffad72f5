"""What `manage.py reminders-check` finds: which ways of reminding are set up, and whether the mail server takes mail."""

import secrets
from datetime import UTC, datetime
from urllib.parse import urlsplit

from services.reminders.deliveries import DeliveryStatus
from services.reminders.mail import Mail, MailSender, compose_mail
from services.reminders.message import Footer, ReminderMessage
from services.settings import Settings
from services.settings.mail_server import MailSecurity, MailServer

_WORDS = {
    MailSecurity.TLS: "TLS from the first byte",
    MailSecurity.STARTTLS: "STARTTLS",
    MailSecurity.NONE: "no encryption",
}


def check(settings: Settings, to: str | None) -> int:
    """Print it; 0 when nothing that is set up fails, else 1."""
    is_well = _check_mail(settings, settings.mail_server, to) if settings.mail_server else True
    if settings.mail_server is None:
        print("E-mail: off. Set SMTP_URL (docs/deploy.md, Reminders).")
    if settings.vapid_key:
        print("Notifications: on. Browsers are told by their makers' services, over https to public addresses.")
    else:
        print("Notifications: off. Set HOMEROOM_VAPID_KEY; `python manage.py new-vapid-key` prints one.")
    if not settings.public_url.startswith("https://") and urlsplit(settings.public_url).hostname != "localhost":
        print("Browsers offer notifications to https addresses only: HOMEROOM_PUBLIC_URL is none.")
    return 0 if is_well else 1


def _check_mail(settings: Settings, server: MailServer, to: str | None) -> bool:
    print(f"E-mail: from {server.sender} by {server.host}:{server.port}, {_WORDS[server.security]}.")
    sender = MailSender(server)
    if to is None:
        outcome = sender.greet()
        done = "The mail server answers, and lets Homeroom in."
    else:
        outcome = sender.send(_test_mail(settings, server, to))
        done = f"The mail server took a test e-mail to {to}."
    print(done if outcome.status is DeliveryStatus.SENT else f"It does not work: {outcome.reason}.")
    return outcome.status is DeliveryStatus.SENT


def _test_mail(settings: Settings, server: MailServer, to: str) -> Mail:
    url = settings.public_url
    return compose_mail(
        ReminderMessage(title="A test from Homeroom", brief="E-mails of this Homeroom reach you."),
        Footer(open=url, settings=f"{url}/settings", unsubscribe=f"{url}/settings"),
        sender=server.sender,
        to=to,
        message_id=f"<{secrets.token_hex(20)}@{urlsplit(url).hostname}>",
        now=datetime.now(UTC).timestamp(),
    )
