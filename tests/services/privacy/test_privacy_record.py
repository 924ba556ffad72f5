"""The record for the privacy officer is whole: every collection, every recipient, and what the settings say."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from services.errors import PermissionMissing
from services.i18n import locale_scope
from services.identity.roles import Roles
from services.identity.students import Student
from services.privacy.data_inventory import ANONYMOUS_COLLECTIONS, DATA_INVENTORY
from services.privacy.privacy_record import (
    RecordSection,
    privacy_record,
    purpose_of,
    record_for,
    record_page,
    record_text,
)
from services.safety.consent import ModelProvider, Recipient
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.storage.collections import COLLECTIONS
from tests.rooms import demo_settings

SEARCH = Recipient(name="Brave <Search>", address="https://search.example", receives="words to look up | on the web")
TERMS = ConsentTerms(ModelProvider(name="Anthropic"), public_url="https://h.example", recipients=(SEARCH,))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    environment = {"HOMEROOM_OPERATORS": "it@school.example", "HOMEROOM_RETENTION_DAYS": "chats=365"}
    return demo_settings(tmp_path, **environment)


def _cells(sections: Sequence[RecordSection]) -> list[str]:
    return [cell for section in sections for row in section.rows for cell in row]


def test_every_collection_stands_on_it_once(settings: Settings) -> None:
    cells = _cells(privacy_record(settings, TERMS))

    for collection in COLLECTIONS:
        assert cells.count(collection.name) == 1, collection.name


def test_every_collection_of_students_has_a_purpose() -> None:
    assert all(purpose_of(item.collection).basis for item in DATA_INVENTORY)
    assert not {item.collection for item in DATA_INVENTORY} & set(ANONYMOUS_COLLECTIONS)


def test_it_names_who_receives_data_and_how_long_chats_are_kept(settings: Settings) -> None:
    text = record_text(privacy_record(settings, TERMS))

    assert "Anthropic's Claude" in text
    assert "words to look up \\| on the web" in text
    assert "365 days after the last message" in text
    assert "GDPR" in text
    assert "FERPA" in text


def test_no_secret_of_the_settings_is_on_it(settings: Settings) -> None:
    text = record_text(privacy_record(settings, TERMS))

    secrets = [settings.cookie_secret, *settings.vault_keys, settings.vapid_key, settings.oidc_client_secret]
    assert [secret for secret in secrets if secret and secret in text] == []


def test_the_page_to_print_is_whole_and_loads_nothing(settings: Settings) -> None:
    page = record_page(privacy_record(settings, TERMS))

    assert "Brave &lt;Search&gt;" in page
    assert not any(word in page for word in ("<script", "src=", "@import", "url("))
    assert all(f"<td>{collection.name}</td>" in page for collection in COLLECTIONS)


def test_it_is_for_the_operator_alone(settings: Settings) -> None:
    roles = Roles(instructors=settings.instructors, operators=settings.operators)
    instructor = Student(id="s", name="Anne", email="anne.okafor@campus.example", is_email_verified=True)
    unverified = Student(id="s", name="It", email="it@school.example")
    operator = Student(id="s", name="It", email="it@school.example", is_email_verified=True)

    for student in (instructor, unverified):
        with pytest.raises(PermissionMissing):
            record_for(student, roles, settings, TERMS)
    assert record_for(operator, roles, settings, TERMS)


def test_it_is_said_in_spanish(settings: Settings) -> None:
    with locale_scope("es-MX"):
        assert "responsable de privacidad" in record_text(privacy_record(settings, TERMS))
