"""Logging: secrets never reach a line, whatever brings them there (T15)."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path

import pytest

from services.runtime import logs
from services.runtime.logs import Redaction
from tests.rooms import demo_settings


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer canary-token-123",
        "GET /connections?code=canary-code&state=canary-state",
        '{"access_token": "canary-token-123", "refresh_token": "canary-refresh"}',
        "client_secret=canary-secret&grant_type=refresh_token",
        "key sk-ant-canary-0123456789",
        "key hr_canary0123456789canary0123456789canary",
        "mongodb://user:canary-password@db.example/homeroom",
    ],
)
def test_what_looks_like_a_secret_is_taken_out(text: str) -> None:
    assert "canary" not in Redaction(["mongodb://user:canary-password@db.example/homeroom"]).redacted(text)


def test_ordinary_lines_stay_as_they_are() -> None:
    line = "tool_service_unavailable tool='canvas_list_courses' id=1a2b3c4d kind=ServiceUnavailable status_code=503"

    assert Redaction(["long-enough-secret"]).redacted(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "lti_refused code=signature_invalid",
        "mail_not_taken kind=SMTPAuthenticationError code=535",
        "lti_refused code=expired",
    ],
)
def test_the_codes_that_our_own_lines_name_can_be_read(line: str) -> None:
    assert Redaction(["long-enough-secret"]).redacted(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "callback_failed code=4/0AbCdEfGh12345",
        "callback_failed code=1234567",
        "GET /oauth/callback?code=abcdef",
        "callback_failed code=expired&state=abc",
    ],
)
def test_the_code_of_a_sign_in_stays_hidden(line: str) -> None:
    assert not any(secret in Redaction().redacted(line) for secret in ("0AbCd", "1234567", "abcdef", "=abc"))


def test_the_text_of_an_exception_is_redacted_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = demo_settings(tmp_path)
    for ours in (logging.getLogger("services"), logging.getLogger("api")):
        monkeypatch.setattr(ours, "handlers", ours.handlers)
        monkeypatch.setattr(ours, "propagate", ours.propagate)
    logs.configure(settings)

    try:
        raise RuntimeError(f"bad cookie {settings.cookie_secret}")
    except RuntimeError:
        logging.getLogger("services.somewhere").exception("it_broke token=%s", settings.vault_keys[0])

    printed = capsys.readouterr().err
    assert "it_broke" in printed
    assert settings.cookie_secret not in printed
    assert settings.vault_keys[0] not in printed


def test_a_line_of_json_names_the_event_and_its_fields(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(tmp_path, monkeypatch, {"HOMEROOM_LOG_FORMAT": "json"})

    logging.getLogger("services.somewhere").warning("turn_not_noted turn=%s at=%s", "t1", "Error@file.py:3")
    logging.getLogger("services.somewhere").error("access_token=canary in a sentence\nof two lines")

    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["event"], first["turn"], first["level"]) == ("turn_not_noted", "t1", "warning")
    assert (first["at"], first["logger"]) == ("Error@file.py:3", "services.somewhere")
    assert second["message"] == "access_token=*** in a sentence\nof two lines"


def _configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: Mapping[str, str]) -> None:
    for ours in (logging.getLogger("services"), logging.getLogger("api")):
        monkeypatch.setattr(ours, "handlers", ours.handlers)
        monkeypatch.setattr(ours, "propagate", ours.propagate)
    logs.configure(demo_settings(tmp_path, **environment))
