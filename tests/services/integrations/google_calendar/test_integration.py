import pytest

from services.connections.connection import Grant
from services.errors import SettingsError
from services.integrations.base import Integration
from services.integrations.calendar.provider import WritableCalendars
from services.integrations.google_calendar import integration
from services.integrations.google_calendar.endpoints import GOOGLE


def test_a_deployment_without_a_client_does_not_offer_it() -> None:
    assert integration({}) is None
    assert integration({"API_BASE_URL": "http://localhost:1"}) is None


@pytest.mark.parametrize(
    ("given", "missing"), [("CLIENT_ID", "GOOGLE_CLIENT_SECRET"), ("CLIENT_SECRET", "GOOGLE_CLIENT_ID")]
)
def test_half_a_client_stops_the_start_with_the_name_of_the_other_half(given: str, missing: str) -> None:
    with pytest.raises(SettingsError, match=missing):
        integration({given: "x"})


def test_a_base_address_that_is_none_stops_the_start() -> None:
    with pytest.raises(SettingsError, match="GOOGLE_API_BASE_URL"):
        integration({"CLIENT_ID": "x", "CLIENT_SECRET": "y", "API_BASE_URL": "localhost:8501"})


def test_without_a_base_address_it_is_google_itself() -> None:
    made = integration({"CLIENT_ID": "x", "CLIENT_SECRET": "y"})

    assert made is not None
    assert made.origins == (GOOGLE.origin,)
    assert all(
        address.startswith("https://") for address in (GOOGLE.token, GOOGLE.revoke, GOOGLE.api, GOOGLE.authorize)
    )


def test_the_consent_is_two_sentences_and_names_the_model(google: Integration) -> None:
    assert google.consent.count(". ") == 1
    assert "Anthropic's Claude" in google.consent
    assert not google.accepts_token


def test_it_gives_reading_and_writing_and_leaves_the_tools_to_the_category(google: Integration) -> None:
    assert google.tools == ()
    assert google.capabilities == {"calendar_read", "calendar_write"}
    assert isinstance(google.client(Grant(origin="", access_token="x")), WritableCalendars)
