"""Terms of consent: who receives words is named, and what changes them is asked about again."""

from dataclasses import dataclass, replace

import pytest

from services.i18n import locale_scope
from services.runtime.clock import utc_now
from services.safety import consent_terms
from services.safety.consent import (
    HERE,
    Consent,
    ConsentStatus,
    ModelProvider,
    Recipient,
    from_document,
    given_consent,
    to_document,
    withdrawn_consent,
)
from services.safety.consent_terms import ConsentTerms, model_provider
from services.safety.earlier_consents import ACCOUNT_PURPOSES, digest_of_text

HOME = "https://homeroom.example"
ANTHROPIC = ModelProvider(name="Anthropic")
GITHUB = Recipient(name="GitHub", address="https://api.github.com", receives="words")
EARLIER_TEXTS_OF_ACCOUNTS = (
    *("357d16191cbc", "5f9241d3d58f", "3eb56a1ab954", "f063c0901698"),
    *("219496698691", "b0d26472ee27", "3c471fbd7554", "75af79d5c6b1"),
)
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
        (terms(), ConsentStatus.GIVEN),
        (terms(GITHUB, BRAVE, replace(GITHUB, address="https://git.example.edu/api")), ConsentStatus.OUTDATED),
        (terms(GITHUB, BRAVE, gateway="https://gateway.example.edu"), ConsentStatus.OUTDATED),
        (ConsentTerms(ModelProvider(name="Another"), public_url=HOME, recipients=(GITHUB,)), ConsentStatus.OUTDATED),
    ],
    ids=["the same", "one recipient less", "no search", "another address", "a gateway", "another provider"],
)
def test_a_consent_holds_until_provider_or_gateway_changes_or_a_recipient_comes(
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
    assert account.version == terms(gateway="https://gateway.example.edu").account(Board(consent="Shorter.")).version
    assert account.version != terms().account(Board(), purposes=ACCOUNT_PURPOSES | {"a class's figures"}).version


@pytest.mark.parametrize("reads", [(), ("your grades", "your courses")])
def test_the_three_lines_say_who_reads_what_goes_there_and_how_to_take_it_back(reads: tuple[str, ...]) -> None:
    chat = terms(GITHUB, gateway=HERE).chat()
    account = terms().account(Board(), reads=reads)

    assert chat.lines == (
        "**Who reads it:** a model on this server, to answer you.",
        "**What goes there:** what you write and attach, your name and time zone, and what Homeroom looks up for you. "
        "Words to look up go to GitHub.",
        "**Take it back:** in Settings, whenever you like, with one click.",
    )
    of = "your grades, your courses" if reads else "your account"
    assert account.lines[1] == f"**What goes there:** what your question needs of {of}."
    assert all(len(line) < 160 for line in (*chat.lines, *account.lines))


def old_consent(version: str) -> Consent:
    """A consent as it was stored while the letters of its text counted."""
    stored = {**to_document(given_consent(terms().chat(), utc_now())), "version": version}
    del stored["purposes"]
    consent = from_document(stored)
    assert consent is not None
    return consent


@pytest.mark.parametrize("version", EARLIER_TEXTS_OF_ACCOUNTS)
def test_who_agreed_to_an_earlier_text_of_an_account_is_not_asked_again(version: str) -> None:
    consent = old_consent(version)

    assert consent.status(terms().account(Board())) is ConsentStatus.GIVEN
    more = terms().account(Board(), purposes=ACCOUNT_PURPOSES | {"a class's figures"})
    assert consent.status(more) is ConsentStatus.OUTDATED


def test_an_earlier_text_that_nobody_knows_holds_as_long_as_it_is_still_the_text() -> None:
    consent = old_consent(terms().account(Board()).wording)

    assert consent.status(terms().account(Board())) is ConsentStatus.GIVEN
    assert consent.status(terms().account(Board(consent="It reads more."))) is ConsentStatus.OUTDATED


def test_an_earlier_consent_to_the_chat_counts_what_its_text_named(monkeypatch: pytest.MonkeyPatch) -> None:
    given = given_consent(terms(GITHUB).chat(), utc_now())
    old = replace(given, wording=terms(GITHUB).chat().wording, purposes=None)
    embeddings = Recipient(name="Voyage AI", address="https://api.voyageai.com", receives="texts")
    searching = ConsentTerms(ANTHROPIC, public_url=HOME, recipients=(GITHUB,), embeddings=embeddings)
    monkeypatch.setattr(consent_terms, "_CHAT_AND_OTHERS", "Shorter: {model}, {names}.")

    assert terms(GITHUB).chat_status(old) is ConsentStatus.GIVEN
    assert terms().chat_status(old) is ConsentStatus.GIVEN
    assert searching.chat_status(replace(old, recipients=searching.chat().recipients)) is ConsentStatus.OUTDATED


def test_the_release_before_reads_a_new_consent_as_given() -> None:
    chat = terms(GITHUB).chat()

    assert to_document(given_consent(chat, utc_now()))["version"] == digest_of_text(chat.source)


def test_where_students_agree_before_they_come_only_what_was_never_asked_counts_as_given() -> None:
    given = ConsentTerms(ANTHROPIC, public_url=HOME, are_given=True, recipients=(BRAVE,))

    assert given.chat_status(None) is ConsentStatus.GIVEN
    assert given.chat_status(given_consent(terms(GITHUB).chat(), utc_now())) is ConsentStatus.OUTDATED
