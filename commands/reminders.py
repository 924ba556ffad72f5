"""Commands of reminders: a key for notifications, and whether the ways of reminding work."""

import secrets
from datetime import UTC, datetime
from urllib.parse import urlsplit

from services import settings as configuration
from services.reminders.deliveries import DeliveryStatus
from services.reminders.mail import Mail, MailSender, compose_mail
from services.reminders.message import Footer, ReminderMessage
from services.settings import Settings, secret_keys
from services.settings.mail_server import MailSecurity, MailServer

_WORDS = {
    MailSecurity.TLS: "TLS from the first byte",
    MailSecurity.STARTTLS: "STARTTLS",
    MailSecurity.NONE: "no encryption",
}


def new_vapid_key() -> int:
    """Print a new key for HOMEROOM_VAPID_KEY; a changed one ends every browser's notifications."""
    print(secret_keys.new_vapid_key())
    return 0


def reminders_check(to: str | None) -> int:
    """Tell which ways of reminding are set up, and try the mail server; with --to, by a test e-mail."""
    settings = configuration.from_process()
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
