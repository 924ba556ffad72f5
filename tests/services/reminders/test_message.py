"""Words of strangers in e-mails and notifications: no header, no markup, no address of theirs (T28); both languages."""

import json
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as modern_policy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.i18n import locale_scope
from services.reminders.mail import compose_mail
from services.reminders.message import MOST_LINES, Footer, MessageSection, ReminderMessage, html_body, push_payload

FOOTER = Footer(
    open="https://homeroom.example.edu/",
    settings="https://homeroom.example.edu/settings",
    unsubscribe="https://homeroom.example.edu/unsubscribe/token",
)
OURS = {FOOTER.open, FOOTER.settings, FOOTER.unsubscribe}


def composed(title: str, *lines: str) -> EmailMessage:
    message = ReminderMessage(title=title, brief="", sections=(MessageSection(heading="New", lines=lines),))
    mail = compose_mail(message, FOOTER, sender="h@x.example", to="maya@x.example", message_id="<1@x>", now=0.0)
    parsed = message_from_bytes(mail.content, policy=modern_policy)
    assert isinstance(parsed, EmailMessage)
    return parsed


def part(mail: EmailMessage, kind: str) -> str:
    found = mail.get_body((kind,))
    assert found is not None
    return str(found.get_content())


@pytest.mark.parametrize("cut", ["\r\n", "\n", "\r", "\u2028", "\x85", "\x0b", "\x00"])
def test_a_title_cannot_add_a_header(cut: str) -> None:
    mail = composed(f"Reminder: quiz{cut}Bcc: everybody@x.example{cut}{cut}<b>body</b>")

    assert mail["Bcc"] is None
    assert mail["To"] == "maya@x.example"
    assert len(mail.get_all("Subject", [])) == 1


@given(st.text(min_size=1, max_size=300), st.text(max_size=300))
def test_whatever_a_title_is_the_mail_has_its_headers_once_and_both_parts(title: str, line: str) -> None:
    mail = composed(title, line)

    assert sorted(mail.keys()) == sorted(
        [
            *("From", "To", "Subject", "Date", "Message-ID", "List-Unsubscribe", "List-Unsubscribe-Post"),
            *("Auto-Submitted", "MIME-Version", "Content-Type"),
        ]
    )
    assert part(mail, "plain")
    assert part(mail, "html").startswith("<!doctype html>")


def test_markup_of_strangers_is_shown_as_it_is_written() -> None:
    html = part(composed("Due", '<img src=x onerror=alert(1)> & <a href="x">click</a>'), "html")

    assert "<img" not in html
    assert '<a href="x"' not in html
    assert "&lt;img src=x" in html


@pytest.mark.parametrize(
    "address", ["https://evil.example/x", "www.evil.example", "evil.example/pay", "a@evil.example"]
)
def test_an_address_of_strangers_cannot_be_tapped(address: str) -> None:
    mail = composed(f"Exam: {address}", f"Pay at {address} now")

    for words in (part(mail, "plain"), part(mail, "html")):
        assert "evil.example" not in words
        assert "Pay at … now" in words


def test_a_mail_can_be_unsubscribed_from_with_one_click() -> None:
    mail = composed("Due", "Lab report")

    assert mail["List-Unsubscribe"] == f"<{FOOTER.unsubscribe}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert FOOTER.unsubscribe in part(mail, "plain")


def test_nothing_is_loaded_from_anywhere_when_a_mail_is_opened() -> None:
    html = part(composed("Due", "Lab report"), "html")

    assert not any(f"<{tag}" in html for tag in ("img", "script", "link", "iframe", "style"))
    assert {piece.partition('"')[0] for piece in html.split('href="')[1:]} == OURS


def test_a_long_list_is_cut_and_says_so() -> None:
    lines = [f"Work {number}" for number in range(MOST_LINES + 3)]

    assert "… and 3 more" in part(composed("Due", *lines), "plain")


def test_a_mail_speaks_the_students_language() -> None:
    with locale_scope("es-MX"):
        mail = composed("Tu día", "Informe")

    assert 'lang="es"' in part(mail, "html")
    assert "No más correos" in part(mail, "plain")


def test_a_notification_fits_into_what_push_services_take() -> None:
    told = ReminderMessage(title="é" * 500, brief="\U0001f9ea" * 3000)

    payload = push_payload(told, "tag")

    # RFC 8291, section 4: 4096 bytes with 103 of overhead.
    assert len(payload) <= 3993
    assert json.loads(payload)["title"].endswith("…")


def test_a_message_without_sections_says_its_words_once() -> None:
    html = html_body(ReminderMessage(title="Reminder: quiz", brief="Mon 23 Nov 2026"), FOOTER)

    assert html.count("Mon 23 Nov 2026") == 1
