"""The campus's mail server: real SMTP in, pages and JSON out."""

import asyncio
from email.message import EmailMessage
from pathlib import Path

import aiosmtplib
import pytest
from starlette.testclient import TestClient

from sandbox.app import campus_app
from tests.mail_catcher import free_port


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def campus_client(tmp_path: Path, port: int) -> TestClient:
    return TestClient(campus_app(origin="http://testserver", database=tmp_path / "campus.sqlite", mail_port=port))


def send(port: int, subject: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@x.example", "maya@campus.example", subject
    mail["List-Unsubscribe"] = "<https://homeroom.example.edu/unsubscribe/t>"
    mail.set_content("Grüße <script>alert(1)</script>")
    mail.add_alternative("<p>Hello</p>", subtype="html")
    asyncio.run(aiosmtplib.send(mail, hostname="localhost", port=port, start_tls=False))


def test_what_arrives_is_listed_and_shown_as_text(campus_client: TestClient, port: int) -> None:
    send(port, "First <b>")
    send(port, "Second")

    mails = campus_client.get("/mail/messages.json").json()["mails"]
    page = campus_client.get(f"/mail/{mails[0]['id']}").text

    assert [(mail["to"], mail["subject"]) for mail in mails] == [
        ("maya@campus.example", "First <b>"),
        ("maya@campus.example", "Second"),
    ]
    assert "Second" in campus_client.get("/mail/").text
    assert "Grüße &lt;script&gt;" in page
    assert 'action="https://homeroom.example.edu/unsubscribe/t"' in page
    assert campus_client.get(f"/mail/{mails[0]['id']}/html").text.strip() == "<p>Hello</p>"


def test_a_second_process_of_the_demo_leaves_the_port_to_the_first(
    campus_client: TestClient, tmp_path: Path, port: int
) -> None:
    campus_app(origin="http://testserver", database=tmp_path / "campus.sqlite", mail_port=port)

    send(port, "Still taken")

    assert len(campus_client.get("/mail/messages.json").json()["mails"]) == 1
