"""What every provider of calendars holds to, whatever service is behind it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.integrations.base import Integration
from services.integrations.calendar import provider
from services.integrations.calendar.provider import CalendarProvider, EventDraft, FoundEvents, WritableCalendars
from tests.campus_server import CampusServer
from tests.services.integrations.calendar_feed.conftest import canvas_feed, feed_of, grant
from tests.services.integrations.google_calendar.conftest import grant_of

BERLIN = ZoneInfo("Europe/Berlin")
START = datetime.now(UTC) - timedelta(days=3)
END = START + timedelta(days=20)


class ProviderContract:
    @pytest.fixture
    def provider(self, campus: CampusServer, google: Integration) -> CalendarProvider:
        raise NotImplementedError

    def test_every_id_begins_with_its_mark_and_is_unique(self, provider: CalendarProvider) -> None:
        ids = [event.id for event in provider.events(START, END, BERLIN).events]

        assert ids
        assert len(ids) == len(set(ids))
        assert all(id.startswith(f"{provider.mark}/") for id in ids)
        assert all(calendar.id.startswith(f"{provider.mark}/") for calendar in provider.calendars())

    def test_everything_touches_the_time_that_was_asked_for_and_is_in_the_readers_zone(
        self, provider: CalendarProvider
    ) -> None:
        found = provider.events(START, END, BERLIN).events

        assert found
        for event in found:
            assert event.start < END
            assert event.end > START or event.start == event.end >= START
            assert event.start.tzinfo is event.end.tzinfo is BERLIN
            assert event.provider == provider.label

    def test_a_shorter_time_holds_a_part_of_a_longer_one(self, provider: CalendarProvider) -> None:
        whole = {event.id for event in provider.events(START, END, BERLIN).events}

        part = {event.id for event in provider.events(START, START + timedelta(days=8), BERLIN).events}

        assert part
        assert part < whole

    def test_one_calendar_gives_only_its_own(self, provider: CalendarProvider) -> None:
        every = provider.events(START, END, BERLIN).events
        chosen = next(calendar for calendar in provider.calendars() if calendar.is_selected)

        found = provider.events(START, END, BERLIN, calendar=chosen.id).events

        assert {event.id for event in found} <= {event.id for event in every}
        assert {event.calendar for event in found} <= {"", chosen.name}

    def test_only_a_provider_that_can_write_offers_calendars_to_write_to(self, provider: CalendarProvider) -> None:
        can_write = isinstance(provider, WritableCalendars)

        assert any(calendar.can_write for calendar in provider.calendars()) == can_write
        assert any(event.can_change for event in provider.events(START, END, BERLIN).events) == can_write


class TestGoogle(ProviderContract):
    @pytest.fixture
    def provider(self, campus: CampusServer, google: Integration) -> CalendarProvider:
        made: CalendarProvider = google.client(grant_of(campus)).started()
        return made


class TestFeed(ProviderContract):
    @pytest.fixture
    def provider(self, campus: CampusServer, google: Integration) -> CalendarProvider:
        feed = feed_of(campus)
        made: CalendarProvider = feed.client(grant(feed, canvas_feed(campus), f"{campus.url}/ics/rowing.ics")).started()
        return made


@pytest.mark.parametrize(("old", "new"), [("Found", FoundEvents), ("Draft", EventDraft)])
def test_a_calendar_of_another_package_finds_the_old_names_for_a_version(old: str, new: type) -> None:
    with pytest.warns(DeprecationWarning, match=new.__name__):
        assert getattr(provider, old) is new
