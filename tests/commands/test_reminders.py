"""What the operator is told of the ways of reminding, and of a mail server that does not work."""

from pathlib import Path

import pytest

from commands.reminders import new_vapid_key, reminders_check
from services.settings import read
from services.settings.secret_keys import is_vapid_key
from tests.mail_catcher import free_port, mail_server


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    given = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path)}
    monkeypatch.setattr("services.settings.from_process", lambda: read(given))
    return given


def test_a_working_mail_server_takes_a_test(environment: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with mail_server() as catcher:
        environment["SMTP_URL"] = catcher.url

        greeted, sent = reminders_check(None), reminders_check("me@x.example")

    assert (greeted, sent) == (0, 0)
    assert [mail["To"] for mail in catcher.mails] == ["me@x.example"]
    assert "lets Homeroom in" in capsys.readouterr().out


def test_a_mail_server_that_is_away_is_said_to_be(
    environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    environment["SMTP_URL"] = f"smtp://localhost:{free_port()}"

    assert reminders_check(None) == 1
    assert "could not be reached" in capsys.readouterr().out


def test_a_server_without_encryption_gets_no_mail_where_it_must_have_it(
    environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with mail_server() as catcher:
        environment["SMTP_URL"] = f"{catcher.url}?security=starttls"

        assert reminders_check("me@x.example") == 1

    assert catcher.mails == []


def test_a_new_key_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    new_vapid_key()

    assert is_vapid_key(capsys.readouterr().out.strip())
