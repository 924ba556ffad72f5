"""Terms of consent: who receives words is named, and what changes them is asked about again."""

from dataclasses import dataclass, replace

import pytest

from services.i18n import locale_scope
from services.runtime.clock import utc_now
from services.safety.consent import (
    HERE,
    ConsentStatus,
    ModelProvider,
    Recipient,
    from_document,
    given_consent,
    to_document,
    withdrawn_consent,
)
from services.safety.consent_terms import ConsentTerms, model_provider

HOME = "https://homeroom.example"
ANTHROPIC = ModelProvider(name="Anthropic")
GITHUB = Recipient(name="GitHub", address="https://api.github.com", receives="words")
BRAVE = Recipient(name="Brave Search", address="https://api.search.brave.com", receives="words")


@dataclass(frozen=True)
class Board:
    id: str = "board"
    consent: str = "Homeroom reads {your} board."


def terms(*recipients: Recipient, gateway: str = "") -> ConsentTerms:
    return ConsentTerms(replace(ANTHROPIC, gateway=gateway), public_url=HOME, recipients=recipients)


@pytest.mark.parametrize(
    ("base_url", "gateway"),
    [
        (None, ""),
        ("https://api.anthropic.com", ""),
        ("https://gateway.example.edu/v1/messages", "https://gateway.example.edu"),
        ("http://gateway.example.edu:8080", "http://gateway.example.edu:8080"),
        (f"{HOME}/sandbox/anthropic", HERE),
    ],
)
def test_the_gateway_is_the_origin_of_the_models_address(base_url: str | None, gateway: str) -> None:
    assert model_provider(base_url, HOME) == ModelProvider(name="Anthropic", gateway=gateway)


def test_everybody_outside_who_receives_words_is_named_and_homeroom_itself_is_not() -> None:
    here = Recipient(name="Campus search", address=f"{HOME}/sandbox/search", receives="words")
    server = Recipient(name="Library", address="", receives="words")

    text = terms(GITHUB, BRAVE, here, server, gateway="https://gateway.example.edu").chat().text

    assert "to Anthropic's Claude by way of gateway.example.edu" in text
    assert "words to look up to GitHub, Brave Search and Library." in text
    assert "Campus" not in text


@pytest.mark.parametrize(
    ("today", "status"),
    [
        (terms(GITHUB, BRAVE), ConsentStatus.GIVEN),
        (terms(GITHUB), ConsentStatus.GIVEN),
        (terms(), ConsentStatus.OUTDATED),
        (terms(GITHUB, BRAVE, replace(GITHUB, address="https://git.example.edu/api")), ConsentStatus.OUTDATED),
        (terms(GITHUB, BRAVE, gateway="https://gateway.example.edu"), ConsentStatus.OUTDATED),
        (ConsentTerms(ModelProvider(name="Another"), public_url=HOME, recipients=(GITHUB,)), ConsentStatus.OUTDATED),
    ],
    ids=["the same", "one recipient less", "another text", "another address", "a gateway", "another provider"],
)
def test_a_consent_holds_until_text_provider_gateway_or_a_recipient_changes(
    today: ConsentTerms, status: ConsentStatus
) -> None:
    consent = given_consent(terms(GITHUB, BRAVE).chat(), utc_now())

    assert today.chat_status(consent) is status
    assert today.chat_status(withdrawn_consent(consent, today.chat(), utc_now())) is ConsentStatus.WITHDRAWN


def test_a_consent_is_stored_as_it_was_read_and_holds_in_every_language() -> None:
    with locale_scope("es"):
        consent = given_consent(terms(GITHUB).chat(), utc_now())

    stored = from_document(to_document(consent))

    assert stored == consent
    assert stored.text.startswith("Para responderte, Homeroom envía")
    assert terms(GITHUB).chat_status(stored) is ConsentStatus.GIVEN


def test_the_terms_of_an_account_are_its_own_words_with_the_gateway_and_programs() -> None:
    account = terms(GITHUB, gateway="https://gateway.example.edu").account(Board())

    assert account.text == (
        "Homeroom reads {your} board. It goes there by way of gateway.example.edu. "
        "A program of your own reads it, too, if you gave it a key to your Homeroom."
    )
    assert account.version != terms().account(Board(consent="It reads more.")).version


def test_where_students_agree_before_they_come_only_what_was_never_asked_counts_as_given() -> None:
    given = ConsentTerms(ANTHROPIC, public_url=HOME, are_given=True)

    assert given.chat_status(None) is ConsentStatus.GIVEN
    assert given.chat_status(given_consent(terms(GITHUB).chat(), utc_now())) is ConsentStatus.OUTDATED
