"""SMTP_URL, SMTP_FROM and HOMEROOM_VAPID_KEY: read whole, or refused with their names and a remedy."""

from pathlib import Path

import pytest

from services import settings
from services.errors import SettingsError
from services.settings.mail_server import MailSecurity, MailServer, parse
from services.settings.secret_keys import is_vapid_key, new_vapid_key


def server(url: str, **more: str) -> MailServer:
    found = parse({"SMTP_URL": url, **more}, public_host="homeroom.example.edu")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("url", "port", "security"),
    [
        ("smtps://u:p@smtp.example.edu", 465, MailSecurity.TLS),
        ("smtp://u:p@smtp.example.edu", 587, MailSecurity.STARTTLS),
        ("smtp://u:p@smtp.example.edu:25", 25, MailSecurity.STARTTLS),
        ("smtp://localhost:9501", 9501, MailSecurity.NONE),
        ("smtp://localhost:9501?security=starttls", 9501, MailSecurity.STARTTLS),
        ("smtp://relay.campus.example:25?security=none", 25, MailSecurity.NONE),
    ],
)
def test_a_mail_is_encrypted_on_its_way_unless_the_operator_waives_it(
    url: str, port: int, security: MailSecurity
) -> None:
    assert (server(url).port, server(url).security) == (port, security)


def test_user_and_password_are_unquoted_and_in_no_repr() -> None:
    found = server("smtps://me%40x.example:p%3Aw%2Fd@smtp.example.edu")

    assert (found.user, found.password) == ("me@x.example", "p:w/d")
    assert "p:w" not in repr(found)
    assert "me@x" not in repr(found)


def test_mails_come_from_the_public_host_unless_another_address_is_set() -> None:
    assert server("smtp://localhost").sender == "homeroom@homeroom.example.edu"
    assert server("smtp://localhost", SMTP_FROM="noreply@example.edu").sender == "noreply@example.edu"


@pytest.mark.parametrize(
    "given",
    [
        {"SMTP_URL": "smtp.example.edu"},
        {"SMTP_URL": "http://smtp.example.edu"},
        {"SMTP_URL": "smtp://smtp.example.edu:99999"},
        {"SMTP_URL": "smtp://u:p@smtp.example.edu?security=none"},
        {"SMTP_URL": "smtp://smtp.example.edu?tls=0"},
        {"SMTP_URL": "smtp://localhost", "SMTP_FROM": "Homeroom"},
        {"SMTP_URL": "smtp://localhost", "SMTP_FROM": "a@x.example\r\nBcc: b@x.example"},
        {"SMTP_URL": "smtp://localhost", "SMTP_FROM": "Name <a@x.example>"},
    ],
)
def test_what_is_wrong_is_named_with_a_remedy_and_without_the_secret(given: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=r"SMTP_(URL|FROM): ") as refused:
        parse(given, public_host="homeroom.example.edu")

    assert refused.value.next_step.startswith("Set ")
    assert "u:p" not in str(refused.value)


def test_without_settings_there_is_no_mail_server(tmp_path: Path) -> None:
    assert parse({}, public_host="homeroom.example.edu") is None


def test_a_demo_has_a_mail_server_and_a_key_that_lasts(tmp_path: Path) -> None:
    demo = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), "HOMEROOM_PORT": "8777"}

    first, second = settings.read(demo), settings.read(demo)

    assert first.mail_server
    assert (first.mail_server.host, first.mail_server.port) == ("localhost", 9777)
    assert first.vapid_key == second.vapid_key
    assert is_vapid_key(first.vapid_key)


def test_a_key_that_is_none_stops_the_start(tmp_path: Path) -> None:
    demo = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), "HOMEROOM_VAPID_KEY": "no key"}

    with pytest.raises(SettingsError, match="HOMEROOM_VAPID_KEY"):
        settings.read(demo)
    assert not is_vapid_key(new_vapid_key()[:-6])
