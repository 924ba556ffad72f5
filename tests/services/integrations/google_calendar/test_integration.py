import pytest

from services.errors import SettingsError
from services.integrations.base import Integration
from services.integrations.google_calendar import integration
from services.integrations.google_calendar.endpoints import GOOGLE
from services.tools.base import Effect


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


def test_every_tool_that_writes_has_a_card_and_an_undo(google: Integration) -> None:
    assert [tool.name for tool in google.tools] == [
        "calendar_list_events",
        "calendar_find_free_time",
        "calendar_create_event",
        "calendar_update_event",
        "calendar_delete_event",
    ]
    for tool in google.tools:
        assert tool.integration == google.id
        assert (tool.effect is Effect.WRITE) == (tool.preview is not None) == (tool.undo is not None)


def test_every_parameter_is_described_and_no_tool_takes_guests_links_or_repetition(google: Integration) -> None:
    for tool in google.tools:
        assert all(prop.get("description") for prop in tool.schema["properties"].values()), tool.name
        assert not tool.schema["properties"].keys() & {"attendees", "guests", "recurrence", "link", "source", "user_id"}
