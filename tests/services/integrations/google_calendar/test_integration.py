from services.connections.connector import Grant
from services.integrations.base import Integration
from services.integrations.calendar.provider import WritableCalendars
from services.integrations.google_calendar import integration
from services.integrations.google_calendar.oauth import GOOGLE_ENDPOINTS


def test_without_a_base_address_it_is_google_itself() -> None:
    made = integration({"CLIENT_ID": "x", "CLIENT_SECRET": "y"})

    assert made.origins == (GOOGLE_ENDPOINTS.origin,)
    assert all(
        address.startswith("https://")
        for address in (
            GOOGLE_ENDPOINTS.token,
            GOOGLE_ENDPOINTS.revoke,
            GOOGLE_ENDPOINTS.api,
            GOOGLE_ENDPOINTS.authorize,
        )
    )


def test_the_consent_is_two_sentences_and_names_the_model(google: Integration) -> None:
    assert google.consent.count(". ") == 1
    assert "Anthropic's Claude" in google.consent
    assert not google.accepts_token


def test_it_gives_reading_and_writing_and_leaves_the_tools_to_the_category(google: Integration) -> None:
    assert google.tools == ()
    assert google.capabilities == {"calendar_read", "calendar_write"}
    assert isinstance(google.client(Grant(origin="", access_token="x")), WritableCalendars)
